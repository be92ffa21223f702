/** What a tool asks of the tables of a store beyond queries of ours. */
export type Statement =
  /** The caller's own SQL. */
  | { readonly sql: string }
  /** What the tables are; those with these names in full. */
  | { readonly describe: readonly string[] };

/** JSON: dates `YYYY-MM-DD`, moments `YYYY-MM-DDTHH:MM:SSZ`; a number that JSON cannot hold exactly is text. */
export type Cell = null | boolean | number | string | readonly Cell[] | { readonly [name: string]: Cell };

interface AnsweredColumn {
  readonly name: string;
  /** The type as DuckDB names it. */
  readonly type: string;
}

/** The rows of a statement. */
export interface AnsweredRows {
  readonly columns: readonly AnsweredColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether the statement has more rows than these. */
  readonly is_truncated: boolean;
  /** How long it ran, without the time in which it waited. */
  readonly seconds: number;
}

export interface DescribedTable {
  readonly name: string;
  readonly meaning: string;
  readonly rows_count: number;
  /** Empty where the table was not asked for by its name. */
  readonly columns: readonly (AnsweredColumn & { readonly example: Cell })[];
}

/** What comes of a statement. */
export type StatementOutcome =
  | { readonly answered: AnsweredRows }
  | { readonly described: readonly DescribedTable[] };
