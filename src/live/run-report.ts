import { listRuns, type Run } from '../control/connections/connections.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import type { Refusal } from '../sources/refusal.ts';
import type { ImportedReport } from './import-landed.ts';
import type { RefusedDeletions } from './reconcile/refused-deletions.ts';

/** What a run did; it is kept with the connection, and holds no secret and nobody's data. */
export interface RunReport {
  readonly rows: Readonly<Record<string, number>>;
  readonly gone: Readonly<Record<string, number>>;
  readonly failed: readonly { readonly stream: string; readonly state: string; readonly message: string }[];
  readonly imports: readonly ImportedReport[];
  /** The parts of the request that could not be done. */
  readonly notes: readonly string[];
  /** Rows that are gone at the vendor and were not deleted. */
  readonly refused: readonly RefusedDeletions[];
  /** Why what was read is not imported. */
  readonly refusal: Refusal | null;
}

export interface ReportedRun extends Omit<Run, 'report'> {
  readonly report: RunReport;
}

/** The last runs of a connection, the newest first. */
export async function reportedRuns(control: ControlDatabase, connection_id: string): Promise<ReportedRun[]> {
  const runs = await listRuns(control, connection_id);
  // Runs of earlier versions say nothing of these.
  return runs.map((run) => ({
    ...run,
    report: { notes: [], refused: [], refusal: null, ...run.report } as unknown as RunReport,
  }));
}

/** The sum over all streams. */
export function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
