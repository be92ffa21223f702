import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Files } from '../ingest/shop.ts';

const CASES = fileURLToPath(new URL('../../../shared/cases/exports/', import.meta.url));

/** The files of a situation that broke an import once, in the founders' data: null where that is absent. */
export function exportCase(name: string): Files | null {
  const path = join(CASES, name);
  if (!existsSync(path)) return null;
  const files = readdirSync(path).filter((file) => file !== 'README.md');
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(path, file))]));
}

/** The reason of a skip. */
export const NO_CASES = "without ../shared/cases/exports beside the repository's folder";
