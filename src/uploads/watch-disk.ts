import type { DataFolder } from '../control/data-folder.ts';
import { freeBytes } from './upload-folder.ts';
import { KEPT_FREE_BYTES } from './upload-limits.ts';

const LOOKING_MS = 1000;

/**
 * Others fill the disk too, small files may unpack to large ones, and what does not fit into memory is spilled: whatever fills
 * it, files that come and imports end before it is full.
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
