import { readFileSync, writeFileSync } from 'node:fs';
import type { DataFolder } from '../control/data-folder/data-folder.ts';

/**
 * Writes down where the sign-in of the server that started last is. Commands make links to it, whatever port
 * it was given.
 */
export function writeServedAt(data: DataFolder, authUrl: string): void {
  writeFileSync(data.servedAt, `${authUrl}\n`, { mode: 0o600 });
}

export function readServedAt(data: DataFolder): string | undefined {
  try {
    return readFileSync(data.servedAt, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
