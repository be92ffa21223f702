import type { SourceReport, TableCounts } from '../snapshot/import-report.ts';
import type { OrderFacts } from '../snapshot/staged-tables.ts';
import type { CanonicalTable } from '../store/canonical-table.ts';
import type { StagedFile } from './stage-table.ts';

/** What an import found in its files. */
export interface Batch {
  /** The files in the order in which a later row replaces an earlier one. */
  readonly files: ReadonlyMap<CanonicalTable, readonly StagedFile[]>;
  readonly warnings: readonly string[];
  readonly sources: readonly SourceReport[];
  /** Rows of the sources, and those of them that are malformed: they never came to be rows of a table. */
  readonly raw: Pick<TableCounts, 'read' | 'rejected'>;
  readonly orderFacts: readonly OrderFacts[];
}
