import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../ingest/staging.ts';
import { expectOurWords, outcomeOf } from './damaged-files.ts';
import { writeDuckdb } from './duckdb-file.ts';
import { refusalOf, translateFiles } from './translated.ts';

/**
 * DuckDB files that are whole, and whose author means harm: what stands in them is data, and takes no more
 * than data may.
 */

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const MOMENT = "timestamp '2026-01-05 10:00:00'";

/** A shop of 20 orders of 1.50 each, with other SQL for some of the columns. */
const orders = (columns: Readonly<Record<string, string>> = {}) => [
  'create schema if not exists shop',
  `create table shop."order" as select ${Object.entries({
    id: 'i',
    name: "'#' || i",
    financial_status: "'paid'",
    total_price: '1.5',
    currency: "'EUR'",
    created_at: MOMENT,
    _fivetran_synced: MOMENT,
    ...columns,
  })
    .map(([name, sql]) => `${sql} as "${name}"`)
    .join(', ')} from range(20) r(i)`,
];

const database = (name: string, statements: readonly string[]) =>
  writeDuckdb(join(folder.path, name), statements);

/** What would count otherwise, or read what it must not, if anything of the file's own was run. */
const MACROS = [
  'strlen',
  'count',
  'contains',
  'coalesce',
  'to_json',
  'regexp_replace',
  'error',
  'trim',
  'epoch_us',
];

it('macros, types and views of its own, by the names of what we ask with, change nothing', async () => {
  const path = await database('macros.duckdb', [
    ...MACROS.flatMap((name) => [
      `create macro "${name}"(x) as (select 'owned')`,
      `create schema if not exists shop; create macro shop."${name}"(x) as (select 'owned')`,
    ]),
    "create type varchar_ as enum ('EUR', 'USD')",
    ...orders({ currency: "cast('EUR' as main.varchar_)" }),
    `create view shop.duckdb_tables as select 'owned' as schema_name`,
    `create view main.duckdb_tables as select 'owned' as schema_name`,
    `create view shop.refund as select 1 as id, i as order_id, ${MOMENT} as created_at, ${MOMENT} as _fivetran_synced from range(9) r(i)`,
    'create sequence shop.numbers',
    'create index places on shop."order" (id)',
  ]);
  await translateFiles(path, async ({ rows }) => {
    expect(await rows('orders', 'count(*), sum(total), min(currency), max(currency)')).toEqual([
      [20, 30, 'EUR', 'EUR'],
    ]);
  });
});

const LONG = 17 * 2 ** 20;

it.each([
  ['a text', `repeat('x', ${LONG})`, 'email'],
  ['a text of JSON', `cast('"' || repeat('x', ${LONG}) || '"' as json)`, 'email'],
  ['a list', `(select list(j) from range(4_000_000) s(j))`, 'email'],
  ['bytes', `cast(repeat('x', ${LONG}) as blob)`, 'email'],
  ['a name within a thing', `{'a': {'b': repeat('x', ${LONG})}}`, 'email'],
])(
  'a cell that is longer than one may be is refused by its column, whatever it is: %s',
  async (what, sql, column) => {
    const path = await database(
      `long ${what}.duckdb`,
      orders({ [column]: `case when i = 7 then ${sql} end` }),
    );
    expect(await refusalOf(path)).toMatch(
      new RegExp(`^long ${what}\\.duckdb has a cell of "${column}" that is too long$`),
    );
  },
);

it('a value of an enumeration that each row has is as long as it is', async () => {
  const path = await database('enum.duckdb', [
    `create type longest as enum ('${'x'.repeat(LONG)}')`,
    ...orders({ email: `cast(repeat('x', ${LONG}) as longest)` }),
  ]);
  expect(await refusalOf(path)).toMatch(/^enum\.duckdb has a cell of "email" that is too long$/);
});

it.each([
  ['a list for an id', { id: '[i, i]' }],
  ['a thing for a moment', { created_at: `{'at': ${MOMENT}}` }],
  ['a map for a total', { total_price: 'map {1: 2}' }],
  ['a union for a currency', { currency: "union_value(a := 'EUR')" }],
  ['bits for a name', { name: "cast('0101' as bit)" }],
  ['bytes that are no text', { name: "'\\xFF\\xFE'::blob" }],
  ['no number', { total_price: "'nan'::double" }],
  ['endless', { total_price: "'infinity'::double", created_at: "timestamp 'infinity'" }],
  ['far away', { created_at: "timestamp '290000-01-01 00:00:00'" }],
  ['huge', { id: '170141183460469231731687303715884105727::hugeint', total_price: '1e300' }],
  ['things 60 deep', { email: `${"{'a': ".repeat(60)}1${'}'.repeat(60)}` }],
])(
  'a column of another type is read as its text, rejected or refused in words of ours: %s',
  async (what, columns) => {
    const name = 'types.duckdb';
    const path = await database(`${what}.duckdb`, orders(columns as Readonly<Record<string, string>>));
    expectOurWords(await outcomeOf({ name, bytes: readFileSync(path) }, readFileSync(path)), what);
  },
);
