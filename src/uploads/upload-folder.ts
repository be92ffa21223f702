import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  allUploads,
  readUpload,
  removeUpload,
  tellRun,
  type Upload,
  uploadsBefore,
} from '../control/businesses/uploads.ts';
import type { DataFolder } from '../control/data-folder/data-folder.ts';
import { lockFile } from '../control/data-folder/file-lock.ts';
import { makeFolder } from '../control/data-folder/make-folder.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { INTERRUPTED } from './outcome.ts';

/** What the name of a file begins with that has not come whole. */
export const PART = '.part-';

export interface UploadPlace {
  readonly control: ControlDatabase;
  readonly data: DataFolder;
}

function folderOf(data: DataFolder, uploadId: string): string {
  return join(data.uploads, uploadId);
}

export function filesFolder(data: DataFolder, uploadId: string): string {
  return join(folderOf(data, uploadId), 'files');
}

export async function makeFilesFolder(data: DataFolder, uploadId: string): Promise<string> {
  const folder = filesFolder(data, uploadId);
  makeFolder(folder);
  return folder;
}

/**
 * Holds an upload while it waits for its turn and is imported. Null while another server, or this one, holds
 * it.
 */
export function lockUpload(data: DataFolder, uploadId: string): Disposable | null {
  makeFolder(folderOf(data, uploadId));
  return lockFile(join(folderOf(data, uploadId), 'lock'));
}

/** What a server was working on when it was killed is open again, and says so. */
export async function settleInterrupted({ control, data }: UploadPlace, upload: Upload): Promise<boolean> {
  if (!isAtWork(upload)) return false;
  using lock = lockUpload(data, upload.upload_id);
  return lock !== null && reopen(control, upload);
}

function isAtWork({ state }: Upload): boolean {
  return state === 'waiting' || state === 'running';
}

/** Reopens an upload. The caller holds the lock, so nothing works on it, whatever is written down. */
async function reopen(control: ControlDatabase, { run_id }: Upload): Promise<boolean> {
  return run_id !== null && tellRun(control, run_id, { state: 'open', outcome: INTERRUPTED });
}

/**
 * The row first: files without one go with the folders that nobody knows, and a row without its files would
 * say that they are here.
 *
 * @returns whether nothing works on it
 */
export async function discardUpload({ control, data }: UploadPlace, uploadId: string): Promise<boolean> {
  using lock = lockUpload(data, uploadId);
  if (lock === null) return false;
  const upload = await readUpload(control, uploadId);
  if (upload !== null && isAtWork(upload)) await reopen(control, upload);
  const isRemoved = await removeUpload(control, uploadId);
  if (isRemoved) await rm(folderOf(data, uploadId), { recursive: true, force: true });
  return isRemoved;
}

/**
 * Removed as soon as they are of no use, since they hold the names and addresses of the merchant's customers.
 */
export async function removeFiles(data: DataFolder, uploadId: string): Promise<void> {
  await rm(filesFolder(data, uploadId), { recursive: true, force: true });
}

export async function removeOneFile(data: DataFolder, uploadId: string, name: string): Promise<void> {
  await rm(join(filesFolder(data, uploadId), name), { force: true });
}

/**
 * Removes what nobody touched for some hours: uploads with their files, and folders that the control database
 * does not know, such as those of an account that is gone. They are copies of what a person has.
 */
export async function removeOldUploads(
  place: UploadPlace,
  hours: number,
  now = Date.now(),
): Promise<{ readonly removed: number }> {
  const { control, data } = place;
  const before = new Date(now - hours * 3_600_000);
  let removed = 0;
  for (const uploadId of await uploadsBefore(control, before)) {
    const isRemoved = await discardUpload(place, uploadId);
    if (isRemoved) removed += 1;
  }
  const known = await allUploads(control);
  for (const name of await readdir(data.uploads).catch(() => [])) {
    await removeOldParts(filesFolder(data, name), now);
    const { mtimeMs } = await stat(folderOf(data, name)).catch(() => ({ mtimeMs: now }));
    if (known.has(name) || mtimeMs > before.getTime()) continue;
    await rm(folderOf(data, name), { recursive: true, force: true });
    removed += 1;
  }
  return { removed };
}

/**
 * A file that has not come whole, on a connection that would have counted as broken long ago: its server was
 * killed.
 */
async function removeOldParts(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    if (!name.startsWith(PART)) continue;
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: now }));
    if (mtimeMs < now - OLD_PART_MS) await rm(file, { force: true });
  }
}

const OLD_PART_MS = 3_600_000;
