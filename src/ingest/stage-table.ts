import { ImportError } from '../snapshot/import-errors.ts';
import type { TableCounts } from '../snapshot/import-report.ts';
import { MOST_IN_MEMORY, makeBatch, type TableBatch } from '../snapshot/table-batches.ts';
import {
  type CanonicalTable,
  columnsOfFile,
  DELETED,
  deletedColumn,
  type RowRule,
  storedKey,
  storedNames,
} from '../store/canonical-table.ts';
import type { Column, StoredColumn } from '../store/column-kinds.ts';
import { literal, type Session, SLOW_TO_PLAN } from '../store/duckdb-session.ts';
import { gatedValue } from '../store/personal-data/session-gate.ts';
import { filled } from '../store/white-space.ts';
import { type FileRelation, openFileRelation } from './file-relation.ts';
import type { SourceFile, TranslatedRows } from './find-files.ts';
import { refuseLostRows, rejectMalformed } from './malformed.ts';
import { fillMissing, MISSING } from './missing-columns.ts';
import { positionRows } from './position-rows.ts';
import { findRejectLines } from './reject-lines.ts';
import { describeRepeated, findExamples, NONE_REPEATED, setRepeatedApart } from './repeated-rows.ts';
import { keepReportedStock } from './stock-readings.ts';
import { unreadable, unreadableRows } from './unreadable.ts';

export interface Staged {
  readonly counts: TableCounts;
  readonly batch: TableBatch;
  readonly warnings: readonly string[];
}

/**
 * The rejects of all tables: a row for each bad cell. A well-formed row is known by its number among those of
 * its file, a malformed one by a byte of it, or by its line. `rows` of a malformed one says for how many rows
 * it stands.
 */
export async function createRejects(session: Session): Promise<void> {
  await session.run(
    `create temp table rejects (table_name varchar, file varchar, record bigint, byte bigint, line bigint, rows bigint,
      column_name varchar, value varchar, reason varchar)`,
  );
}

/** What the rows of one table are read from. */
export type StagedFile = SourceFile | TranslatedRows;

interface Staging {
  readonly onFile?: (file: StagedFile) => void;
  /** Whether the stock that rows tell of is kept beside them, see `keepReportedStock`. */
  readonly keepsStock?: boolean;
  readonly addsLines?: boolean;
  /** Whether rows of the table are stored, in the view `before_<table>`. */
  readonly hasBefore?: boolean;
  /** More rows than these are written at once, see `makeBatch`. */
  readonly mostInMemory?: number;
}

/**
 * Reads the files of one table into `batch_<table>`: the good rows, typed, the last one of each key. Bad rows
 * go to `rejects`.
 *
 * TRICKY: a row's `rowid` is its place in the files: DuckDB keeps the order of what it inserts, also when it
 * reads a file with several threads, but not behind a join, and nothing is deleted before the rejects are
 * moved. For that errors are JSON: an update of a list would move the row.
 */
