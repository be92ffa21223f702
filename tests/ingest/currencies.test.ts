import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { answers, importFiles, refusal } from './shop.ts';

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

const TWO_CURRENCIES = {
  'orders.csv': 'order_id,ordered_at,total,currency,fx_rate\nA,2024-01-01,10,CZK,\nB,2024-01-02,10,EUR,25\n',
};

it('orders of several currencies cannot be added up without a currency of the business', async () => {
  const business = await test.createBusiness();
  const before = await answers(test, business);
  expect((await refusal(test, business, TWO_CURRENCIES)).message).toMatch(
    /^the orders have several currencies \(CZK, EUR\) and the business has no primary currency/,
  );
  expect(await answers(test, business)).toEqual(before);
});

it('nor when the second currency comes with a later import', async () => {
  const business = await test.createBusiness();
  await importFiles(test, business, {
    'orders.csv': 'order_id,ordered_at,total,currency\nA,2024-01-01,10,CZK\n',
  });
  const later = { 'orders.csv': 'order_id,ordered_at,total,currency\nB,2024-01-01,10,EUR\n' };
  expect((await refusal(test, business, later)).message).toMatch(/several currencies \(CZK, EUR\)/);
  expect(await answers(test, business)).toMatchObject([{ orders_count: 1, orders_revenues: 10 }, {}, {}, {}]);
});

it('orders are worth their total at their rate', async () => {
  const business = await test.createBusiness({ currency: 'CZK' });
  const { warnings } = await importFiles(test, business, TWO_CURRENCIES);
  expect(warnings).toEqual([]);
  expect(await answers(test, business)).toMatchObject([
    { orders_count: 2, orders_revenues: 260 },
    {},
    {},
    {},
  ]);
});

it('a foreign order without a rate is counted, its money is 0, and the report says so', async () => {
  const business = await test.createBusiness({ currency: 'CZK' });
  const { warnings } = await importFiles(test, business, {
    'orders.csv':
      'order_id,ordered_at,total,currency\nA,2024-01-01,10,CZK\nB,2024-01-02,10,EUR\nC,2024-01-02,5,\n',
    'order_items.csv': 'order_id,external_product_id,quantity,unit_price\nB,P,2,5\nA,P,1,10\n',
    'refunds.csv': 'refund_id,order_id,refunded_at,amount\nR,B,2024-01-03,10\n',
  });
  expect(warnings).toEqual(['1 order in another currency has no fx_rate: it is counted, its money is 0']);
  expect(await answers(test, business)).toMatchObject([
    { orders_count: 3, orders_revenues: 15 },
    {},
    { products: [{ total_quantity: 3, estimated_revenue: 10 }] },
    {},
  ]);
});

it('a rate of an order in the currency of the business changes nothing', async () => {
  const business = await test.createBusiness({ currency: 'CZK' });
  await importFiles(test, business, {
    'orders.csv': 'order_id,ordered_at,total,currency,fx_rate\nA,2024-01-01,10,CZK,2\nB,2024-01-01,10,,3\n',
  });
  expect(await answers(test, business)).toMatchObject([{ orders_revenues: 20 }, {}, {}, {}]);
});

it('lines and refunds of orders that are not loaded are told', async () => {
  const business = await test.createBusiness();
  const { warnings } = await importFiles(test, business, {
    'order_items.csv': 'order_id,external_product_id,quantity,unit_price\nX,P,1,1\nY,P,1,1\n',
    'refunds.csv': 'refund_id,order_id,refunded_at,amount\nR,X,2024-01-01,1\n',
  });
  expect(warnings).toEqual([
    '2 order_items belong to orders that are not loaded; they count when those are',
    '1 refund belongs to an order that is not loaded; it counts when that is',
  ]);
});

it('amounts of millions and billions are added up, whatever the rate', async () => {
  const business = await test.createBusiness({ currency: 'IDR' });
  await importFiles(test, business, {
    'orders.csv':
      'order_id,ordered_at,total,currency,fx_rate\nA,2024-01-01,15000000000.5,,\nB,2024-01-01,2000000,EUR,18000.12345678\n',
    'order_items.csv':
      'order_id,external_product_id,quantity,unit_price,unit_cost\nA,P,10000,1500000,1000000\nB,P,2,1000000,\n',
    'products.csv': 'external_product_id,name,price,purchase_price\nP,Boat,1500000,1000000000\n',
    'refunds.csv': 'refund_id,order_id,refunded_at,amount\nR,B,2024-01-03,2000000\n',
  });
  const foreign = 2_000_000 * 18000.12345678;
  expect(await answers(test, business)).toMatchObject([
    { orders_revenues: 15_000_000_000.5 + foreign },
    {},
    { products: [{ estimated_revenue: 15_000_000_000 + foreign }] },
    {},
  ]);
});

it.each([
  ['orders.csv', 'order_id,ordered_at,total\nA,2024-01-01,99999999999999\n', 'total', /below 10\^13/],
  [
    'orders.csv',
    'order_id,ordered_at,total,currency,fx_rate\nA,2024-01-01,9999999999999,EUR,999999\n',
    'total',
    /times fx_rate must be below/,
  ],
  [
    'order_items.csv',
    'order_id,external_product_id,quantity,unit_price\nA,p,999999999,9999999\n',
    'quantity',
    /times unit_price must be below/,
  ],
])('an amount too large to add up is a reject: %s', async (file, text, column, reason) => {
  const business = await test.createBusiness({ currency: 'CZK' });
  const before = await answers(test, business);
  const { report } = await refusal(test, business, { [file]: text });
  expect(readFileSync(String(report?.rejects_file), 'utf8')).toMatch(
    new RegExp(`${file},2,${column},.*${reason.source}`),
  );
  expect(await answers(test, business)).toEqual(before);
});

it.each([
  ['0.0000376543', '5000000', 188.2715],
  ['0.000000912', '50000000', 45.6],
  ['0.000000004', '1000000000', 4],
  ['27000.12345678', '100', 2700012.3457],
])('a rate of %s keeps the digits that matter', async (rate, total, revenue) => {
  const business = await test.createBusiness({ currency: 'EUR' });
  await importFiles(test, business, {
    'orders.csv': `order_id,ordered_at,total,currency,fx_rate\nA,2024-01-01,${total},VND,${rate}\n`,
    'order_items.csv': `order_id,external_product_id,quantity,unit_price\nA,p,1,${total}\n`,
  });
  const range = {
    business_id: business.business_id,
    from_date: '2024-01-01T00:00:00',
    to_date: '2024-01-31T00:00:00',
  };
  expect(await test.ask('order_statistics', range)).toMatchObject({ orders_revenues: revenue });
  expect(await test.ask('product_statistics', range)).toMatchObject({
    products: [{ estimated_revenue: revenue }],
  });
});

it('a price of six decimals is multiplied before it is rounded', async () => {
  const business = await test.createBusiness({ currency: 'EUR' });
  await importFiles(test, business, {
    'orders.csv': 'order_id,ordered_at,total\nA,2024-01-01,12.5\n',
    'order_items.csv': 'order_id,external_product_id,quantity,unit_price\nA,screw,10000,0.00125\n',
  });
  const range = {
    business_id: business.business_id,
    from_date: '2024-01-01T00:00:00',
    to_date: '2024-01-31T00:00:00',
  };
  expect(await test.ask('product_statistics', range)).toMatchObject({
    products: [{ estimated_revenue: 12.5 }],
  });
});
