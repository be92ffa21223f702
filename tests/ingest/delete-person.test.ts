import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { listSnapshots } from '../../src/control/businesses.ts';
import { deletePersons, readIdentifiers } from '../../src/ingest/delete-person.ts';
import { everythingKept } from '../support/everything-kept.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { answers, importFiles, SMALL_SHOP, storedRows } from './shop.ts';

const test: TestInstance = await createTestInstance({ isOneEngineEnough: true });
let business: Business;

beforeEach(async () => {
  business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
});

afterAll(() => test[Symbol.asyncDispose]());

const SHOP = {
  'profiles.csv': `profile_id,email,phone
jana-profile,jana@example.com,+420777000111
petr-profile,petr@example.com,+420777000111
`,
  'identities.csv': 'profile_id,kind,value\njana-profile,visitor,jana-visitor\n',
  'orders.csv': `order_id,ordered_at,total,profile_id,email,visitor_id
jana-order-1,2024-01-01,1,jana-profile,,
jana-order-2,2024-01-02,2,,jana@example.com,jana-tablet
petr-order,2024-01-03,4,petr-profile,jana@example.com,
`,
  'order_items.csv':
    'order_id,external_product_id,quantity,unit_price\njana-order-1,P,1,1\npetr-order,P,1,1\n',
  'sessions.csv': `session_id,visitor_id,started_at
jana-session-1,jana-visitor,2024-01-01T10:00:00
jana-session-2,jana-tablet,2024-01-02T10:00:00
other-session,other-visitor,2024-01-02T10:00:00
`,
};

const del = (...identifiers: string[]) => deletePersons(test.instance, business, identifiers);

describe('a person who is deleted', () => {
  it('is in no file of the data folder any more, and in no snapshot to go back to', async () => {
    await importFiles(test, business, SHOP);
    await importFiles(test, business, { 'profiles.csv': 'profile_id,email\nthird,third@example.com\n' });
    const profiles = await storedRows(test, business, 'profiles', 'profile_id, email_hash');
    const hash = String(profiles.find(([id]) => id === 'jana-profile')?.[1]);
    expect(await textsOfDataFolder()).toContain(hash);
    expect(await textsOfDataFolder()).toContain('jana-');

    const report = await del('Jana@Example.com');
    expect(report).toMatchObject({
      rows: { orders: 2, order_items: 1, profiles: 1, identities: 1, sessions: 2 },
      snapshots_removed: 2,
      unknown_identifiers: [],
    });
    const texts = await textsOfDataFolder();
    expect(texts).not.toContain(hash);
    expect(texts).not.toContain('jana');
    expect(texts).toContain('petr-order');
    expect(texts).toContain('other-visitor');
    expect(await listSnapshots(test.instance.control, business.business_id)).toHaveLength(1);
    expect(await storedRows(test, business, 'orders', 'order_id, email_hash is null')).toEqual([
      ['petr-order', true],
    ]);
  });

  it('leaves a record without anything of them, which later snapshots keep', async () => {
    await importFiles(test, business, SHOP);
    await del('jana-profile');
    await importFiles(test, business, { 'orders.csv': 'order_id,ordered_at,total\nlater,2024-02-01,1\n' });
    const [served] = await listSnapshots(test.instance.control, business.business_id);
    const folder = test.instance.data.snapshot(business.business_id, String(served?.snapshot_id));
    const { deletions } = JSON.parse(readFileSync(join(folder, 'snapshot.json'), 'utf8'));
    expect(deletions).toEqual([
      {
        deleted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        rows: { orders: 2, order_items: 1, profiles: 1, identities: 1, sessions: 2 },
      },
    ]);
  });

  it('keeps the keys of the others, also of what is imported later', async () => {
    await importFiles(test, business, SMALL_SHOP);
    await importFiles(test, business, SHOP);
    await del('jana@example.com');
    const before = await modelKeys();
    await importFiles(test, business, { 'orders.csv': 'order_id,ordered_at,total\nnew,2023-01-01,1\n' });
    const after = await modelKeys();
    for (const [order, key] of before) expect(after.get(order)).toBe(key);
    expect(after.get('new')).toBeGreaterThan(Math.max(...before.values()));
  });

  it('may be deleted again, and then nothing changes', async () => {
    await importFiles(test, business, SHOP);
    const { snapshot } = await del('jana@example.com');
    expect(await del('jana@example.com')).toEqual({
      snapshot,
      rows: {},
      snapshots_removed: 0,
      unknown_identifiers: [1],
    });
  });

  it('stays whole when the command is stopped, and goes when it is given again', async () => {
    await importFiles(test, business, SHOP);
    const before = await listSnapshots(test.instance.control, business.business_id);
    const stop = new AbortController();
    const onStep = (step: string) => step === 'building orders' && stop.abort();
    const context = { ...test.instance, signal: stop.signal, onStep };
    await expect(deletePersons(context, business, ['jana-profile'])).rejects.toThrow(
      'so nothing was changed',
    );
    expect(await listSnapshots(test.instance.control, business.business_id)).toEqual(before);
    expect(await del('jana-profile')).toMatchObject({ rows: { orders: 2 } });
    expect(await textsOfDataFolder()).not.toContain('jana');
  });

  it('is said to be left where older snapshots cannot be removed, until the command is given again', async () => {
    await importFiles(test, business, SHOP);
    let isAway = true;
    const publisher = {
      publish: async () => true,
      forget: async () => {},
      close: async () => {},
      remove: async () => {
        if (isAway) throw new Error('the warehouse is away');
      },
    };
    const context = { ...test.instance, publisher };
    await expect(deletePersons(context, business, ['jana-profile'])).rejects.toThrow(
      'the rows are deleted from what is served, but older snapshots could not be removed yet',
    );
    await expect(deletePersons(context, business, ['jana-profile'])).rejects.toThrow(
      'could not be removed yet',
    );
    isAway = false;
    expect(await deletePersons(context, business, ['jana-profile'])).toMatchObject({ rows: {} });
    expect(await textsOfDataFolder()).not.toContain('jana');
  });

  it('answers as if the person had never been', async () => {
    await importFiles(test, business, SMALL_SHOP);
    await del('jana@example.com');
    const left = JSON.stringify(await answers(test, business)).replaceAll(business.business_id, '');
    business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
    const without = (text: string) => text.replaceAll(/^(A1|A3),.*\n/gm, '');
    await importFiles(test, business, {
      ...SMALL_SHOP,
      'orders.csv': without(SMALL_SHOP['orders.csv']),
      'order_items.csv': without(SMALL_SHOP['order_items.csv']),
    });
    expect(JSON.stringify(await answers(test, business)).replaceAll(business.business_id, '')).toBe(left);
  });

  it('who is only in an older snapshot takes that along', async () => {
    await importFiles(test, business, SHOP);
    await importFiles(test, business, { 'profiles.csv': 'profile_id,_deleted\njana-profile,true\n' });
    expect(await textsOfDataFolder()).toContain('jana-');
    expect(await del('jana-profile')).toMatchObject({ rows: {}, snapshots_removed: 2 });
    expect(await textsOfDataFolder()).not.toContain('jana-');
  });
});

