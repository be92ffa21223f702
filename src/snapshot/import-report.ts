import type { PersonalDataRemoved } from '../store/personal-data/session-gate.ts';
import type { ModelBuild } from './model-build.ts';

/** What became of the rows of a table's files: `read = loaded + rejected + replaced + ignored + deleted`. */
export interface TableCounts {
  /**
   * Rows in the files, counted in their bytes. A malformed stretch counts as the rows it may have been: its
   * lines.
   */
  readonly read: number;
  /** Rows that are in the store now. */
  readonly loaded: number;
  /** Bad rows, listed in the rejects file. */
  readonly rejected: number;
  /** Rows with other values than a later row with the same key, which counts instead. */
  readonly replaced: number;
  /** Rows with the same values as the later row with the same key, and rows that delete what is not there. */
  readonly ignored: number;
  /** Rows that deleted the one with their key. */
  readonly deleted: number;
}

/**
 * What the rows of a table's files are beside those that were in the store:
 * `loaded = added + changed + unchanged`. A table that was written anew as a whole, for a new gate of
 * personal data, was not compared and has none.
 */
export interface RowChanges {
  /** Rows with a key that was not there. */
  readonly added: number;
  /** Rows with a key that was there, with other values. */
  readonly changed: number;
  /** Rows that were there as they are. */
  readonly unchanged: number;
  /** Rows that are in the store no more: deleted, or in no list that came again. */
  readonly removed: number;
}

export interface ImportReport {
  /** The id of the snapshot that is served now; null after a trial, which publishes nothing. */
  readonly snapshot: string | null;
  /** The newest snapshot when it began; null when there was none. */
  readonly builds_on: string | null;
  /** How the tables that tools read were made. */
  readonly build: ModelBuild;
  /** What the files were recognised as. Empty where all are of our own format. */
  readonly sources: readonly SourceReport[];
  /**
   * What the files say beside what is answered now, for each source with orders and each of its currencies.
   */
  readonly reconciliation: readonly Reconciliation[];
  readonly tables: Readonly<Record<string, TableCounts>>;
  /** The changes of the tables of `tables`. */
  readonly changes: Readonly<Record<string, RowChanges>>;
  readonly rejects_file: string | null;
  /**
   * The number of cells of each table and column in which an e-mail address or a phone number was hashed or
   * taken out.
   */
  readonly personal_data_removed: PersonalDataRemoved;
  readonly warnings: readonly string[];
}

/** The files of one source, and what was read of them. */
export interface SourceReport {
  /** The name of the source, for example `shopify-orders-csv`. */
  readonly source: string;
  readonly title: string;
  readonly files: readonly string[];
  readonly rows: number;
  /** The tables of our own format that its rows became. */
  readonly tables: readonly string[];
  /** How many columns of the files were not read. */
  readonly columns_ignored: number;
  /** What this business was asked for about this source, or what was remembered. */
  readonly settings: Readonly<Record<string, string>>;
  /** What the import takes for granted, and what the files lack. */
  readonly assumptions: readonly string[];
  /** Whether its orders are those of the store. */
  readonly makes_orders: boolean;
}

/** Why an order of the files does not count, or should be known of although it does. */
export type DifferenceReason =
  | 'duplicate'
  | 'without_id'
  | 'rejected'
  | 'test'
  | 'cancelled'
  | 'return'
  | 'foreign_without_rate'
  | 'unpaid'
  | 'edited'
  | 'lines_do_not_add_up';

/** Money is in the currency of the files, exact to the cent; null where it does not apply. */
export interface Reconciliation {
  readonly source: string;
  readonly files: readonly string[];
  readonly currency: string | null;
  readonly orders: ReconciledOrders;
  readonly gross: ReconciledMoney;
  readonly discounts: StoredMoney;
  readonly shipping: StoredMoney;
  readonly tax: StoredMoney;
  readonly refunds: StoredMoney;
  readonly differences: readonly Difference[];
  readonly months: readonly ReconciledMonth[];
  readonly assumptions: readonly string[];
}

export interface ReconciledMonth
  extends Pick<Reconciliation, 'orders' | 'gross' | 'discounts' | 'shipping' | 'tax' | 'refunds'> {
  /** `2026-10`, in the timezone of the business. */
  readonly month: string;
}

interface ReconciledOrders {
  readonly in_file: number;
  readonly stored: number;
  /** The number of rows that tools count. */
  readonly valid: number;
}

interface StoredMoney {
  readonly in_file: number;
  readonly stored: number;
}

interface ReconciledMoney extends StoredMoney {
  /** What tools answer. */
  readonly revenue: number;
}

/** Orders that do not count as the file says, or that are worth knowing although they do. */
interface Difference {
  readonly reason: DifferenceReason;
  readonly orders: number;
  readonly amount: number;
  /**
   * Whether the orders count nonetheless. The amounts of the others are what revenue lacks of what the files
   * say.
   */
  readonly is_counted: boolean;
}
