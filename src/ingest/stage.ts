import type { Column, StoredColumn } from './columns.ts';
import { startLines } from './csv-lines.ts';
import { ImportError } from './errors.ts';
import type { SourceFile } from './files.ts';
import { literal, type Session } from './session.ts';
import { firstLine, openSource, type Source } from './source.ts';
import type { CanonicalTable } from './table.ts';

export interface TableCounts {
  /** Rows in the files. */
  readonly read: number;
  /** Rows that were good: `read - rejected`. */
  readonly loaded: number;
  readonly rejected: number;
}

export interface Staged {
  readonly counts: TableCounts;
  readonly warnings: readonly string[];
}

/** The rejects of all tables: a row for each bad cell. */
export async function createRejects(session: Session): Promise<void> {
  await session.run(
    `create temp table rejects (table_name varchar, file varchar, record bigint, ordinal bigint, line bigint,
      column_name varchar, value varchar, reason varchar)`,
  );
}

/**
 * Reads the files of one table into the temporary table `batch_<table>`: the good rows, typed, the last one of each
 * key. Bad rows go to `rejects`.
 */
export async function stageTable(
  session: Session,
  table: CanonicalTable,
  files: readonly SourceFile[],
  onFile: (file: SourceFile) => void = () => {},
): Promise<Staged> {
  const stored = storedColumns(table);
  await session.run(
    `create or replace temp table staged (_file integer, _record bigint,
      ${stored.map(({ name, type }) => `"${name}" ${type}`).join(', ')},
      _errors struct(column_name varchar, value varchar, reason varchar)[])`,
  );
  const warnings: string[] = [];
  for (const [index, file] of files.entries()) {
    onFile(file);
    const source = await openSource(session, table, file);
    warnings.push(...source.warnings);
    await stageFile(session, table, file, index, source);
  }
  if (table.position !== undefined) await rejectMixedPositions(session, table, table.position);
  await moveErrors(session, table, files);
  const counts = await countRows(session, table);
  await createBatch(session, table, stored);
  return { counts, warnings };
}

function storedColumns(table: CanonicalTable): StoredColumn[] {
  return Object.entries(table.columns).flatMap(([name, column]) => [
    ...column.stored(name, (cell) => `"${cell}"`),
  ]);
}

async function stageFile(
  session: Session,
  table: CanonicalTable,
  file: SourceFile,
  index: number,
  source: Source,
): Promise<void> {
  const columns = Object.entries(table.columns);
  const cell = (name: string) => (source.columns.includes(name) ? `"${name}"` : 'cast(null as varchar)');
  const values = columns.flatMap(([name, column]) => column.stored(name, cell).map(withFallback(cell(name))));
  const errors = columns.flatMap(([name, column]) => cellErrors(name, column, cell));
  try {
    await session.run(`
      insert into staged
      select ${index}, _record, ${values.join(', ')},
        case when _malformed is not null
          then [{'column_name': cast(null as varchar), 'value': cast(null as varchar), 'reason': _malformed}]
          else list_filter([${errors.join(', ')}], lambda error: error.reason is not null) end
      from (${source.select})`);
  } catch (error) {
    throw new ImportError(`${file.name} cannot be read as ${file.format}: ${firstLine(error)}`);
  }
  if (file.format !== 'parquet') await moveMalformed(session, table, file);
  await rejectBrokenRules(session, table, index);
}

function withFallback(cell: string): (column: StoredColumn) => string {
  return ({ value, fallback }) =>
    fallback === undefined ? value : `case when ${cell} is null then ${fallback} else ${value} end`;
}

function cellErrors(name: string, column: Column, cell: (name: string) => string): string[] {
  const [main] = column.stored(name, cell);
  const wrong = `when ${cell(name)} is not null and ${main?.value} is null then ${literal(column.expected)}`;
  const missing = column.required ? `when ${cell(name)} is null then 'is required'` : '';
  // Personal columns accept any text, so that no clear value ever reaches the rejects.
  if (column.expected === 'must be text' && !column.required) return [];
  return [`{'column_name': '${name}', 'value': ${cell(name)}, 'reason': case ${missing} ${wrong} end}`];
}

async function rejectBrokenRules(session: Session, table: CanonicalTable, index: number): Promise<void> {
  for (const rule of table.rules ?? []) {
    await session.run(
      `update staged set _errors = list_append(_errors,
          {'column_name': '${rule.column}', 'value': cast(null as varchar), 'reason': ${literal(rule.expected)}})
        where _file = ${index} and len(_errors) = 0 and not (${rule.condition})`,
    );
  }
}

