import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildModel, checkModel, MODEL_VERSION, readFacts } from '../build/build-model.ts';
import { readAttributionWindows } from '../control/attribution-windows.ts';
import {
  currentSnapshot,
  listSnapshots,
  type PublishedSnapshot,
  publishSnapshot,
} from '../control/businesses.ts';
import { type DataFolder, modelFile } from '../control/data-folder.ts';
import type { ControlDatabase } from '../control/database.ts';
import type { Business } from '../model/business.ts';
import { firstLine, ImportError } from './errors.ts';
import { findFiles } from './files.ts';
import { lockBusiness } from './lock.ts';
import type { SnapshotPublisher } from './publisher.ts';
import { firstRejects, isWithin, type MaxRejects, writeRejects } from './rejects.ts';
import type { ImportReport, TableCounts } from './report.ts';
import { Session } from './session.ts';
import { createRejects, stageTable } from './stage.ts';
import { attachStore, writeStore } from './store.ts';
import type { CanonicalTable } from './table.ts';
import { CANONICAL_TABLES } from './tables/index.ts';
import { findWarnings } from './warnings.ts';

/** Told what is being done now, and which share of the work, 0 to 1, lies behind. */
export type OnStep = (step: string, doneShare: number) => void;

/** About where the phases of an import begin, as shares of its time. */
const PROGRESS = { merging: 0.55, building: 0.65, checking: 0.95, publishing: 0.97 };

export interface ImportContext {
  readonly control: ControlDatabase;
  readonly data: DataFolder;
  readonly secret: Buffer;
  readonly onStep?: OnStep;
  /** Null where queries run on the files of this data folder. */
  readonly publisher: SnapshotPublisher | null;
  /** How much may be written to disk of what does not fit into memory, for example `10GB`. */
  readonly spillLimit: string;
}

/** How many snapshots stay for a rollback, the served one included. */
const KEPT_SNAPSHOTS = 3;

/**
 * Imports a folder of canonical files: all of it is served afterwards, or nothing has changed.
 *
 * @throws ImportError when a file cannot be read, more rows are rejected than allowed, or another import runs
 */
export async function importFolder(
  context: ImportContext,
  business: Business,
  folder: string,
  maxRejects: MaxRejects = { rows: 0 },
): Promise<ImportReport> {
  const { files, warnings } = await findFiles(folder, CANONICAL_TABLES);
  return buildSnapshot(context, business, async (session, snapshotId) => {
    await createRejects(session);
    const tables: Record<string, TableCounts> = {};
    const fileCount = [...files.values()].flat().length;
    let filesRead = 0;
    for (const table of CANONICAL_TABLES) {
      const sources = files.get(table);
      if (sources === undefined) continue;
      const staged = await stageTable(session, table, sources, (file) => {
        context.onStep?.(`reading ${file.name}`, (PROGRESS.merging * filesRead) / fileCount);
        filesRead += 1;
      });
      tables[table.name] = staged.counts;
      warnings.push(...staged.warnings);
    }
    const rejects_file = await writeRejects(session, context.data.rejects(business.business_id), snapshotId);
    refuseTooManyRejects(tables, maxRejects, rejects_file, await firstRejects(session));
    return { batches: new Set(files.keys()), report: { tables, rejects_file, warnings } };
  });
}

/** Builds the snapshot anew from the canonical tables it has: after `business create`, or for a newer model. */
export async function rebuildSnapshot(context: ImportContext, business: Business): Promise<string> {
  const { snapshot } = await buildSnapshot(context, business, async () => ({
    batches: new Set<CanonicalTable>(),
    report: { tables: {}, rejects_file: null, warnings: [] },
  }));
  return snapshot;
}

function refuseTooManyRejects(
  tables: Readonly<Record<string, TableCounts>>,
  maxRejects: MaxRejects,
  rejects_file: string | null,
  examples: readonly string[],
): void {
  const counts = Object.values(tables);
  const read = counts.reduce((sum, table) => sum + table.read, 0);
  const rejected = counts.reduce((sum, table) => sum + table.rejected, 0);
  if (isWithin(maxRejects, { read, rejected })) return;
  const allowed = 'rows' in maxRejects ? `${maxRejects.rows}` : `${maxRejects.percent}%`;
  throw new ImportError(
    `${rejected} of ${read} rows are bad and ${allowed} were allowed, so nothing was imported. ` +
      `Each is listed in ${rejects_file}; mend them, or allow them with --max-rejects. The first:\n${examples.join('\n')}`,
    { tables, rejects_file },
  );
}

interface StagedFolder {
  readonly batches: ReadonlySet<CanonicalTable>;
  readonly report: Omit<ImportReport, 'snapshot'>;
}

/**
 * Stages, merges into the canonical tables, builds the model, checks it and serves it. Everything happens in a folder
 * that no one reads until its name and one row of the control database say otherwise, so that an import killed at any
 * moment leaves the old snapshot served and only a folder to remove.
 */
