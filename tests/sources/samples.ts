import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SAMPLES = fileURLToPath(new URL('../../../shared/data/platform-samples/', import.meta.url));

/**
 * The sample exports in a folder of the founders' data, which is no part of the repository: none where it is
 * absent.
 */
export function samples(folder: string): { readonly name: string; readonly path: string }[] {
  const path = join(SAMPLES, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path).map((name) => ({ name, path: join(path, name) }));
}

/** The reason of a skip. */
export const NO_SAMPLES = "without ../shared/data/platform-samples beside the repository's folder";
