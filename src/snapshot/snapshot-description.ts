import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Business } from '../business/business.ts';
import type { PublishedSnapshot } from '../control/businesses/published-snapshot.ts';
import { InputError } from '../errors.ts';
import type { ImportReport } from './import-report.ts';
import type { ModelBuild } from './model-build.ts';
import type { SnapshotRows } from './snapshot-rows.ts';
import type { Doubts } from './warnings.ts';

/**
 * What a snapshot's folder says of itself, in a file of its own: enough to take it up into a control database
 * that does not know it, such as one that was restored.
 */
export interface SnapshotDescription extends PublishedSnapshot {
  /**
   * How its model was built, which neither the versions before this one nor the next two wrote down. Versions
   * before this one did not say so, nor the next two.
   */
  readonly build?: ModelBuild;
  /** What the import found in its files. Versions before 0.2.0 did not say so. */
  readonly report?: ImportedReport;
  /** How many rows of each canonical table the import that made it brought. */
  readonly imported?: Readonly<Record<string, number>>;
  /** What its model holds, in rows of its main tables. */
  readonly rows?: SnapshotRows;
  /** The number of rows of the store with each doubt. Versions before 0.2.0 did not say so. */
  readonly doubts?: Doubts;
  /** When persons were forgotten, in this snapshot and before. It says nothing of who they were. */
  readonly deletions?: readonly PersonDeletion[];
  /** The business as it was when the model was built. */
  readonly business: Business;
  /** Fingerprints of the secrets that hashed its personal data: one, unless a secret was replaced. */
  readonly secrets: readonly string[];
  /** Every file of the folder, but this one, with its size in bytes. */
  readonly files: Readonly<Record<string, number>>;
}

/** The report without names of files, which are the merchant's. */
export type ImportedReport = Pick<ImportReport, 'sources' | 'reconciliation'>;

export interface PersonDeletion {
  readonly deleted_at: string;
  /** How many rows went, by canonical table. */
  readonly rows: Readonly<Record<string, number>>;
}

const FILE = 'snapshot.json';

export async function describeSnapshot(
  folder: string,
  description: Required<Omit<SnapshotDescription, 'files'>>,
): Promise<void> {
  const files = await sizesOf(folder);
  await writeFile(join(folder, FILE), `${JSON.stringify({ ...description, files }, null, 2)}\n`);
}

async function sizesOf(folder: string): Promise<Record<string, number>> {
  const entries = await readdir(join(folder, 'store'), { recursive: true, withFileTypes: true });
  const stored = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const names = ['model.duckdb', ...stored.map((path) => relative(folder, path).split(sep).join('/'))];
  const sizes = names.map(async (name) => [name, (await stat(join(folder, name))).size]);
  return Object.fromEntries(await Promise.all(sizes));
}

/** Null where there is none, as in snapshots of versions before it. @throws InputError when it is damaged */
export async function readDescription(folder: string): Promise<SnapshotDescription | null> {
  const path = join(folder, FILE);
  try {
    const { model_version, ...description } = JSON.parse(await readFile(path, 'utf8'));
    // A number, before 0.1.0 had hashes.
    const version = typeof model_version === 'number' ? `0.0.${model_version}` : model_version;
    return { ...description, model_version: version };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new InputError(`${path} cannot be read (${(error as Error).message}); restore it from a backup`);
  }
}

/** Finds what is wrong with the first file below `part` that is not as it was written; null when all are. */
export async function findDamage(
  folder: string,
  { files }: Pick<SnapshotDescription, 'files'>,
  part: 'store/' | '',
): Promise<string | null> {
  for (const [name, written] of Object.entries(files).filter(([name]) => name.startsWith(part))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found === null) return `${path} is missing`;
    if (found.size !== written) return `${path} has ${found.size} bytes, and ${written} were written`;
  }
  return null;
}
