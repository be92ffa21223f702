import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { listSnapshots } from '../../src/control/businesses/businesses.ts';
import { deletePersons, readIdentifiers } from '../../src/ingest/delete-person.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { JANAS_SHOP, textsKept } from './deleted-person.ts';
import { answers, importFiles, SMALL_SHOP, storedRows } from './shop.ts';

const test: TestInstance = await createTestInstance({ isOneEngineEnough: true });
let business: Business;

beforeEach(async () => {
  business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
});

afterAll(() => test[Symbol.asyncDispose]());

const del = (...identifiers: string[]) => deletePersons(test.instance, business, identifiers);

describe('a person who is deleted', () => {
  it('is in no file of the data folder any more, and in no snapshot to go back to; others are, and who is not known is said', async () => {
    await importFiles(test, business, JANAS_SHOP);
    await importFiles(test, business, { 'profiles.csv': 'profile_id,email\nthird,third@example.com\n' });
    const profiles = await storedRows(test, business, 'profiles', 'profile_id, email_hash');
    const hash = String(profiles.find(([id]) => id === 'jana-profile')?.[1]);
    expect(await textsKept(test, business)).toContain(hash);
    expect(await textsKept(test, business)).toContain('jana-');

    const before = await listSnapshots(test.instance.control, business.business_id);
    expect(await del('nobody@example.com', '+420600000000', 'x')).toMatchObject({
      rows: {},
      unknown_identifiers: [1, 2, 3],
    });
    await expect(del('+420 777 000 111')).rejects.toThrow(
      'a phone number is of profiles with different e-mail addresses, so nothing was deleted',
    );
    expect(await listSnapshots(test.instance.control, business.business_id)).toEqual(before);

    // The phone number is two people's; with the address it is hers.
    const report = await del('00420777000111', 'Jana@Example.com');
    expect(report).toMatchObject({
      rows: { orders: 2, order_items: 1, profiles: 1, identities: 1, sessions: 2 },
      snapshots_removed: 2,
      unknown_identifiers: [],
    });
    const texts = await textsKept(test, business);
    expect(texts).not.toContain(hash);
    expect(texts).not.toContain('jana');
    expect(texts).toContain('petr-order');
    expect(texts).toContain('other-visitor');
    expect(await listSnapshots(test.instance.control, business.business_id)).toHaveLength(1);
    expect(await storedRows(test, business, 'orders', 'order_id, email_hash is null')).toEqual([
      ['petr-order', true],
    ]);
    expect(await storedRows(test, business, 'profiles', 'profile_id, phone_hash is null')).toEqual([
      ['petr-profile', false],
      ['third', true],
    ]);

    // What is left is a record, which later snapshots keep.
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
});

it('identifiers stand on lines of standard input', () => {
  expect(readIdentifiers(' a@example.com \r\n\n+420777000111\n')).toEqual(['a@example.com', '+420777000111']);
  expect(() => readIdentifiers(' \n')).toThrow('standard input named nobody');
  expect(() => readIdentifiers('x\n'.repeat(1001))).toThrow(
    'at most 1000 identifiers are taken at once; these are 1001',
  );
  expect(() => readIdentifiers(`a\n${'x'.repeat(1001)}`)).toThrow(
    'identifier 2 is longer than 1000 characters',
  );
});
