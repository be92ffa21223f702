import { open, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './make-durable.ts';

/**
 * What an import has begun with a folder of snapshots and not ended: to make it, or to remove it.
 *
 * It stands in the folder as a file, from before the work begins until the control database and the disk
 * agree. A folder without that file is never removed by an import, whatever the control database knows of it.
 */
export interface Unfinished {
  /** The snapshot that the import makes. */
  readonly import: string;
  /** The snapshot that was served when the import began; null when there was none. */
  readonly builds_on: string | null;
}

const MARK = 'unfinished.json';

export async function markUnfinished(folder: string, work: Unfinished): Promise<void> {
  const file = await open(join(folder, MARK), 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(work));
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(folder);
}

export async function markFinished(folder: string): Promise<void> {
  await rm(join(folder, MARK), { force: true });
}

/** Null where no work is unfinished, and where what is said of it cannot be read. */
export async function readUnfinished(folder: string): Promise<Unfinished | null> {
  try {
    const work: Unfinished = JSON.parse(await readFile(join(folder, MARK), 'utf8'));
    return typeof work.import === 'string' ? work : null;
  } catch {
    return null;
  }
}

/** Removes a folder. The mark goes last: a removal that was interrupted is known for what it is. */
export async function removeMarkedFolder(folder: string): Promise<void> {
  await emptyMarkedFolder(folder);
  await rm(join(folder, MARK), { force: true });
  await rmdir(folder);
}

/** Removes all that a folder holds but its mark, by which a later import knows that there is more to do. */
export async function emptyMarkedFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name !== MARK) await rm(join(folder, name), { recursive: true, force: true });
  }
}