export async function stageTable(
  session: Session,
  table: CanonicalTable,
  files: readonly StagedFile[],
  {
    onFile = () => {},
    keepsStock = false,
    addsLines = false,
    hasBefore = false,
    mostInMemory = MOST_IN_MEMORY,
  }: Staging = {},
): Promise<Staged> {
  const open = (file: StagedFile) => {
    onFile(file);
    return openFileRelation(session, table, file);
  };
  const single = files.length === 1 && files[0] !== undefined ? await open(files[0]) : undefined;
  const held = await createStaged(session, table, single);
  const warnings: string[] = [];
  const firstRows: number[] = [];
  let staged = 0;
  let read = 0;
  let malformed = 0;
  for (const file of files) {
    firstRows.push(staged);
    const source = single ?? (await open(file));
    warnings.push(...source.warnings);
    const found = await stageFile(session, table, file, source, held);
    refuseLostRows(file, source.rows, found.staged + found.malformed);
    staged += found.staged;
    malformed += found.malformed;
    read += source.rows;
  }
  if (read === 0) {
    await keepBatch(session, table, NONE_MARKED, { hasRepeated: false, isFilled: false });
    return { counts: NO_ROWS, batch: { rows: 0, held: held.stored, file: null }, warnings };
  }
  if (table.list !== undefined) await positionRows(session, table, table.list, addsLines);
  const marked = await countMarked(session, table);
  const { wrong } = marked;
  // A column that the file does not have is not asked for: planning it would be most of a small import.
  if (wrong + malformed > 0) {
    for (const [index, file] of files.entries()) {
      await moveErrors(session, table, file, firstRows[index] ?? 0, firstRows[index + 1]);
      await findRejectLines(session, table.name, file);
    }
  }
  const repeated = marked.mayRepeat ? await setRepeatedApart(session, table) : NONE_REPEATED;
  const examples = repeated.replaced === 0 ? [] : await findExamples(session, files, firstRows);
  if (repeated.replaced > 0) refuseContradictions(table, examples);
  const hasRepeated = repeated.replaced + repeated.ignored > 0;
  if (keepsStock) await keepReportedStock(session);
  const isFilled = await fillMissing(session, table, { hasRepeated, hasBefore });
  const { loaded, deleted } = await keepBatch(session, table, marked, { hasRepeated, isFilled });
  const counts = { read, loaded, rejected: wrong + malformed, ...repeated, deleted };
  refuseUnbalanced(table, counts);
  return {
    counts,
    batch: await makeBatch(
      session,
      table,
      { rows: loaded, held: isFilled ? storedNames(table) : held.stored },
      mostInMemory,
    ),
    warnings: [...warnings, ...describeRepeated(table, repeated, examples)],
  };
}

/** The columns that rows of `staged` hold. */
interface Held {
  readonly stored: readonly string[];
  /** The marks, `_deleted` and `_untold`, that the rows hold; a batch has neither. */
  readonly marks: readonly string[];
}

/**
 * Makes `staged`, which computes the columns that a single file does not have: in memory DuckDB keeps a
 * column of nulls as wide as any other, and most files have few of the columns that a table knows.
 *
 * @param single undefined where there are several files, whose columns are known one after the other
 */
async function createStaged(
  session: Session,
  table: CanonicalTable,
  single: FileRelation | undefined,
): Promise<Held> {
  const isMissing = (name: string) => single !== undefined && !single.columns.includes(name);
  const columns = Object.entries(table.columns).flatMap(([name, column]) =>
    column
      .stored(name, (cell) => cell)
      .map((stored) => ({
        name: stored.name,
        type: stored.type,
        everywhere: isMissing(name) && !table.key.includes(name) ? fallbackOf(stored) : null,
      })),
  );
  const missing =
    single === undefined || single.hasMissingOfRows ? null : `cast(${single.missing} as bigint)`;
  const marks = [
    { name: DELETED, type: 'boolean', everywhere: isMissing(DELETED) ? 'false' : null },
    { name: MISSING, type: 'bigint', everywhere: missing },
  ];
  const definitions = [...columns, ...marks].map(
    ({ name, type, everywhere }) =>
      `"${name}" ${type}${everywhere === null ? '' : ` generated always as (${everywhere}) virtual`}`,
  );
  await session.run(`create or replace temp table staged (${definitions.join(', ')}, _errors json)`);
  return { stored: heldOf(columns), marks: heldOf(marks) };
}

/** @param columns each with SQL of what it is in every row, null where rows hold it */
function heldOf(columns: readonly { readonly name: string; readonly everywhere: string | null }[]): string[] {
  return columns.filter(({ everywhere }) => everywhere === null).map(({ name }) => name);
}

/** How many rows are staged, and how many of them are wrong or delete others. */
interface Marked {
  readonly rows: number;
  readonly wrong: number;
  readonly deleting: number;
  /** Whether two good rows may have the same key; if not, no two have. */
  readonly mayRepeat: boolean;
}

const NONE_MARKED: Marked = { rows: 0, wrong: 0, deleting: 0, mayRepeat: false };
const NO_ROWS: TableCounts = { read: 0, loaded: 0, rejected: 0, replaced: 0, ignored: 0, deleted: 0 };

