import { fileLiteral, parquetTypes } from '../ingest/file-relation.ts';
import type { SourceFile } from '../ingest/find-files.ts';
import { ImportError } from '../snapshot/import-errors.ts';
import type { Session } from '../store/duckdb-session.ts';
import type { RecordField, Source } from './source.ts';

type RecordSource = Pick<Source, 'title' | 'records'>;

/** A file of records, by its number, and the number of its first row among the rows of all files. */
export interface RecordFile {
  readonly file: SourceFile;
  readonly index: number;
  readonly firstRow: number;
}

/**
 * The table of JSON documents, and what is added to its row numbers to get those among all files, by the
 * number of the file.
 */
interface Documents {
  readonly table: string;
  readonly shifts: readonly number[];
}

/**
 * Makes the relation of a source's raw rows: `_file`, `rowid`, `_is_record` (whether the row is a JSON
 * object), and a column for each field, as text, lists as lists of texts. Rows of Parquet files stay there:
 * queries read of them what they need. And the macro `<relation>_of(rows)`: those whose numbers are in a
 * table, by its name, so that fields are looked for in no other row.
 *
 * @returns the fields that some file has
 * @throws ImportError when a field is missing without which rows mean nothing, or ids were saved as numbers
 */
export async function defineRecords(
  session: Session,
  source: RecordSource,
  relation: string,
  documents: Documents,
  parquetFiles: readonly RecordFile[],
): Promise<ReadonlySet<string>> {
  const fields = Object.entries(source.records?.fields ?? {});
  const present = new Set<string>();
  const parts: ((numbers: string | null) => string)[] = [];
  if (documents.shifts.length > 0) {
    const json = `${relation}_json`;
    await session.run(`create temp table "${json}" as ${documentRows(documents, fields)}`);
    const asked = fields.map(([name]) => `coalesce(bool_or("${name}" is not null), false) as "${name}"`);
    const found = await session.row(`select ${asked.join(', ')} from "${json}"`);
    for (const [name] of fields) if (found[name] === true) present.add(name);
    parts.push(
      (numbers) => `select * from "${json}" ${numbers === null ? '' : `where rowid in (${numbers})`}`,
    );
  }
  for (const group of await groupByTypes(session, parquetFiles)) {
    const columns = await columnsOf(session, source, group, fields);
    for (const [name, column] of columns) if (column !== null) present.add(name);
    const paths = await literals(session, group);
    parts.push((numbers) => parquetRows(paths, group, columns, fields, numbers));
  }
  const rows = (numbers: string | null) => parts.map((part) => part(numbers)).join(' union all ');
  await session.run(
    `create temp view "${relation}" as ${rows(null)};
    create temp macro "${relation}_of"(numbers) as table ${rows('from query_table(numbers)')}`,
  );
  return present;
}

function documentRows({ table, shifts }: Documents, fields: readonly (readonly [string, RecordField])[]) {
  const columns = fields.map(([name, { paths, parts, entry, isMoment }]) => {
    if (isMoment) return `try_cast(record.${quoted(paths[0] ?? '')} as bigint) as "${name}"`;
    if (entry !== undefined) return `${firstText(`"${elementOf(name)}"`, paths, asText)} as "${name}"`;
    if (parts === undefined) return `${firstText('record', paths, asText)} as "${name}"`;
    return `${listOfTexts(`record.${quoted(paths[0] ?? '')}`, parts, (part) => firstText('element', part, asText))} as "${name}"`;
  });
  const records = `(
      select _file, rowid + [${shifts.join(', ')}][_file + 1] as place,
        try(case when json_type(document) = 'OBJECT' then json_transform(document, '${JSON.stringify(structureOf(fields))}') end) as record
      from "${table}"
    )`;
  return `select _file, place as rowid, record is not null as _is_record, ${columns.join(', ')}
    from ${withElements(records, (path) => `record.${quoted(path)}`, fields)}`;
}

