import { ImportError } from '../snapshot/import-errors.ts';
import type { Session } from '../store/duckdb-session.ts';
import type { FileRelation } from './file-relation.ts';
import type { SourceFile } from './find-files.ts';
import { type BrokenRecord, faultText } from './record-scanner.ts';

/** DuckDB makes them when it reads a text file, and adds to them when it reads the next one. */
const REJECT_LISTS = ['reject_errors', 'reject_scans'];

/**
 * Adds what is no row in a text file to the rejects: what its bytes tell, and what DuckDB tells of the rows
 * that it just read of it.
 *
 * @param read how many rows DuckDB read: where it is all that the file holds, none is malformed
 * @returns for how many rows that stands
 */
export async function rejectMalformed(
  session: Session,
  tableName: string,
  file: SourceFile,
  { rows, broken }: Pick<FileRelation, 'rows' | 'broken'>,
  read: number,
): Promise<number> {
  if (read === rows && broken.length === 0) {
    // Asking for a list without entries would be a noticeable part of a small import.
    for (const list of REJECT_LISTS) session.runLater(`drop table if exists ${list}`);
    return 0;
  }
  const told = await addBroken(session, tableName, file, broken);
  return told + (await moveMalformed(session, tableName, file, broken));
}

/** DuckDB leaves out what it cannot read, and does not always say so. */
export function refuseLostRows(file: Pick<SourceFile, 'name'>, held: number, found: number): void {
  if (held === found) return;
  throw new ImportError(
    `${file.name} holds ${held} rows, but ${found} were read of it, so nothing was imported. Look for quotes that are ` +
      'left open and for control characters in it, or give the table as NDJSON or Parquet',
  );
}

/**
 * Reads from the bytes of the file how many rows its broken stretches stand for. @returns for how many rows
 * they stand
 */
async function addBroken(
  session: Session,
  tableName: string,
  file: SourceFile,
  broken: readonly BrokenRecord[],
): Promise<number> {
  if (broken.length === 0) return 0;
  const rejects = broken.map((record) => ({
    line: record.line,
    rows: record.lines,
    reason: faultText(record),
  }));
  await session.run(
    `insert into rejects by name
      select '${tableName}' as table_name, $file as file,
        unnest(from_json($rejects, '[{"line": "BIGINT", "rows": "BIGINT", "reason": "VARCHAR"}]'), recursive := true)`,
    { file: file.name, rejects: JSON.stringify(rejects) },
  );
  return broken.reduce((sum, { lines }) => sum + lines, 0);
}

/**
 * Records with too few or too many cells, or that are no text: DuckDB lists them beside the ones it returns.
 * What it says of a broken stretch is told already.
 *
 * @returns how many there are
 */
async function moveMalformed(
  session: Session,
  tableName: string,
  file: SourceFile,
  broken: readonly BrokenRecord[],
): Promise<number> {
  // DuckDB reads nothing of a file in which a quote is open from the first row on, and makes no list.
  const { lists } = await session.row(
    "select count(*) as lists from duckdb_tables() where table_name = 'reject_errors'",
  );
  if (lists === 0) return 0;
  const { errors } = await session.row('select count(*) as errors from reject_errors');
  const moved = errors === 0 ? { Count: 0 } : await insertMalformed(session, tableName, file, broken);
  await session.run(REJECT_LISTS.map((list) => `drop table ${list}`).join('; '));
  return Number(moved.Count);
}

/**
 * SQL: what is wrong with each record, `missing columns (2 instead of 4)`. DuckDB lists each cell that is
 * missing or too many by itself: the least that is missing and the most that is too many are what the record
 * has.
 */
const FAULTS = `
  select line, min(byte_position) as byte,
    kind || coalesce(
      ' (' || case when kind = 'missing columns' then min(found) else max(found) end || ' instead of ' || min(expected) || ')', '') as reason
  from (
    select line, byte_position, lower(cast(error_type as varchar)) as kind,
      try_cast(regexp_extract(error_message, 'Expected Number of Columns: ([0-9]+)', 1) as integer) as expected,
      try_cast(regexp_extract(error_message, 'Expected Number of Columns: [0-9]+ Found: ([0-9]+)', 1) as integer) as found
    from reject_errors
  )
  group by line, kind`;

async function insertMalformed(
  session: Session,
  tableName: string,
  file: SourceFile,
  broken: readonly BrokenRecord[],
) {
  const stretches = broken.map(({ start, end }) => ({ start, end }));
  return await session.row(
    `insert into rejects by name
      select '${tableName}' as table_name, $file as file, byte, 1 as rows, 'is malformed: ' || reasons as reason
      from (
        select min(byte) as byte, string_agg(reason, ', ' order by reason) as reasons from (${FAULTS}) group by line
      )
      where not exists (
        select 1
        from (select unnest(from_json($stretches, '[{"start": "BIGINT", "end": "BIGINT"}]'), recursive := true)) as stretch
        where byte > stretch.start and byte <= stretch."end")`,
    { file: file.name, stretches: JSON.stringify(stretches) },
  );
}