describe('an identifier', () => {
  it('that names nobody changes nothing, and is said', async () => {
    await importFiles(test, business, SHOP);
    const before = await listSnapshots(test.instance.control, business.business_id);
    expect(await del('nobody@example.com', '+420600000000', 'x')).toMatchObject({
      rows: {},
      unknown_identifiers: [1, 2, 3],
    });
    expect(await listSnapshots(test.instance.control, business.business_id)).toEqual(before);
  });

  it('that is a phone number of several people is refused alone, and stands for one with an e-mail address', async () => {
    await importFiles(test, business, SHOP);
    await expect(del('+420 777 000 111')).rejects.toThrow(
      'a phone number is of profiles with different e-mail addresses, so nothing was deleted',
    );
    expect(await del('00420777000111', 'jana@example.com')).toMatchObject({ rows: { profiles: 1 } });
    expect(await storedRows(test, business, 'profiles', 'profile_id, phone_hash is null')).toEqual([
      ['petr-profile', false],
    ]);
  });

  it('stands on a line of standard input', () => {
    expect(readIdentifiers(' a@example.com \r\n\n+420777000111\n')).toEqual([
      'a@example.com',
      '+420777000111',
    ]);
    expect(() => readIdentifiers(' \n')).toThrow('standard input named nobody');
    expect(() => readIdentifiers('x\n'.repeat(1001))).toThrow(
      'at most 1000 identifiers are taken at once; these are 1001',
    );
    expect(() => readIdentifiers(`a\n${'x'.repeat(1001)}`)).toThrow(
      'identifier 2 is longer than 1000 characters',
    );
  });
});

/** All that the files below the business's folder hold: as bytes, and the cells of tables. */
async function textsOfDataFolder(): Promise<string> {
  const kept = await everythingKept(test.instance.data.business(business.business_id));
  return [...kept.values()].join('\n').toLowerCase();
}

async function modelKeys(): Promise<Map<string, number>> {
  const [snapshot] = await listSnapshots(test.instance.control, business.business_id);
  const duckDb = await DuckDBInstance.create(
    test.instance.data.model(business.business_id, snapshot?.snapshot_id ?? ''),
    { access_mode: 'READ_ONLY' },
  );
  const connection = await duckDb.connect();
  try {
    const rows = await connection.runAndReadAll('select order_id, order_key from orders');
    return new Map(rows.getRows().map(([order, key]) => [String(order), Number(key)]));
  } finally {
    connection.closeSync();
    duckDb.closeSync();
  }
}
