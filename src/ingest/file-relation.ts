import { randomUUID } from 'node:crypto';
import { symlink } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import { ImportError } from '../snapshot/import-errors.ts';
import { type CanonicalTable, columnsOfFile, DELETED } from '../store/canonical-table.ts';
import type { Column } from '../store/column-kinds.ts';
import { literal, type Session } from '../store/duckdb-session.ts';
import type { SourceFile, TranslatedRows } from './find-files.ts';
import { headerCells, readHeader } from './header.ts';
import { bitsOf, bitsWithout, columnsIn, MISSING } from './missing-columns.ts';
import { checkParquetFooter } from './parquet-footer.ts';
import { measureParquet } from './parquet-limits.ts';
import { type BrokenRecord, LONGEST_ROW } from './record-scanner.ts';
import { type Scan, scanFile } from './scan-file.ts';
import { checkDocuments, LONGEST_LINE } from './too-long.ts';
import { unreadable } from './unreadable.ts';

/** A file as a relation of text cells. */
export interface FileRelation {
  /**
   * SQL of a select of `_malformed` (a reason or null) and the cells, in file order and without blank lines.
   */
  readonly select: string;
  /** What each row leaves to others, see `missing-columns.ts`. */
  readonly missing: bigint;
  /** Whether a row says in `_untold` what else it leaves to them. */
  readonly hasMissingOfRows: boolean;
  /** The declared columns that the file has. */
  readonly columns: readonly string[];
  /** The columns among them whose cells are not text, but of the type that is stored. */
  readonly typed: readonly string[];
  /** How many rows the file holds, counted without DuckDB. */
  readonly rows: number;
  /** The stretches that are no rows; DuckDB may or may not tell of them. */
  readonly broken: readonly BrokenRecord[];
  readonly warnings: readonly string[];
}

/** A row of our own format is all there is. */
const TELLS_ALL = { missing: 0n, hasMissingOfRows: false };

