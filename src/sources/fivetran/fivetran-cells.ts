import { relationOf } from '../relations.ts';
import type { RawColumn, RawRows, SourceOfTables, SourceTable } from '../source.ts';

/** A table as Fivetran lands it. */
export interface FivetranTable extends SourceTable {
  /** The columns that a row is told by; of rows of one key, the one that was landed last counts. */
  readonly key: readonly string[];
}

/** Whether a row was deleted where it came from, and when Fivetran or Airbyte landed it. */
const MARKS = {
  deleted: { header: ['_fivetran_deleted'] },
  synced: { header: ['_fivetran_synced', '_airbyte_extracted_at', '_airbyte_emitted_at'] },
} as const satisfies Record<string, RawColumn>;

/** The declaration of a table: with the columns that Fivetran adds. */
export function fivetranTable<Columns extends Record<string, RawColumn>>(
  key: readonly (keyof Columns & string)[],
  table: Omit<SourceTable, 'columns'> & { readonly columns: Columns },
): FivetranTable {
  return { ...table, key, columns: { ...table.columns, ...MARKS } };
}

/** A column without which rows mean nothing. */
export function needed(absent: string, ...header: readonly string[]): RawColumn {
  return { header, isRequired: true, absent };
}

export function column(...header: readonly string[]): RawColumn {
  return { header };
}

/** The table of the session that `currentRows` makes. */
export function currentOf(source: Pick<SourceOfTables, 'name'>, table: string): string {
  return `${relationOf(source, table)}_current`;
}

/**
 * A statement that makes a table of a table's rows as they were landed last, with `_row`, `is_deleted` and
 * `_lacking`: the columns that no file with a row of the key has. Of a column that some files lack, the last
 * of the others tells.
 *
 * @param cells SQL of columns that are read in another way than they are written
 */
export function currentRows(
  source: Pick<SourceOfTables, 'name'>,
  table: string,
  { key }: FivetranTable,
  raw: RawRows,
  cells: Readonly<Record<string, string>> = {},
): string {
  const replaced = Object.entries(cells).map(([name, cell]) => `${cell} as "${name}"`);
  const known = `select rowid as _row, * ${replaced.length === 0 ? '' : `replace (${replaced.join(', ')})`}, ${isDeletedRow('deleted')} as is_deleted
    from "${relationOf(source, table)}"`;
  const names = key.map((name) => `"${name}"`).join(', ');
  const last = 'try_cast(synced as timestamptz) desc nulls last, _row desc';
  const lacking = [...filesLacking(raw, table)].filter(([name]) => !(name in MARKS) && !key.includes(name));
  const told = lacking.map(
    ([name, files]) =>
      `first_value("${name}") over (partition by ${names} order by ${isOfFiles(files)}, ${last}) as "${name}"`,
  );
  const missing = lacking.map(
    ([name, files]) =>
      `case when bool_and(${isOfFiles(files)}) over (partition by ${names}) then '${name}' end`,
  );
  return `create temp table "${currentOf(source, table)}" as
    select * ${told.length === 0 ? '' : `replace (${told.join(', ')})`}, cast([${missing.join(', ')}] as varchar[]) as _lacking
    from (${known}) where ${key.map((name) => `"${name}" is not null`).join(' and ')}
    qualify row_number() over (partition by ${names} order by ${last}) = 1`;
}

/** The columns that some files of a table have, and others do not: the numbers of those. */
function filesLacking({ presentIn }: RawRows, table: string): ReadonlyMap<string, readonly number[]> {
  const files = presentIn.flatMap((present, file) => (present.has(table) ? [{ present, file }] : []));
  const columns = new Set(
    files.flatMap(({ present }) => [...present].filter((name) => name.startsWith(`${table}.`))),
  );
  const lacking = new Map<string, readonly number[]>();
  for (const name of columns) {
    const without = files.flatMap(({ present, file }) => (present.has(name) ? [] : [file]));
    if (without.length > 0) lacking.set(name.slice(table.length + 1), without);
  }
  return lacking;
}

