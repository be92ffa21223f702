import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from './file-lock.ts';
import { makeFolder } from './make-folder.ts';

/**
 * A folder into which one engine, and nobody else, writes what does not fit into its memory. It is removed
 * when it is disposed of.
 */
export interface SpillFolder extends Disposable {
  readonly path: string;
}

const LOCK = 'lock';
const CONTENT = 'content';
/** The id of a process, and what tells it from others with the same id. */
const NAME = /^\d+-\w{6}$/;
/** Making a folder takes much less. */
const WAIT_SECONDS = 10;

/**
 * Makes a folder for one engine below `root`, and removes those of processes that were killed.
 *
 * ```
 * spill/lock                    held while a folder is made or removed
 * spill/4711-x8Yq2c/lock        held as long as its process lives
 * spill/4711-x8Yq2c/content/    what the engine writes
 * ```
 *
 * @throws when there is no room, or no permission to write
 */
export function makeSpillFolder(root: string): SpillFolder {
  makeFolder(root);
  using _all = lockAll(root);
  removeLeftovers(root);
  const folder = mkdtempSync(join(root, `${process.pid}-`));
  const lock = lockFile(join(folder, LOCK));
  const path = join(folder, CONTENT);
  return {
    path,
    [Symbol.dispose]: () => {
      try {
        rmSync(path, { recursive: true, force: true });
        using _all = lockAll(root);
        rmSync(folder, { recursive: true, force: true });
      } catch {
        // On a disk that fails, what is left goes at the next start: nobody shall be kept from stopping.
      } finally {
        lock?.[Symbol.dispose]();
      }
    },
  };
}

function lockAll(root: string): Disposable {
  const lock = lockFile(join(root, LOCK), WAIT_SECONDS);
  if (lock === null) throw new Error(`${join(root, LOCK)} is held by another process`);
  return lock;
}

/**
 * What is not held was left behind; what is held belongs to a process that lives, maybe in another container.
 */
function removeLeftovers(root: string): void {
  for (const name of readdirSync(root).filter((name) => NAME.test(name))) {
    const folder = join(root, name);
    using lock = lockFile(join(folder, LOCK));
    if (lock !== null) rmSync(folder, { recursive: true, force: true });
  }
}

const MOST_BY_DEFAULT_MB = 10_000;

/**
 * How much may be written where nobody chose a limit: a full disk would stop imports and the control
 * database.
 */
export function defaultSpillLimit(folder: string): string {
  const { bavail, bsize } = statfsSync(folder);
  const halfOfFree = Math.floor((bavail * bsize) / 2 / 1_000_000);
  return `${Math.min(MOST_BY_DEFAULT_MB, halfOfFree)}MB`;
}
