import type { CanonicalTable } from '../store/canonical-table.ts';
import type { ImportReport } from './import-report.ts';
import type { Batches } from './table-batches.ts';

/** What a new snapshot gets beside the rows of the one before, in tables of the session. */
export interface Staged {
  readonly batches: Batches;
  /** Whether rows of a list, such as order lines, are added to it instead of replacing it. */
  readonly addsLines: boolean;
  /** The tables of which rows go: their keys are in `gone_<table>`. */
  readonly losing: ReadonlySet<CanonicalTable>;
  /** The number of rows that go by table, where persons are forgotten. No older snapshot stays then. */
  readonly forgets: Readonly<Record<string, number>> | null;
  /** What the files say of orders: it is compared with what the new model answers. */
  readonly orderFacts: readonly OrderFacts[];
  readonly report: Pick<ImportReport, 'sources' | 'tables' | 'rejects_file' | 'warnings'>;
}

/** What the files of one source say of each order. */
export interface OrderFacts {
  /** The name of the source, for example `shopify-orders-csv`. */
  readonly source: string;
  /** A Parquet file, whose columns `keepOrderFacts` in src/sources describes. */
  readonly path: string;
  readonly files: readonly string[];
  readonly assumptions: readonly string[];
}

export const NOTHING_STAGED: Staged = {
  batches: new Map(),
  addsLines: false,
  losing: new Set(),
  forgets: null,
  orderFacts: [],
  report: { sources: [], tables: {}, rejects_file: null, warnings: [] },
};
