import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from '../control/data-folder.ts';
import { isSnapshotId } from './snapshot-folders.ts';

/** Rejected rows are there to be mended, and hold what stood in them. */
const KEPT_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

/** Removes the old rejects of all businesses in the data folder. */
export async function removeAllOldRejects(data: DataFolder, now = Date.now()): Promise<void> {
  const businesses = await readdir(data.businesses).catch(() => []);
  for (const business of businesses) await removeOldRejects(data.rejects(business), now);
}

/** Files of rejects, and nothing else that somebody put there. What cannot be removed now is tried again. */
export async function removeOldRejects(folder: string, now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((name) => name.endsWith('.csv') && isSnapshotId(name.slice(0, -4)))) {
    const file = join(folder, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: now }));
    if (now - mtimeMs > KEPT_DAYS * DAY_MS) await rm(file, { force: true }).catch(() => {});
  }
}
