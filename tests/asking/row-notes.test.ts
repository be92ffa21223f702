import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** What rows tell of each other: costs that are known of unlike parts, and more buyers than visitors. */
let test: TestInstance;
let business_id: string;

/**
 * A tent, whose purchase price is known, and a lamp of which it is not. In February both are sold, in March
 * and April the tent alone. Two people looked at the tent.
 */
const SOLD = [
  ...['02-01', '02-02', '02-03'].map((day) => [day, 'tent', 200] as const),
  ...['02-04', '02-05'].map((day) => [day, 'lamp', 200] as const),
  ...['03-01', '03-02', '03-03'].map((day) => [day, 'tent', 200] as const),
  ...['04-01', '04-02', '04-03'].map((day) => [day, 'tent', 200] as const),
];

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  business_id = business.business_id;
  await test.importStore(business, {
    ...emptyStore({ timezone: 'UTC', primary_currency: 'EUR' }),
    products: [
      { external_product_id: 'tent', name: 'Tent', brand: 'Acme', price: '200', purchase_price: '50' },
      { external_product_id: 'lamp', name: 'Lamp', brand: 'Acme', price: '200' },
    ],
    product_events: ['one', 'two'].map((visitor_id) => ({
      ...{ event_id: visitor_id, visitor_id, kind: 'view', external_product_id: 'tent' },
      at: '2024-03-01T08:00:00Z',
    })),
    orders: SOLD.map(([day, , total]) => ({
      ...{ order_id: day, email: `${day}@example.com`, ordered_at: `2024-${day}T10:00:00Z` },
      total: String(total),
    })),
    order_items: SOLD.map(([day, external_product_id, price]) => ({
      ...{ order_id: day, line_no: '1', kind: 'product', external_product_id },
      ...{ quantity: '1', unit_price: String(price), tax_rate: '0' },
    })),
  });
});

afterAll(() => test[Symbol.asyncDispose]());

async function notesOf(tool: string, from_date: string, to_date: string, more: object = {}) {
  const store = tool === 'query_metrics' ? { business_ids: [business_id] } : { business_id };
  return (await test.run(tool, { ...store, from_date, to_date, ...more })).notes ?? [];
}

/** The cost is known for 600 of 1000 in February, and for all of March. */
const PARTS = [3 / 5, 1].map((share) => (100 * share).toFixed(1));
const told = (first: string, second: string, profit: string) =>
  `The cost is known of ${PARTS[0]} % of the product revenue of ${first} and of ${PARTS[1]} % of the product revenue of ${second}: ${profit} is of what is known alone, so a difference between them is partly one of what is known. Compare margins; revenue_with_known_cost${profit === 'gross_profit' ? ' of query_metrics' : ''} has the share of each.`;

it('tells that periods have costs of unlike parts, first', async () => {
  const months = { breakdown: 'month', brands: ['Acme'] };
  const notes = await notesOf('brand_statistics_trend', '2024-02-01', '2024-03-31', months);
  expect(notes[0]).toBe(told('2024-02', '2024-03', 'estimated_gross_profit'));
  // The cost of each product by itself is known for all or for nothing in every month.
  const products = { breakdown: 'month', external_product_ids: ['tent', 'lamp'] };
  const apart = await notesOf('product_statistics_trend', '2024-02-01', '2024-03-31', products);
  expect(apart.join()).not.toContain('cost is known');
  const metrics = ['gross_profit'];
  const [note] = await notesOf('query_metrics', '2024-02-01', '2024-03-31', { metrics, group_by: ['month'] });
  expect(note).toBe(told('2024-02', '2024-03', 'gross_profit'));
});

it('tells it of two ranges that are compared', async () => {
  const more = { compare: 'range', compare_from_date: '2024-02-01', compare_to_date: '2024-02-29' };
  const march = ['2024-03-01', '2024-03-29'] as const;
  const note = told('the compared range', 'the range', 'gross_profit');
  expect(await notesOf('query_metrics', ...march, { metrics: ['gross_profit'], ...more })).toContain(note);
  expect(await notesOf('explain_change', ...march, { metric: 'gross_profit', ...more })).toContain(note);
  const { result } = await test.run('explain_change', {
    ...{ business_id, from_date: march[0], to_date: march[1], metric: 'gross_profit', ...more },
  });
  // If the note were missing, this would look as if three tents earned as much as three tents and two lamps.
  expect(result).toMatchObject({ from: 450, to: 450 });
});

it('tells nothing where the parts are alike, and of one range of which part it is', async () => {
  const metrics = ['gross_profit'];
  const more = { metrics, compare: 'range', compare_from_date: '2024-03-01', compare_to_date: '2024-03-31' };
  const isOfCosts = (note: string) => /cost is known/.test(note);
  expect((await notesOf('query_metrics', '2024-04-01', '2024-04-30', more)).filter(isOfCosts)).toEqual([]);
  expect((await notesOf('query_metrics', '2024-02-01', '2024-02-29', { metrics })).filter(isOfCosts)).toEqual(
    ['gross_profit is of the products whose cost is known: 60.0 % of the product revenue.'],
  );
  const brand = { metrics: ['product_revenue'], group_by: ['month'] };
  expect((await notesOf('query_metrics', '2024-02-01', '2024-03-31', brand)).filter(isOfCosts)).toEqual([]);
});

it('tells that more people bought than are among the views', async () => {
  const asked = { filter_external_product_ids: ['tent'] };
  const notes = await notesOf('product_statistics', '2024-03-01', '2024-03-31', asked);
  expect(notes).toContain(
    'This row has more customers than visitors who saw the page (unique_customers_count above reach): most buyers are not among the recorded views, so conversion_rate is of the recorded visitors alone and says nothing of the others.',
  );
  const fields = { ...asked, fields: ['estimated_revenue'] };
  expect((await notesOf('product_statistics', '2024-03-01', '2024-03-31', fields)).join()).not.toContain(
    'above reach',
  );
});

it('tells where rows without a value are, whichever way they are sorted', async () => {
  const by = {
    metrics: ['gross_profit_margin', 'quantity'],
    group_by: ['product'],
    sort_by: 'gross_profit_margin',
  };
  for (const sort_order of ['asc', 'desc']) {
    const { result, notes } = await test.run('query_metrics', {
      ...{ business_ids: [business_id], from_date: '2024-02-01', to_date: '2024-02-29', sort_order, ...by },
    });
    const { rows } = result as { rows: unknown[][] };
    expect(rows.map(([id]) => id)).toEqual(['tent', 'lamp', '(total)']);
    expect(notes).toContain(
      'Rows whose gross_profit_margin is null come last, whether the order is asc or desc.',
    );
  }
});
