import { expect, it } from 'vitest';
import type { Row } from '../../src/sql/row.ts';
import { parameter, sql } from '../../src/sql/sql.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';
import { KindsOfAnswers } from './kinds-of-answers.ts';

/** Which answers of DuckDB are asked of ClickHouse too in `npm test`: one that is left out by mistake would be compared nowhere. */
const SUM = (name: string) => sql`select sum(price) as total from lines where name = ${parameter.text(name)}`;
const COUNT = sql`select count(*) as count from lines`;
const SNAPSHOT = { business_id: 'b', snapshot_id: 's' };
const ASKER = { account: 'a', question: 'q' };

const answering = (rows: Row[]): Warehouse => ({
  query: async (_snapshot, queries) => queries.map(() => rows),
  close: async () => {},
});

async function hasNew(
  kinds: KindsOfAnswers,
  rows: Row[],
  ...queries: ReturnType<typeof SUM>[]
): Promise<boolean> {
  const watching = kinds.watching(answering(rows));
  expect(await watching.warehouse.query(SNAPSHOT, queries, ASKER)).toEqual(queries.map(() => rows));
  return watching.hasNew();
}

it('is every text, every answer without rows, and every column without a value, each once', async () => {
  const kinds = new KindsOfAnswers();
  const asked = (rows: Row[], ...queries: ReturnType<typeof SUM>[]) => hasNew(kinds, rows, ...queries);
  expect(await asked([{ total: 1 }], SUM('x'))).toBe(true);
  expect(await asked([{ total: 2 }, { total: null }], SUM('y'))).toBe(false);
  expect(await asked([{ total: null }], SUM('x'))).toBe(true);
  expect(await asked([], SUM('x'))).toBe(true);
  expect(await asked([], SUM('y'))).toBe(false);
  expect(await asked([{ total: 1 }], SUM('x'), COUNT)).toBe(true);
  expect(await asked([{ total: 1 }], COUNT)).toBe(false);
  expect(await hasNew(new KindsOfAnswers(), [{ total: 1 }], COUNT)).toBe(true);
});
