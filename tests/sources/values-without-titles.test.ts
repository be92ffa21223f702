import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tableToMap } from '../../src/sources/mapping/table-to-map.ts';
import { Session } from '../../src/store/duckdb-session.ts';
import { temporaryFolder } from '../ingest/staging.ts';

/** What a page proposes for each column of a table of orders. */
async function proposed(
  header: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  parts = ',',
) {
  using folder = temporaryFolder();
  using session = await Session.open(':memory:', {
    memory: '512MB',
    spillFolder: folder.path,
    spillLimit: '1GB',
  });
  const path = join(folder.path, 'table.csv');
  writeFileSync(path, [header, ...rows].map((row) => row.join(parts)).join('\n'));
  const input = { path, name: 'table.csv', writtenAt: new Date(0) };
  const options = { mapping: null, encoding: undefined, shown: (text: string) => text };
  const { proposed } = await tableToMap(session, input, options);
  return proposed.orders
    .map((each, place) => ({ ...each, place, title: header[place] }))
    .filter(({ field }) => field !== '');
}

const day = (order: number) => `2026-03-${String(1 + (order % 9)).padStart(2, '0')} 10:0${order % 10}:00`;
const mail = (order: number) => `p${order % 7}@example.com`;
const point = (cents: number) => (cents / 100).toFixed(2);
const comma = (cents: number) => point(cents).replace('.', ',');

/** Orders with one to three lines each: the price of a piece, and the pieces. */
const ORDERS = Array.from({ length: 12 }, (_, number) => {
  const lines = Array.from({ length: 1 + (number % 3) }, (_line, at) => ({
    sku: `S-${(number + 2 * at) % 5}`,
    cents: 1050 + 315 * ((number + 2 * at) % 5),
    pieces: 1 + ((number + at) % 4),
  }));
  const goods = lines.reduce((sum, { cents, pieces }) => sum + cents * pieces, 0);
  const shipping = number % 2 === 0 ? 490 : 990;
  return { number, lines, goods, shipping, total: goods + shipping };
});
type Order = (typeof ORDERS)[number];
type Line = Order['lines'][number];

interface Shape {
  readonly system: string;
  readonly parts?: string;
  /** What each column is; an empty text for one that is nothing of ours. */
  readonly is: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** What the cells must tell. */
  readonly found: readonly string[];
}

const ofLines = (row: (order: Order, line: Line) => (string | number)[]) =>
  ORDERS.flatMap((order) => order.lines.map((line) => row(order, line)));