/**
 * Keys are told apart by hashes of 64 bits: to hold millions of them as they are takes twice as long, and
 * most files repeat none.
 */
async function countMarked(session: Session, table: CanonicalTable): Promise<Marked> {
  const key = storedKey(table).map((name) => `"${name}"`);
  const { rows, wrong, deleting, keys } = await session.row(
    `select count(*) as rows, count(_errors) as wrong, count(*) filter (${DELETED}) as deleting,
      count(distinct hash(${key.join(', ')})) filter (_errors is null) as keys from staged`,
  );
  const mayRepeat = Number(keys) < Number(rows) - Number(wrong);
  return { rows: Number(rows), wrong: Number(wrong), deleting: Number(deleting), mayRepeat };
}

/** Planning the statement that stages so few rows takes longer than running it. */
const FEW_ROWS = 1000;

/**
 * Cells are trimmed, become values, pass the gate for personal data and are checked, from the innermost
 * select outwards. Nothing is computed twice, and errors are put together only for the rows that have some. A
 * cell of blanks alone is empty, but for texts that people are sent. A column that the file does not have
 * costs nothing.
 *
 * @returns how many rows were staged, and for how many the malformed stretches stand
 */
async function stageFile(
  session: Session,
  table: CanonicalTable,
  file: StagedFile,
  source: FileRelation,
  held: Held,
): Promise<{ staged: number; malformed: number }> {
  // A source names all the tables that it knows of, and most files have rows of few.
  if (file.format === 'translated' && source.rows === 0) return { staged: 0, malformed: 0 };
  const isRead = (name: string) => source.columns.includes(name);
  const columns = Object.entries(columnsOfFile(table)).filter(([name]) => isRead(name));
  const cell = (name: string) => (isRead(name) ? `"${name}"` : 'cast(null as varchar)');
  const trimmedCells = columns.map(([name, column]) => {
    if (source.typed.includes(name)) return `"${name}"`;
    return `${isBody(column) ? `nullif("${name}", '')` : filled(`"${name}"`)} as "${name}"`;
  });
  const cells = columns.map(([name]) => `"${name}" as "cell ${name}"`);
  const isGuarded = (name: string) => isRead(DELETED) && name !== DELETED && !table.key.includes(name);
  const stored = (name: string, column: Column) => storedOf(name, column, cell, source);
  const isDeletion = `coalesce(${stored(DELETED, deletedColumn)[0]?.value}, false)`;
  const values = columns.flatMap(([name, column]) =>
    stored(name, column).map((stored) => {
      const value = withFallback(stored, cell(name));
      return `${isGuarded(name) ? `case when not ${isDeletion} then ${value} end` : value} as "${stored.name}"`;
    }),
  );
  const gated = columns.flatMap(([name, column]) =>
    column.stored(name, cell).map((stored) => `${gatedValue(table.name, stored)} as "${stored.name}"`),
  );
  const fallbacks = Object.entries(columnsOfFile(table))
    .filter(([name]) => !isRead(name))
    .flatMap(([name, column]) => column.stored(name, cell).map(asFallback));
  const checks = [
    ...columns.flatMap(([name, column]) =>
      cellCheck(name, column).map(isGuarded(name) ? ofLiveRows : asItIs),
    ),
    ...(table.rules ?? []).map(ruleCheck).map(isRead(DELETED) ? ofLiveRows : asItIs),
    ...(isRead(DELETED) ? deletionChecks(table, isRead) : []),
  ];
  const cellNames = columns.map(([name]) => `"cell ${name}"`);
  const missing = `${source.missing}${source.hasMissingOfRows ? ` | coalesce(${MISSING}, 0)` : ''}`;
  const names = [...held.stored, ...held.marks].map((name) => `"${name}"`).join(', ');
  // TRICKY: DuckDB 1.5 makes a join of `kind in ('a', 'b', …)`, and rows lose their order behind it
  // (duckdb/duckdb#24398). In other statements it fails without.
  session.leaveOut(source.rows < FEW_ROWS ? ['in_clause', ...SLOW_TO_PLAN] : ['in_clause']);
  try {
    const inserted = await session.row(`
      insert into staged (${names}, _errors)
      select ${names},
        case
          when _malformed is not null
            then to_json([{'column_name': cast(null as varchar), 'value': cast(null as varchar), 'reason': _malformed}])
          when ${checks.map(({ isWrong }) => `coalesce(${isWrong}, false)`).join(' or ')}
            then to_json(list_transform(
              list_filter([${checks.map(asError).join(', ')}], lambda error: error.reason is not null),
              lambda error: {'column_name': error.column_name,
                'value': rejected_value(error.cell, ${wholeRow(columns)}), 'reason': error.reason}))
        end
      from (
        select _malformed, ${MISSING}, ${[...cellNames, ...gated, ...fallbacks].join(', ')}
        from (
          select _malformed, ${MISSING}, ${[...cells, ...values].join(', ')}
          from (select ${['_malformed', `${missing} as ${MISSING}`, ...trimmedCells].join(', ')} from (${source.select}))
        )
      )`);
    const isText = file.format === 'csv' || file.format === 'ndjson';
    session.leaveOut([]);
    const staged = Number(inserted.Count);
    const malformed = isText ? await rejectMalformed(session, table.name, file, source, staged) : 0;
    return { staged, malformed };
  } catch (error) {
    throw file.format === 'translated' ? unreadableRows(file.origins, error) : unreadable(file, error);
  }
}

