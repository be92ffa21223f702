import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/model/business.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { importFiles, query, readRejects, refusal } from './shop.ts';

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

/** Bad rows: the e-mail in the column beside it, a phone as a total, malformed records, a kind that is none. */
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

/** Bytes of every file of the data folder, and every text of every Parquet file and DuckDB database. */
async function everythingKept(): Promise<Map<string, string>> {
  const kept = new Map<string, string>();
  for (const entry of readdirSync(test.settings.DATA, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    kept.set(path, readFileSync(path).toString('latin1'));
    if (path.endsWith('.parquet')) kept.set(`${path}, read`, JSON.stringify(await query(`from '${path}'`)));
    if (path.endsWith('.duckdb')) kept.set(`${path}, read`, await tablesOf(path));
  }
  return kept;
}

async function tablesOf(path: string): Promise<string> {
  const names = await query(
    `attach '${path}' as model (read_only); select table_name from duckdb_tables() where database_name = 'model'`,
  );
  const tables = await Promise.all(
    names.map(([name]) => query(`attach '${path}' as model (read_only); from model."${name}"`)),
  );
  return JSON.stringify(tables);
}

async function placesWithSecrets(): Promise<string[]> {
  return [...(await everythingKept())].flatMap(([path, text]) => (SECRET.test(text) ? [path] : []));
}

it('the search itself finds what it looks for', () => {
  for (const text of Object.values(FILES)) expect(text).toMatch(SECRET);
});

it('no clear e-mail or phone stays after an import', async () => {
  await importFiles(test, business, FILES);
  expect((await everythingKept()).size).toBeGreaterThan(8);
  expect(await placesWithSecrets()).toEqual([]);
});

it('nor after a refused one, nor in the rejects', async () => {
  const { report } = await refusal(test, business, BAD_FILES);
  expect(readRejects(report)).toHaveLength(9);
  expect(readRejects(report).map(([, , , value]) => value)).toEqual(
    expect.arrayContaining(['(e-mail)', '(phone)', 'much', 'soon', 'e-mail']),
  );
  expect(await placesWithSecrets()).toEqual([]);
});

it('nor after an import that left bad rows out', async () => {
  const report = await importFiles(test, business, { ...FILES, ...BAD_FILES }, '100%');
  expect(report.tables.orders).toEqual({ read: 6, loaded: 2, rejected: 4, replaced: 0, ignored: 0 });
  expect(await placesWithSecrets()).toEqual([]);
});
