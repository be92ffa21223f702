import type { Column, StoredColumn } from './columns.ts';
import type { SourceFile } from './files.ts';
import { positionRows } from './positions.ts';
import { findRejectLines } from './reject-lines.ts';
import type { TableCounts } from './report.ts';
import { literal, type Session } from './session.ts';
import { openSource, type Source, unreadable } from './source.ts';
import { type CanonicalTable, haveSameKey, type RowRule, storedColumns, storedKey } from './table.ts';
import { trimmed } from './white-space.ts';

export interface Staged {
  readonly counts: TableCounts;
  readonly warnings: readonly string[];
}

/**
 * The rejects of all tables: a row for each bad cell. A well-formed row is known by its number among those of its
 * file, a malformed one by a byte of it.
 */
export async function createRejects(session: Session): Promise<void> {
  await session.run(
    `create temp table rejects (table_name varchar, file varchar, record bigint, byte bigint, line bigint,
      column_name varchar, value varchar, reason varchar)`,
  );
}

/**
 * Reads the files of one table into the temporary table `batch_<table>`: the good rows, typed, the last one of each
 * key. Bad rows go to `rejects`.
 *
 * TRICKY: a row's `rowid` is its place in the files: DuckDB keeps the order of what it inserts, also when it reads a
 * file with several threads, and nothing is deleted before the rejects are moved. For that errors are JSON: an update
 * of a list would move the row.
 */
export async function stageTable(
  session: Session,
  table: CanonicalTable,
  files: readonly SourceFile[],
  onFile: (file: SourceFile) => void = () => {},
): Promise<Staged> {
  await session.run(
    `create or replace temp table staged (${storedColumns(table)
      .map(({ name, type }) => `"${name}" ${type}`)
      .join(', ')}, _errors json)`,
  );
  const warnings: string[] = [];
  const firstRows: number[] = [];
  for (const file of files) {
    onFile(file);
    firstRows.push(await countStaged(session));
    const source = await openSource(session, table, file);
    warnings.push(...source.warnings);
    await stageFile(session, table, file, source);
  }
  if (table.position !== undefined) await positionRows(session, table, table.position);
  for (const [index, file] of files.entries()) {
    await moveErrors(session, table, file, firstRows[index] ?? 0, firstRows[index + 1]);
    await findRejectLines(session, table.name, file);
  }
  const counts = await countRows(session, table);
  await keepBatch(session, table);
  return { counts, warnings };
}

async function countStaged(session: Session): Promise<number> {
  return Number((await session.row('select count(*) as count from staged')).count);
}

/**
 * Cells are trimmed in the innermost select, become values in the one around it and are checked by them in the outer one,
 * so that nothing is computed twice and errors are put together only for the rows that have some. A cell of blanks alone
 * is empty.
 */
async function stageFile(
  session: Session,
  table: CanonicalTable,
  file: SourceFile,
  source: Source,
): Promise<void> {
  const columns = Object.entries(table.columns);
  const cell = (name: string) => (source.columns.includes(name) ? `"${name}"` : 'cast(null as varchar)');
  const trimmedCells = source.columns.map((name) => `nullif(${trimmed(`"${name}"`)}, '') as "${name}"`);
  const cells = columns.map(([name]) => `${cell(name)} as "cell ${name}"`);
  const values = columns.flatMap(([name, column]) =>
    column.stored(name, cell).map((stored) => `${withFallback(stored, cell(name))} as "${stored.name}"`),
  );
  const names = storedColumns(table).map(({ name }) => `"${name}"`);
  const checks = [
    ...columns.flatMap(([name, column]) => cellCheck(name, column)),
    ...(table.rules ?? []).map(ruleCheck),
  ];
  try {
    await session.run(`
      insert into staged
      select ${names.join(', ')},
        case
          when _malformed is not null then to_json([${asError({ column: 'null', value: 'null', reason: '_malformed' })}])
          when ${checks.map(({ isWrong }) => `coalesce(${isWrong}, false)`).join(' or ')}
            then to_json(list_filter([${checks.map(asError).join(', ')}], lambda error: error.reason is not null))
        end
      from (
        select _malformed, ${[...cells, ...values].join(', ')}
        from (select ${['_malformed', ...trimmedCells].join(', ')} from (${source.select}))
      )`);
  } catch (error) {
    throw unreadable(file, error);
  }
  if (file.format !== 'parquet') await moveMalformed(session, table, file);
}

function withFallback({ value, fallback }: StoredColumn, cell: string): string {
  return fallback === undefined ? value : `case when ${cell} is null then ${fallback} else ${value} end`;
}

