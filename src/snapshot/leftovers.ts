import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { currentSnapshot, listSnapshots } from '../control/businesses/businesses.ts';
import type { DataFolder } from '../control/data-folder/data-folder.ts';
import { lockFile } from '../control/data-folder/file-lock.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { bytesWritten } from './import-meter.ts';
import { findSnapshotFolders, isBuilding, snapshotOf } from './snapshot-folders.ts';
import { emptyMarkedFolder, markFinished, removeMarkedFolder } from './unfinished.ts';
import type { WarehouseCopier } from './warehouse-copier.ts';

/** An import that was killed right after it was served left its mark in what is kept now. */
export async function clearFinishedMarks(snapshots: string, kept: readonly string[]): Promise<void> {
  for (const name of kept) await markFinished(join(snapshots, name)).catch(() => {});
}

/**
 * Removes folders that an import made, or dropped, and what the warehouse has of them. What cannot be removed
 * now, because the warehouse is away or somebody holds a file open, keeps its mark and is tried again by the
 * next import.
 *
 * @param staying snapshots that stay, which the warehouse may have in more places than it needs
 */
export async function removeKnown(
  { data, copier }: { readonly data: DataFolder; readonly copier: WarehouseCopier | null },
  businessId: string,
  names: readonly string[],
  staying: readonly string[] = [],
): Promise<void> {
  if (names.length + staying.length === 0) return;
  const folders = names.map((name) => join(data.snapshots(businessId), name));
  try {
    await copier?.remove(businessId, names.map(snapshotOf), staying);
  } catch {
    for (const folder of folders) await emptyMarkedFolder(folder).catch(() => {});
    return;
  }
  for (const folder of folders) await removeMarkedFolder(folder).catch(() => {});
}

interface Place {
  readonly control: ControlDatabase;
  readonly data: DataFolder;
  readonly copier: WarehouseCopier | null;
}

/**
 * Removes what imports left that were killed, of stores into which nobody imports now, here or in another
 * process: an import holds a lock of the operating system, which is gone with it.
 *
 * @param businessIds of the stores that are looked at; without: all
 * @returns how many folders went
 */
export async function removeLeftovers(
  place: Place,
  businessIds?: readonly string[],
): Promise<{ readonly removed: number }> {
  let removed = 0;
  for (const id of businessIds ?? (await namesIn(place.data.businesses))) {
    // The lock is not held for a moment where there is nothing to do: an import that begins then would be
    // refused.
    if ((await leftoversOf(place, id)).length === 0) continue;
    using lock = lockFile(place.data.lock(id));
    if (lock === null) continue;
    const leftovers = await leftoversOf(place, id);
    await removeKnown(place, id, leftovers);
    removed += leftovers.length;
  }
  return { removed };
}

async function leftoversOf({ control, data }: Place, id: string): Promise<readonly string[]> {
  const listed = (await listSnapshots(control, id)).map(({ snapshot_id }) => snapshot_id);
  const served = (await currentSnapshot(control, id))?.snapshot_id ?? null;
  return (await findSnapshotFolders(data.snapshots(id), listed, served)).leftovers;
}

/** How many bytes such folders take. Those that an import is making are not counted. */
export async function leftoverBytes(data: DataFolder): Promise<number> {
  let bytes = 0;
  for (const id of await namesIn(data.businesses)) {
    const building = (await namesIn(data.snapshots(id))).filter(isBuilding);
    if (building.length === 0) continue;
    using lock = lockFile(data.lock(id));
    if (lock === null) continue;
    for (const name of building) bytes += await bytesWritten(join(data.snapshots(id), name));
  }
  return bytes;
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
