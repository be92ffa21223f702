import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Arguments } from '../../src/asking/run-tool.ts';
import type { Business } from '../../src/business/business.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { keysFolder, modelFile } from '../../src/control/data-folder/data-folder.ts';
import { canonicalTable } from '../../src/store/tables/all-tables.ts';
import { modelContent, query } from '../ingest/shop.ts';
import { emptyStore, type Store, writeCsv } from '../oracle/store.ts';
import { randomAudiences } from '../support/random-audiences.ts';
import { randomMessages } from '../support/random-messages.ts';
import { randomPopups } from '../support/random-popups.ts';
import { randomTraffic } from '../support/random-traffic.ts';
import { runs } from '../support/runs.ts';
import { sampleArguments } from '../support/sample-arguments.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * A store's rows come in any order: no key changes by that, and in the end everything is as if all had come
 * at once.
 */

const TIMEZONE = 'Europe/Prague';
const IMPORTS = 3;

/** What the keys in model tables stand for, by the table of keys and the columns that hold them. */
const KEYS: Readonly<Record<string, RegExp>> = {
  order_keys: /^(next_)?order_key$/,
  person_keys: /^(customer|visitor)_key$/,
  product_keys: /^product_key$/,
  session_keys: /^(own_|first_|last_)?session_key$|^journey_key$/,
  send_keys: /^send_key$/,
  campaign_keys: /^campaign_key$/,
  message_keys: /^message_key$/,
  link_keys: /^link_key$/,
  interest_list_keys: /^list_key$/,
};
const TOUCH_KEYS = /^(next_)?(channel|source_medium|campaign)_key$|^touch_key$/;

/** Two, since the n-th businesses of test instances hash persons in the same way. */
let one: TestInstance;
let other: TestInstance;

beforeAll(async () => {
  one = await createTestInstance({ isOneEngineEnough: true });
  other = await createTestInstance({ isOneEngineEnough: true });
});

