import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type {
  OrderItemRow,
  OrderRow,
  ProductPriceRow,
  ProductRow,
} from '../../tools/made-shop/generator/tables.ts';
import { writeDemoTables } from '../../tools/made-shop/generator/write-demo-shop.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** Profit and tax of the made shop, against plain loops over its rows as they were written. */

const RANGE = { from_date: '2026-01-01T00:00:00', to_date: '2026-09-30T23:59:59' };

let test: TestInstance;
let business_id: string;
let orders: OrderRow[];
let items: Map<string, OrderItemRow[]>;
let costOf: (item: OrderItemRow, at: string) => number | null;

beforeAll(async () => {
  test = await createTestInstance();
  const folder = join(test.madeFiles, 'demo-shop');
  await writeDemoTables(folder, { scale: 0.3 });
  const read = async <Row>(table: string) =>
    (await readFile(join(folder, `${table}.ndjson`), 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
  orders = await read<OrderRow>('orders');
  items = Map.groupBy(await read<OrderItemRow>('order_items'), ({ order_id }) => order_id);
  const prices = Map.groupBy(
    await read<ProductPriceRow>('product_prices'),
    ({ external_product_id }) => external_product_id,
  );
  const products = await read<ProductRow>('products');
  const now = new Map(products.map((row) => [row.external_product_id, row.purchase_price]));
  costOf = ({ unit_cost, external_product_id }, at) => {
    if (unit_cost !== null) return Number(unit_cost);
    const id = external_product_id ?? '';
    const then = (prices.get(id) ?? [])
      .filter(({ valid_from }) => new Date(valid_from) <= new Date(at))
      .at(-1);
    const cost = then?.purchase_price ?? now.get(id) ?? null;
    return cost === null ? null : Number(cost);
  };
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importFolder(business, folder);
  business_id = business.business_id;
});

afterAll(() => test[Symbol.asyncDispose]());

const ask = async <Answer>(tool: string, args: object = {}) =>
  (await test.ask(tool, { business_id, ...RANGE, ...args })) as Answer;

const inPrague = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Prague',
  dateStyle: 'short',
  timeStyle: 'medium',
});

function ordersIn(from: string, to: string): OrderRow[] {
  return orders.filter(({ ordered_at, status, is_test }) => {
    const local = inPrague.format(new Date(ordered_at)).replace(' ', 'T');
    return local >= from && local <= to && status !== 'cancelled' && !is_test;
  });
}

const rateOf = ({ currency, fx_rate }: OrderRow) => (currency === 'CZK' ? 1 : Number(fx_rate));

it('the profit of nine months is what is left of the price of each line', async () => {
  const truth = { revenue: 0, discount: 0, tax: 0, profit: 0, known: 0, before: 0 };
  for (const order of ordersIn(RANGE.from_date, RANGE.to_date)) {
    const lines = (items.get(order.order_id) ?? []).filter(({ kind }) => kind === 'product');
    const goods = lines.reduce(
      (all, { quantity, unit_price }) => all + Number(quantity) * Number(unit_price),
      0,
    );
    for (const line of lines) {
      const price = Number(line.quantity) * Number(line.unit_price);
      const discount = goods === 0 ? 0 : (Number(order.discount) * price) / goods;
      const tax = ((price - discount) * Number(line.tax_rate)) / (100 + Number(line.tax_rate));
      const rate = rateOf(order);
      truth.revenue += price * rate;
      truth.discount += discount * rate;
      truth.tax += tax * rate;
      const cost = costOf(line, order.ordered_at);
      if (cost === null) continue;
      // The purchase prices of the catalogue are in the money of the shop.
      const costs = Number(line.quantity) * cost * (line.unit_cost === null ? 1 : rate);
      truth.profit += (price - discount - tax) * rate - costs;
      truth.known += (price - discount - tax) * rate;
      truth.before += price * rate - costs;
    }
  }
  const { products } = await ask<{ products: Record<string, number>[] }>('product_statistics', {
    limit: 1000,
  });
  const sum = (key: string) => products.reduce((all, row) => all + Number(row[key]), 0);
  // The profit was said to be half as much again with VAT and discounts in it, and 45.3 % of what was paid.
  expect(truth.before / truth.profit).toBeGreaterThan(1.4);
  expect(truth.profit / truth.known).toBeGreaterThan(0.25);
  expect(truth.profit / truth.known).toBeLessThan(0.4);
  expect(products.length).toBeLessThan(1000);
  expect(sum('estimated_revenue')).toBeCloseTo(truth.revenue, 0);
  expect(sum('discount')).toBeCloseTo(truth.discount, 0);
  expect(sum('tax')).toBeCloseTo(truth.tax, 0);
  expect(sum('net_revenue')).toBeCloseTo(truth.revenue - truth.discount - truth.tax, 0);
  expect(sum('estimated_gross_profit')).toBeCloseTo(truth.profit, 0);
});

it('the tax of September, whole and by country', async () => {
  const range = { from_date: '2026-09-01T00:00:00', to_date: '2026-09-30T23:59:59' };
  const september = ordersIn(range.from_date, range.to_date);
  const taxOf = (some: readonly OrderRow[]) =>
    some.reduce((all, order) => all + Number(order.tax) * rateOf(order), 0);
  expect(taxOf(september)).toBeGreaterThan(10_000);
  expect((await ask<{ tax: number }>('order_statistics', range)).tax).toBeCloseTo(taxOf(september), 0);
  const { rows } = await ask<{ rows: { key: string; tax: number }[] }>('order_distribution_statistics', {
    ...range,
    dimension: 'country',
  });
  const byCountry = Map.groupBy(september, ({ country }) => country);
  expect(rows.length).toBe(byCountry.size);
  for (const { key, tax } of rows) expect(tax, key).toBeCloseTo(taxOf(byCountry.get(key) ?? []), 0);
});