/** What is stored of a column, by SQL over its cells as the source has them. */
function storedOf(
  name: string,
  column: Column,
  cell: (name: string) => string,
  { typed }: FileRelation,
): readonly StoredColumn[] {
  const stored = column.stored(name, cell);
  const value = typed.includes(name) ? column.ofItsType?.(cell(name)) : undefined;
  return value === undefined ? stored : stored.map((each) => ({ ...each, value }));
}

/** Texts that recipients read are kept to the letter: a blank at the end of an SMS is paid for. */
function isBody(column: Column): boolean {
  return column.stored('', () => '').some(({ text }) => text === 'body');
}

function withFallback({ value, fallback }: StoredColumn, cell: string): string {
  return fallback === undefined ? value : `case when ${cell} is null then ${fallback} else ${value} end`;
}

/** The expression for a column that the file does not have. */
function asFallback(stored: StoredColumn): string {
  return `${fallbackOf(stored)} as "${stored.name}"`;
}

function fallbackOf({ type, fallback }: StoredColumn): string {
  return `cast(${fallback ?? 'null'} as ${type})`;
}

/** SQL over the cells and values of a row. */
interface Check {
  readonly column: string;
  readonly cell: string;
  readonly isWrong: string;
  readonly reason: string;
}

/**
 * SQL: all cells of a row as one text; empty where one of them is an e-mail address or a phone number by its
 * column.
 */
function wholeRow(columns: readonly [string, Column][]): string {
  const cells = columns.map(([name]) => `"cell ${name}"`);
  const personal = columns.flatMap(([name, column]) =>
    column.stored(name, (cell) => cell)[0]?.text === 'hash' ? [`"cell ${name}" is not null`] : [],
  );
  const all = `concat_ws(chr(31), ${cells.join(', ')})`;
  return personal.length === 0 ? all : `case when ${personal.join(' or ')} then '' else ${all} end`;
}

function cellCheck(name: string, column: Column): Check[] {
  const [main] = column.stored(name, (cell) => `"${cell}"`);
  const isGiven = `"cell ${name}" is not null`;
  const hasNoValue = `"${main?.name}" is null`;
  // Optional text fits whatever it is.
  if (column.expected === 'must be text' && !column.required) return [];
  return [
    {
      column: literal(name),
      cell: `"cell ${name}"`,
      isWrong: column.required ? hasNoValue : `${isGiven} and ${hasNoValue}`,
      reason: `case when ${isGiven} then ${literal(column.expected)} else 'is required' end`,
    },
  ];
}

function ruleCheck({ column, condition, expected }: RowRule): Check {
  return { column: literal(column), cell: 'null', isWrong: `not (${condition})`, reason: literal(expected) };
}

