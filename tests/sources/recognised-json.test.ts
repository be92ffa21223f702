import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SOURCES } from '../../src/sources/all-sources.ts';
import { documentsIn } from '../../src/sources/files/json-documents.ts';
import { NO_SAMPLES, samples } from './samples.ts';
import { refusalOf, translateFiles } from './translated.ts';

/** The names of all sources that take a text for theirs. */
function takenBy(text: string): string[] {
  return SOURCES.filter(
    ({ beginsAs, items }) => items === undefined && beginsAs?.(text, documentsIn(text)),
  ).map(({ name }) => name);
}

it('a document that is nested deeper than any of a source is given up at once', () =>
  expect(documentsIn('['.repeat(20_000))).toEqual([]));

/** As the API of WooCommerce Analytics answers. */
const REPORT = [
  {
    ...{ product_id: 248, items_sold: 8, net_revenue: 6235.52, orders_count: 1 },
    extended_info: { name: 'Shirt', price: 779.44, stock_status: 'instock', sku: 'S', regular_price: '800' },
  },
];

describe('a report of WooCommerce Analytics', () => {
  it.each([
    ['of products', REPORT],
    ['of products, under `data`', { data: REPORT }],
    ['of orders', [{ order_id: 1, net_total: 10, num_items_sold: 2, extended_info: { customer: {} } }]],
    ['of customers', [{ id: 1, username: 'a', orders_count: 2, total_spend: 10, avg_order_value: 5 }]],
  ])('%s is refused by its name', async (_, report) => {
    expect(takenBy(JSON.stringify(report))).toEqual([]);
    expect(await refusalOf({ 'report.json': JSON.stringify(report, null, 2) })).toContain(
      'report.json is a report of WooCommerce Analytics, which cannot be imported: it has sums',
    );
  });

  it('is none of the products, which have prices, when it is of stock', () =>
    expect(
      takenBy(JSON.stringify([{ id: 1, sku: 'S', stock_status: 'instock', stock_quantity: 3 }])),
    ).toEqual([]));
});

/** A thing of each system, by its shortest. */
const THINGS: Readonly<Record<string, object>> = {
  'shopify-json': { id: 1, financial_status: 'paid', total_price: '10', line_items: [] },
  'segment-json': {
    type: 'track',
    event: 'Order Completed',
    anonymousId: 'a',
    timestamp: '2026-03-05T10:00:00Z',
  },
  'woocommerce-json': { id: 1, line_items: [], discount_total: '0', status: 'completed' },
};

describe.each(Object.entries(THINGS))('a file of %s', (source, thing) => {
  const list = source === 'segment-json' ? 'batch' : 'orders';
  it.each([
    ['a line', JSON.stringify(thing)],
    ['lines, the first of which is none', `{"id": 1, "line\n${JSON.stringify(thing)}\n`],
    ['a list over several lines', JSON.stringify([thing, thing], null, 2)],
    [
      'a list that is formatted, with short things on lines of their own',
      `[\n${JSON.stringify(thing).replace('{', '{\n"lines": [\n{ "id": 1, "total": "10.00" }\n],\n')}\n]\n`,
    ],
    ['a list that is cut off', JSON.stringify([thing, thing], null, 2).slice(0, -30)],
    ['an answer', JSON.stringify({ [list]: [thing] })],
    [
      'an answer that is cut off in a text',
      `${JSON.stringify({ [list]: [thing] }).slice(0, -2)},"note":"a, [b] {\\"`,
    ],
    ['with a byte order mark', `\uFEFF${JSON.stringify(thing)}`],
  ])('is told by %s', (_, text) => expect(takenBy(text)).toEqual([source]));

  it('is not told by what stands on a line of its own in a thing of others', () =>
    expect(takenBy(`[\n{\n"id": 1,\n"payload":\n${JSON.stringify(thing)}\n}\n]\n`)).toEqual([]));

  it('is not told by what stands deeper in things of others', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('payload', 'extended_info', 'body', 'properties'),
        fc.object({ maxDepth: 1 }),
        fc.boolean(),
        (name, others, isList) => {
          const foreign = { first: 1, ...others, [name]: isList ? [thing] : thing };
          expect(takenBy(JSON.stringify(foreign))).toEqual([]);
          expect(takenBy(JSON.stringify([foreign], null, 2))).toEqual([]);
        },
      ),
    ));
});

const EXPECTED: readonly (readonly [folder: string, name: RegExp, sources: readonly string[]])[] = [
  ['shopify-rest', /^(orders?|customers?_?.*|products?|refund)\.json$/, ['shopify-json']],
  ['shopify-rest', /^(checkouts|draft_orders)\.json$/, []],
  ['woocommerce-rest', /^(?!product-report)/, ['woocommerce-json']],
  ['woocommerce-rest', /^product-report/, []],
  ['ga4', /ndjson$/, ['ga4-events']],
  ['klaviyo-openapi', /./, []],
];

it.each(EXPECTED)(
  `each sample in %s that matches %s is of one source (${NO_SAMPLES}: none)`,
  (folder, name, sources) => {
    for (const file of samples(folder).filter((each) => name.test(each.name)))
      expect(takenBy(readFileSync(file.path, 'utf8').slice(0, 2 ** 20)), file.name).toEqual(sources);
  },
);

describe('our own format', () => {
  const product = { external_product_id: 'MUG', name: 'Mug', price: 10 };
  it.each([
    ['orders', { order_id: 'A', ordered_at: '2026-11-01T10:00:00Z', total: 10, net_total: 8 }],
    ['products', { ...product, regular_price: '9' }],
    ['products', { ...product, variants: 2, product_type: 'Kitchen' }],
    ['products', { external_product_id: 'MUG', _deleted: true, regular_price: '9' }],
  ])('is told by the name of the table and its columns, whatever else is there: %s', (table, row) =>
    translateFiles({ [`${table}.ndjson`]: `${JSON.stringify(row)}\n` }, async ({ counts, sources }) => {
      expect(counts[table]?.read).toBe(1);
      expect(sources).toEqual([]);
    }),
  );

  it('is so as CSV, beside columns of a report that is refused', () =>
    translateFiles(
      { 'orders.csv': 'order_id,ordered_at,total,Net sales\nA,2026-11-01T10:00:00Z,10,8\n' },
      async ({ rows }) => expect(await rows('orders', 'order_id, total')).toEqual([['A', 10]]),
    ));
});
