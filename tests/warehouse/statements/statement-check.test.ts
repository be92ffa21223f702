import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { tablesOfStatement } from '../../../src/warehouse/statements/run-statement.ts';
import { ALLOWED_STATEMENTS, REFUSED_STATEMENTS } from './statements.ts';

let connection: DuckDBConnection;

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect();
});

const tablesOf = async (sql: string) => [...(await tablesOfStatement(connection, sql))].sort();

describe('a statement', () => {
  it.each(ALLOWED_STATEMENTS)('%s', async (sql, tables) => {
    expect(await tablesOf(sql)).toEqual(tables);
  });

  it.each(REFUSED_STATEMENTS)('is not %s', async (sql, words) => {
    await expect(tablesOf(sql)).rejects.toThrow(words);
  });

  it('says where the refused part stands', async () => {
    await expect(tablesOf("select 1, getenv('HOME') from orders")).rejects.toThrow(
      'the statement is refused: the function getenv is not allowed here: only those are that compute from the values of rows, at character 11',
    );
  });

  it('has an end', async () => {
    await expect(tablesOf(`select ${'1,'.repeat(10_000)} 1`)).rejects.toThrow(
      'it has 20009 characters, and at most 20000 are allowed',
    );
  });

  it.each([
    ['sums', `select ${'1+'.repeat(9990)}1`],
    ['selects in selects', `select * from ${'(select * from '.repeat(1200)}orders${')'.repeat(1200)}`],
    ['lists in lists', `select ${'['.repeat(9900)}${']'.repeat(9900)}`],
  ])('is no deeper than DuckDB reads: %s', async (_name, sql) => {
    await expect(tablesOf(sql)).rejects.toThrow('depth limit of 1000');
  });

  it('may be wide', async () => {
    expect(await tablesOf(`select 1 from orders ${'union all select 1 from orders '.repeat(600)}`)).toEqual([
      'orders',
    ]);
  });
});
