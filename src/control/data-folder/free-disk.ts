import { statfs } from 'node:fs/promises';
import type { DataFolder } from './data-folder.ts';

/** This much of the disk stays free, since imports and the control database write there too. */
export const KEPT_FREE_BYTES = 2 ** 30;

const LOOKING_MS = 1000;

export async function freeBytes(data: DataFolder): Promise<number> {
  const { bavail, bsize } = await statfs(data.root);
  return bavail * bsize;
}

/**
 * Others fill the disk too, small files may unpack to large ones, and what does not fit into memory is
 * spilled: whatever fills it, files that come and imports end before it is full.
 */
export function watchDisk(data: DataFolder): { readonly signal: AbortSignal; stop(): void } {
  const full = new AbortController();
  const timer = setInterval(() => {
    freeBytes(data).then(
      (free) => free < KEPT_FREE_BYTES && full.abort(new Error('the disk is nearly full')),
      () => {},
    );
  }, LOOKING_MS);
  return { signal: full.signal, stop: () => clearInterval(timer) };
}
