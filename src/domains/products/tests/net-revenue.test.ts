import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Row } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import { setBusinessSettings } from '../../../control/business-settings.ts';

/** What is left of a line: without its part of the order's discount, and without VAT. Numbers worked out by hand. */

const YEAR = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

type Item = Partial<Row<'order_items'>>;
interface Net {
  readonly external_product_id: string;
  readonly discount: number;
  readonly tax: number | null;
  readonly net_revenue: number | null;
  readonly estimated_revenue: number;
  readonly estimated_gross_profit: number;
}

/** A shop of one order. Lines are named a, b, c …, cost nothing and are one piece, unless they say otherwise. */
async function shopOf(order: Partial<Row<'orders'>>, items: readonly Item[], vat_rate: number | null = null) {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await setBusinessSettings(test.instance.control, business.business_id, { vat_rate });
  await test.importStore(business, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    orders: [{ order_id: 'o', ordered_at: '2024-01-10T12:00:00', email: 'a@x.cz', ...order }],
    order_items: items.map((item, index) => ({
      ...{ order_id: 'o', line_no: String(index + 1), external_product_id: 'abcdefgh'[index] },
      ...{ quantity: '1', unit_cost: '0', ...item },
    })),
  });
  return business.business_id;
}

async function netOf(business_id: string) {
  const { result, notes } = await test.run('product_statistics', { business_id, ...YEAR, limit: 1000 });
  const { products } = result as { products: Net[] };
  const byId = products.toSorted((one, other) =>
    one.external_product_id < other.external_product_id ? -1 : 1,
  );
  return { rows: byId.map((row) => [row.discount, row.tax, row.net_revenue]), notes, products: byId };
}

const net = async (...shop: Parameters<typeof shopOf>) => (await netOf(await shopOf(...shop))).rows;

describe('VAT of the order', () => {
  it('is shared out over what was paid, shipping too', async () => {
    // 21 % of everything: 121 + 242 + 60.5 of shipping.
    expect(
      await net({ total: '423.5', tax: '73.5', shipping: '60.5' }, [
        { unit_price: '121' },
        { unit_price: '242' },
      ]),
    ).toEqual([
      [0, 21, 100],
      [0, 42, 200],
    ]);
  });

  it('is that of the line where the line has a rate', async () => {
    // Food at 12 %, the rest of the tax is not looked at.
    expect(
      await net({ total: '233', tax: '33' }, [
        { unit_price: '112', tax_rate: '12' },
        { unit_price: '121', tax_rate: '21' },
      ]),
    ).toEqual([
      [0, 12, 100],
      [0, 21, 100],
    ]);
  });

  it('comes before the rate of the store, which comes before nothing', async () => {
    expect(await net({ total: '100', tax: '0' }, [{ unit_price: '100' }], 25)).toEqual([[0, 0, 100]]);
    expect(await net({ total: '100' }, [{ unit_price: '100' }], 25)).toEqual([[0, 20, 80]]);
    expect(await net({ total: '100' }, [{ unit_price: '100' }], 0)).toEqual([[0, 0, 100]]);
    expect(await net({ total: '100' }, [{ unit_price: '100' }])).toEqual([[0, null, null]]);
  });

  it('is none where it is as large as the total, or of another sign', async () => {
    for (const tax of ['100', '150', '-10']) {
      expect(await net({ total: '100', tax }, [{ unit_price: '100' }]), tax).toEqual([[0, null, null]]);
      expect(await net({ total: '100', tax }, [{ unit_price: '100' }], 25), tax).toEqual([[0, 20, 80]]);
    }
  });

  it('is paid back by an order of less than nothing', async () => {
    expect(await net({ total: '-121', tax: '-21' }, [{ unit_price: '121', quantity: '-1' }])).toEqual([
      [0, -21, -100],
    ]);
  });

  it('is not in prices to which it is added', async () => {
    const lines = [{ unit_price: '100' }];
    // Told, and seen: 100 and 21 make the total.
    expect(await net({ total: '121', tax: '21', taxes_included: 'false' }, lines, 21)).toEqual([[0, 0, 100]]);
    expect(await net({ total: '121', tax: '21' }, lines, 21)).toEqual([[0, 0, 100]]);
    // It is in them, and the rest was shipping that nobody tells.
    expect(await net({ total: '121', tax: '21', taxes_included: 'true' }, lines)).toEqual([
      [0, 17.3554, 82.6446],
    ]);
  });
});

