import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { rebuildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { partFile } from '../../src/snapshot/canonical-parts.ts';
import { everythingKept } from '../support/everything-kept.ts';
import { asCsv, plantedIn, plantedRows } from '../support/planted-personal-data.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { importFiles, query, readRejects, refusal, storedRows } from './shop.ts';

let test: TestInstance;
let business: Business;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  business = await test.createBusiness();
});

afterAll(() => test[Symbol.asyncDispose]());

/** Every place of the format in which an e-mail or phone may stand, and places where one may slip to. */
const FILES = {
  'orders.csv': `order_id,ordered_at,email,phone,total
A1,2024-01-05T10:00:00,First.Secret@Example.com,+420 601 234 567,100
A2,2024-01-06T11:00:00, second.secret@example.com ,00420602345678,200
`,
  'profiles.ndjson': '{"profile_id":"p1","email":"third.secret@example.com","phone":"+420603456789"}',
  'identities.csv':
    'profile_id,kind,value\np1,email,fourth.secret@example.com\np1,phone,+420604567890\np1,visitor,v1\n',
};

/** Bad rows: the e-mail in the column beside it, a phone as a total, malformed records, an unknown kind. */
const BAD_FILES = {
  'orders-2.csv': `order_id,ordered_at,email,phone,total
B1,fifth.secret@example.com,,,+420 605 678 901
B2,2024-01-06,"sixth.secret@example.com"x,+420606789012,1
B3,2024-01-06,seventh.secret@example.com,+420607890123
B4,2024-01-06,eighth.secret@example.com,+420608901234,much
`,
  'identities-2.csv': 'profile_id,kind,value\np1,e-mail,ninth.secret@example.com\np1,,+420609012345\n',
  'profiles-2.ndjson':
    '{"profile_id":"p2","email":"tenth.secret@example.com","birthday":"soon"}\n{"email":"eleventh.secret@example.com"\n',
};

/** The addresses, and the numbers in full: fewer digits may stand in a hash by chance. */
const SECRET =
  /\.secret|601 ?234 ?567|602 ?345 ?678|603 ?456 ?789|604 ?567 ?890|605 ?678 ?901|606 ?789 ?012|607 ?890 ?123|608 ?901 ?234|609 ?012 ?345/i;

async function placesWithSecrets(): Promise<string[]> {
  return [...(await everythingKept(test.settings.DATA))].flatMap(([path, text]) =>
    SECRET.test(text) ? [path] : [],
  );
}

it('the search itself finds what it looks for', () => {
  for (const text of Object.values(FILES)) expect(text).toMatch(SECRET);
});

it('no clear e-mail or phone stays after an import', async () => {
  await importFiles(test, business, FILES);
  expect((await everythingKept(test.settings.DATA)).size).toBeGreaterThan(8);
  expect(await placesWithSecrets()).toEqual([]);
});

it('no clear e-mail or phone stays after a refused import, or in the rejects', async () => {
  const { report } = await refusal(test, business, BAD_FILES);
  expect(readRejects(report)).toHaveLength(9);
  expect(readRejects(report).map(([, , , value]) => value)).toEqual(
    expect.arrayContaining([
      'text of 24 characters, e-mail at 1',
      'text of 16 characters, phone at 1',
      'text of 4 characters like aaaa',
      'text of 6 characters like a-aaaa',
    ]),
  );
  expect(await placesWithSecrets()).toEqual([]);
});

it('no clear e-mail or phone stays after an import that left bad rows out', async () => {
  const report = await importFiles(test, business, { ...FILES, ...BAD_FILES }, '100%');
  expect(report.tables.orders).toEqual({
    read: 6,
    loaded: 2,
    rejected: 4,
    replaced: 0,
    ignored: 0,
    deleted: 0,
  });
  expect(await placesWithSecrets()).toEqual([]);
});

describe('an import with them in every column of every table', () => {
  const { good, bad, secrets } = plantedRows(5);
  let shop: Business;

  beforeAll(async () => {
    shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  });

  it('keeps none, counts them for each column, and rejects only what no column of that type holds', async () => {
    const files = asCsv(good);
    expect(plantedIn(Object.values(files).join()).length).toBeGreaterThan(secrets / 2);
    const report = await importFiles(test, shop, { ...files, ...renamed(asCsv(bad)) }, '100%');
    const found = [...(await everythingKept(test.settings.DATA))].flatMap(([path, text]) =>
      plantedIn(text).map((part) => [path, part]),
    );
    expect(found).toEqual([]);
    expect(Object.values(report.tables).reduce((sum, { rejected }) => sum + rejected, 0)).toBe(bad.length);
    const planted = new Set(good.map(({ table, column }) => `${table}.${column}`));
    for (const [table, columns] of Object.entries(report.personal_data_removed)) {
      for (const column of Object.keys(columns)) expect(planted).toContain(`${table}.${column}`);
    }
    expect(Object.keys(report.personal_data_removed.orders ?? {})).toEqual(
      expect.arrayContaining([
        'order_id',
        'profile_id',
        'visitor_id',
        'utm_campaign',
        'coupon_codes',
        'payment_method',
      ]),
    );
  });

  it('so does a store that an earlier version wrote, at its next import or rebuild', async () => {
    const snapshot = await currentSnapshot(test.instance.control, shop.business_id);
    const folder = test.instance.data.snapshot(shop.business_id, snapshot?.snapshot_id ?? '');
    const orders = partFile(folder, 'orders', 1);
    await query(
      `copy (select * replace ('jmeno7.tajne@obchod.cz' as profile_id, '731 100 123' as payment_method) from '${orders}') to '${orders}.old' (format parquet)`,
    );
    renameSync(`${orders}.old`, orders);
    // It tells how long the file was.
    rmSync(join(folder, 'snapshot.json'));
    expect(JSON.stringify(await storedRows(test, shop, 'orders', 'profile_id, payment_method'))).toMatch(
      /tajne/,
    );
    await rebuildSnapshot(test.instance, shop);
    const [row] = await storedRows(test, shop, 'orders', 'profile_id, payment_method');
    expect(row).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), '(phone)']);
  });
});

it('shows none in the names of files and columns', async () => {
  const text = 'order_id,ordered_at,total,jana.tajne@obchod.cz,+420 731 100 123\nX1,2026-01-01,much,1,2\n';
  const { message, report } = await refusal(test, business, {
    'orders-jmeno7.tajne@obchod.cz.csv': text,
    'notes of +420 731 100 124.csv': '',
  });
  const told = JSON.stringify([message, readRejects(report)]);
  expect(told).toContain('(e-mail)');
  expect(told).not.toMatch(/tajne|731/);
  const { warnings } = await importFiles(test, await test.createBusiness(), {
    'orders-jmeno7.tajne@obchod.cz.csv': text.replace('much', '1'),
    'notes of +420 731 100 124.csv': '',
  });
  expect(warnings.join()).toContain('(phone)');
  expect(warnings.join()).not.toMatch(/tajne|731/);
});

function renamed(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name.replace('.', '-bad.'), text]));
}
