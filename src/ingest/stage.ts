import type { Column, StoredColumn } from './columns.ts';
import { ImportError } from './errors.ts';
import type { SourceFile } from './files.ts';
import { gatedValue } from './personal-data/session-gate.ts';
import { positionRows } from './positions.ts';
import { type BrokenRecord, faultText } from './records.ts';
import { findRejectLines } from './reject-lines.ts';
import { describeRepeated, findExamples, setRepeatedApart } from './repeated-rows.ts';
import type { TableCounts } from './report.ts';
import { literal, type Session } from './session.ts';
import { openSource, type Source, unreadable } from './source.ts';
import { type CanonicalTable, type RowRule, storedColumns } from './table.ts';
import { trimmed } from './white-space.ts';

export interface Staged {
  readonly counts: TableCounts;
  readonly warnings: readonly string[];
}

/**
 * The rejects of all tables: a row for each bad cell. A well-formed row is known by its number among those of its
 * file, a malformed one by a byte of it, or by its line. `rows` of a malformed one says for how many rows it stands.
 */
export async function createRejects(session: Session): Promise<void> {
  await session.run(
    `create temp table rejects (table_name varchar, file varchar, record bigint, byte bigint, line bigint, rows bigint,
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
  addsLines = false,
): Promise<Staged> {
  await session.run(
    `create or replace temp table staged (${storedColumns(table)
      .map(({ name, type }) => `"${name}" ${type}`)
      .join(', ')}, _errors json)`,
  );
  const warnings: string[] = [];
  const firstRows: number[] = [];
  let read = 0;
  for (const file of files) {
    onFile(file);
    const firstRow = await countStaged(session);
    firstRows.push(firstRow);
    const source = await openSource(session, table, file);
    warnings.push(...source.warnings);
    await stageFile(session, table, file, source);
    const found = (await countStaged(session)) - firstRow + (await countMalformed(session, table, file));
    refuseLostRows(file, source.rows, found);
    read += source.rows;
  }
  if (table.list !== undefined) await positionRows(session, table, table.list, addsLines);
  for (const [index, file] of files.entries()) {
    await moveErrors(session, table, file, firstRows[index] ?? 0, firstRows[index + 1]);
    await findRejectLines(session, table.name, file);
  }
  const rejected = await countRejected(session, table);
  const repeated = await setRepeatedApart(session, table);
  const examples = await findExamples(session, table, files, firstRows);
  const loaded = await keepBatch(session, table);
  const counts = { read, loaded, rejected, ...repeated };
  refuseUnbalanced(table, counts);
  return { counts, warnings: [...warnings, ...describeRepeated(table, repeated, examples)] };
}

/** DuckDB leaves out what it cannot read, and does not always say so. */
function refuseLostRows(file: SourceFile, held: number, found: number): void {
  if (held === found) return;
  throw new ImportError(
    `${file.name} holds ${held} rows, but ${found} were read of it, so nothing was imported. Look for quotes that are ` +
      'left open and for control characters in it, or give the table as NDJSON or Parquet',
  );
}

async function countStaged(session: Session): Promise<number> {
  return Number((await session.row('select count(*) as count from staged')).count);
}

/** The rows that malformed stretches of a file stand for. */
async function countMalformed(session: Session, table: CanonicalTable, file: SourceFile): Promise<number> {
  const { count } = await session.row(
    `select coalesce(sum(rows), 0)::bigint as count from rejects where table_name = '${table.name}' and file = $file and record is null`,
    { file: file.name },
  );
  return Number(count);
}

/**
 * From the innermost select outwards, cells are trimmed, become values, pass the gate for personal data and are checked,
 * so that nothing is computed twice and errors are put together only for the rows that have some. A cell of blanks alone
 * is empty, but for texts that people are sent.
 */
async function stageFile(
  session: Session,
  table: CanonicalTable,
  file: SourceFile,
  source: Source,
): Promise<void> {
  const columns = Object.entries(table.columns);
  const cell = (name: string) => (source.columns.includes(name) ? `"${name}"` : 'cast(null as varchar)');
  const trimmedCells = source.columns.map((name) => {
    const column = table.columns[name];
    const whole = column !== undefined && isBody(column) ? `"${name}"` : trimmed(`"${name}"`);
    return `nullif(${whole}, '') as "${name}"`;
  });
  const cells = columns.map(([name]) => `${cell(name)} as "cell ${name}"`);
  const values = columns.flatMap(([name, column]) =>
    column.stored(name, cell).map((stored) => `${withFallback(stored, cell(name))} as "${stored.name}"`),
  );
  const stored = storedColumns(table);
  const gated = stored.map((column) => `${gatedValue(table.name, column)} as "${column.name}"`);
  const row = wholeRow(table);
  const checks = [
    ...columns.flatMap(([name, column]) => cellCheck(name, column, row)),
    ...(table.rules ?? []).map(ruleCheck),
  ];
  try {
    await session.run(`
      insert into staged
      select ${stored.map(({ name }) => `"${name}"`).join(', ')},
        case
          when _malformed is not null then to_json([${asError({ column: 'null', value: 'null', reason: '_malformed' })}])
          when ${checks.map(({ isWrong }) => `coalesce(${isWrong}, false)`).join(' or ')}
            then to_json(list_filter([${checks.map(asError).join(', ')}], lambda error: error.reason is not null))
        end
      from (
        select _malformed, ${[...columns.map(([name]) => `"cell ${name}"`), ...gated].join(', ')}
        from (
          select _malformed, ${[...cells, ...values].join(', ')}
          from (select ${['_malformed', ...trimmedCells].join(', ')} from (${source.select}))
        )
      )`);
  } catch (error) {
    throw unreadable(file, error);
  }
  await addBroken(session, table, file, source.broken);
  if (file.format !== 'parquet') await moveMalformed(session, table, file, source.broken);
}

/** What recipients read is kept to the letter: a blank at the end of an SMS is paid for. */
function isBody(column: Column): boolean {
  return column.stored('', () => '').some(({ text }) => text === 'body');
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

/** SQL: all cells of a row as one text; empty where one of them is an e-mail address or a phone number by its column. */
function wholeRow(table: CanonicalTable): string {
  const columns = Object.entries(table.columns);
  const cells = columns.map(([name]) => `"cell ${name}"`);
  const personal = columns.flatMap(([name, column]) =>
    column.stored(name, (cell) => cell)[0]?.text === 'hash' ? [`"cell ${name}" is not null`] : [],
  );
  const all = `concat_ws(chr(31), ${cells.join(', ')})`;
  return personal.length === 0 ? all : `case when ${personal.join(' or ')} then '' else ${all} end`;
}

function cellCheck(name: string, column: Column, row: string): Check[] {
  const [main] = column.stored(name, (cell) => `"${cell}"`);
  const isGiven = `"cell ${name}" is not null`;
  const hasNoValue = `"${main?.name}" is null`;
  // Optional text fits whatever it is.
  if (column.expected === 'must be text' && !column.required) return [];
  const isWrong = column.required ? hasNoValue : `${isGiven} and ${hasNoValue}`;
  return [
    {
      column: literal(name),
      value: `case when ${isWrong} then rejected_value("cell ${name}", ${row}) end`,
      isWrong,
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

/** What the bytes of the file tell of its broken stretches. */
async function addBroken(
  session: Session,
  table: CanonicalTable,
  file: SourceFile,
  broken: readonly BrokenRecord[],
): Promise<void> {
  if (broken.length === 0) return;
  const rejects = broken.map((record) => ({
    line: record.line,
    rows: record.lines,
    reason: faultText(record),
  }));
  await session.run(
    `insert into rejects by name
      select '${table.name}' as table_name, $file as file,
        unnest(from_json($rejects, '[{"line": "BIGINT", "rows": "BIGINT", "reason": "VARCHAR"}]'), recursive := true)`,
    { file: file.name, rejects: JSON.stringify(rejects) },
  );
}

/**
 * Records with too few or too many cells, or that are no text: DuckDB lists them beside the ones it returns. What it says
 * of a broken stretch is told already.
 */
async function moveMalformed(
  session: Session,
  table: CanonicalTable,
  file: SourceFile,
  broken: readonly BrokenRecord[],
): Promise<void> {
  const [hasRejects] = await session.rows(
    `select 1 as one from duckdb_tables() where table_name = 'reject_errors' and temporary`,
  );
  if (hasRejects === undefined) return;
  const stretches = broken.map(({ start, end }) => ({ start, end }));
  await session.run(
    `insert into rejects by name
      select '${table.name}' as table_name, $file as file, byte, 1 as rows, 'is malformed: ' || reasons as reason
      from (
        select min(byte_position) as byte,
          lower(string_agg(distinct cast(error_type as varchar), ', ' order by cast(error_type as varchar))) as reasons
        from reject_errors
        group by line
      )
      where not exists (
        select 1
        from (select unnest(from_json($stretches, '[{"start": "BIGINT", "end": "BIGINT"}]'), recursive := true)) as stretch
        where byte > stretch.start and byte <= stretch."end")`,
    { file: file.name, stretches: JSON.stringify(stretches) },
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
    `insert into rejects by name
    select '${table.name}' as table_name, $file as file, record, error.column_name as column_name,
      error.value as value, error.reason as reason
    from (
      select rowid - ${start} + 1 as record,
        unnest(from_json(_errors, '[{"column_name": "VARCHAR", "value": "VARCHAR", "reason": "VARCHAR"}]')) as error
      from staged
      where _errors is not null and rowid >= ${start} ${end === undefined ? '' : `and rowid < ${end}`}
    )`,
    { file: file.name },
  );
}

async function countRejected(session: Session, table: CanonicalTable): Promise<number> {
  const { rejected } = await session.row(
    `select (select count(*) from staged where _errors is not null)
      + (select coalesce(sum(rows), 0) from rejects where table_name = '${table.name}' and record is null) as rejected`,
  );
  return Number(rejected);
}

/** Leaves the good rows that no later row replaces; returns how many there are. */
async function keepBatch(session: Session, table: CanonicalTable): Promise<number> {
  await session.run('delete from staged where _errors is not null or rowid in (select row from repeated)');
  await session.run('alter table staged drop column _errors');
  await session.run(`drop table if exists batch_${table.name}`);
  await session.run(`alter table staged rename to batch_${table.name}`);
  const { loaded } = await session.row(`select count(*) as loaded from batch_${table.name}`);
  return Number(loaded);
}

/** Rows that nobody counted are lost rows: better no import than one that says less than it did. */
function refuseUnbalanced(table: CanonicalTable, counts: TableCounts): void {
  const { read, loaded, rejected, replaced, ignored } = counts;
  if (read === loaded + rejected + replaced + ignored) return;
  throw new Error(
    `the rows of ${table.name} do not add up: ${JSON.stringify(counts)}. This is a defect of Storesight`,
  );
}
