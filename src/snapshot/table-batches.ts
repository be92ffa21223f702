import { join } from 'node:path';
import type { CanonicalTable } from '../store/canonical-table.ts';
import { literal, type Session } from '../store/duckdb-session.ts';
import { PART_FORMAT, rowsOf } from './canonical-parts.ts';

/** The rows that an import brings of a table, in the session's `batch_<table>`. */
export interface TableBatch {
  readonly rows: number;
  /**
   * The stored columns that they hold. Of the others each row has what an empty cell stands for, as in a part
   * without the column.
   */
  readonly held: readonly string[];
  /** A part with these rows, where they are many. */
  readonly file: string | null;
}

export type Batches = ReadonlyMap<CanonicalTable, TableBatch>;

/** This many rows take some 50 MB of memory. */
export const MOST_IN_MEMORY = 500_000;

/**
 * What is staged as `batch_<table>`, as a batch. Many rows are written as a part at once, and read from
 * there: the memory that they took is free for the next table.
 */
export async function makeBatch(
  session: Session,
  table: CanonicalTable,
  { rows, held }: Omit<TableBatch, 'file'>,
  mostInMemory: number,
): Promise<TableBatch> {
  if (rows <= mostInMemory) return { rows, held, file: null };
  const batch = `batch_${table.name}`;
  const file = join(session.temporaryFolder, `${batch}.parquet`);
  const columns = held.map((name) => `"${name}"`);
  await session.run(`copy (select ${columns.join(', ')} from ${batch}) to ${literal(file)} (${PART_FORMAT})`);
  const part = { number: 1, file, bytes: 0, rows, columns: new Set(held), isGated: true, deleted: null };
  await session.run(`drop table ${batch}; create temp view ${batch} as ${rowsOf(table, [part])}`);
  return { rows, held, file };
}