async function buildSnapshot(
  { control, data, secret, onStep, publisher, spillLimit }: ImportContext,
  business: Business,
  stage: (session: Session, snapshotId: string) => Promise<StagedFolder>,
): Promise<ImportReport> {
  const id = business.business_id;
  using _lock = lockBusiness(data.lock(id));
  const current = await currentSnapshot(control, id);
  const kept = await listSnapshots(control, id);
  await removeLeftovers(data.snapshots(id), kept);

  const snapshotId = newSnapshotId(kept);
  const building = `${data.snapshot(id, snapshotId)}.building`;
  const spill = { path: join(building, 'temporary'), limit: spillLimit };
  await mkdir(spill.path, { recursive: true, mode: 0o700 });
  try {
    await publisher?.keepOnly(
      id,
      kept.map(({ snapshot_id }) => snapshot_id),
    );
    const report = await stageAndStore();
    const { facts, warnings } = await buildAndCheck();
    await rm(spill.path, { recursive: true });
    onStep?.('publishing', PROGRESS.publishing);
    await publisher?.publish({ business_id: id, snapshot_id: snapshotId }, modelFile(building));
    await rename(building, data.snapshot(id, snapshotId));

    const snapshot = {
      snapshot_id: snapshotId,
      model_version: MODEL_VERSION,
      facts,
      created_at: new Date().toISOString(),
    };
    const dropped = droppedSnapshots(kept, current);
    await publishSnapshot(control, id, snapshot, dropped);
    for (const old of dropped) await removeIfPossible(data.snapshot(id, old));
    const staying = kept.map(({ snapshot_id }) => snapshot_id).filter((old) => !dropped.includes(old));
    // What stays behind when this fails goes before the next import.
    await publisher?.keepOnly(id, [...staying, snapshotId]).catch(() => {});
    return { snapshot: snapshotId, ...report, warnings: [...report.warnings, ...warnings] };
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    if (error instanceof ImportError) throw error;
    throw new ImportError(`the import failed, so nothing was changed: ${firstLine(error)}`, undefined, error);
  }

  async function stageAndStore() {
    using session = await Session.open(':memory:', spill);
    await session.run('set variable business_timezone = $timezone', { timezone: business.timezone ?? 'UTC' });
    await session.defineKeyedHash(secret, id);
    const { batches, report } = await stage(session, snapshotId);
    onStep?.('merging with what was loaded before', PROGRESS.merging);
    const previous =
      current === null
        ? null
        : { folder: data.snapshot(id, current.snapshot_id), tables: current.facts.loaded_tables };
    await writeStore(session, CANONICAL_TABLES, batches, previous, building);
    return report;
  }

  async function buildAndCheck() {
    using session = await Session.open(modelFile(building), spill);
    await session.defineKeyedHash(secret, id);
    const loaded = await attachStore(session, CANONICAL_TABLES, building);
    const { timezone, primary_currency, link } = business;
    const attribution_windows = await readAttributionWindows(control, id);
    const model = { timezone: timezone ?? 'UTC', primary_currency, link, attribution_windows };
    await buildModel(session, model, (name, doneShare) =>
      onStep?.(`building ${name}`, PROGRESS.building + (PROGRESS.checking - PROGRESS.building) * doneShare),
    );
    onStep?.('checking', PROGRESS.checking);
    await checkModel(session);
    const facts = await readFacts(session, model, loaded);
    const warnings = await findWarnings(session, primary_currency);
    // Left to the end of the session, a disk that is full by now would go unnoticed.
    await session.run('checkpoint');
    return { facts, warnings };
  }
}

/**
 * History is a line: what a rollback left behind goes when the next snapshot is made, so that going back from that one
 * leads to the one it was built on.
 */
function droppedSnapshots(
  kept: readonly PublishedSnapshot[],
  current: PublishedSnapshot | null,
): readonly string[] {
  const ids = kept.map(({ snapshot_id }) => snapshot_id);
  const staying = ids
    .filter((id) => current !== null && id <= current.snapshot_id)
    .slice(0, KEPT_SNAPSHOTS - 1);
  return ids.filter((id) => !staying.includes(id));
}

/** Sorts by time, also within a second. */
function newSnapshotId(kept: readonly PublishedSnapshot[]): string {
  const now = new Date().toISOString().replace(/[-:.]/g, '').slice(0, 18);
  const id = `${now}Z-${randomBytes(2).toString('hex')}`;
  const newest = kept[0]?.snapshot_id ?? '';
  // A clock that went back must not make the new snapshot look older than the old one.
  return id > newest ? id : `${newest}a`;
}

/** Folders of imports that were killed, and of snapshots that are no longer kept. */
async function removeLeftovers(folder: string, kept: readonly PublishedSnapshot[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = new Set(kept.map(({ snapshot_id }) => snapshot_id));
  for (const name of await readdir(folder)) {
    if (!names.has(name)) await removeIfPossible(join(folder, name));
  }
}

/** What cannot be removed now, because somebody holds it open or owns it, is tried again by every later import. */
async function removeIfPossible(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}
