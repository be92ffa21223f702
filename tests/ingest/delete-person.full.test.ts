/**
 * What befalls a deletion, beside `delete-person.test.ts`: what comes before and after it, and what stops it.
 */
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { listSnapshots } from '../../src/control/businesses/businesses.ts';
import { deletePersons } from '../../src/ingest/delete-person.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { JANAS_SHOP, textsKept } from './deleted-person.ts';
import { importFiles, SMALL_SHOP } from './shop.ts';

const test: TestInstance = await createTestInstance({ isOneEngineEnough: true });
let business: Business;

beforeEach(async () => {
  business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
});

afterAll(() => test[Symbol.asyncDispose]());

const del = (...identifiers: string[]) => deletePersons(test.instance, business, identifiers);

describe('a person who is deleted', () => {
  it('keeps the keys of the others, also of what is imported later', async () => {
    await importFiles(test, business, SMALL_SHOP);
    await importFiles(test, business, JANAS_SHOP);
    await del('jana@example.com');
    const before = await orderKeys();
    await importFiles(test, business, { 'orders.csv': 'order_id,ordered_at,total\nnew,2023-01-01,1\n' });
    const after = await orderKeys();
    for (const [order, key] of before) expect(after.get(order)).toBe(key);
    expect(after.get('new')).toBeGreaterThan(Math.max(...before.values()));
  });

  it('may be deleted again, and then nothing changes', async () => {
    await importFiles(test, business, JANAS_SHOP);
    const { snapshot } = await del('jana@example.com');
    expect(await del('jana@example.com')).toEqual({
      snapshot,
      rows: {},
      snapshots_removed: 0,
      unknown_identifiers: [1],
    });
  });

  it('stays whole when the command is stopped, and goes when it is given again', async () => {
    await importFiles(test, business, JANAS_SHOP);
    const before = await listSnapshots(test.instance.control, business.business_id);
    const stop = new AbortController();
    const onStep = (step: string) => step === 'building orders' && stop.abort();
    const context = { ...test.instance, signal: stop.signal, onStep };
    await expect(deletePersons(context, business, ['jana-profile'])).rejects.toThrow(
      'so nothing was changed',
    );
    expect(await listSnapshots(test.instance.control, business.business_id)).toEqual(before);
    expect(await del('jana-profile')).toMatchObject({ rows: { orders: 2 } });
    expect(await textsKept(test, business)).not.toContain('jana');
  });

  it('is said to be left where older snapshots cannot be removed, until the command is given again', async () => {
    await importFiles(test, business, JANAS_SHOP);
    let isAway = true;
    const copier = {
      copy: async () => true,
      forget: async () => {},
      close: async () => {},
      remove: async () => {
        if (isAway) throw new Error('the warehouse is away');
      },
    };
    const context = { ...test.instance, copier };
    await expect(deletePersons(context, business, ['jana-profile'])).rejects.toThrow(
      'the rows are deleted from what is served, but older snapshots could not be removed yet',
    );
    await expect(deletePersons(context, business, ['jana-profile'])).rejects.toThrow(
      'could not be removed yet',
    );
    isAway = false;
    expect(await deletePersons(context, business, ['jana-profile'])).toMatchObject({ rows: {} });
    expect(await textsKept(test, business)).not.toContain('jana');
  });

  it('is taken along from an older snapshot that alone has them', async () => {
    await importFiles(test, business, JANAS_SHOP);
    await importFiles(test, business, { 'profiles.csv': 'profile_id,_deleted\njana-profile,true\n' });
    expect(await textsKept(test, business)).toContain('jana-');
    expect(await del('jana-profile')).toMatchObject({ rows: {}, snapshots_removed: 2 });
    expect(await textsKept(test, business)).not.toContain('jana-');
  });
});

async function orderKeys(): Promise<Map<string, number>> {
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
