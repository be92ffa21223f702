import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, expect, it } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import {
  ALLOWED_FUNCTIONS,
  ALLOWED_TABLE_FUNCTIONS,
} from '../../../src/warehouse/statements/allowed-functions.ts';
import { tablesOfStatement } from '../../../src/warehouse/statements/run-statement.ts';
import { SHOWN_TABLES } from '../../../src/warehouse/statements/shown-tables.ts';
import { isQuick } from '../../support/runs.ts';
import { mutatedStatements } from './mutated-statements.ts';

const COUNT = isQuick ? 1000 : 100_000;

let connection: DuckDBConnection;
/** All that DuckDB has, but what is allowed. */
let foreign: readonly string[];

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  const read = await connection.runAndReadAll('select distinct lower(function_name) from duckdb_functions()');
  foreign = read
    .getRows()
    .map(([name]) => String(name))
    .filter((name) => !ALLOWED_FUNCTIONS.has(name) && !ALLOWED_TABLE_FUNCTIONS.has(name));
});

/** Wherever in DuckDB's tree a function is named: by its text, not by how the check goes through it. */
async function namesCalled(sql: string): Promise<readonly string[]> {
  const read = await connection.runAndReadAll('select json_serialize_sql($1::varchar)', [sql]);
  const json = String(read.getRows()[0]?.[0]);
  return [...json.matchAll(/"function_name":"((?:[^"\\]|\\.)*)"/g)].map(([, name = '']) =>
    name.toLowerCase(),
  );
}

/**
 * DuckDB's own list, without names of `with` and what is in those that nothing reads; it writes what stands
 * behind a name too.
 */
function tablesNamed(sql: string): readonly string[] {
  return connection
    .getTableNames(sql, true)
    .map((name) =>
      (/^(?:[.]?(?:"(?:[^"]|"")*"|[^\s".]+))+/.exec(name)?.[0] ?? name).toLowerCase().replaceAll('"', ''),
    );
}

it('a mutated statement that is allowed names no other table or function', {
  timeout: 1_200_000,
}, async () => {
  const forbidden = new Set(foreign);
  let allowed = 0;
  for (const sql of mutatedStatements(COUNT)) {
    const tables = await tablesOfStatement(connection, sql).catch((error: unknown) => {
      // Whatever a statement is, its refusal is in words of ours.
      expect(error, sql).toBeInstanceOf(InputError);
      return null;
    });
    if (tables === null) continue;
    allowed += 1;
    const named = tablesNamed(sql);
    for (const name of named) {
      expect(SHOWN_TABLES.has(name), `${name} in ${sql}`).toBe(true);
      expect(tables.has(name), `${name} in ${sql}`).toBe(true);
    }
    for (const name of await namesCalled(sql)) expect(forbidden.has(name), `${name}( in ${sql}`).toBe(false);
  }
  // A check that refuses everything would leak nothing either.
  expect(allowed).toBeGreaterThan(COUNT / 50);
  expect(allowed).toBeLessThan(COUNT / 2);
});
