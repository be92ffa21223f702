import { join } from 'node:path';
import type { DataFolder } from '../control/data-folder.ts';
import { snapshotOf } from './snapshot-folders.ts';
import { emptyMarkedFolder, markFinished, removeMarkedFolder } from './unfinished.ts';
import type { WarehouseCopier } from './warehouse-copier.ts';

/** An import that was killed right after it was served left its mark in what is kept now. */
export async function clearFinishedMarks(snapshots: string, kept: readonly string[]): Promise<void> {
  for (const name of kept) await markFinished(join(snapshots, name)).catch(() => {});
}

/**
 * Removes folders that an import made, or dropped, and what the warehouse has of them. What cannot be removed now,
 * because the warehouse is away or somebody holds a file open, keeps its mark and is tried again by the next import.
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
