import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { TableCounts } from '../../src/snapshot/import-report.ts';
import { fewerInQuick } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { type Files, query, readRejects, refusal, SMALL_SHOP, writeFiles } from './shop.ts';
import { importInTurn } from './staging.ts';

const test: TestInstance = await createTestInstance({ isOneEngineEnough: true });

afterAll(() => test[Symbol.asyncDispose]());

interface Deleted {
  /** What is told of the last batch. */
  readonly tables: Readonly<Record<string, TableCounts>>;
  readonly warnings: readonly string[];
  /** The ids of the rows that stay. */
  ids(table: string, column: string): Promise<unknown[]>;
  rows(table: string, select: string): Promise<unknown[][]>;
}

/** Imports the batches one after the other, without a model, which is made of the rows that stay. */
function afterImports(batches: readonly Files[], look: (deleted: Deleted) => Promise<void>): Promise<void> {
  return importInTurn(
    batches.map((files) => ({ files })),
    ({ counts, warnings, rows }) =>
      look({
        tables: counts.at(-1) ?? {},
        warnings: warnings.at(-1) ?? [],
        rows,
        ids: async (table, column) => (await rows(table, `"${column}"`)).map(([id]) => id),
      }),
  );
}

const NOTHING = { read: 0, loaded: 0, rejected: 0, replaced: 0, ignored: 0, deleted: 0 };

describe.each(fewerInQuick(['csv', 'ndjson', 'parquet']))('_deleted in %s', (format) => {
  async function deletion(rows: readonly { order_id: string; _deleted: boolean }[]): Promise<Files> {
    const ndjson = rows.map((row) => JSON.stringify(row)).join('\n');
    if (format === 'ndjson') return { 'orders.ndjson': ndjson };
    if (format === 'csv') {
      const lines = rows.map(({ order_id, _deleted }) => `${order_id},${_deleted}`);
      return { 'orders.csv': ['order_id,_deleted', ...lines, ''].join('\n') };
    }
    const folder = writeFiles(test, { 'rows.json': ndjson });
    const file = join(folder, 'orders.parquet');
    await query(`copy (from read_json('${folder}/rows.json')) to '${file}'`);
    return { 'orders.parquet': readFileSync(file) };
  }

  it('removes an order with its lines and refunds', async () => {
    const refunds = 'refund_id,order_id,refunded_at,amount\nR1,A1,2024-02-02,1\nR2,A2,2024-02-02,1\n';
    const lines = 'refund_id,order_id,line_no,quantity,amount\nR1,A1,1,1,1\nR2,A2,1,1,1\n';
    const shop = { ...SMALL_SHOP, 'refunds.csv': refunds, 'refund_lines.csv': lines };
    const batches = [shop, await deletion([{ order_id: 'A1', _deleted: true }])];
    await afterImports(batches, async ({ tables, warnings, ids }) => {
      expect(tables).toEqual({ orders: { ...NOTHING, read: 1, deleted: 1 } });
      expect(await ids('orders', 'order_id')).toEqual(['A2', 'A3']);
      expect(await ids('order_items', 'order_id')).toEqual(['A2', 'A3']);
      expect(await ids('refunds', 'refund_id')).toEqual(['R2']);
      expect(await ids('refund_lines', 'refund_id')).toEqual(['R2']);
      expect(warnings.filter((text) => text.includes('went with'))).toEqual([
        'order_items: 2 rows went with the orders and profiles that were deleted',
        'refunds: 1 row went with the orders and profiles that were deleted',
        'refund_lines: 1 row went with the orders and profiles that were deleted',
      ]);
    });
  });
});