/** SQL over a row with its `_file`. */
function isOfFiles(files: readonly number[], alias = ''): string {
  return `(${alias}_file in (${files.join(', ')}))`;
}

/**
 * SQL of the value of one of some columns of a table, for `jsonOf`: missing in rows whose file has no such
 * column.
 *
 * @param isMissing SQL of another reason why it is missing
 */
type Told = (columns: string | readonly string[], cell: string, isMissing?: string) => CellOfJson;

/** What the rows tell that `currentRows` made of a table. */
export function cellOfPresent(raw: RawRows, table: string, alias = ''): Told {
  return told(raw, table, (column) => `list_contains(${alias}_lacking, '${column}')`);
}

/** What all rows of a table tell, each of its own file. */
export function cellOfFiles(raw: RawRows, table: string, alias: string): Told {
  return told(raw, table, (_, files) => isOfFiles(files, alias));
}

function told(
  raw: RawRows,
  table: string,
  isLacking: (column: string, files: readonly number[]) => string,
): Told {
  const lacking = filesLacking(raw, table);
  return (columns, cell, isMissing) => {
    const known = [columns].flat().filter((column) => raw.present.has(`${table}.${column}`));
    if (known.length === 0) return false;
    const inAll = known.some((column) => !lacking.has(column));
    const inNone = known.map((column) => isLacking(column, lacking.get(column) ?? [])).join(' and ');
    const reasons = [...(inAll ? [] : [inNone]), ...(isMissing === undefined ? [] : [isMissing])];
    return reasons.length === 0 ? cell : { cell, isMissing: reasons.join(' or ') };
  };
}

/** SQL: whether a row was deleted where it came from. */
export function isDeletedRow(cell: string): string {
  return `(lower(coalesce(${cell}, 'false')) in ('true', 't', '1'))`;
}

/** SQL: an id that is a number; what knows no whole numbers that may be missing writes them as `17.0`. */
export function idCell(cell: string): string {
  return `regexp_replace(${cell}, '[.]0+$', '')`;
}

/**
 * SQL: a moment, which is in UTC where it does not say so. What cannot be understood stays as it is, and is
 * rejected there.
 */
export function utcCell(cell: string): string {
  const joined = (text: string) => `replace(${text}, ' ', 'T') || 'Z'`;
  return `case
    when regexp_full_match(${cell}, '${DAY}[T ]${TIME}') then ${joined(cell)}
    when regexp_full_match(${cell}, '${DAY}[T ]${TIME} UTC') then ${joined(`replace(${cell}, ' UTC', '')`)}
    else ${cell} end`;
}

const DAY = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const TIME = '[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?';

/** SQL: a truth as our own format writes it. */
export function flagCell(cell: string): string {
  return `case lower(${cell}) when 't' then 'true' when 'f' then 'false' else lower(${cell}) end`;
}

/**
 * SQL: an e-mail address or a phone number, and not what Fivetran made of it where it was told to hash a
 * column: all that is empty is one hash.
 */
export function contactCell(cell: string): string {
  return `case when regexp_full_match(${cell}, '.+@.+|[+(]?[0-9][0-9 ()./+-]*') then ${cell} end`;
}

/** SQL: whether a contact is there that `contactCell` cannot read. */
export function isHashed(cell: string): string {
  return `(${cell} <> '' and ${contactCell(cell)} is null)`;
}

/** SQL; false where no row tells it, with `isMissing` where some do not. */
type CellOfJson = string | false | { readonly cell: string; readonly isMissing: string };

/**
 * SQL: a JSON object. A value that the tables do not have gets no key, since null would say that there is no
 * value.
 */
export function jsonOf(values: Readonly<Record<string, CellOfJson>>): string {
  const parts = Object.entries(values).flatMap(([key, value]) => {
    if (value === false) return [];
    if (typeof value === 'string') return [`'${key}', ${value}`];
    return [`case when ${value.isMissing} then 'untold' else '${key}' end, ${value.cell}`];
  });
  return `json_object(${parts.join(', ')})`;
}
