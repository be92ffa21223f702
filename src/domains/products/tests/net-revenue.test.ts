import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Row } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import { setBusinessSettings } from '../../../control/businesses/business-settings.ts';

/**
 * What is left of a line: without its part of the order's discount, and without VAT. Numbers worked out by
 * hand.
 */

const YEAR = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

type Item = Partial<Row<'order_items'>>;
type Order = Partial<Row<'orders'>>;
interface Net {
  readonly external_product_id: string;
  readonly discount: number | null;
  readonly tax: number | null;
  readonly net_revenue: number | null;
}

/** One order, and discount, tax and net revenue of each of its lines that is a product. */
interface Case {
  readonly says: string;
  /** The VAT rate of the store; null: none set. */
  readonly rate: number | null;
  readonly order: Order;
  readonly items: readonly Item[];
  readonly left: readonly (readonly [discount: number, tax: number | null, net: number | null])[];
}

const one = (unit_price: string, more: Item = {}): Item => ({ unit_price, ...more });
const CASES: readonly Case[] = [
  {
    says: 'VAT is shared out over what was paid, shipping of 60.5 too',
    ...{
      rate: null,
      order: { total: '423.5', tax: '73.5', shipping: '60.5' },
      items: [one('121'), one('242')],
    },
    left: [
      [0, 21, 100],
      [0, 42, 200],
    ],
  },
  {
    says: 'VAT is that of the line where the line has a rate: food has another',
    ...{ rate: null, order: { total: '233', tax: '40' } },
    items: [one('112', { tax_rate: '12' }), one('121', { tax_rate: '21' })],
    left: [
      [0, 12, 100],
      [0, 21, 100],
    ],
  },
  {
    says: 'VAT of the order comes before the rate of the store',
    ...{ rate: 25, order: { total: '100', tax: '0' }, items: [one('100')], left: [[0, 0, 100]] },
  },
  {
    says: 'VAT is by the rate of the store where the order tells none',
    ...{ rate: 25, order: { total: '100' }, items: [one('100')], left: [[0, 20, 80]] },
  },
  {
    says: 'a rate of 0 is known',
    ...{ rate: 0, order: { total: '100' }, items: [one('100')], left: [[0, 0, 100]] },
  },
  {
    says: 'nothing is left that anybody knows where nobody tells the VAT',
    ...{ rate: null, order: { total: '100' }, items: [one('100'), one('0')] },
    left: [
      [0, null, null],
      [0, 0, 0],
    ],
  },
  ...['100', '150', '-10'].flatMap((tax): Case[] => [
    {
      says: `a tax of ${tax} on 100 is none`,
      ...{ rate: null, order: { total: '100', tax }, items: [one('100')], left: [[0, null, null]] },
    },
    {
      says: `a tax of ${tax} on 100 is none, and the rate of the store holds`,
      ...{ rate: 25, order: { total: '100', tax }, items: [one('100')], left: [[0, 20, 80]] },
    },
  ]),
  {
    says: 'VAT comes back with an order of less than nothing',
    ...{ rate: null, order: { total: '-121', tax: '-21' }, items: [one('121', { quantity: '-1' })] },
    left: [[0, -21, -100]],
  },
  {
    says: 'no VAT is in prices to which it is added, as the source tells',
    ...{ rate: 21, order: { total: '121', tax: '21', taxes_included: 'false' }, items: [one('100')] },
    left: [[0, 0, 100]],
  },
  {
    says: 'no VAT is in prices to which it is added, as the total shows',
    ...{ rate: 21, order: { total: '121', tax: '21' }, items: [one('100')], left: [[0, 0, 100]] },
  },
  {
    says: 'VAT is in prices where the source tells so, and the rest was shipping',
    ...{ rate: null, order: { total: '121', tax: '21', taxes_included: 'true' }, items: [one('100')] },
    left: [[0, 17.3554, 82.6446]],
  },
  {
    // 10 / 3 is 3.3333…; 290 without VAT of 25 % is 232, and 58 / 3 is 19.3333…
    says: 'parts add up to the last ten-thousandth',
    ...{ rate: null, order: { total: '290', tax: '58', discount: '10' } },
    items: [one('100'), one('100'), one('100')],
    left: [
      [3.3333, 19.3333, 77.3334],
      [3.3334, 19.3334, 77.3332],
      [3.3333, 19.3333, 77.3334],
    ],
  },
  {
    says: 'the discount is told by lines of that kind too',
    ...{ rate: null, order: { total: '180', tax: '0' } },
    items: [one('150'), one('50'), one('-20', { kind: 'discount', external_product_id: undefined })],
    left: [
      [15, 0, 135],
      [5, 0, 45],
    ],
  },
  {
    says: 'the discount is not taken off twice where prices are after it, as of Shopify and WooCommerce',
    ...{ rate: null, order: { total: '190', tax: '0', discount: '10', shipping: '100' }, items: [one('90')] },
    left: [[0, 0, 90]],
  },
  {
    says: 'nor where tax is added to such prices',
    ...{
      rate: null,
      order: { total: '209', tax: '19', discount: '10', shipping: '100' },
      items: [one('90')],
    },
    left: [[0, 0, 90]],
  },
  {
    says: 'the discount takes no more than the lines cost; the rest was off shipping',
    ...{ rate: null, order: { total: '0', tax: '0', discount: '180', shipping: '80' } },
    items: [one('60'), one('40')],
    left: [
      [60, 0, 0],
      [40, 0, 0],
    ],
  },
  {
    says: 'parts leave alone what costs nothing, and give back what a line takes away',
    ...{ rate: null, order: { total: '72', tax: '12', discount: '8' } },
    items: [one('0'), one('100'), one('20', { quantity: '-1' })],
    left: [
      [0, 0, 0],
      [10, 15, 75],
      [-2, -3, -15],
    ],
  },
  {
    says: 'a discount of less than nothing is none',
    ...{ rate: null, order: { total: '100', tax: '0', discount: '-10' }, items: [one('100')] },
    left: [[0, 0, 100]],
  },
  {
    says: 'lines that are worth nothing bear nothing',
    ...{ rate: null, order: { total: '0', tax: '0', discount: '10' }, items: [one('0')], left: [[0, 0, 0]] },
  },
  {
    says: 'parts are in the money of the store',
    ...{ rate: null, order: { total: '108', tax: '18', discount: '12', currency: 'EUR', fx_rate: '25' } },
    ...{ items: [one('120')], left: [[300, 450, 2250]] },
  },
  {
    says: 'money without a rate is unknown',
    ...{ rate: null, order: { total: '108', tax: '18', currency: 'EUR' }, items: [one('108')] },
    left: [[0, null, null]],
  },
];