describe('a row with _deleted', () => {
  it('is a row like any other when it is false or empty', () =>
    afterImports(
      [{ 'orders.csv': 'order_id,ordered_at,total,_deleted\nA,2024-01-01,1,false\nB,2024-01-01,1,\n' }],
      async ({ ids }) => expect(await ids('orders', 'order_id')).toEqual(['A', 'B']),
    ));

  it('needs nothing but its key, and what else it says is not read', () =>
    afterImports(
      [
        SMALL_SHOP,
        { 'orders.csv': 'order_id,ordered_at,total,_deleted\nA1,nonsense,,true\nA9,2024-05-01,5,\n' },
      ],
      async ({ tables, ids }) => {
        expect(tables.orders).toEqual({ ...NOTHING, read: 2, loaded: 1, deleted: 1 });
        expect(await ids('orders', 'order_id')).toEqual(['A2', 'A3', 'A9']);
      },
    ));

  it('is rejected when it is no boolean or lacks its key, and so are other rows that lack what they need', async () => {
    const business = await test.createBusiness();
    const { report, message } = await refusal(test, business, {
      'orders.csv': 'order_id,_deleted\nA1,maybe\n,true\nA2,false\n',
      'order_items.csv': 'order_id,line_no,_deleted\nA1,,true\n',
    });
    expect(message).toContain('4 of 4 rows are bad');
    expect(readRejects(report).map(([, line, column, , reason]) => [line, column, reason])).toEqual([
      ['2', 'line_no', 'is required to delete a row'],
      ['2', '_deleted', 'must be true or false'],
      ['2', 'ordered_at', 'is required'],
      ['2', 'total', 'is required'],
      ['3', 'order_id', 'is required'],
      ['4', 'ordered_at', 'is required'],
      ['4', 'total', 'is required'],
    ]);
  });

  it('is ignored when its key is not there, and the report says so', () =>
    afterImports(
      [SMALL_SHOP, { 'orders.csv': 'order_id,_deleted\nA1,true\nX,true\nX,true\n' }],
      async ({ tables, warnings }) => {
        expect(tables.orders).toEqual({ ...NOTHING, read: 3, ignored: 2, deleted: 1 });
        expect(warnings).toContain(
          'orders: 1 of the rows to delete were not there, by their order_id, and were ignored',
        );
      },
    ));

  it('counts as the last of its key, or not when another comes after it', () =>
    afterImports(
      [
        SMALL_SHOP,
        {
          'orders.csv': `order_id,ordered_at,total,_deleted
A1,2024-01-01,1,
A1,,,true
A2,,,true
A2,2024-01-01,7,
`,
        },
      ],
      async ({ tables, rows }) => {
        expect(tables.orders).toEqual({ ...NOTHING, read: 4, loaded: 1, replaced: 2, deleted: 1 });
        expect(await rows('orders', 'order_id, cast(total as integer)')).toEqual([
          ['A2', 7],
          ['A3', 50],
        ]);
      },
    ));

  it('removes one line of an order and leaves the others', () =>
    afterImports(
      [SMALL_SHOP, { 'order_items.csv': 'order_id,line_no,_deleted\nA1,2,true\n' }],
      async ({ tables, rows }) => {
        expect(tables.order_items).toEqual({ ...NOTHING, read: 1, deleted: 1 });
        expect(await rows('order_items', 'order_id, line_no::integer')).toEqual([
          ['A1', 1],
          ['A2', 1],
          ['A3', 1],
        ]);
      },
    ));
});

describe('a profile that is deleted', () => {
  const SHOP = {
    'profiles.csv':
      'profile_id,email,phone\np1,jana@example.com,+420777000111\np2,petr@example.com,+420777000111\n',
    'identities.csv': 'profile_id,kind,value\np1,visitor,v1\np2,visitor,v2\n',
    'orders.csv': `order_id,ordered_at,total,profile_id,email,phone
by-id,2024-01-01,1,p1,,
by-email,2024-01-02,1,,jana@example.com,
by-phone,2024-01-02,1,,,+420777000111
other,2024-01-03,1,,petr@example.com,
`,
    'order_items.csv': 'order_id,external_product_id,quantity,unit_price\nby-id,P,1,1\nother,P,1,1\n',
    'sessions.csv': `session_id,visitor_id,started_at,email
s1,v1,2024-01-01T10:00:00,
s2,v2,2024-01-01T10:00:00,
s3,v3,2024-01-01T10:00:00,jana@example.com
s4,v1,2024-01-05T10:00:00,petr@example.com
`,
    'product_events.csv':
      'event_id,visitor_id,external_product_id,kind,at\ne1,v1,P,view,2024-01-01\ne2,v2,P,view,2024-01-01\ne3,v3,P,view,2024-01-01\n',
    'consent_events.csv':
      'profile_id,email,channel,at,state\np1,,email,2024-01-01,subscribed\n,petr@example.com,email,2024-01-01,subscribed\n',
    'campaigns.csv':
      'campaign_id,campaign_type,name,state,created_at\nC,targeted-emailing,News,sent,2024-01-01\n',
    'messages.csv': 'message_id,campaign_id,channel\nM,C,email\n',
    'sends.csv':
      'send_id,message_id,email,sent_at\nS1,M,jana@example.com,2024-01-01\nS2,M,petr@example.com,2024-01-01\n',
    'message_events.csv': 'event_id,send_id,kind,at\nE1,S1,open,2024-01-02\nE2,S2,open,2024-01-02\n',
  };

  it('goes with all that names it, and with what its visitors did; what others have too stays theirs', () =>
    afterImports(
      [SHOP, { 'profiles.csv': 'profile_id,_deleted\np1,true\n' }],
      async ({ tables, ids, rows }) => {
        expect(tables).toEqual({ profiles: { ...NOTHING, read: 1, deleted: 1 } });
        expect(await ids('profiles', 'profile_id')).toEqual(['p2']);
        expect(await ids('identities', 'value')).toEqual(['v2']);
        expect(await ids('orders', 'order_id')).toEqual(['by-phone', 'other']);
        expect(await ids('order_items', 'order_id')).toEqual(['other']);
        expect(await ids('sessions', 'session_id')).toEqual(['s2', 's4']);
        expect(await ids('product_events', 'event_id')).toEqual(['e2']);
        expect(await rows('consent_events', 'count(*)')).toEqual([[1]]);
        expect(await ids('sends', 'send_id')).toEqual(['S2']);
        expect(await ids('message_events', 'event_id')).toEqual(['E2']);
      },
    ));

  it('leaves what names a contact that another profile has from this import on', () =>
    afterImports(
      [SHOP, { 'profiles.csv': 'profile_id,email,_deleted\np1,,true\np3,jana@example.com,\n' }],
      async ({ ids }) => {
        expect(await ids('orders', 'order_id')).toEqual(['by-email', 'by-phone', 'other']);
      },
    ));
});
