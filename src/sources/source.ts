import type { Origin } from '../ingest/find-files.ts';
import type { TitlesInLanguages } from './titles-in-languages.ts';

/**
 * One kind of export: how it is recognised, which of its columns are read, and how its rows become rows of
 * our own format. All of that is SQL over raw rows, which a file or a connection brought.
 */
export interface Source {
  /** The name, for example `shopify-orders-csv`. */
  readonly name: string;
  readonly title: string;
  /** A CSV file has here the columns that no other report has together, in lower case. */
  readonly signature?: readonly string[];
  /**
   * Instead of a signature, for what a list of names cannot say; the names of the columns are in lower case.
   */
  recognises?(header: readonly string[]): boolean;
  /** What is missing in a header that would be recognised with it; null where the header is no such part. */
  lacks?(header: readonly string[]): Lacking | null;
  /** What its columns are called in other languages. All else here looks at the English titles. */
  readonly titles?: TitlesInLanguages;
  /**
   * Says of a file of JSON documents, or of XML, whether it begins as this source's files do. Its raw rows
   * have one column, `document`.
   *
   * @param documents of JSON: those that the text begins with
   */
  beginsAs?(text: string, documents: readonly unknown[]): boolean;
  /**
   * Records with parts and lists in them, such as JSON documents or rows of Parquet, have here what is read
   * of each. See `define-records.ts`.
   */
  readonly records?: Records;
  /** The word by which `--orders-from` asks for its orders, which count only in a store without a shop's. */
  readonly ordersFrom?: 'ga4';
  /**
   * An XML file has here the elements that are a row each, in lower case. Their documents are JSON of what
   * they hold.
   */
  readonly items?: readonly string[];
  /** What is read, by the name that the cell has in a raw row. */
  readonly columns: Readonly<Record<string, RawColumn>>;
  /**
   * Rows that stand in several files and name each other have here their tables, by their name within SQL.
   * `columns` is empty then.
   */
  readonly tables?: Readonly<Record<string, SourceTable>>;
  readonly settings: readonly SettingName[];
  /**
   * Whether its SQL looks at the rows that are loaded, in the views `before_<table>`: what comes in parts
   * must not undo what came before.
   */
  readonly comparesBefore?: boolean;
  /**
   * Whether it looks at what the other files of the import bring too, in the views `refunds_beside`,
   * `orders_beside` and `products_beside`.
   */
  readonly comparesBeside?: boolean;
  /**
   * What is missing without the columns that no file has, for the report; without it, each column says so
   * itself.
   */
  absences?(present: ReadonlySet<string>): readonly string[];
  /** What must be known before the rows can be understood. */
  questions(raw: RawRows): readonly Question[];
  /** What is taken for granted. */
  assumptions(raw: RawRows): readonly string[];
  /** What is said of the rows where there are such; asked when the work tables are made. */
  findings?(raw: RawRows): readonly Finding[];
  /** Statements that make work tables out of the raw rows. */
  prepare?(raw: RawRows): readonly string[];
  /**
   * The selects by the name of a table of our own format. A select has `_row`, and may have `_malformed`, a
   * reason to reject the row, and `_newer`, how many newer rows of its key the files have. Only the newest
   * row counts, and the others say what it does not.
   */
  translate(raw: RawRows): Readonly<Record<string, string>>;
  /**
   * The columns, by table, that a row of its select may say nothing of. What another source said of them
   * stays. The same holds for columns that the select does not have, and for those that `tells` names where a
   * file lacks the column.
   */
  missing?(raw: RawRows): Readonly<Record<string, MissingColumns>>;
  /**
   * A source of orders gives here what the files say of each order, see `keepOrderFacts`. It is null where
   * these files have none.
   */
  orderFacts?(raw: RawRows): string | null;
}

interface Lacking {
  readonly columns: readonly string[];
  /** What to do instead of importing it. */
  readonly instead: string;
}

/**
 * Each name of a column of ours has SQL over a row that says whether the row tells nothing of the column. See
 * `missing-values.ts`.
 */
export type MissingColumns = Readonly<Record<string, string>>;

export interface Records {
  /** The fields that no other records have together, in lower case. */
  readonly signature: readonly string[];
  /** The fields by the name that the column of the raw row has. */
  readonly fields: Readonly<Record<string, RecordField>>;
}

