import { open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Waits until a folder and everything in it is on the disk, where a loss of power leaves it. */
export async function makeDurable(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeDurable(path);
    else await syncFile(path);
  }
  await syncFolder(folder);
}

/** Waits until the names in a folder, and in the folders above it up to `root`, are on the disk. */
export async function makeNamesDurable(folder: string, root: string): Promise<void> {
  await syncFolder(folder);
  if (folder !== root && folder !== dirname(folder)) await makeNamesDurable(dirname(folder), root);
}

export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The names in a folder. Windows, where a folder cannot be opened as a file, keeps them in its journal. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await syncFile(folder);
}
