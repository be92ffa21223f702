import { rm } from 'node:fs/promises';
import { contentOf } from '../control/businesses/published-snapshot.ts';
import { listServedModels } from '../control/businesses/served-models.ts';
import { modelFile } from '../control/data-folder/data-folder.ts';
import { fingerprintOf } from '../control/tokens/instance-secret.ts';
import { businessGate, type GateBusiness } from '../store/personal-data/business-gate.ts';
import { MODEL_VERSION } from './build/model-version.ts';
import { dropSnapshot } from './drop-snapshot.ts';
import { PROGRESS } from './import-context.ts';
import type { ImportReport } from './import-report.ts';
import type { MadeModel } from './model-file.ts';
import { publishBuilt } from './publish-built.ts';
import { stayingSnapshots } from './retention.ts';
import { describeSnapshot, type ImportedReport, readDescription } from './snapshot-description.ts';
import type { Merged, SnapshotWork } from './snapshot-work.ts';
import { warnOfSecrets, warnOfUnknown } from './warnings.ts';

/** Ends a trial: what was made is removed, and what it would have been is told. */
export async function removeTrial(
  work: SnapshotWork,
  merged: Merged,
  model: MadeModel,
): Promise<ImportReport> {
  await dropSnapshot(work);
  return reportOf(work, merged, model, null);
}

/**
 * Copies a finished snapshot to the warehouse, writes down what it is, and serves it.
 *
 * @throws when it is not served
 * @throws UncertainImportError when nobody knows whether it is
 */
export async function publish(
  work: SnapshotWork,
  merged: Merged,
  model: MadeModel,
): Promise<ImportReport & { readonly snapshot: string }> {
  const { context, id, snapshotId, building, bounds, base, newest, isRebuild, settings, mark } = work;
  context.onStep?.('publishing', PROGRESS.publishing);
  await context.copier?.copy(
    { business_id: id, snapshot_id: snapshotId },
    modelFile(building),
    model.changes,
  );
  await rm(bounds.spillFolder, { recursive: true });
  const snapshot = {
    snapshot_id: snapshotId,
    model_version: MODEL_VERSION,
    facts: model.facts,
    created_at: new Date().toISOString(),
    rebuilt_from: isRebuild && newest !== null ? contentOf(newest) : null,
  };
  const secrets = [...new Set([...(base?.secrets ?? []), fingerprintOf(context.secret)])];
  await describeSnapshot(building, {
    ...snapshot,
    build: model.build,
    report: await describedReport(work, merged, model),
    imported: loadedRows(merged.report.tables),
    rows: model.rows,
    doubts: model.doubts,
    deletions: [
      ...(base?.deletions ?? []),
      ...(merged.forgets === null ? [] : [{ deleted_at: snapshot.created_at, rows: merged.forgets }]),
    ],
    business: work.business,
    secrets,
  });
  const { staying, going } = await olderSnapshots(work, merged);
  context.signal?.throwIfAborted();
  await publishBuilt(context, id, snapshot, mark, { staying, going, settings });
  const unknown = work.folders.unknown.filter((name) => !going.includes(name));
  return reportOf(work, merged, model, snapshotId, [
    ...warnOfUnknown(unknown, id),
    ...warnOfSecrets(secrets),
  ]);
}

function reportOf<Snapshot extends string | null>(
  { mark }: SnapshotWork,
  { report }: Merged,
  { build, reconciliation, warnings }: MadeModel,
  snapshot: Snapshot,
  others: readonly string[] = [],
): ImportReport & { readonly snapshot: Snapshot } {
  return {
    snapshot,
    builds_on: mark.builds_on,
    build,
    ...report,
    reconciliation,
    warnings: [...report.warnings, ...warnings, ...others],
  };
}

function loadedRows(tables: ImportReport['tables']): Record<string, number> {
  return Object.fromEntries(Object.entries(tables).map(([table, { loaded }]) => [table, loaded]));
}

/** The listed snapshots that are kept beside the new one, and those that are not. */
async function olderSnapshots(
  { context, id, snapshots, folders, newest, adopted, isRebuild }: SnapshotWork,
  { forgets }: Merged,
): Promise<{ readonly staying: readonly string[]; readonly going: readonly string[] }> {
  const kept = snapshots.filter(({ snapshot_id }) => folders.kept.includes(snapshot_id));
  const servedModels = await listServedModels(context.control, id);
  const staying =
    newest === null || forgets !== null
      ? []
      : stayingSnapshots({ snapshots: kept, newest, servedModels, isRebuild });
  const listed = snapshots.map(({ snapshot_id }) => snapshot_id);
  const old = [...listed, ...(adopted === null ? [] : [adopted.snapshot_id])];
  return { staying, going: old.filter((each) => !staying.includes(each)) };
}

const NOTHING_FOUND: ImportedReport = { sources: [], reconciliation: [] };

/** A rebuild brings no files: what the import of the same rows found holds. */
async function describedReport(
  { context, business, base, building, isRebuild }: SnapshotWork,
  { report: { sources } }: Merged,
  { reconciliation }: MadeModel,
): Promise<ImportedReport> {
  if (!isRebuild) return shownReport(context.secret, business, { sources, reconciliation });
  const before = await readDescription(base?.folder ?? building).catch(() => null);
  return before?.report ?? NOTHING_FOUND;
}

/** Cleans the names of files and columns, which may hold personal data. */
function shownReport(
  secret: Buffer,
  business: GateBusiness,
  { sources, reconciliation }: ImportedReport,
): ImportedReport {
  const gate = businessGate(secret, business);
  const shown = (texts: readonly string[]) => texts.map((text) => gate.shown(text));
  return {
    sources: sources.map((source) => ({
      ...source,
      title: gate.shown(source.title),
      files: shown(source.files),
      assumptions: shown(source.assumptions),
    })),
    reconciliation: reconciliation.map((each) => ({
      ...each,
      files: shown(each.files),
      assumptions: shown(each.assumptions),
    })),
  };
}
