import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createLog } from '../../src/server/log.ts';
import { ImportError } from '../../src/snapshot/import-errors.ts';

function logged(err: unknown): string {
  let written = '';
  const log = createLog({ LOG_LEVEL: 'error' }, { write: (line: string) => (written += line) });
  log.error({ err }, 'it failed');
  return written;
}

/** What DuckDB says of a statement over one person's cell. */
async function refusalOf(statement: string): Promise<unknown> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return await connection.run(statement).then(
      () => null,
      (error: unknown) => error,
    );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

it.each([
  [`select cast(cell as date) from (values ('Jana Nováková')) as t(cell)`, 'Conversion Error'],
  [`select cast(cell as integer) from (values ('Jana Nováková, "Brno"')) as t(cell)`, 'Conversion Error'],
  [`select strptime(cell, '%Y') from (values ('Jana Nováková')) as t(cell)`, 'Invalid Input Error'],
  [`select cast(cell as tinyint) from (values (420777123456)) as t(cell)`, 'Conversion Error'],
  [`select json_extract(cell, '$.a') from (values ('{Jana Nováková')) as t(cell)`, 'Error'],
])('the log has no value of a row of which DuckDB complains: %s', async (statement, kind) => {
  const refusal = await refusalOf(statement);
  expect(refusal).toBeInstanceOf(Error);
  for (const error of [refusal, new ImportError('orders.csv cannot be read', undefined, refusal)]) {
    const line = logged(error);
    expect(line).toContain(kind);
    expect(line).not.toMatch(/Jana|Nov|Brno|420777123456/);
  }
});

it('the log has of an error what an operator needs: what it is, its code, where, and why', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
  const { err } = JSON.parse(
    logged(new ImportError('the file /data/orders.csv is damaged', undefined, cause)),
  );
  expect(err).toEqual({
    type: 'ImportError',
    message: 'the file /data/orders.csv is damaged',
    stack: expect.stringContaining('log.test.ts'),
    cause: {
      type: 'Error',
      message: 'connect ECONNREFUSED 127.0.0.1:5432',
      code: 'ECONNREFUSED',
      stack: expect.any(String),
    },
  });
  expect(
    JSON.parse(logged(new Error('IO Error: Cannot open file "/data/model.duckdb"'))).err.message,
  ).toContain('/data/model.duckdb');
});

it('the log has no row that PostgreSQL refused', () => {
  const error = new pg.DatabaseError(
    'duplicate key value violates unique constraint "accounts_email"',
    1,
    'error',
  );
  error.code = '23505';
  error.detail = 'Key (email)=(jana@example.com) already exists.';
  const line = logged(error);
  expect(line).not.toContain('jana');
  expect(JSON.parse(line).err).toMatchObject({
    code: '23505',
    message: expect.stringContaining('accounts_email'),
  });
});

it('a thrown value that is no error is logged as text', () => {
  expect(JSON.parse(logged('out of paper')).err).toBe('out of paper');
});
