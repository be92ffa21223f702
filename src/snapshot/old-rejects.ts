import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from '../control/data-folder/data-folder.ts';
import { isSnapshotId } from './snapshot-folders.ts';

/** Rejected rows are there to be mended, and hold what stood in them. */
const KEPT_DAYS = 30;
/** The lists of one store at most, the newest ones. */
const KEPT_LISTS = 20;
const DAY_MS = 24 * 3600 * 1000;

/** Removes the old rejects of all businesses in the data folder. */
export async function removeAllOldRejects(data: DataFolder, now = Date.now()): Promise<void> {
  const businesses = await readdir(data.businesses).catch(() => []);
  for (const business of businesses) await removeOldRejects(data.rejects(business), now);
}

/** Files of rejects, and nothing else that somebody put there. What cannot be removed now is tried again. */
export async function removeOldRejects(folder: string, now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const lists: { readonly file: string; readonly mtimeMs: number }[] = [];
  for (const name of names.filter((name) => name.endsWith('.csv') && isSnapshotId(name.slice(0, -4)))) {
    const file = join(folder, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: now }));
    lists.push({ file, mtimeMs });
  }
  // Names of the same moment are in the order in which they were made.
  lists.sort((one, other) => other.mtimeMs - one.mtimeMs || (one.file < other.file ? 1 : -1));
  for (const [place, { file, mtimeMs }] of lists.entries())
    if (place >= KEPT_LISTS || now - mtimeMs > KEPT_DAYS * DAY_MS)
      await rm(file, { force: true }).catch(() => {});
}
