import type { Column, StoredColumn } from './columns.ts';

/** A table of the canonical format. This declaration is all that importing it takes. */
export interface CanonicalTable {
  readonly name: string;
  /** The columns that identify a row: the same key again replaces the row. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, Column>>;
  /** A key column that, where the file leaves it out, is the row's position among the rows with the same other key. */
  readonly position?: string;
  readonly rules?: readonly RowRule[];
}

/** A condition over the stored columns that a good row meets. */
export interface RowRule {
  readonly column: string;
  readonly condition: string;
  readonly expected: string;
}

/** What is stored of a row, in the order of the declaration. */
export function storedColumns(table: CanonicalTable): StoredColumn[] {
  return Object.entries(table.columns).flatMap(([name, column]) => [
    ...column.stored(name, (cell) => `"${cell}"`),
  ]);
}

/** The stored columns of the key: of an e-mail its hash. A part of a key may be empty. */
export function storedKey(table: CanonicalTable): string[] {
  return table.key.flatMap((name) => table.columns[name]?.stored(name, (cell) => cell)[0]?.name ?? []);
}

/** Whether two relations' rows have the same key; empty equals empty. */
export function haveSameKey(table: CanonicalTable, one: string, other: string): string {
  return storedKey(table)
    .map((name) => `${one}."${name}" is not distinct from ${other}."${name}"`)
    .join(' and ');
}