/** The structure that `json_transform` takes, with text at every end. */
function structureOf(fields: readonly (readonly [string, RecordField])[]): object {
  const root = {};
  for (const [, { paths, parts, entry }] of fields) {
    if (entry !== undefined) {
      const element = {};
      for (const path of [entry.key, ...paths]) put(element, path, 'VARCHAR');
      put(root, entry.list, [element]);
    } else if (parts === undefined) for (const path of paths) put(root, path, 'VARCHAR');
    else {
      const element = {};
      for (const path of Object.values(parts).flat()) put(element, path, 'VARCHAR');
      put(root, paths[0] ?? '', [element]);
    }
  }
  return root;
}

function put(root: Record<string, unknown>, path: string, end: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let node = root;
  for (const name of names) {
    node[name] ??= {};
    node = node[name] as Record<string, unknown>;
  }
  node[last] = end;
}

/** Files with the same columns are read as one relation: an export has a file for each day. */
async function groupByTypes(session: Session, files: readonly RecordFile[]): Promise<RecordFile[][]> {
  const groups = new Map<string, RecordFile[]>();
  for (const each of files) {
    const types = JSON.stringify([...(await parquetTypes(session, each.file))]);
    groups.set(types, [...(groups.get(types) ?? []), each]);
  }
  return [...groups.values()];
}

/** SQL of each field; null where the files do not have it. */
async function columnsOf(
  session: Session,
  source: RecordSource,
  group: readonly RecordFile[],
  fields: readonly (readonly [string, RecordField])[],
): Promise<ReadonlyMap<string, string | null>> {
  const [first] = group;
  if (first === undefined) return new Map();
  await session.run(
    `create or replace temp table record_shape as from read_parquet(${await fileLiteral(session, first.file)}, hive_partitioning = false) limit 0`,
  );
  const columns = new Map<string, string | null>();
  for (const [name, field] of fields) {
    const { paths, parts, entry, isRequired, absent } = field;
    const list = quoted(entry?.list ?? paths[0] ?? '');
    const owner = entry === undefined ? '' : `${list}[1]`;
    const text =
      parts === undefined
        ? await textIn(session, source, first.file, owner, field, paths)
        : await listIn(session, source, first.file, list, field, parts);
    const column =
      entry === undefined ? text : (text?.replaceAll(`${owner}.`, `"${elementOf(name)}".`) ?? null);
    if (isRequired && column === null)
      throw new ImportError(
        `${first.file.name} (${source.title}) lacks "${entry?.list ?? paths[0]}" (${absent}); its rows mean nothing without. Export it again with all columns`,
      );
    columns.set(name, column);
  }
  return columns;
}

async function textIn(
  session: Session,
  source: RecordSource,
  file: SourceFile,
  owner: string,
  { isId, isMoment }: RecordField,
  paths: readonly string[],
): Promise<string | null> {
  const texts: string[] = [];
  for (const path of paths) {
    const value = owner === '' ? quoted(path) : `${owner}.${quoted(path)}`;
    const type = await typeOf(session, value);
    if (type === null) continue;
    if (isId && isFloating(type))
      throw new ImportError(
        `${file.name} (${source.title}) has "${path}" as a number, by which ids lost digits: export it again as text`,
      );
    if (isMoment) texts.push(/^TIMESTAMP/.test(type) ? `epoch_us(${value})` : `try_cast(${value} as bigint)`);
    else texts.push(isFloating(type) ? wholeAsText(value) : asText(value));
  }
  return texts.length === 0 ? null : `coalesce(${texts.join(', ')})`;
}

async function listIn(
  session: Session,
  source: RecordSource,
  file: SourceFile,
  list: string,
  field: RecordField,
  parts: Readonly<Record<string, readonly string[]>>,
): Promise<string | null> {
  const found = new Map<string, string>();
  for (const [name, paths] of Object.entries(parts)) {
    const text = await textIn(session, source, file, `${list}[1]`, field, paths);
    if (text !== null) found.set(name, text.replaceAll(`${list}[1].`, 'element.'));
  }
  if (found.size === 0) return null;
  return listOfTexts(list, parts, (_, name) => found.get(name) ?? 'cast(null as varchar)');
}