describe('the discount of the order', () => {
  it('is shared out to the last ten-thousandth, and VAT is of what is left', async () => {
    // 10 / 3 is 3.3333…; 290 less VAT of 25 % is 232, and 58 / 3 is 19.3333…
    const rows = await net({ total: '290', tax: '58', discount: '10' }, [
      { unit_price: '100' },
      { unit_price: '100' },
      { unit_price: '100' },
    ]);
    expect(rows).toEqual([
      [3.3333, 19.3333, 77.3334],
      [3.3334, 19.3334, 77.3332],
      [3.3333, 19.3333, 77.3334],
    ]);
  });

  it('is told by lines of that kind too', async () => {
    const rows = await net({ total: '180', tax: '0' }, [
      { unit_price: '150' },
      { unit_price: '50' },
      { unit_price: '-20', kind: 'discount', external_product_id: undefined },
    ]);
    expect(rows).toEqual([
      [15, 0, 135],
      [5, 0, 45],
    ]);
  });

  it('is not taken off twice where prices of lines are after it, as of Shopify and WooCommerce', async () => {
    expect(await net({ total: '190', tax: '0', discount: '10', shipping: '100' }, [{ unit_price: '90' }])).toEqual(
      [[0, 0, 90]],
    );
    // The same beside tax that is added: 90 + 100 + 19.
    expect(
      await net({ total: '209', tax: '19', discount: '10', shipping: '100' }, [{ unit_price: '90' }]),
    ).toEqual([[0, 0, 90]]);
  });

  it('takes no more than the lines cost; the rest was off shipping', async () => {
    expect(
      await net({ total: '0', tax: '0', discount: '180', shipping: '80' }, [
        { unit_price: '60' },
        { unit_price: '40' },
      ]),
    ).toEqual([
      [60, 0, 0],
      [40, 0, 0],
    ]);
  });

  it('leaves alone what costs nothing, and gives back what a line takes away', async () => {
    expect(
      await net({ total: '72', tax: '12', discount: '8' }, [
        { unit_price: '0' },
        { unit_price: '100' },
        { unit_price: '20', quantity: '-1' },
      ]),
    ).toEqual([
      [0, 0, 0],
      [10, 15, 75],
      [-2, -3, -15],
    ]);
  });

  it('is none where it is less than nothing, or lines are worth nothing', async () => {
    expect(await net({ total: '100', tax: '0', discount: '-10' }, [{ unit_price: '100' }])).toEqual([
      [0, 0, 100],
    ]);
    expect(await net({ total: '0', tax: '0', discount: '10' }, [{ unit_price: '0' }])).toEqual([[0, 0, 0]]);
  });
});

it('is in the money of the store, at the rate of the order', async () => {
  expect(
    await net({ total: '108', tax: '18', discount: '12', currency: 'EUR', fx_rate: '25' }, [{ unit_price: '120' }]),
  ).toEqual([[300, 450, 2250]]);
  expect(await net({ total: '108', tax: '18', currency: 'EUR' }, [{ unit_price: '108' }])).toEqual([[0, 0, 0]]);
});

it('profit is of lines whose VAT and cost are known, and says how much of the revenue they are', async () => {
  const business_id = await shopOf({ total: '400' }, [
    { unit_price: '125', tax_rate: '25', unit_cost: '60' },
    { unit_price: '75', external_product_id: 'a', unit_cost: '10' },
    { unit_price: '200', external_product_id: 'b', tax_rate: '25', unit_cost: undefined },
  ]);
  const { products, notes } = await netOf(business_id);
  expect(products).toMatchObject([
    // 75 has an unknown VAT: not a part of the profit, and the row has no net revenue, which would lack it.
    {
      ...{ estimated_revenue: 200, net_revenue: null, tax: null, discount: 0, discount_share: 0 },
      ...{ estimated_gross_profit: 40, revenue_with_known_cost: 62.5, estimated_gross_profit_margin: 40 },
    },
    { estimated_revenue: 200, net_revenue: 160, estimated_gross_profit: 0, revenue_with_known_cost: 0 },
  ]);
  expect(notes?.filter((note) => note.includes('VAT'))).toEqual([
    'The VAT of some orders is not known: tax and net_revenue are null where they are counted, and profit leaves them out.',
    'A rate is set with: storesight business update <id> --vat-rate 21 (0: prices have no VAT).',
  ]);
});

describe('tax of orders', () => {
  const ask = async (tool: string, business_id: string, args: object = {}) => {
    const { result, notes } = await test.run(tool, { business_id, ...YEAR, ...args });
    return { result: result as Record<string, unknown>, notes: notes?.filter((note) => note.includes('VAT')) };
  };

  async function shopOfTwo(vat_rate: number | null) {
    const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
    await setBusinessSettings(test.instance.control, business.business_id, { vat_rate });
    await test.importStore(business, {
      ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
      orders: [
        // Without lines.
        { order_id: '1', ordered_at: '2024-01-10T12:00:00', email: 'a@x.cz', total: '121', tax: '21', country: 'CZ' },
        { order_id: '2', ordered_at: '2024-03-10T12:00:00', email: 'a@x.cz', total: '120', country: 'SK' },
        { order_id: '3', ordered_at: '2024-03-10T12:00:00', email: 'a@x.cz', total: '120', tax: '20', status: 'cancelled' },
      ],
    });
    return business.business_id;
  }

  it('stands in statistics, trends and distributions, by country too', async () => {
    const id = await shopOfTwo(20);
    expect((await ask('order_statistics', id)).result).toMatchObject({ orders_revenues: 241, tax: 41 });
    const trend = await ask('order_statistics_trend', id, { breakdown: 'month', to_date: '2024-03-31T23:59:59' });
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
    expect(notes).toHaveLength(2);
    const trend = await ask('order_statistics_trend', id, { breakdown: 'month', to_date: '2024-03-31T23:59:59' });
    expect(trend.result.periods).toMatchObject([{ tax: 21 }, { tax: 0 }, { tax: null }]);
    const countries = await ask('order_distribution_statistics', id, { dimension: 'country' });
    expect(countries.result).toMatchObject({ tax: null, rows: [{ tax: 21 }, { tax: null }] });
    expect(countries.notes).toHaveLength(2);
  });
});