afterAll(async () => {
  await one[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

it('keeps every key, and ends as one import of everything', async () => {
  const stores = fc.oneof(
    ...[randomAudiences, randomMessages, randomPopups, randomTraffic].map((make) => make(TIMEZONE)),
  );
  const places = fc.infiniteStream(fc.nat(IMPORTS - 1));
  await fc.assert(
    fc.asyncProperty(stores, places, async (store, place) => {
      const created = { timezone: TIMEZONE, currency: 'CZK' };
      const whole = { test: one, business: await one.createBusiness(created) };
      const inParts = { test: other, business: await other.createBusiness(created) };
      await importRows(whole, store);
      const parts = split(store, () => place.next().value);
      let before = new Map<string, string>();
      for (const part of parts) {
        await importRows(inParts, part);
        const after = await keysOf(inParts);
        for (const [named, key] of before) expect(after.get(named), named).toBe(key);
        before = after;
      }
      expect(await contentOf(inParts)).toEqual(await contentOf(whole));
      expect(await answersOf(inParts)).toEqual(await answersOf(whole));
    }),
    { numRuns: runs(1), endOnFailure: true },
  );
}, 600_000);

/**
 * The lines of an order come together, since an import brings all of them; so do the rows of one key, of
 * which the last one counts.
 */
function split(store: Store, place: () => number): Store[] {
  const placeOf = new Map<string, number>();
  const parts = Array.from({ length: IMPORTS }, () => ({ ...store, ...emptyStore(store.business) }));
  for (const [table, rows] of Object.entries(store)) {
    if (!Array.isArray(rows)) continue;
    for (const row of rows) {
      const together = keptTogether(table, row);
      const at = placeOf.get(together) ?? place();
      placeOf.set(together, at);
      const rowsOfPart = parts[at]?.[table as keyof Store] as unknown[] | undefined;
      rowsOfPart?.push(row);
    }
  }
  return parts;
}

/** What rows have in common that come together: the order, or their key. */
function keptTogether(table: string, row: object): string {
  const cells = new Map(Object.entries(row));
  const key = table === 'order_items' ? ['order_id'] : canonicalTable(table).key;
  return JSON.stringify([table, ...key.map((column) => cells.get(column) ?? null)]);
}

interface Shop {
  readonly test: TestInstance;
  readonly business: Business;
}

async function importRows({ test, business }: Shop, store: Store): Promise<void> {
  const hasRows = Object.values(store).some((rows) => Array.isArray(rows) && rows.length > 0);
  if (!hasRows) return;
  const folder = mkdtempSync(join(test.folder, 'rows-'));
  writeCsv(store, folder);
  await test.importFolder(business, folder);
  rmSync(folder, { recursive: true });
}

async function folderOf({ test, business: { business_id } }: Shop): Promise<string> {
  const snapshot = await currentSnapshot(test.instance.control, business_id);
  return test.instance.data.snapshot(business_id, snapshot?.snapshot_id ?? 'none');
}

async function keysOf(shop: Shop): Promise<Map<string, string>> {
  const folder = keysFolder(await folderOf(shop));
  const keys = new Map<string, string>();
  for (const name of readdirSync(folder)) {
    const table = name.replace(/-\d+[.]parquet$/, '');
    for (const row of await query(`from '${join(folder, name)}'`)) {
      const named = JSON.stringify([table, ...row.slice(0, -1)]);
      expect(keys.has(named), named).toBe(false);
      keys.set(named, String(row.at(-1)));
    }
  }
  const numbers = [...keys].map(([named, key]) => `${JSON.parse(named)[0]} ${key}`);
  expect(new Set(numbers).size).toBe(numbers.length);
  return keys;
}

/** The rows of every model table, with what keys stand for in their place. */
async function contentOf(shop: Shop): Promise<Record<string, unknown[]>> {
  const folder = await folderOf(shop);
  const names = new Map<string, string>();
  for (const [named, key] of await keysOf(shop)) {
    const [table, ...identity] = JSON.parse(named);
    names.set(`${table} ${key}`, JSON.stringify(identity));
  }
  const content: Record<string, unknown[]> = {};
  for (const [table, { columns, rows }] of await modelContent(modelFile(folder))) {
    content[table] = rows
      .map((row) =>
        JSON.stringify(row.map((value, index) => shown(table, columns[index] ?? '', value, names))),
      )
      .sort();
  }
  return content;
}

function shown(table: string, column: string, value: unknown, names: ReadonlyMap<string, string>): unknown {
  const isTouch = ['touches', 'touch_names'].includes(table) && TOUCH_KEYS.test(column);
  const keys = isTouch ? 'touch_keys' : Object.entries(KEYS).find(([, columns]) => columns.test(column))?.[0];
  if (keys === undefined || value === null) return value;
  const name = names.get(`${keys} ${value}`);
  if (name === undefined) throw new Error(`${table}.${column} ${value} stands for nothing`);
  return name;
}

/** The answers of every tool. An error, for example that there is no such campaign, is an answer too. */
async function answersOf({ test, business: { business_id } }: Shop): Promise<unknown[]> {
  const calls: [string, Arguments][] = [
    ...CATALOGUE.map(({ name }): [string, Arguments] => [name, sampleArguments(name, business_id)]),
    ...FURTHER.map(([name, args]): [string, Arguments] => [
      name,
      { ...sampleArguments(name, business_id), ...args },
    ]),
  ];
  const answers: unknown[] = [];
  for (const [name, args] of calls.filter(([name]) => name !== 'list_businesses')) {
    const answer = await test.ask(name, args).catch((error: Error) => error.message);
    answers.push([name, JSON.parse(JSON.stringify(answer).replaceAll(business_id, 'the business'))]);
  }
  return answers;
}

/** Where what comes first among equals shows. */
const FURTHER: readonly [string, Arguments][] = [
  ['product_affinity_statistics', { min_orders: 1 }],
  ['product_affinity_statistics', { min_orders: 1, relation: 'next_order', limit: 3 }],
  ['journey_statistics', { outcome: 'all', touch: 'campaign' }],
  ['channel_transition_matrix', { outcome: 'all', touch: 'source_medium' }],
];

/** Found by the test above: of equally many sends the message with the lower key was shown. */
it('shows of equal messages the one with the lower id, whichever came first', async () => {
  const business = await one.createBusiness({ timezone: TIMEZONE, currency: 'CZK' });
  const campaign = { campaign_id: 'c', campaign_type: 'targeted-emailing', name: 'News', state: 'active' };
  const message = { campaign_id: 'c', channel: 'email' };
  const send = { sent_at: '2024-02-01T00:00:00', email: 'a@example.com' };
  const store = emptyStore({ timezone: TIMEZONE, primary_currency: 'CZK' });
  await importRows(
    { test: one, business },
    {
      ...store,
      campaigns: [{ ...campaign, created_at: '2024-01-01T00:00:00' }],
      messages: [{ ...message, message_id: 'm2', subject: 'Two' }],
      sends: [{ ...send, send_id: 's2', message_id: 'm2' }],
    },
  );
  await importRows(
    { test: one, business },
    {
      ...store,
      messages: [{ ...message, message_id: 'm1', subject: 'One' }],
      sends: [{ ...send, send_id: 's1', message_id: 'm1' }],
    },
  );
  const call = {
    business_id: business.business_id,
    from_date: '2024-01-01T00:00:00',
    to_date: '2024-12-31T23:59:59',
  };
  const answer = JSON.stringify(await one.ask('email_campaign_statistics', { ...call, min_delivered: 0 }));
  expect(answer).toContain('"One"');
  expect(answer).not.toContain('"Two"');
});
