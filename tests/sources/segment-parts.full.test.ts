import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFiles } from '../../src/import/run.ts';
import { storedRows, writeFiles } from '../ingest/shop.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { type Call, call, momentAt, ndjson, pageOf, track } from './segment-calls.ts';

/** Calls that come in parts give the visits that they give together. */

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
});

afterAll(() => test[Symbol.asyncDispose]());

const LANDING = { context: pageOf('/a', { campaign: { source: 'news', medium: 'email', name: 'spring' } }) };
const OF_SERVER = { context: {} };
const TO_MIDNIGHT = 14 * 3600;

/** What is stored after the imports, but for ids, which are of the call that came first. */
async function stored(imports: readonly (readonly Call[])[], orderedAt: number) {
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'UTC' });
  const header = 'Name,Total,Currency,Created at,Lineitem name,Lineitem quantity,Lineitem price';
  const orders = `${header}\n#1001,25,EUR,${momentAt(orderedAt)},Mug,1,25\n`;
  for (const calls of [...imports, imports.at(-1) ?? []])
    await importFiles(test.instance, business, [
      writeFiles(test, { 'calls.json': ndjson(calls), 'orders.csv': orders }),
    ]);
  const of = (table: string, columns: string) => storedRows(test, business, table, columns);
  const ids = new Set((await of('sessions', 'session_id')).flat());
  const pointers = [
    ...(await of('product_events', 'session_id')),
    ...(await of('order_visits', 'session_id')),
  ];
  for (const [id] of pointers) if (id !== null) expect(ids).toContain(id);
  return {
    sessions: await of('sessions', 'source, page_views, cart, checkout, started_at, ended_at'),
    events: await of('product_events', 'kind, session_id is not null'),
    visits: await of('order_visits', 'reference, session_id is not null'),
  };
}

const CASES: readonly (readonly [string, readonly (readonly Call[])[], orderedAt: number])[] = [
  [
    'an order that the server tells after midnight',
    [
      [call('page', TO_MIDNIGHT - 600, LANDING)],
      [track('Order Completed', TO_MIDNIGHT + 60, { order_id: '1001' }, OF_SERVER)],
    ],
    TO_MIDNIGHT + 60,
  ],
  [
    'one with a page behind it',
    [
      [call('page', TO_MIDNIGHT - 600, LANDING)],
      [
        track('Order Completed', TO_MIDNIGHT + 60, { order_id: '1001' }, OF_SERVER),
        call('page', TO_MIDNIGHT + 300),
      ],
    ],
    TO_MIDNIGHT + 60,
  ],
  [
    'calls that are told late, in two pieces',
    [
      [call('page', 0, LANDING), call('page', 1200), call('page', 2400)],
      [track('Product Added', 60, { product_id: 'P1', sku: 'MUG' }), call('page', 3600)],
    ],
    9000,
  ],
  ['a beginning that is told late', [[call('page', 600)], [call('page', 0, LANDING)]], 9000],
];

describe('parts of calls', () => {
  it.each(CASES)('%s', { timeout: 180_000 }, async (_, parts, orderedAt) =>
    expect(await stored(parts, orderedAt)).toEqual(await stored([parts.flat()], orderedAt)),
  );
});

/** As `segment.test.ts` has a visit over midnight, with what happened in it; of the ids too. */
it('day by day, and again, give what one import of all gives', { timeout: 180_000 }, async () => {
  const LATE = TO_MIDNIGHT - 300;
  const MUG = { product_id: '507f1f77bcf86cd799439011', sku: 'MUG', name: 'Mug', price: 10, quantity: 2 };
  const first = [call('page', LATE, LANDING), track('Product Viewed', LATE + 60, MUG)];
  const second = [
    call('page', LATE + 600, { context: pageOf('/b') }),
    track('Product Added', LATE + 700, MUG),
    track('Order Completed', LATE + 800, { order_id: '1001' }),
    call('page', LATE + 20_000, { context: pageOf('/c') }),
  ];
  const rowsAfter = async (imports: readonly (readonly Call[])[]) => {
    const business = await test.createBusiness({ currency: 'EUR', timezone: 'UTC' });
    for (const calls of imports)
      await importFiles(test.instance, business, [writeFiles(test, { 'calls.json': ndjson(calls) })]);
    const tables = ['sessions', 'product_events', 'order_visits'];
    return Promise.all(tables.map((table) => storedRows(test, business, table, '*')));
  };
  const atOnce = await rowsAfter([[...first, ...second]]);
  expect(atOnce.map((rows) => rows.length)).toEqual([2, 2, 1]);
  expect(await rowsAfter([first, second, first, second])).toEqual(atOnce);
});