/** Opens a file, whatever its format. @throws ImportError when it cannot be read as this table at all */
export async function openFileRelation(
  session: Session,
  table: CanonicalTable,
  file: SourceFile | TranslatedRows,
): Promise<FileRelation> {
  if (file.format === 'translated') return openTranslated(session, table, file);
  try {
    const path = await fileLiteral(session, file);
    if (file.format === 'parquet') return await openParquet(session, table, file, path);
    const scan = await scanFile(file, session);
    return file.format === 'csv'
      ? openCsv(table, file, path, scan)
      : await openNdjson(session, table, file, path, scan);
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** A CSV file as it is: its header, and the SQL of its rows with the cells `c0`, `c1`, … as text. */
export interface CsvCells {
  readonly header: readonly string[];
  readonly relation: string;
  readonly scan: Scan;
}

/** Opens a CSV file of any header. @throws ImportError when it cannot be read at all */
export async function openCsvCells(session: Session, file: SourceFile): Promise<CsvCells> {
  try {
    const path = await fileLiteral(session, file);
    const scan = await scanFile(file, session);
    const header = headerCells(file, scan.header);
    return { header, relation: csvCells(file, path, scan, header.length), scan };
  } catch (error) {
    throw unreadable(file, error);
  }
}

/**
 * Opens a Parquet file of any columns: their names, and the SQL of its rows with the cells `c0`, `c1`, … as
 * text.
 */
export async function openParquetCells(
  session: Session,
  file: SourceFile,
): Promise<Pick<CsvCells, 'header' | 'relation'>> {
  const types = [...(await parquetTypes(session, file))];
  const cells = types.map(([name, type], index) => `${cellAsText(name, type)} as c${index}`);
  const rows = parquetRows(await fileLiteral(session, file));
  return { header: types.map(([name]) => name), relation: `(select ${cells.join(', ')} from ${rows})` };
}

/**
 * Why JSON documents that take several lines cannot be read. DuckDB takes twice as much memory as the longest
 * before it reads the first.
 */
export function unreadableDocuments(file: SourceFile, error: unknown): ImportError {
  const isTooLong = /maximum_object_size|^Out of Memory Error/.test(
    error instanceof Error ? error.message : '',
  );
  if (!isTooLong) return unreadable({ name: file.name, format: 'json' }, error);
  return new ImportError(
    `${file.name} has a JSON document that is too long to be read whole, with the memory that an import may take and at most ` +
      `${LONGEST_LINE / 2 ** 20} MiB: save what it lists in several files, or as one object a line (.ndjson)`,
    undefined,
    error,
  );
}

/**
 * Opens a file of JSON documents, one a line or as an API answers them: the SQL of its rows, each a
 * `document`.
 */
export async function openJsonDocuments(
  session: Session,
  file: SourceFile,
  isOneALine: boolean,
): Promise<{ readonly relation: string; readonly scan: Scan | null }> {
  try {
    const path = await fileLiteral(session, file);
    if (!isOneALine) {
      await checkDocuments(file, session);
      const objects = `read_json_objects(${path}, format = 'auto', maximum_object_size = ${LONGEST_LINE})`;
      return { relation: `(select cast(json as varchar) as document from ${objects})`, scan: null };
    }
    const scan = await scanFile(file, session);
    return {
      relation: `(select line as document from ${jsonLines(path, file, scan)} where line is not null)`,
      scan,
    };
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function openTranslated(
  session: Session,
  table: CanonicalTable,
  { table: relation }: TranslatedRows,
): Promise<FileRelation> {
  const described = await session.rows(`describe "${relation}"`);
  const columns = described.map((row) => String(row.column_name)).filter((name) => isColumn(table, name));
  requireColumns(table, { name: relation }, columns);
  const hasMalformed = described.some((row) => row.column_name === '_malformed');
  const isSelective = described.some((row) => row.column_name === MISSING);
  const { rows, mask } = await session.row(
    `select count(*) as rows, ${isSelective ? `bit_or(${MISSING})` : '0'} as mask from "${relation}"`,
  );
  const missing = columnsIn(table, BigInt((mask as bigint | number | null) ?? 0));
  const types = new Map(described.map((row) => [String(row.column_name), String(row.column_type)]));
  const typed = columns.filter((name) => isOfStoredType(table, name, types.get(name)));
  const cells = columns.map((name) => {
    const cell = typed.includes(name) ? `"${name}"` : `cast("${name}" as varchar)`;
    if (!missing.includes(name) || !mayBeEmpty(table, name)) return `${cell} as "${name}"`;
    return `case when coalesce(${MISSING}, 0) & ${bitsOf(table, [name])} = 0 then ${cell} end as "${name}"`;
  });
  const malformed = hasMalformed ? '_malformed' : 'cast(null as varchar) as _malformed';
  return {
    select: `select ${[malformed, ...(isSelective ? [MISSING] : []), ...cells].join(', ')} from "${relation}"`,
    missing: bitsWithout(table, columns),
    hasMissingOfRows: isSelective,
    columns,
    typed,
    rows: Number(rows),
    broken: [],
    warnings: [],
  };
}

function isOfStoredType(table: CanonicalTable, name: string, type: string | undefined): boolean {
  const column = columnsOfFile(table)[name];
  return column !== undefined && type !== undefined && typeRead(name, column) === type;
}

/** DuckDB's name of the type whose cells are read as they are; undefined of columns that are read as text. */
function typeRead(name: string, column: Column): string | undefined {
  return column.ofItsType && column.stored(name, (cell) => cell)[0]?.type.toUpperCase();
}

/** What else a row must have, the source says as well as it can. */
function mayBeEmpty({ columns }: CanonicalTable, name: string): boolean {
  const column = columns[name];
  const values = column?.stored(name, (cell) => `"${cell}"`) ?? [];
  return column?.required === false && values.every(({ fallback }) => fallback === undefined);
}

/** The path as an SQL literal that means this file alone, not a pattern. */
export async function fileLiteral(session: Session, file: SourceFile): Promise<string> {
  const path = resolve(file.path);
  // DuckDB takes a backslash in a pattern for a separator on every system, so it gets the file by another
  // name.
  if (sep === '\\' || !path.includes('\\')) return literal(path.replace(/[*?[]/g, '[$&]'));
  const link = join(session.temporaryFolder, `${randomUUID()}${extname(path)}`);
  await symlink(path, link);
  return literal(link.replace(/[*?[]/g, '[$&]'));
}

/**
 * How DuckDB reads a text file. TRICKY: several threads find their first row by guessing, and where a row
 * takes in several lines they guess wrong: lines of a quoted cell came out as rows. Then one thread reads.
 */
function readingOptions(file: SourceFile, { hasRowsOfSeveralLines, broken }: Scan): string {
  const hasStretches = hasRowsOfSeveralLines || broken.some(({ fault }) => fault === 'too long');
  return `auto_detect = false, hive_partitioning = false, store_rejects = true, rejects_limit = 0,
    max_line_size = ${LONGEST_ROW.mebibytes * 2 ** 20}, buffer_size = ${LONGEST_ROW.mebibytes * 2 ** 21},
    compression = '${file.path.endsWith('.gz') ? 'gzip' : 'none'}', parallel = ${!hasStretches}`;
}

/**
 * Nothing behind a quote that is never closed is a row, though DuckDB may find some when its buffer is full.
 */
function untilOpenQuote({ rows, broken }: Scan): string {
  if (broken.at(-1)?.fault !== 'open quote') return '';
  return ` limit ${rows - broken.reduce((sum, { lines }) => sum + lines, 0)}`;
}

function openCsv(table: CanonicalTable, file: SourceFile, path: string, scan: Scan): FileRelation {
  const header = readHeader(file, scan.header);
  requireColumns(table, file, header);
  const known = header.flatMap((name, index) => (isColumn(table, name) ? [`c${index} as "${name}"`] : []));
  return {
    select: `select cast(null as varchar) as _malformed, ${known.join(', ')}
      from ${csvCells(file, path, scan, header.length)}`,
    ...TELLS_ALL,
    columns: header.filter((name) => isColumn(table, name)),
    typed: [],
    rows: scan.rows,
    broken: scan.broken,
    warnings: [...scan.warnings, ...unknownColumns(table, file, header)],
  };
}

/** Cells are named by position, so that no text of the file becomes SQL. */
function csvCells(file: SourceFile, path: string, scan: Scan, columns: number): string {
  const cells = Array.from({ length: columns }, (_, index) => `'c${index}': 'varchar'`).join(', ');
  // DuckDB leaves blank lines out, but for files with a single column; there only they are null.
  const withoutBlank = columns === 1 ? ' where c0 is not null' : '';
  return `read_csv(${path}, columns = {${cells}}, header = true, delim = ${literal(file.delimiter ?? ',')}, quote = '"', escape = '"',
    strict_mode = true, allow_quoted_nulls = ${columns > 1}, ${readingOptions(file, scan)})${withoutBlank}${untilOpenQuote(scan)}`;
}

/** One text per line, whatever ends it: a byte that no JSON holds serves as the delimiter. */
function jsonLines(path: string, file: SourceFile, scan: Scan): string {
  return `read_csv(${path}, columns = {'line': 'varchar'}, header = false, delim = '\u0001', quote = '', escape = '',
    strict_mode = false, ${readingOptions(file, scan)})`;
}

async function openNdjson(
  session: Session,
  table: CanonicalTable,
  file: SourceFile,
  path: string,
  scan: Scan,
): Promise<FileRelation> {
  const lines = jsonLines(path, file, scan);
  const names = Object.keys(columnsOfFile(table));
  const structure = literal(JSON.stringify(Object.fromEntries(names.map((name) => [name, 'VARCHAR']))));
  const sample = await session.rows(
    `select distinct unnest(json_keys(line)) as name
      from (select try(cast(line as json)) as line from ${lines} limit 10000)
      where json_type(line) = 'OBJECT'`,
  );
  const keys = sample.map((row) => String(row.name));
  if (keys.length > 0) requireColumns(table, file, keys);
  return {
    select: `select case when row is null then 'is not a JSON object' end as _malformed,
        ${names.map((name) => `row."${name}" as "${name}"`).join(', ')}
      from (
        select try(case when json_type(line) = 'OBJECT' then json_transform(line, ${structure}) end) as row
        from ${lines}
        where line is not null
      )`,
    ...TELLS_ALL,
    columns: names,
    typed: [],
    rows: scan.rows,
    broken: scan.broken,
    warnings: unknownColumns(table, file, keys),
  };
}

async function openParquet(
  session: Session,
  table: CanonicalTable,
  file: SourceFile,
  path: string,
): Promise<FileRelation> {
  const types = await parquetTypes(session, file);
  requireColumns(table, file, [...types.keys()]);
  const known = Object.entries(columnsOfFile(table)).flatMap(([name, column]) => {
    const type = types.get(name);
    if (type === undefined) return [];
    const typed = typedCell(name, column, type);
    return [{ name, isTyped: typed !== undefined, cell: typed ?? cellAsText(name, type) }];
  });
  return {
    select: `select cast(null as varchar) as _malformed, ${known.map(({ name, cell }) => `${cell} as "${name}"`).join(', ')}
      from ${parquetRows(path)}`,
    ...TELLS_ALL,
    columns: known.map(({ name }) => name),
    typed: known.filter(({ isTyped }) => isTyped).map(({ name }) => name),
    rows: await countParquetRows(
      session,
      file,
      known.map(({ name }) => name),
    ),
    broken: [],
    warnings: unknownColumns(table, file, [...types.keys()]),
  };
}

/**
 * SQL: a value that says by its type all that its text would, as what is stored; undefined where the text is
 * read. That of a moment without a time zone is: it is local time of the business.
 */
function typedCell(name: string, column: Column, type: string): string | undefined {
  switch (`${typeRead(name, column)} of ${type}`) {
    case 'BOOLEAN of BOOLEAN':
    case 'BIGINT of BIGINT':
      return quoted(name);
    case 'BIGINT of INTEGER':
      return `cast(${quoted(name)} as bigint)`;
    case 'TIMESTAMP of TIMESTAMP WITH TIME ZONE':
      return `timezone('UTC', ${quoted(name)})`;
    default:
      return undefined;
  }
}

/** SQL: the rows. A folder named `country=CZ` must not replace what stands in the file. */
function parquetRows(path: string): string {
  return `read_parquet(${path}, hive_partitioning = false)`;
}

/** The types of the columns, by their names. @throws ImportError when the file cannot be read */
export async function parquetTypes(session: Session, file: SourceFile): Promise<ReadonlyMap<string, string>> {
  try {
    await checkParquetFooter(file.path);
    const described = await session.rows(`describe from ${parquetRows(await fileLiteral(session, file))}`);
    return new Map(described.map((row) => [String(row.column_name), String(row.column_type)]));
  } catch (error) {
    throw unreadable(file, error);
  }
}

/**
 * The rows of a Parquet file. @throws ImportError when it cannot be read, or holds more than an import may
 * have
 */
export async function countParquetRows(
  session: Session,
  file: SourceFile,
  columns: Iterable<string>,
): Promise<number> {
  try {
    return await measureParquet(session, file, await fileLiteral(session, file), new Set(columns));
  } catch (error) {
    throw unreadable(file, error);
  }
}

function quoted(column: string): string {
  return `"${column.replaceAll('"', '""')}"`;
}

/** SQL: a value of whatever type as the text of a cell. */
export function cellAsText(column: string, type: string): string {
  const name = quoted(column);
  if (/\[|STRUCT|MAP/.test(type)) return `cast(to_json(${name}) as varchar)`;
  const text = `cast(${name} as varchar)`;
  // Whole numbers in a column with gaps are often written as floating point: the id 17850 must not become
  // 17850.0.
  return /^(DOUBLE|FLOAT)$/.test(type) ? `regexp_replace(${text}, '\\.0$', '')` : text;
}

function requireColumns(
  table: CanonicalTable,
  file: Pick<SourceFile, 'name'>,
  present: readonly string[],
): void {
  // Rows that only delete others have nothing but their keys.
  const isRequired = (name: string, column: Column) =>
    column.required && (!present.includes(DELETED) || table.key.includes(name));
  const missing = Object.entries(table.columns).flatMap(([name, column]) =>
    isRequired(name, column) && !present.includes(name) ? [name] : [],
  );
  if (missing.length === 0) return;
  const hint =
    present.length === 1 && /[;\t]/.test(present[0] ?? '') ? '; are its values separated by commas?' : '';
  throw new ImportError(
    `${file.name}: the required column ${missing.join(', ')} is missing${hint}. By its name it is our own ${table.name} (docs/import-format.md); a table of another system is described with a mapping, which \`storesight source map FILE\` begins`,
  );
}

function unknownColumns(table: CanonicalTable, file: SourceFile, present: readonly string[]): string[] {
  const unknown = present.filter((name) => !isColumn(table, name));
  return unknown.length === 0 ? [] : [`${file.name}: unknown columns were not read: ${unknown.join(', ')}`];
}

function isColumn(table: CanonicalTable, name: string): boolean {
  return Object.hasOwn(columnsOfFile(table), name);
}
