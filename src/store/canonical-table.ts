import { type Column, flag, type StoredColumn } from './column-kinds.ts';

/** A table of the canonical format. This declaration is all that importing it takes. */
export interface CanonicalTable {
  readonly name: string;
  /** What a row is, and what its columns mean where their names do not tell; Markdown. */
  readonly meaning: string;
  /** The columns that identify a row: the same key again replaces the row. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, Column>>;
  /**
   * The list that the rows with the same other key make, such as the lines of an order: an import brings all
   * of it.
   */
  readonly list?: List;
  readonly rules?: readonly RowRule[];
  /**
   * Whether different sources tell of the same row, each of other columns. Then what a source says nothing of
   * stays as another one said it; in a file of our own format a row says all there is.
   */
  readonly isToldByMany?: boolean;
  /**
   * Rows that must not be told in two ways at once have here what is said where an import tells them so.
   * Without it, the later row counts.
   */
  readonly refusesContradictions?: string;
}

export interface List {
  /** The table of those who have a list each. */
  readonly owner: string;
  /**
   * The key column for the place in the list. Where the file leaves it out, the order of the rows makes it.
   */
  readonly position: string;
}

/** A condition over the stored columns that a good row meets. */
export interface RowRule {
  readonly column: string;
  readonly condition: string;
  readonly expected: string;
}

/**
 * The column in any file that says whether the row deletes the one with its key. Then only the key counts.
 */
export const DELETED = '_deleted';
export const deletedColumn = flag({ fallback: 'false' });

/** The columns that a file of the table may have. */
export function columnsOfFile(table: CanonicalTable): Readonly<Record<string, Column>> {
  return { ...table.columns, [DELETED]: deletedColumn };
}

/** What is stored of a row, in the order of the declaration. */
export function storedColumns(table: CanonicalTable): StoredColumn[] {
  return Object.entries(table.columns).flatMap(([name, column]) => [
    ...column.stored(name, (cell) => `"${cell}"`),
  ]);
}

/** The names of what is stored of a row, in the order of the declaration. */
export function storedNames(table: CanonicalTable): string[] {
  return storedColumns(table).map(({ name }) => name);
}

/** The stored columns of the key: of an e-mail its hash. A part of a key may be empty. */
export function storedKey(table: CanonicalTable): string[] {
  return table.key.flatMap((name) => storedName(table, name));
}

function storedName({ columns }: CanonicalTable, name: string): string | [] {
  return columns[name]?.stored(name, (cell) => cell)[0]?.name ?? [];
}

/** The key of the list that a row is in. */
export function listKey(table: CanonicalTable, list: List): string[] {
  return storedKey(table).filter((name) => name !== list.position);
}

/** Whether two relations' rows have the same key; empty equals empty. */
export function haveSameKey(table: CanonicalTable, one: string, other: string): string {
  return areEqual(table, storedKey(table), one, other);
}

/** Whether two relations' rows are in the same list. */
export function haveSameList(table: CanonicalTable, list: List, one: string, other: string): string {
  return areEqual(table, listKey(table, list), one, other);
}

/**
 * TRICKY: a plain `=` where no cell can be empty. Only then DuckDB tells the scan of a large table which
 * values a join looks for, so that it reads nothing of row groups that cannot have them.
 */
function areEqual(table: CanonicalTable, names: readonly string[], one: string, other: string): string {
  const required = new Set(
    table.key.filter((name) => table.columns[name]?.required).flatMap((name) => storedName(table, name)),
  );
  return names
    .map((name) =>
      required.has(name) ? `${one}."${name}" = ${other}."${name}"` : areSame([name], one, other),
    )
    .join(' and ');
}

export function areSame(columns: readonly string[], one: string, other: string): string {
  return columns.map((name) => `${one}."${name}" is not distinct from ${other}."${name}"`).join(' and ');
}
