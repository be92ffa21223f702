import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readAttributionWindows } from '../control/businesses/attribution-windows.ts';
import type { BusinessSettings } from '../control/businesses/business-settings.ts';
import { currentSnapshot, findBusiness, listSnapshots } from '../control/businesses/businesses.ts';
import { readVatRate } from '../control/businesses/vat-rate.ts';
import { makeFolder } from '../control/data-folder/make-folder.ts';
import { Session } from '../store/duckdb-session.ts';
import { defineGate } from '../store/personal-data/session-gate.ts';
import { settingsOf, setVariables } from './build/build-model.ts';
import { type Base, findBase } from './find-base.ts';
import type { ImportContext } from './import-context.ts';
import { ImportError } from './import-errors.ts';
import { memoryOfDuckDb } from './import-memory.ts';
import type { ImportMeter } from './import-meter.ts';
import { clearFinishedMarks, removeKnown } from './leftovers.ts';
import { findModelBefore, type IncrementalLimits } from './model-before.ts';
import { removeOldRejects } from './old-rejects.ts';
import { buildingFolder, findSnapshotFolders, isSnapshotId } from './snapshot-folders.ts';
import type { OpenSnapshot, SnapshotWork } from './snapshot-work.ts';
import { markUnfinished } from './unfinished.ts';

export interface SnapshotOptions {
  /** A snapshot that the control database does not list, to build on instead of the newest one. */
  readonly adopted?: Base | null;
  /** The settings of the business that are new from this snapshot on. */
  readonly settings?: Partial<BusinessSettings>;
  /**
   * Whether only the model is built: nothing is staged, and the model is this version's of the newest rows.
   */
  readonly isRebuild?: boolean;
  /** The limits within which the model is brought up to date. Null means never: all of it is built. */
  readonly incremental?: IncrementalLimits | null;
  /**
   * The newest snapshot must still be this one, or none: what was seen of the store would not hold. Without:
   * whichever is.
   */
  readonly buildsOn?: string | null | undefined;
}

/**
 * Looks at what a new snapshot is built on, and removes what killed imports left. The business must be
 * locked.
 *
 * @throws ImportError when the snapshot before is not whole, not known, or another one than `buildsOn`
 */
export async function beginSnapshot(
  context: ImportContext,
  id: string,
  { adopted = null, settings = {}, isRebuild = false, incremental = null, buildsOn }: SnapshotOptions = {},
): Promise<SnapshotWork> {
  const { control, data, secret, spillLimit, importMemory, importThreads } = context;
  // It is read now, since another import may have changed it while this one waited for its turn.
  const {
    attribution_windows = await readAttributionWindows(control, id),
    vat_rate = await readVatRate(control, id),
    ...newSettings
  } = settings;
  const businessBefore = await findBusiness(control, id);
  const business = { ...businessBefore, ...newSettings };
  const modelBusiness = { ...business, attribution_windows, vat_rate };
  const newest = await currentSnapshot(control, id);
  if (buildsOn !== undefined && (newest?.snapshot_id ?? null) !== buildsOn)
    throw new ImportError(
      'the data of the store have changed since the files were checked; check them again',
    );
  const snapshots = await listSnapshots(control, id);
  const listed = snapshots.map(({ snapshot_id }) => snapshot_id);
  const folders = await findSnapshotFolders(data.snapshots(id), listed, newest?.snapshot_id ?? null);
  const base = adopted ?? (await findBase(data.snapshots(id), id, { newest, snapshots, folders }));
  await clearFinishedMarks(data.snapshots(id), folders.kept);
  await removeKnown(context, id, folders.leftovers);
  await removeOldRejects(data.rejects(id));
  const snapshotId = newSnapshotId([...listed, ...folders.unknown]);
  const building = join(data.snapshots(id), buildingFolder(snapshotId));
  const spillFolder = join(building, 'temporary');
  const now = modelBusiness;
  return {
    context,
    id,
    businessBefore,
    business,
    modelBusiness,
    settings,
    isRebuild,
    adopted,
    newest,
    snapshots,
    folders,
    base,
    modelBefore: await findModelBefore({ adopted, settings, newest, base, incremental, secret, now }),
    snapshotId,
    building,
    bounds: { memory: memoryOfDuckDb(importMemory), threads: importThreads, spillFolder, spillLimit },
    mark: { import: snapshotId, builds_on: newest?.snapshot_id ?? null },
  };
}

interface OpenOptions {
  /** Whether all files are landed rows, in which hashes stand for e-mail addresses and phone numbers. */
  readonly isOfLanded?: boolean;
  /**
   * The meter of an import of files. What the import takes is counted there, and its signal is among those of
   * the context.
   */
  readonly meter?: ImportMeter;
}

/**
 * Makes the folder of the new snapshot, with a mark that it is not finished, and a session that works in it.
 */
export async function openSnapshot(
  { context, business, building, bounds, mark }: SnapshotWork,
  { isOfLanded = false, meter }: OpenOptions = {},
): Promise<OpenSnapshot> {
  makeFolder(building);
  await markUnfinished(building, mark);
  await mkdir(bounds.spillFolder, { mode: 0o700 });
  meter?.watch(building, context.data);
  const session = await Session.open(':memory:', bounds, context.signal, meter);
  setVariables(session, settingsOf(business));
  const personalDataRemoved = defineGate(session, context.secret, business, { isOfLanded });
  return { session, personalDataRemoved, [Symbol.dispose]: () => session[Symbol.dispose]() };
}

/** Sorts by time, also within a second. */
function newSnapshotId(names: readonly string[]): string {
  const now = new Date().toISOString().replace(/[-:.]/g, '').slice(0, 18);
  const id = `${now}Z-${randomBytes(2).toString('hex')}`;
  const newest = names.filter(isSnapshotId).sort().at(-1) ?? '';
  // A clock that went back must not make the new snapshot look older than the old one.
  return id > newest ? id : `${newest}a`;
}
