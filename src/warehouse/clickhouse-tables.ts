import { key, moment } from '../model-table/column-kinds.ts';
import { MODEL_TABLES } from '../snapshot/build/model-tables.ts';

/** A table on ClickHouse, beside the columns that say whose rows they are. */
interface ClickHouseTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, { readonly clickhouse: string; readonly isNumber: boolean }>>;
  /** The columns of the order, after the business and the snapshot. */
  readonly order: readonly string[];
}

/** The snapshots that arrived whole. Nothing is read of another. */
export const ARRIVED_SNAPSHOTS = 'arrived_snapshots';

/**
 * The persons whose rows a snapshot does not take over from the one before, where it was published in this
 * way. They are asked for while it is published, and go with it.
 */
export const AFFECTED_PERSONS = 'affected_persons';

/** The model tables, for all businesses and snapshots together, and what is known of these. */
export const CLICKHOUSE_TABLES: readonly ClickHouseTable[] = [
  ...MODEL_TABLES,
  { name: ARRIVED_SNAPSHOTS, columns: { arrived_at: moment }, order: [] },
  { name: AFFECTED_PERSONS, columns: { person_key: key }, order: ['person_key'] },
];
