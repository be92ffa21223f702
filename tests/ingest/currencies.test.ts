import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { setBusinessSettings } from '../../src/control/businesses/business-settings.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { answers, importFiles, readRejects, refusal } from './shop.ts';

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

it('a second currency that comes with a later import is refused as well', async () => {
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

it('a foreign order without a rate is counted, its money is in no amount, and the report says so', async () => {
  const business = await test.createBusiness({ currency: 'CZK' });
  const { warnings } = await importFiles(test, business, {
    'orders.csv':
      'order_id,ordered_at,total,currency\nA,2024-01-01,10,CZK\nB,2024-01-02,10,EUR\nC,2024-01-02,5,\n',
    'order_items.csv': 'order_id,external_product_id,quantity,unit_price\nB,P,2,5\nA,P,1,10\n',
    'refunds.csv': 'refund_id,order_id,refunded_at,amount\nR,B,2024-01-03,10\n',
  });
  expect(warnings).toEqual([
    expect.stringMatching(/^without an exchange rate to CZK: 1 order of 10 EUR, 1 refund of 10 EUR\. /),
  ]);
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

it('an amount too large to add up is a reject', async () => {
  const business = await test.createBusiness({ currency: 'CZK' });
  const before = await answers(test, business);
  const { report } = await refusal(test, business, {
    'orders-1.csv': 'order_id,ordered_at,total\nA,2024-01-01,99999999999999\n',
    'orders-2.csv': 'order_id,ordered_at,total,currency,fx_rate\nB,2024-01-01,9999999999999,EUR,999999\n',
    'order_items.csv': 'order_id,external_product_id,quantity,unit_price\nA,p,999999999,9999999\n',
  });
  expect(readRejects(report).map(([file, line, column, , reason]) => [file, line, column, reason])).toEqual([
    ['order_items.csv', '2', 'quantity', expect.stringContaining('times unit_price must be below')],
    ['orders-1.csv', '2', 'total', expect.stringContaining('below 10^13')],
    ['orders-2.csv', '2', 'total', expect.stringContaining('times fx_rate must be below')],
  ]);
  expect(await answers(test, business)).toEqual(before);
});

describe('the products of small and large factors', () => {
  /** They stand by the day of January on which the order was placed, whose product has its number. */
  const ORDERS = [
    ['VND', '0.0000376543', '1', '5000000', 188.2715],
    ['VND', '0.000000912', '1', '50000000', 45.6],
    ['VND', '0.000000004', '1', '1000000000', 4],
    ['VND', '27000.12345678', '1', '100', 2700012.3457],
    // A price of six decimals is multiplied before it is rounded.
    ['EUR', '', '10000', '0.00125', 12.5],
  ] as const;
  let business: Business;

  beforeAll(async () => {
    business = await test.createBusiness({ currency: 'EUR' });
    const orders = ORDERS.map(
      ([currency, rate, quantity, price], index) =>
        `O${index},2024-01-0${index + 1},${Number(quantity) * Number(price)},${currency},${rate}\n`,
    );
    const lines = ORDERS.map(([, , quantity, price], index) => `O${index},p${index},${quantity},${price}\n`);
    await importFiles(test, business, {
      'orders.csv': `order_id,ordered_at,total,currency,fx_rate\n${orders.join('')}`,
      'order_items.csv': `order_id,external_product_id,quantity,unit_price\n${lines.join('')}`,
    });
  });

  it.each(ORDERS.map((order, index) => [...order, index] as const))(
    '%s at a rate of "%s": %s of %s keep the digits that matter',
    async (_currency, _rate, _quantity, _price, revenue, index) => {
      const range = {
        business_id: business.business_id,
        from_date: `2024-01-0${index + 1}T00:00:00`,
        to_date: `2024-01-0${index + 1}T23:59:59`,
      };
      expect(await test.ask('order_statistics', range)).toMatchObject({
        orders_count: 1,
        orders_revenues: revenue,
      });
      // Those of other days are there with nothing.
      const { products } = (await test.ask('product_statistics', range)) as { products: object[] };
      const sold = products.filter((product) => (product as { total_quantity: number }).total_quantity > 0);
      expect(sold).toMatchObject([{ external_product_id: `p${index}`, estimated_revenue: revenue }]);
    },
  );
});

it('the greatest prices are taken without VAT, too', async () => {
  const business = await test.createBusiness();
  await setBusinessSettings(test.instance.control, business.business_id, { vat_rate: 21 });
  await importFiles(test, business, {
    'orders.csv': 'order_id,ordered_at,total\nA,2024-01-01,9999999999999\n',
    'products.csv': 'external_product_id,name,price,purchase_price\nx,Ship,99999999999.99,1000\n',
    'order_items.csv':
      'order_id,line_no,external_product_id,quantity,unit_price,unit_cost\nA,1,x,1,99999999999.99,999\n',
  });
  const range = { from_date: '2024-01-01T00:00:00', to_date: '2024-01-31T23:59:59' };
  expect(await test.ask('product_statistics', { business_id: business.business_id, ...range })).toMatchObject(
    {
      // 99,999,999,999.99 / 1.21 = 82,644,628,099.1653
      products: [{ estimated_gross_profit: 82_644_627_100.1653, gross_profit: 82_644_627_099.1653 }],
    },
  );
});