const asItIs = (check: Check): Check => check;

/** The check for rows that stay. Of a row that deletes another one, only the key counts. */
function ofLiveRows(check: Check): Check {
  return { ...check, isWrong: `not coalesce(${DELETED}, false) and (${check.isWrong})` };
}

/**
 * Files with such rows may lack columns that other rows need. Made up, the place in a list would be that of
 * another row.
 */
function deletionChecks({ columns, list }: CanonicalTable, isRead: (name: string) => boolean): Check[] {
  const missing = Object.entries(columns)
    .filter(([name, { required }]) => required && !isRead(name))
    .map(([name]) => ({
      column: literal(name),
      cell: 'null',
      isWrong: 'true',
      reason: literal('is required'),
    }))
    .map(ofLiveRows);
  if (list === undefined) return missing;
  const { position } = list;
  const isWrong = `${DELETED} and "${position}" is null`;
  return [
    ...missing,
    { column: literal(position), cell: 'null', isWrong, reason: literal('is required to delete a row') },
  ];
}

function asError({ column, cell, isWrong, reason }: Check): string {
  return `{'column_name': ${column}, 'cell': cast(${cell} as varchar),
    'reason': case when ${isWrong} then ${reason} end}`;
}

/** @param end the first row of the next file; undefined for the last file */
async function moveErrors(
  session: Session,
  table: CanonicalTable,
  file: StagedFile,
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

/**
 * Leaves the good rows that no later row replaces. The keys that they delete go to `gone_<table>`, where
 * there are any.
 *
 * @returns how many stay, and how many delete others
 */
async function keepBatch(
  session: Session,
  table: CanonicalTable,
  { rows, wrong, deleting }: Marked,
  { hasRepeated, isFilled }: { readonly hasRepeated: boolean; readonly isFilled: boolean },
): Promise<{ loaded: number; deleted: number }> {
  if (wrong > 0 && !isFilled) await session.run('delete from staged where _errors is not null');
  if (hasRepeated && !isFilled)
    await session.run('delete from staged where rowid in (select row from repeated)');
  const { deleted } =
    deleting === 0
      ? { deleted: 0 }
      : await session.row(`select count(*) as deleted from staged where ${DELETED}`);
  if (deleted !== 0) await setDeletionsApart(session, table);
  const batch = `batch_${table.name}`;
  session.runLater(
    `alter table staged drop column _errors; alter table staged drop column ${DELETED}; alter table staged drop column ${MISSING}; drop table if exists ${batch}; alter table staged rename to ${batch}`,
  );
  if (wrong === 0 && deleting === 0 && !hasRepeated) return { loaded: rows, deleted: 0 };
  const { loaded } = await session.row(`select count(*) as loaded from ${batch}`);
  return { loaded: Number(loaded), deleted: Number(deleted) };
}

async function setDeletionsApart(session: Session, table: CanonicalTable): Promise<void> {
  const key = storedKey(table).map((name) => `"${name}"`);
  await session.run(
    `create or replace temp table gone_${table.name} as select ${key.join(', ')} from staged where ${DELETED};
    delete from staged where ${DELETED}`,
  );
}

/** @throws ImportError where rows of the table may not differ for one key */
function refuseContradictions(
  { refusesContradictions, key }: CanonicalTable,
  examples: readonly string[],
): void {
  if (refusesContradictions === undefined) return;
  throw new ImportError(
    `${refusesContradictions}, so nothing was imported: rows with the same ${key.join(', ')} say different things, for example ` +
      `${examples.map((example) => example.replace(' by ', ' and ')).join('; ')}. Leave the right one of them`,
  );
}

/** Rows that nobody counted are lost rows: better no import than one that says less than it did. */
function refuseUnbalanced(table: CanonicalTable, counts: TableCounts): void {
  const { read, loaded, rejected, replaced, ignored, deleted } = counts;
  if (read === loaded + rejected + replaced + ignored + deleted) return;
  throw new Error(
    `the rows of ${table.name} do not add up: ${JSON.stringify(counts)}. This is a defect of Storesight`,
  );
}
