import { firstLine, ImportError } from './errors.ts';
import type { SourceFile } from './files.ts';
import { checkGzip } from './gzip.ts';
import { readHeader } from './header.ts';
import { literal, type Session } from './session.ts';
import type { CanonicalTable } from './table.ts';

/** A file as a relation of text cells. */
export interface Source {
  /** SQL of a select of `_malformed` (a reason or null) and the cells, in file order and without blank lines. */
  readonly select: string;
  /** The declared columns that the file has. */
  readonly columns: readonly string[];
  readonly warnings: readonly string[];
}

/** Opens a file, whatever its format. @throws ImportError when it cannot be read as this table at all */
export async function openSource(session: Session, table: CanonicalTable, file: SourceFile): Promise<Source> {
  await checkGzip(file);
  try {
    if (file.format === 'csv') return await openCsv(table, file);
    if (file.format === 'ndjson') return await openNdjson(session, table, file);
    return await openParquet(session, table, file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

export function unreadable(file: SourceFile, error: unknown): ImportError {
  if (error instanceof ImportError) return error;
  const reason = /state machine reached an invalid state/.test(String(error))
    ? 'some of its lines end with LF and some with CRLF'
    : firstLine(error);
  return new ImportError(`${file.name} cannot be read as ${file.format}: ${reason}`, undefined, error);
}

/** The path as an SQL literal that means this file alone, not a pattern. */
function fileLiteral(file: SourceFile): string {
  return literal(file.path.replace(/[*?[]/g, '[$&]'));
}

/** One text per line, whatever ends it: a byte that no JSON holds serves as the delimiter. */
function lines(file: SourceFile): string {
  return `read_csv(${fileLiteral(file)}, columns = {'line': 'varchar'}, auto_detect = false, header = false,
    delim = '\u0001', quote = '', escape = '', max_line_size = 33554432,
    strict_mode = false, store_rejects = true, rejects_limit = 0)`;
}

async function openCsv(table: CanonicalTable, file: SourceFile): Promise<Source> {
  const header = await readHeader(file);
  requireColumns(table, file, header);
  // Cells are named by position, so that no text of the file becomes SQL.
  const cells = header.map((_, index) => `'c${index}': 'varchar'`).join(', ');
  const known = header.flatMap((name, index) => (isColumn(table, name) ? [`c${index} as "${name}"`] : []));
  // DuckDB leaves blank lines out, but for files with a single column.
  const withoutBlank = header.length === 1 ? ' where c0 is not null' : '';
  return {
    select: `select cast(null as varchar) as _malformed, ${known.join(', ')}
      from read_csv(${fileLiteral(file)}, columns = {${cells}}, auto_detect = false, header = true, delim = ',',
        quote = '"', escape = '"', strict_mode = true, store_rejects = true, rejects_limit = 0)${withoutBlank}`,
    columns: header.filter((name) => isColumn(table, name)),
    warnings: unknownColumns(table, file, header),
  };
}

async function openNdjson(session: Session, table: CanonicalTable, file: SourceFile): Promise<Source> {
  const names = Object.keys(table.columns);
  const structure = literal(JSON.stringify(Object.fromEntries(names.map((name) => [name, 'VARCHAR']))));
  const sample = await session.rows(
    `select distinct unnest(json_keys(line)) as name
      from (select try(cast(line as json)) as line from ${lines(file)} limit 10000)
      where json_type(line) = 'OBJECT'`,
  );
  const keys = sample.map((row) => String(row.name));
  if (keys.length > 0) requireColumns(table, file, keys);
  return {
    select: `select case when row is null then 'is not a JSON object' end as _malformed,
        ${names.map((name) => `nullif(row."${name}", '') as "${name}"`).join(', ')}
      from (
        select try(case when json_type(line) = 'OBJECT' then json_transform(line, ${structure}) end) as row
        from ${lines(file)}
        where line is not null
      )`,
    columns: names,
    warnings: unknownColumns(table, file, keys),
  };
}

async function openParquet(session: Session, table: CanonicalTable, file: SourceFile): Promise<Source> {
  const parquet = `read_parquet(${fileLiteral(file)})`;
  const described = await session.rows(`describe from ${parquet}`);
  const types = new Map(described.map((row) => [String(row.column_name), String(row.column_type)]));
  requireColumns(table, file, [...types.keys()]);
  const known = Object.keys(table.columns).filter((name) => types.has(name));
  const cells = known.map((name) => `nullif(${cellAsText(name, types.get(name) ?? '')}, '') as "${name}"`);
  return {
    select: `select cast(null as varchar) as _malformed, ${cells.join(', ')} from ${parquet}`,
    columns: known,
    warnings: unknownColumns(table, file, [...types.keys()]),
  };
}

function cellAsText(name: string, type: string): string {
  if (/\[|STRUCT|MAP/.test(type)) return `cast(to_json("${name}") as varchar)`;
  const text = `cast("${name}" as varchar)`;
  // Whole numbers in a column with gaps are often written as floating point: the id 17850 must not become 17850.0.
  return /^(DOUBLE|FLOAT)$/.test(type) ? `regexp_replace(${text}, '\\.0$', '')` : text;
}

function requireColumns(table: CanonicalTable, file: SourceFile, present: readonly string[]): void {
  const missing = Object.entries(table.columns).flatMap(([name, column]) =>
    column.required && !present.includes(name) ? [name] : [],
  );
  if (missing.length === 0) return;
  const hint =
    present.length === 1 && /[;\t]/.test(present[0] ?? '') ? '; are its values separated by commas?' : '';
  throw new ImportError(`${file.name}: the required column ${missing.join(', ')} is missing${hint}`);
}

function unknownColumns(table: CanonicalTable, file: SourceFile, present: readonly string[]): string[] {
  const unknown = present.filter((name) => !isColumn(table, name));
  return unknown.length === 0 ? [] : [`${file.name}: unknown columns were not read: ${unknown.join(', ')}`];
}

function isColumn(table: CanonicalTable, name: string): boolean {
  return Object.hasOwn(table.columns, name);
}