/** Null where there is no such field. */
async function typeOf(session: Session, value: string): Promise<string | null> {
  try {
    const described = await session.row(`describe select ${value} from record_shape`);
    return String(described.column_type);
  } catch {
    return null;
  }
}

function isFloating(type: string): boolean {
  return /^(DOUBLE|FLOAT)$/.test(type);
}

async function literals(session: Session, group: readonly RecordFile[]): Promise<string[]> {
  return Promise.all(group.map(({ file }) => fileLiteral(session, file)));
}

function parquetRows(
  paths: readonly string[],
  group: readonly RecordFile[],
  columns: ReadonlyMap<string, string | null>,
  fields: readonly (readonly [string, RecordField])[],
  numbers: string | null,
): string {
  const values = fields.map(([name, { parts }]) => {
    const type =
      parts === undefined
        ? 'varchar'
        : `struct(${Object.keys(parts)
            .map((part) => `"${part}" varchar`)
            .join(', ')})[]`;
    return `${columns.get(name) ?? `cast(null as ${type})`} as "${name}"`;
  });
  const ofFile = (numbers: readonly number[]) => `[${numbers.join(', ')}][cast(file_index as bigint) + 1]`;
  const place = `${ofFile(group.map(({ firstRow }) => firstRow))} + file_row_number`;
  const rows = `(select *, file_index from read_parquet([${paths.join(', ')}], file_row_number = true, hive_partitioning = false)
    ${numbers === null ? '' : `where ${place} in (${numbers})`})`;
  const present = fields.filter(([name]) => columns.get(name) !== null);
  return `select cast(${ofFile(group.map(({ index }) => index))} as integer) as _file, ${place} as rowid, true as _is_record, ${values.join(', ')}
    from ${withElements(rows, quoted, present)}`;
}

function quoted(path: string): string {
  return path
    .split('.')
    .map((name) => `"${name}"`)
    .join('.');
}

/**
 * SQL: rows with the element of each field that is one of a list, by the name `elementOf` says. The names in
 * a list are asked for once, not for each field and type of value.
 */
function withElements(
  rows: string,
  column: (path: string) => string,
  fields: readonly (readonly [string, RecordField])[],
): string {
  const entries = fields.flatMap(([field, { entry }]) => (entry === undefined ? [] : [{ field, ...entry }]));
  if (entries.length === 0) return rows;
  const keys = new Map(
    entries.map(({ list, key }) => [
      list,
      `list_transform(${column(list)}, lambda element: element.${quoted(key)}) as "keys of ${list}"`,
    ]),
  );
  const elements = entries.map(
    ({ field, list, name }) =>
      `${column(list)}[list_position("keys of ${list}", '${name}')] as "${elementOf(field)}"`,
  );
  return `(select *, ${elements.join(', ')} from (select *, ${[...keys.values()].join(', ')} from ${rows}))`;
}

function elementOf(field: string): string {
  return `element of ${field}`;
}

function firstText(owner: string, paths: readonly string[], text: (value: string) => string): string {
  return `coalesce(${paths.map((path) => text(`${owner}.${quoted(path)}`)).join(', ')})`;
}

/**
 * The expression of a text as it is. With ten million records of a dozen parts each, a function more takes
 * minutes.
 */
function asText(value: string): string {
  return `cast(${value} as varchar)`;
}

/** Whole numbers in a column with gaps are often written as floating point: 17850 must not become 17850.0. */
function wholeAsText(value: string): string {
  return `case when ${value} = trunc(${value}) and abs(${value}) < 1e15 then cast(cast(${value} as bigint) as varchar) else cast(${value} as varchar) end`;
}

function listOfTexts(
  list: string,
  parts: Readonly<Record<string, readonly string[]>>,
  text: (paths: readonly string[], name: string) => string,
): string {
  const texts = Object.entries(parts).map(([name, paths]) => `'${name}': ${text(paths, name)}`);
  return `list_transform(${list}, lambda element: {${texts.join(', ')}})`;
}