/** SQL over the cells and values of a row. */
interface Check {
  readonly column: string;
  readonly value: string;
  readonly isWrong?: string;
  readonly reason: string;
}

function cellCheck(name: string, column: Column): Check[] {
  const [main] = column.stored(name, (cell) => `"${cell}"`);
  const isGiven = `"cell ${name}" is not null`;
  const hasNoValue = `"${main?.name}" is null`;
  // Optional text fits whatever it is; so no clear e-mail or phone ever reaches the rejects from its own column.
  if (column.expected === 'must be text' && !column.required) return [];
  return [
    {
      column: literal(name),
      value: `"cell ${name}"`,
      isWrong: column.required ? hasNoValue : `${isGiven} and ${hasNoValue}`,
      reason: `case when ${isGiven} then ${literal(column.expected)} else 'is required' end`,
    },
  ];
}

function ruleCheck({ column, condition, expected }: RowRule): Check {
  return { column: literal(column), value: 'null', isWrong: `not (${condition})`, reason: literal(expected) };
}

function asError({ column, value, isWrong = 'true', reason }: Check): string {
  return `{'column_name': cast(${column} as varchar), 'value': cast(${value} as varchar),
    'reason': case when ${isWrong} then ${reason} end}`;
}

/** Records that are no CSV, or lines that are no text: DuckDB lists them beside the ones it returns. */
async function moveMalformed(session: Session, table: CanonicalTable, file: SourceFile): Promise<void> {
  const [hasRejects] = await session.rows(
    `select 1 as one from duckdb_tables() where table_name = 'reject_errors' and temporary`,
  );
  if (hasRejects === undefined) return;
  await session.run(
    `insert into rejects
      select '${table.name}', $file, null, min(byte_position), null, null, null,
        'is malformed: ' || lower(string_agg(distinct cast(error_type as varchar), ', ' order by cast(error_type as varchar)))
      from reject_errors group by line`,
    { file: file.name },
  );
  await session.run('drop table reject_errors');
  await session.run('drop table reject_scans');
}

/** @param end the first row of the next file; undefined for the last file */
async function moveErrors(
  session: Session,
  table: CanonicalTable,
  file: SourceFile,
  start: number,
  end: number | undefined,
): Promise<void> {
  await session.run(
    `insert into rejects
    select '${table.name}', $file, record, null, null, error.column_name, ${withoutPersonalData('error.value')}, error.reason
    from (
      select rowid - ${start} + 1 as record,
        unnest(from_json(_errors, '[{"column_name": "VARCHAR", "value": "VARCHAR", "reason": "VARCHAR"}]')) as error
      from staged
      where _errors is not null and rowid >= ${start} ${end === undefined ? '' : `and rowid < ${end}`}
    )`,
    { file: file.name },
  );
}

/** Cells that slipped into a wrong column may hold an e-mail or a phone; the rejects file must not. */
function withoutPersonalData(value: string): string {
  const withoutEmails = `regexp_replace(left(${value}, 200), '[^\\s@,;|"]+@[^\\s@,;|"]+', '(e-mail)', 'g')`;
  return `regexp_replace(${withoutEmails}, '(\\+|\\b00)[0-9][0-9 ()./-]{6,}[0-9]', '(phone)', 'g')`;
}

async function countRows(session: Session, table: CanonicalTable): Promise<TableCounts> {
  const counts = await session.row(
    `select
      (select count(*) from staged) as staged,
      (select count(*) from staged where _errors is not null) as wrong,
      (select count(*) from rejects where table_name = '${table.name}' and byte is not null) as malformed`,
  );
  const rejected = Number(counts.wrong) + Number(counts.malformed);
  const read = Number(counts.staged) + Number(counts.malformed);
  return { read, loaded: read - rejected, rejected };
}

/** Leaves the good rows, of each key the last one. */
async function keepBatch(session: Session, table: CanonicalTable): Promise<void> {
  const key = storedKey(table)
    .map((name) => `"${name}"`)
    .join(', ');
  await session.run('delete from staged where _errors is not null');
  await session.run(
    `delete from staged using (
        select ${key}, max(rowid) as last from staged group by ${key} having count(*) > 1
      ) as repeated
      where ${haveSameKey(table, 'staged', 'repeated')} and staged.rowid < last`,
  );
  await session.run('alter table staged drop column _errors');
  await session.run(`drop table if exists batch_${table.name}`);
  await session.run(`alter table staged rename to batch_${table.name}`);
}
