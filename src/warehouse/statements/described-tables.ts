import type { DuckDBConnection } from '@duckdb/node-api';
import type { DescribedColumn, DescribedTable } from '../../answers/caller-statement.ts';
import { toCell } from './cells.ts';
import { SHOWN_TABLES, type ShownColumn, type ShownTable } from './shown-tables.ts';

/** The most rows of a table that are looked at; most tables have fewer. */
const ROWS_LOOKED_AT = 50_000;

/** A column with more texts, or longer ones, is told by its name alone. */
const MOST_VALUES = 8;
const LONGEST_VALUE = 24;
const MOST_CHARACTERS = 80;

/**
 * What a table is, with the texts of columns that have few: `status (cancelled, fulfilled)` saves a question.
 */
export async function describeTable(
  connection: DuckDBConnection,
  table: ShownTable,
): Promise<DescribedTable> {
  const { name, meaning } = table;
  const counted = await connection.runAndReadAll(`select count(*) from ${name}`);
  const rows_count = Number(counted.getRows()[0]?.[0]);
  const is_whole = rows_count <= ROWS_LOOKED_AT;
  const looked = await connection.runAndReadAll(
    `select ${table.columns.map(lookAt).join(', ')} from (from ${name} limit ${ROWS_LOOKED_AT})`,
  );
  const looks = looked.getRows()[0]?.map(toCell) ?? [];
  const columns = table.columns.map((column, index): DescribedColumn => {
    const values = looks[index] as readonly string[] | null;
    return {
      name: column.name,
      type: typeOf(column),
      values: rows_count === 0 ? null : told(values, is_whole),
    };
  });
  return { name, meaning, rows_count, columns, is_whole, imported: importedBeside(table) };
}

/** A list of the texts, at most one more than are told; of what is no text, one where there is anything. */
function lookAt(column: ShownColumn): string {
  const text = `left("${column.name}"::varchar, ${LONGEST_VALUE + 1})`;
  return isText(column)
    ? `list_sort(list_slice(list(distinct ${text}) filter ("${column.name}" is not null), 1, ${MOST_VALUES + 1}))`
    : `case when count("${column.name}") > 0 then null else [] end`;
}

/** An empty list says that all rows are null, which is not known of rows that nobody looked at. */
function told(values: readonly string[] | null, isWhole: boolean): readonly string[] | null {
  if (values === null) return null;
  if (values.length === 0) return isWhole ? values : null;
  const areFew = values.length <= MOST_VALUES && values.join(', ').length <= MOST_CHARACTERS;
  // JSON says nothing when it is cut off.
  return areFew && !values.some((value) => value.length > LONGEST_VALUE || value.startsWith('{'))
    ? values
    : null;
}

/** Keys of persons are texts that nobody can ask for, and the numbers of weekdays are known. */
function isText({ name, type, showing }: ShownColumn): boolean {
  return showing !== 'key' && (type === 'varchar' || type.startsWith('enum')) && !name.endsWith('_weekday');
}

/** `decimal(18,4)` is `decimal`; an enum has its texts beside it. */
function typeOf({ type }: ShownColumn): string {
  return type.replace(/\(.*\)/s, '');
}

function importedBeside({ name, columns, canonical }: ShownTable): readonly string[] {
  if (canonical !== null) return [];
  const own = new Set(columns.map((column) => column.name));
  const imported = SHOWN_TABLES.get(`store.${name}`)?.columns ?? [];
  return imported.flatMap((column) =>
    own.has(column.name) || column.showing === 'key' ? [] : [column.name],
  );
}

/** Words shorter than this are in too many names. */
const SHORTEST_WORD = 3;

/**
 * The tables, all without words. Else those that have a word in their name, those with columns whose names
 * have one, with these, and, of words that no name has, those in whose meaning they are.
 */
export function findTables(
  words: string | null,
): readonly { readonly name: string; readonly columns: readonly string[] }[] {
  const tables = [...SHOWN_TABLES.values()];
  if (words === null) return tables.map(({ name }) => ({ name, columns: [] }));
  const asked = words
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word.length >= SHORTEST_WORD);
  const isNamed = (word: string) =>
    tables.some(({ name, columns }) => name.includes(word) || columns.some((one) => one.name.includes(word)));
  const meant = asked.filter((word) => !isNamed(word));
  return tables.flatMap(({ name, meaning, columns }) => {
    const found = columns
      .map((column) => column.name)
      .filter((column) => asked.some((word) => column.includes(word)));
    const isFound =
      found.length > 0 ||
      asked.some((word) => name.includes(word)) ||
      meant.some((word) => meaning.toLowerCase().includes(word));
    return isFound ? [{ name, columns: found }] : [];
  });
}