/** Rows of product_statistics of a shop that has the orders of all cases of a rate, by product. */
const shops = new Map<number | null, Promise<ReadonlyMap<string, Net>>>();

async function rowsOf(rate: number | null): Promise<ReadonlyMap<string, Net>> {
  const cases = [...CASES.entries()].filter(([, one]) => one.rate === rate);
  const business_id = await shopOf(
    rate,
    [
      ...cases.map(([index, { order }]) => ({ order_id: String(index), ...order })),
      // One tells a discount, so those that do not have none.
      { order_id: 'reduced', total: '9', discount: '1' },
    ],
    cases.flatMap(([index, { items }]) =>
      items.map((item, line) => ({
        ...{ order_id: String(index), line_no: String(line + 1), external_product_id: idOf(index, line) },
        ...item,
      })),
    ),
  );
  const { result } = await test.run('product_statistics', { business_id, ...YEAR, limit: 1000 });
  return new Map((result as { products: Net[] }).products.map((row) => [row.external_product_id, row]));
}

const idOf = (index: number, line: number) => `${index}-${line}`;

async function shopOf(vat_rate: number | null, orders: readonly Order[], items: readonly Item[]) {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await setBusinessSettings(test.instance.control, business.business_id, { vat_rate });
  await test.importStore(business, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    orders: orders.map((order) => ({ ordered_at: '2024-01-10T12:00:00', email: 'a@x.cz', ...order })),
    order_items: items.map((item) => ({ quantity: '1', unit_cost: '0', ...item })),
  });
  return business.business_id;
}

it.each(CASES.map((one, index) => ({ ...one, index })))('$says', async ({ rate, left, index }) => {
  const shop = shops.get(rate) ?? rowsOf(rate);
  shops.set(rate, shop);
  const rows = await shop;
  expect(
    left.map((_, line) => {
      const row = rows.get(idOf(index, line));
      return [row?.discount, row?.tax, row?.net_revenue];
    }),
  ).toEqual(left);
});

it('profit is of lines whose VAT and cost are known, and says how much of the revenue they are', async () => {
  const line = { order_id: '1' };
  const business_id = await shopOf(
    null,
    [{ order_id: '1', total: '400' }],
    [
      { ...line, line_no: '1', external_product_id: 'a', unit_price: '125', tax_rate: '25', unit_cost: '60' },
      { ...line, line_no: '2', external_product_id: 'a', unit_price: '75', unit_cost: '10' },
      {
        ...line,
        line_no: '3',
        external_product_id: 'b',
        unit_price: '200',
        tax_rate: '25',
        unit_cost: undefined,
      },
    ],
  );
  const { result, notes } = await test.run('product_statistics', { business_id, ...YEAR });
  expect((result as { products: object[] }).products).toMatchObject([
    // 75 has an unknown VAT: not a part of the profit, and the row has no net revenue, which would lack it.
    {
      ...{ estimated_revenue: 200, net_revenue: null, tax: null, discount: null, discount_share: null },
      ...{ estimated_gross_profit: 40, revenue_with_known_cost: 62.5, estimated_gross_profit_margin: 40 },
    },
    { estimated_revenue: 200, net_revenue: 160, estimated_gross_profit: 0, revenue_with_known_cost: 0 },
  ]);
  expect(notes?.filter((note) => note.includes('VAT'))).toEqual([
    'The VAT of some orders is not known: tax and net_revenue are null where they are counted, and profit leaves them out.',
    'A rate is set with: storesight business update <id> --vat-rate 21 (0: prices have no VAT).',
  ]);
});