export interface RecordField {
  /**
   * The places in a record, such as `ecommerce.transaction_id`. The first of them that says something counts.
   */
  readonly paths: readonly string[];
  /**
   * A list of names with values has here the name whose value it is. The paths are those within an element.
   */
  readonly entry?: { readonly list: string; readonly key: string; readonly name: string };
  /** A list has here the parts of its elements, each by its paths within one. */
  readonly parts?: Readonly<Record<string, readonly string[]>>;
  /** Whether the rows mean nothing without it. */
  readonly isRequired?: boolean;
  /** Whether it is a moment: in microseconds, or as a type of its own. Its column has whole microseconds. */
  readonly isMoment?: boolean;
  /** Whether it loses digits when a tool saves it as a number. */
  readonly isId?: boolean;
  /** What is missing without it, for the report. */
  readonly absent?: string;
}

export interface Finding {
  /** SQL of a number. */
  readonly count: string;
  /** What is said where that is not 0. */
  says(count: number): string;
}

export interface RawColumn {
  /** The titles in lower case. The first one that the file has is read. */
  readonly header: readonly string[];
  /** Whether the rows mean nothing without it. */
  readonly isRequired?: boolean;
  /** What is missing without it, for the report: `no refunds`. */
  readonly absent?: string;
  /** The columns of our tables that cannot be known without it, such as `products.ean`. */
  readonly tells?: readonly string[];
  /**
   * Instead of the first with one of those names: the places of the column in a header. Where one has no
   * cell, the next counts.
   */
  find?(header: readonly string[]): readonly number[];
  /** What the column's own name says, which is read instead of its cells: `USD` of `Amount spent (USD)`. */
  inHeader?(name: string): string | undefined;
}

/** A source whose rows stand in the files of several tables. */
export interface SourceOfTables extends Source {
  readonly tables: Readonly<Record<string, SourceTable>>;
}

export function hasTables(source: Source): source is SourceOfTables {
  return source.tables !== undefined;
}

/** Files of one kind among those of a source: see `land-tables.ts`. */
export interface SourceTable {
  /** What its files may be called. */
  readonly names: readonly string[];
  /** The columns by which it is told from what another system calls alike. A file has one of each list. */
  readonly signature: readonly (readonly string[])[];
  /** Columns of which its files have none: they are of another table then. */
  readonly foreign?: readonly string[];
  readonly columns: Readonly<Record<string, RawColumn>>;
  /** The table without which its rows mean nothing. */
  readonly needs?: string;
  /** What is missing without it, for the report: `no refunds`. */
  readonly absent?: string;
}

/** The rows of one source: text cells, trimmed, null where they are empty. */
export interface RawRows {
  /**
   * The relation of the session: `_file` is the number of the file, `rowid` the place among all rows. Of
   * tables, the first one's.
   */
  readonly relation: string;
  /** The columns that some file has. Of tables, their names, and columns as `order.total`. */
  readonly present: ReadonlySet<string>;
  /** The columns that each file has, by `_file`; for tables also the name of the one that the file is of. */
  readonly presentIn: readonly ReadonlySet<string>[];
  readonly settings: Settings;
  /** The moment at which each file was written, by `_file`. */
  readonly written: readonly Date[];
  readonly origins: readonly Origin[];
  /** Whether its orders are those of the store: see `order-owner.ts`. */
  readonly makesOrders: boolean;
}

export type SettingName =
  | 'timezone'
  | 'dates'
  | 'currency'
  | 'status'
  | 'encoding'
  | 'exported-at'
  | 'orders-from'
  | 'store-currency'
  | 'schema';

export type Settings = Readonly<Partial<Record<SettingName, string>>>;

export interface Question {
  readonly setting: SettingName;
  /** SQL over a raw row: whether it cannot be understood without the setting. */
  readonly condition: string;
  /** What is missing: `times have no offset, such as …`. */
  readonly problem: string;
  /** The flag with a value, for example `--timezone Europe/Prague`. */
  readonly example: string;
  /** SQL over a raw row: the list of its statuses that are not known. */
  readonly values?: string;
  /** A date whose order of day and month was asked has here the SQL of its cell. */
  readonly date?: string;
}
