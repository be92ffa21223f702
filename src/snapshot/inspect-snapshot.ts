import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelBuild } from './model-build.ts';
import { readDescription } from './snapshot-description.ts';
import type { SnapshotRows } from './snapshot-rows.ts';

/** What a snapshot's folder tells of it; each is null where the folder does not know. */
export interface SnapshotInspection {
  readonly bytes: number | null;
  /** The bytes in files that other snapshots have too: removing this one would not free them. */
  readonly shared_bytes: number | null;
  readonly rows: SnapshotRows | null;
  /** How many rows of each table the import brought. */
  readonly imported: Readonly<Record<string, number>> | null;
  readonly build: ModelBuild | null;
}

const NOTHING_KNOWN: SnapshotInspection = {
  bytes: null,
  shared_bytes: null,
  rows: null,
  imported: null,
  build: null,
};

/** A missing folder is no error: an import may be removing it. */
export async function inspectSnapshot(folder: string): Promise<SnapshotInspection> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    const files = entries.filter((entry) => entry.isFile());
    const stats = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))));
    const sum = (some: typeof stats) => some.reduce((total, { size }) => total + size, 0);
    const { rows = null, imported = null, build = null } = (await describedIn(folder)) ?? {};
    return {
      bytes: sum(stats),
      shared_bytes: sum(stats.filter(({ nlink }) => nlink > 1)),
      rows,
      imported,
      build,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NOTHING_KNOWN;
    throw error;
  }
}

/** With a damaged description, the size is still known. */
function describedIn(folder: string) {
  return readDescription(folder).catch(() => null);
}
