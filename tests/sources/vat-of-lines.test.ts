import { afterAll, beforeAll, expect, it } from 'vitest';
import { importFiles } from '../../src/import/run.ts';
import type { Settings } from '../../src/sources/source.ts';
import { type Files, writeFiles } from '../ingest/shop.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * What each source says of VAT and discounts, up to what is left of the lines. Nobody tells a rate of the
 * store.
 */

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
});

afterAll(() => test[Symbol.asyncDispose]());

async function leftOf(files: Files, settings: Settings = {}) {
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Prague' });
  await importFiles(test.instance, business, [writeFiles(test, files)], { settings });
  const { products } = (await test.ask('product_statistics', {
    business_id: business.business_id,
    ...{ from_date: '2026-01-01T00:00:00', to_date: '2026-12-31T23:59:59', limit: 1000 },
  })) as { products: Record<string, unknown>[] };
  return Object.fromEntries(
    products.map((row) => [
      row.external_product_id,
      [row.estimated_revenue, row.discount, row.tax, row.net_revenue],
    ]),
  );
}

const SHOPIFY = {
  ...{ id: 1, name: '#1', processed_at: '2026-03-05T15:40:14+01:00', financial_status: 'paid', test: false },
  ...{ currency: 'EUR', total_discounts: '30.00', shipping_lines: [] },
};
const shopifyLine = (sku: string, price: string, off: string, rates: readonly number[]) => ({
  ...{ id: sku, sku, name: sku, quantity: 1, price, vendor: 'Us', discount_allocations: [{ amount: off }] },
  tax_lines: rates.map((rate) => ({ rate, price: '0' })),
});

it('Shopify JSON: rates of lines, after the discount', async () => {
  const order = {
    ...SHOPIFY,
    ...{ taxes_included: true, total_price: '233.00', subtotal_price: '233.00', total_tax: '33.00' },
    line_items: [
      shopifyLine('food', '122.00', '10.00', [0.12]),
      shopifyLine('mug', '141.00', '20.00', [0.2, 0.01]),
    ],
  };
  expect(await leftOf({ 'orders.json': JSON.stringify([order]) })).toEqual({
    food: [112, 0, 12, 100],
    mug: [121, 0, 21, 100],
  });
});

it('Shopify JSON: tax that is added to prices is not in them, though shipping of its own amount is there', async () => {
  const order = {
    ...SHOPIFY,
    ...{ taxes_included: false, total_price: '242.00', subtotal_price: '200.00', total_tax: '21.00' },
    total_shipping_price_set: { shop_money: { amount: '21.00' } },
    line_items: [
      shopifyLine('food', '110.00', '10.00', [0.1]),
      shopifyLine('mug', '120.00', '20.00', [0.11]),
    ],
  };
  expect(await leftOf({ 'orders.json': JSON.stringify([order]) })).toEqual({
    food: [100, 0, 0, 100],
    mug: [100, 0, 0, 100],
  });
});

const SHOPIFY_CSV =
  'Name,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Discount Code,Discount Amount,Lineitem quantity,Lineitem name,Lineitem price,Id';

it('Shopify CSV: tax in prices or added to them, as the total shows, and a discount of the order', async () => {
  const row = (id: number, amounts: string, off: string, product: string, price: string) =>
    `#${id},a@x.cz,paid,EUR,${amounts},2026-03-05 15:40:14 +0100,TEN,${off},1,${product},${price},${id}`;
  const csv = [
    SHOPIFY_CSV,
    // 121 of goods and 12.10 of shipping, 21 % of both in them.
    row(1, '121.00,12.10,23.10,133.10', '9.00', 'In', '130.00'),
    row(2, '100.00,10.00,23.10,133.10', '9.00', 'Added', '109.00'),
  ].join('\n');
  expect(await leftOf({ 'orders.csv': `${csv}\n` })).toEqual({
    'name:In': [121, 0, 21, 100],
    'name:Added': [100, 0, 0, 100],
  });
});

it('WooCommerce JSON: tax of lines, which stand after the coupon', async () => {
  const line = (id: number, subtotal: string, total: string, total_tax: string) => ({
    ...{ id, name: `P${id}`, product_id: id, variation_id: 0, quantity: 2, subtotal, total, total_tax },
  });
  const order = {
    ...{ id: 7, number: '7', status: 'completed', currency: 'EUR', date_created_gmt: '2026-03-05T14:00:00' },
    ...{
      order_key: 'wc',
      discount_total: '20.00',
      discount_tax: '3.00',
      shipping_total: '10.00',
      shipping_tax: '2.10',
    },
    ...{ total: '245.10', total_tax: '35.10', coupon_lines: [{ code: 'x' }], billing: { email: 'a@x.cz' } },
    line_items: [line(1, '110.00', '100.00', '12.00'), line(2, '110.00', '100.00', '21.00')],
  };
  expect(await leftOf({ 'orders.json': JSON.stringify([order]) })).toEqual({
    1: [112, 0, 12, 100],
    2: [121, 0, 21, 100],
  });
});

it('Shoptet: prices with and without VAT of lines, and a coupon that is a line', async () => {
  const header =
    'code;date;statusName;currency;email;totalPriceWithVat;totalPriceWithoutVat;itemType;itemCode;itemName;itemAmount;itemTotalPriceWithVat;itemTotalPriceWithoutVat';
  const row = (type: string, code: string, gross: string, net: string) =>
    `1;2026-03-05 14:00:00;Vyřízená;EUR;a@x.cz;209,70;180,00;${type};${code};${code};1;${gross};${net}`;
  const csv = [
    header,
    row('product', 'FOOD', '112,00', '100,00'),
    row('product', 'MUG', '121,00', '100,00'),
    row('discount-coupon', 'TEN', '-23,30', '-20,00'),
  ].join('\n');
  // A tenth of each: 11.20 and 12.10.
  expect(await leftOf({ 'orders.csv': `${csv}\n` }, { timezone: 'Europe/Prague' })).toEqual({
    FOOD: [112, 11.2, 10.8, 90],
    MUG: [121, 12.1, 18.9, 90],
  });
});
