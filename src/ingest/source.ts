import { ImportError } from './errors.ts';
import type { SourceFile } from './files.ts';
import { literal, type Session } from './session.ts';
import type { CanonicalTable } from './table.ts';

/** A file as a relation of text cells. */
export interface Source {
  /** SQL of a select of `_record` (1-based, in file order), `_malformed` (a reason or null) and the cells. */
  readonly select: string;
  /** The declared columns that the file has. */
  readonly columns: readonly string[];
  readonly warnings: readonly string[];
}

/** Opens a file, whatever its format. @throws ImportError when it cannot be read as this table at all */
export async function openSource(session: Session, table: CanonicalTable, file: SourceFile): Promise<Source> {
  try {
    if (file.format === 'csv') return await openCsv(session, table, file);
    if (file.format === 'ndjson') return await openNdjson(session, table, file);
    return await openParquet(session, table, file);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${file.name} cannot be read as ${file.format}: ${firstLine(error)}`);
  }
}

export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

/** One text per line: a byte that neither CSV headers nor JSON hold serves as the delimiter. */
function lines(file: SourceFile, options = ''): string {
  return `read_csv(${literal(file.path)}, columns = {'line': 'varchar'}, auto_detect = false, header = false,
    delim = '\u0001', quote = '', escape = '', max_line_size = 33554432${options})`;
}

async function openCsv(session: Session, table: CanonicalTable, file: SourceFile): Promise<Source> {
  const [first] = await session.rows(`select line from ${lines(file)} limit 1`);
  if (typeof first?.line !== 'string')
    throw new ImportError(`${file.name} is empty: its header row is missing`);
  const header = parseHeader(first.line);
  const repeated = header.find((name, index) => header.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new ImportError(`${file.name}: the column ${repeated} stands there twice`);
  requireColumns(table, file, header);
  // Cells are named by position, so that no text of the file becomes SQL.
  const cells = header.map((_, index) => `'c${index}': 'varchar'`).join(', ');
  const known = header.flatMap((name, index) => (name in table.columns ? [`c${index} as "${name}"`] : []));
  return {
    select: `select row_number() over () as _record, cast(null as varchar) as _malformed, ${known.join(', ')}
      from read_csv(${literal(file.path)}, columns = {${cells}}, auto_detect = false, header = true, delim = ',',
        quote = '"', escape = '"', strict_mode = true, store_rejects = true, rejects_limit = 0)`,
    columns: header.filter((name) => name in table.columns),
    warnings: unknownColumns(table, file, header),
  };
}

/** RFC 4180 fields of the header line; a byte order mark and blanks around names are left out. */
function parseHeader(line: string): string[] {
  return [...line.replace(/^\uFEFF/, '').matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((match) =>
    (match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim(),
  );
}

async function openNdjson(session: Session, table: CanonicalTable, file: SourceFile): Promise<Source> {
  const names = Object.keys(table.columns);
  const structure = literal(JSON.stringify(Object.fromEntries(names.map((name) => [name, 'VARCHAR']))));
  const sample = await session.rows(
    `select distinct unnest(json_keys(line)) as name
      from (select try(cast(line as json)) as line from ${lines(file, ', store_rejects = true')} limit 10000)
      where json_type(line) = 'OBJECT'`,
  );
  const keys = sample.map((row) => String(row.name));
  if (keys.length > 0) requireColumns(table, file, keys);
  return {
    select: `select _record, case when row is null then 'is not a JSON object' end as _malformed,
        ${names.map((name) => `nullif(row."${name}", '') as "${name}"`).join(', ')}
      from (
        select _record, try(case when json_type(line) = 'OBJECT' then json_transform(line, ${structure}) end) as row
        from (select row_number() over () as _record, line from ${lines(file, ', store_rejects = true')})
        where line is not null
      )`,
    columns: names,
    warnings: unknownColumns(table, file, keys),
  };
}

async function openParquet(session: Session, table: CanonicalTable, file: SourceFile): Promise<Source> {
  const parquet = `read_parquet(${literal(file.path)}, file_row_number = true)`;
  const described = await session.rows(`describe select * exclude (file_row_number) from ${parquet}`);
  const types = new Map(described.map((row) => [String(row.column_name), String(row.column_type)]));
  requireColumns(table, file, [...types.keys()]);
  const known = Object.keys(table.columns).filter((name) => types.has(name));
  const cells = known.map((name) => `nullif(${cellAsText(name, types.get(name) ?? '')}, '') as "${name}"`);
  return {
    select: `select file_row_number + 1 as _record, cast(null as varchar) as _malformed, ${cells.join(', ')} from ${parquet}`,
    columns: known,
    warnings: unknownColumns(table, file, [...types.keys()]),
  };
}

function cellAsText(name: string, type: string): string {
  const nested = /\[|STRUCT|MAP/.test(type);
  return nested ? `cast(to_json("${name}") as varchar)` : `cast("${name}" as varchar)`;
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
  const unknown = present.filter((name) => !(name in table.columns));
  return unknown.length === 0 ? [] : [`${file.name}: unknown columns were not read: ${unknown.join(', ')}`];
}