const SHAPES: readonly Shape[] = [
  {
    system: 'Magento orders, one row each',
    is: [
      'orders.order_id',
      'orders.ordered_at',
      'orders.total',
      'orders.currency',
      'orders.status',
      'orders.email',
      'orders.shipping',
      'orders.tax',
    ],
    rows: ORDERS.map(({ number, total, shipping }) => [
      `${100000001 + number}`,
      day(number),
      point(total),
      'EUR',
      'complete',
      mail(number),
      point(shipping),
      point(Math.round(total / 6)),
    ]),
    found: ['orders.ordered_at', 'orders.currency', 'orders.email', 'orders.order_id'],
  },
  {
    system: 'PrestaShop lines, with their totals',
    is: [
      '',
      'orders.order_id',
      'orders.ordered_at',
      'order_items.external_product_id',
      'order_items.name',
      'order_items.quantity',
      'order_items.unit_price',
      '',
    ],
    rows: ofLines(({ number }, { sku, cents, pieces }) => [
      sku.length * 7 + cents + pieces * 31 + number * 1000,
      number + 7,
      day(number),
      sku,
      `Mug ${sku}`,
      pieces,
      point(cents),
      point(cents * pieces),
    ]),
    found: ['orders.order_id', 'orders.ordered_at', 'order_items.quantity', 'order_items.unit_price'],
  },
  {
    system: 'Shoptet orders with lines',
    parts: ';',
    is: [
      'orders.order_id',
      'orders.ordered_at',
      'orders.status',
      'orders.currency',
      'orders.email',
      'orders.country',
      'orders.total',
      'orders.shipping',
      'order_items.name',
      'order_items.quantity',
      'order_items.external_product_id',
      'order_items.unit_price',
    ],
    rows: ofLines(({ number, total, shipping }, { sku, cents, pieces }) => [
      2026001 + number,
      day(number),
      'Vyřízena',
      'CZK',
      mail(number),
      number % 3 === 0 ? 'Slovensko' : 'Česko',
      comma(total),
      comma(shipping),
      `Hrnek ${sku}`,
      pieces,
      sku,
      comma(cents),
    ]),
    found: [
      'orders.order_id',
      'orders.ordered_at',
      'orders.currency',
      'orders.email',
      'orders.country',
      'orders.total',
      'orders.shipping',
      'order_items.quantity',
      'order_items.unit_price',
    ],
  },
  {
    system: 'BigCommerce orders, with two countries and two dates',
    is: [
      'orders.order_id',
      'orders.external_customer_id',
      'orders.email',
      'orders.ordered_at',
      '',
      'orders.status',
      'orders.total',
      'orders.currency',
      'orders.country',
      '',
    ],
    rows: ORDERS.map(({ number, total }) => [
      101 + number,
      5 + (number % 7),
      mail(number),
      day(number),
      day(number + 2),
      'Completed',
      point(total),
      'USD',
      'US',
      number % 2 === 0 ? 'CA' : 'US',
    ]),
    found: ['orders.email', 'orders.currency'],
  },
  {
    system: 'Tiendanube orders with lines, a sum and a total',
    parts: ';',
    is: [
      'orders.order_id',
      'orders.email',
      'orders.ordered_at',
      'orders.status',
      'orders.currency',
      '',
      'orders.shipping',
      'orders.total',
      'order_items.name',
      'order_items.unit_price',
      'order_items.quantity',
      'order_items.external_product_id',
    ],
    rows: ofLines(({ number, goods, total, shipping }, { sku, cents, pieces }) => [
      100 + number,
      mail(number),
      `${1 + (number % 28)}/03/2026`,
      'Abierta',
      'ARS',
      comma(goods),
      comma(shipping),
      comma(total),
      `Taza ${sku}`,
      comma(cents),
      pieces,
      sku,
    ]),
    found: [
      'orders.total',
      'orders.shipping',
      'orders.currency',
      'order_items.unit_price',
      'order_items.quantity',
    ],
  },
];

/** Right, or asked, and never another column. */
describe('a table whose titles tell nothing', () => {
  it.each(SHAPES)('$system', async ({ is, rows, found, parts }) => {
    const header = is.map((_, place) => `col${place + 1}`);
    const all = await proposed(header, rows, parts);
    for (const { field, place } of all) expect(field, header[place]).toBe(is[place]);
    expect(all.map(({ field }) => field)).toEqual(expect.arrayContaining([...found]));
    // Nothing that only cells tell is said to be sure.
    expect(all.filter(({ confidence }) => confidence === 'high')).toEqual([]);
  });
});

describe('cells and titles', () => {
  const lines = ofLines(({ number, total }, { sku, cents, pieces }) => [
    `A${number}`,
    day(number),
    sku,
    pieces,
    point(cents * pieces),
    point(cents),
    point(total),
  ]);

  it('a title that says price above the totals of lines is contradicted', async () => {
    const all = await proposed(['Order ID', 'Order date', 'SKU', 'Qty', 'Price', 'col6', 'Total'], lines);
    const price = all.find(({ field }) => field === 'order_items.unit_price');
    expect(price).toMatchObject({ title: 'col6', confidence: 'medium' });
    expect(price?.why).toContain('pieces times price');
  });

  it('a short title is more sure where the cells agree', async () => {
    const all = await proposed(['ID', 'Order date', 'SKU', 'Qty', 'col5', 'Unit price', 'Total'], lines);
    const id = all.find(({ field }) => field === 'orders.order_id');
    expect(id).toMatchObject({ confidence: 'medium', title: 'ID' });
  });

  it('two columns that may be the same are told to be neither', async () => {
    const twice = lines.map((row) => [...row, day(Number(String(row[0]).slice(1)) + 1)]);
    const all = await proposed(['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8'], twice);
    expect(all.filter(({ field }) => field === 'orders.ordered_at')).toEqual([]);
  });

  it('few rows tell nothing', async () => {
    expect(await proposed(['c1', 'c2', 'c3'], [['1', '2026-03-01', '10.00']])).toEqual([]);
  });
});
