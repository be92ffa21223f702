/** What a tool asks of the tables of a store beyond queries of ours. */
export type Statement =
  /** The caller's own SQL. */
  | { readonly sql: string }
  /** What the tables with these names are. */
  | { readonly describe: readonly string[] }
  /** Which tables there are: all, or those with one of the words in their name, columns or meaning. */
  | { readonly find: string | null };

/**
 * JSON: dates `YYYY-MM-DD`, moments `YYYY-MM-DDTHH:MM:SSZ`; a number that JSON cannot hold exactly is text.
 */
export type Cell = null | boolean | number | string | readonly Cell[] | { readonly [name: string]: Cell };

/** The rows of a statement. */
export interface AnsweredRows {
  /** The names of the columns, each once. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether the statement has more rows than these. */
  readonly is_truncated: boolean;
}

export interface DescribedColumn {
  readonly name: string;
  /** The type as DuckDB names it, without its digits: `decimal`, `varchar`. */
  readonly type: string;
  /**
   * The texts in it where they are a few short ones, in their order; null elsewhere. Empty: all rows are
   * null.
   */
  readonly values: readonly string[] | null;
}

export interface DescribedTable {
  readonly name: string;
  readonly meaning: string;
  readonly rows_count: number;
  readonly columns: readonly DescribedColumn[];
  /** Whether `values` are those of all rows; of a long table they are those of its first rows. */
  readonly is_whole: boolean;
  /**
   * What the table of the same name that was imported has beside these columns: `device` of `store.orders`.
   */
  readonly imported: readonly string[];
}

export interface FoundTable {
  readonly name: string;
  readonly is_empty: boolean;
  /** The columns that a search found. */
  readonly columns: readonly string[];
}

/** The result of a statement. */
export type StatementOutcome =
  | { readonly answered: AnsweredRows }
  | { readonly described: readonly DescribedTable[] }
  | { readonly found: readonly FoundTable[] };
