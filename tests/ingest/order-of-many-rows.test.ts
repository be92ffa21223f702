import { expect, it } from 'vitest';
import { stageTable } from '../../src/ingest/stage-table.ts';
import { canonicalTable } from '../../src/store/tables/all-tables.ts';
import { openSession, temporaryFolder } from './staging.ts';

/** DuckDB gives each of its threads 122,880 rows at a time. */
const ROWS = 300_000;

it('rows that several threads stage stay in their order', async () => {
  using folder = temporaryFolder();
  using session = await openSession(folder.path);
  await session.run(
    `set threads = 4; create temp table told as
      select range as _row, 'O' || range as order_id, '2024-01-01T00:00:00Z' as ordered_at, 'paid' as status,
        case when range = ${ROWS - 1} then 'much' else '1' end as total
      from range(${ROWS}) order by _row`,
  );
  const origins = [{ file: { name: 'a', path: 'a', format: 'parquet' as const }, firstRow: 0, endRow: ROWS }];
  const told = { name: 'told', format: 'translated' as const, table: 'told', origins };
  await stageTable(session, canonicalTable('orders'), [told]);
  expect(
    await session.row(
      `select count(*) filter (order_id <> 'O' || rowid) as moved, count(*) as rows from batch_orders`,
    ),
  ).toEqual({ moved: 0, rows: ROWS - 1 });
  expect(await session.rows('select record from rejects')).toEqual([{ record: ROWS }]);
});