describe('the discount of products', () => {
  const NOT_TOLD = 'discount is null where the orders do not tell it';
  const at = (month: string) => ({ ordered_at: `2024-${month}-10T12:00:00` });
  const sold = (id: string) => ({
    ...{ order_id: id, line_no: '1', external_product_id: `p${id}`, unit_price: '121', tax_rate: '21' },
  });
  const items = [sold('1'), sold('2'), sold('3')];

  it.each([
    ['no order tells one', [undefined, undefined, undefined], [null, null, null], null],
    [
      'one of three says 0: that is not one of the others',
      ['0', undefined, undefined],
      [null, null, null],
      null,
    ],
    ['two of three say 0: that of the third is not known', ['0', '0', undefined], [0, 0, null], 0],
    ['one has one, and none says 0: the others have none', ['21', undefined, undefined], [21, 0, 0], 21],
    ['one has one, and another says 0', ['21', '0', undefined], [21, 0, null], 21],
  ])('follows from its orders: %s', async (_, told, expected, sum) => {
    const orders = told.map((discount, index) => ({
      ...{ order_id: String(index + 1), total: String(121 - Number(discount ?? 0)), discount },
      ...at(`0${index + 1}`),
    }));
    const business_id = await shopOf(null, orders, items);
    const ask = async (tool: string, args: object) => {
      const { result, notes = [] } = await test.run(tool, { business_id, ...YEAR, ...args });
      return {
        rows: result as Record<string, Net[]>,
        isTold: notes.some((note) => note.startsWith(NOT_TOLD)),
      };
    };
    const known = expected.map((discount) => ({
      discount,
      discount_share: discount === null ? null : Number(((100 * discount) / 121).toFixed(4)),
      net_revenue: Number(((121 - (discount ?? 0)) / 1.21).toFixed(4)),
    }));
    const {
      rows: { products = [] },
      isTold,
    } = await ask('product_statistics', {});
    expect(isTold).toBe(expected.includes(null));
    const byId = products.toSorted((a, b) => (a.external_product_id < b.external_product_id ? -1 : 1));
    expect(byId).toMatchObject(known);
    const { brands = [] } = (await ask('brand_statistics', {})).rows;
    expect(brands).toMatchObject([{ discount: sum }]);
    // Whether orders tell it is asked of the whole range; where nothing was sold, nothing was taken off.
    const { periods = [] } = (
      await ask('product_statistics_trend', {
        ...{ external_product_ids: ['p1'], breakdown: 'month', to_date: '2024-03-31' },
      })
    ).rows;
    expect(periods.map(({ discount }) => discount)).toEqual([expected[0], 0, 0]);
  });
});

describe('tax of orders', () => {
  const ask = async (tool: string, business_id: string, args: object = {}) => {
    const { result, notes } = await test.run(tool, { business_id, ...YEAR, ...args });
    return {
      result: result as Record<string, unknown>,
      notes: notes?.filter((note) => note.includes('VAT')),
    };
  };

  const shopOfTwo = (vat_rate: number | null) =>
    shopOf(
      vat_rate,
      [
        // This order has no lines.
        { order_id: '1', total: '121', tax: '21', country: 'CZ' },
        { order_id: '2', ordered_at: '2024-03-10T12:00:00', total: '120', country: 'SK' },
        { order_id: '3', ordered_at: '2024-03-10T12:00:00', total: '120', tax: '20', status: 'cancelled' },
      ],
      [],
    );

  it('stands in statistics, trends and distributions, by country too', async () => {
    const id = await shopOfTwo(20);
    expect((await ask('order_statistics', id)).result).toMatchObject({ orders_revenues: 241, tax: 41 });
    const trend = await ask('order_statistics_trend', id, {
      breakdown: 'month',
      to_date: '2024-03-31T23:59:59',
    });
    expect(trend.result.periods).toMatchObject([{ tax: 21 }, { tax: 0 }, { tax: 20 }]);
    const countries = await ask('order_distribution_statistics', id, { dimension: 'country' });
    expect(countries.result).toMatchObject({
      tax: 41,
      rows: [
        { key: 'CZ', tax: 21 },
        { key: 'SK', tax: 20 },
      ],
    });
  });

  it('is null with a note where that of one order is not known', async () => {
    const id = await shopOfTwo(null);
    const { result, notes } = await ask('order_statistics', id);
    expect(result.tax).toBeNull();
    const note =
      'The VAT of 1 of 2 orders is not known: tax is null where they are counted. A rate is set with: storesight business update <id> --vat-rate 21 (0: prices have no VAT).';
    expect(notes).toEqual([note]);
    const trend = await ask('order_statistics_trend', id, {
      breakdown: 'month',
      to_date: '2024-03-31T23:59:59',
    });
    expect(trend.result.periods).toMatchObject([{ tax: 21 }, { tax: 0 }, { tax: null }]);
    const countries = await ask('order_distribution_statistics', id, { dimension: 'country' });
    expect(countries.result).toMatchObject({ tax: null, rows: [{ tax: 21 }, { tax: null }] });
    expect(trend.notes).toEqual([note]);
    expect(countries.notes).toEqual([note]);
  });
});
