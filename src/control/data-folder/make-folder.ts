import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder of ours with those above it, for this user alone.
 *
 * TRICKY: below a folder that can only be read the system says that the new one is not there (ENOENT). What
 * is thrown here is why: EROFS or EACCES.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw whyNotWritable(path) ?? error;
  }
}

/**
 * The error of the nearest folder above a path that is there, where nothing can be written into it; else
 * null.
 */
export function whyNotWritable(path: string): unknown {
  let folder = dirname(resolve(path));
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    return null;
  } catch (error) {
    return error;
  }
}