/** Numbers given for some lines of an order and made up for others could collide. */
async function rejectMixedPositions(
  session: Session,
  table: CanonicalTable,
  position: string,
): Promise<void> {
  const parent = table.key.filter((name) => name !== position).map((name) => `"${name}"`);
  await session.run(`
    update staged set _errors = list_append(_errors, {'column_name': '${position}', 'value': cast(null as varchar),
        'reason': 'must be given on all rows of one ${parent.join(', ').replaceAll('"', '')} or on none'})
    where "${position}" is null and len(_errors) = 0 and (${parent.join(', ')}) in (
      select (${parent.join(', ')}) from staged where "${position}" is not null)`);
  await session.run(`
    update staged set "${position}" = numbered.position
    from (
      select _file, _record, row_number() over (partition by ${parent.join(', ')} order by _file, _record) as position
      from staged where "${position}" is null
    ) as numbered
    where staged._file = numbered._file and staged._record = numbered._record`);
}

/** Records that are no CSV, or lines that are no text: DuckDB lists them beside the ones it returns. */
async function moveMalformed(session: Session, table: CanonicalTable, file: SourceFile): Promise<void> {
  const [hasRejects] = await session.rows(
    `select 1 as one from duckdb_tables() where table_name = 'reject_errors' and temporary`,
  );
  if (hasRejects === undefined) return;
  await session.run(
    `insert into rejects
      select '${table.name}', $file, null, line, null, any_value(column_name), null,
        'is malformed: ' || lower(string_agg(distinct cast(error_type as varchar), ', '))
      from reject_errors group by line`,
    { file: file.name },
  );
  await session.run('drop table reject_errors');
  await session.run('drop table reject_scans');
}

async function moveErrors(
  session: Session,
  table: CanonicalTable,
  files: readonly SourceFile[],
): Promise<void> {
  const names = files.map((file, index) => `(${index}, ${literal(file.name)})`).join(', ');
  await session.run(`
    insert into rejects
    select '${table.name}', name, _record, null, null, error.column_name, left(error.value, 200), error.reason
    from (select _file, _record, unnest(_errors) as error from staged where len(_errors) > 0)
    join (values ${names}) as files(number, name) on number = _file`);
  await findLines(session, table, files);
}

/** Turns record numbers into line numbers of the files. */
async function findLines(
  session: Session,
  table: CanonicalTable,
  files: readonly SourceFile[],
): Promise<void> {
  for (const file of files) {
    const rejected = await session.rows(
      `select distinct record, ordinal from rejects where table_name = '${table.name}' and file = $file`,
      { file: file.name },
    );
    if (rejected.length === 0) continue;
    const lineOf = await lineFinder(
      file,
      rejected.flatMap(({ ordinal }) => (ordinal === null ? [] : [Number(ordinal)])),
    );
    const found = rejected.map(({ record, ordinal }) => ({
      record,
      ordinal,
      line: lineOf(record === null ? null : Number(record), ordinal === null ? null : Number(ordinal)),
    }));
    await session.run(
      `update rejects set line = found.line
        from (
          select unnest(from_json($found, '[{"record": "BIGINT", "ordinal": "BIGINT", "line": "BIGINT"}]'), recursive := true)
        ) as found
        where table_name = '${table.name}' and file = $file
          and rejects.record is not distinct from found.record and rejects.ordinal is not distinct from found.ordinal`,
      { file: file.name, found: JSON.stringify(found) },
    );
  }
}

/**
 * The line of a well-formed record (by its number among those) or of a malformed one (by its ordinal among all).
 *
 * @param malformed the ordinals of the malformed records
 */
async function lineFinder(
  file: SourceFile,
  malformed: readonly number[],
): Promise<(record: number | null, ordinal: number | null) => number | null> {
  if (file.format === 'parquet') return (record) => record;
  const isMalformed = new Set(malformed);
  if (file.format === 'ndjson') {
    const ascending = malformed.toSorted((a, b) => a - b);
    return (record, ordinal) =>
      record === null ? ordinal : ascending.reduce((line, bad) => (bad <= line ? line + 1 : line), record);
  }
  const lines = await startLines(file.path);
  const wellFormed = lines.filter(
    ({ isBlank }, index) => index > 0 && !isBlank && !isMalformed.has(index + 1),
  );
  return (record, ordinal) =>
    (record === null ? lines[Number(ordinal) - 1] : wellFormed[record - 1])?.line ?? null;
}

async function countRows(session: Session, table: CanonicalTable): Promise<TableCounts> {
  const counts = await session.row(
    `select
      (select count(*) from staged) as staged,
      (select count(*) from staged where len(_errors) > 0) as wrong,
      (select count(*) from rejects where table_name = '${table.name}' and ordinal is not null) as malformed`,
  );
  const rejected = Number(counts.wrong) + Number(counts.malformed);
  const read = Number(counts.staged) + Number(counts.malformed);
  return { read, loaded: read - rejected, rejected };
}

async function createBatch(
  session: Session,
  table: CanonicalTable,
  stored: readonly StoredColumn[],
): Promise<void> {
  const key = table.key.map((name) => `"${name}"`).join(', ');
  await session.run(`
    create or replace temp table batch_${table.name} as
    select ${stored.map(({ name }) => `"${name}"`).join(', ')} from staged
    where len(_errors) = 0
    qualify row_number() over (partition by ${key} order by _file desc, _record desc) = 1`);
  await session.run('drop table staged');
}
