import type { Column } from './columns.ts';

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
