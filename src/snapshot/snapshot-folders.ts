import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readUnfinished } from './unfinished.ts';

/** The folders of a business's snapshots, by what they are. */
export interface SnapshotFolders {
  /** The snapshot is listed in the control database, and lies here. */
  readonly kept: readonly string[];
  /** What killed imports left: known by the mark that they wrote. */
  readonly leftovers: readonly string[];
  /**
   * Folders that are not listed and are no leftovers: of a control database that was restored or exchanged,
   * or put here by a person.
   */
  readonly unknown: readonly string[];
}

const BUILDING = '.building';

/** The name of a snapshot's folder while an import makes it. */
export function buildingFolder(snapshot: string): string {
  return `${snapshot}${BUILDING}`;
}

export function isBuilding(name: string): boolean {
  return name.endsWith(BUILDING);
}

/** The snapshot that a folder is, or was to become. */
export function snapshotOf(name: string): string {
  return isBuilding(name) ? name.slice(0, -BUILDING.length) : name;
}

/** The form of an id, as `newSnapshotId` makes it. */
const SNAPSHOT_ID = /^\d{8}T\d{9}Z-[0-9a-f]{4}a*$/;

export function isSnapshotId(name: string): boolean {
  return SNAPSHOT_ID.test(name);
}

/** When the import of a snapshot began. It is null for a name that is no id. */
export function momentOfSnapshot(id: string): Date | null {
  if (!isSnapshotId(id)) return null;
  const moment = id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z.*$/, '$1-$2-$3T$4:$5:$6.$7Z');
  return new Date(moment);
}

/**
 * @param listed the snapshots of the control database
 * @param served the one that is served; null when there is none
 */
export async function findSnapshotFolders(
  folder: string,
  listed: readonly string[],
  served: string | null,
): Promise<SnapshotFolders> {
  const found = { kept: [] as string[], leftovers: [] as string[], unknown: [] as string[] };
  const entries = await readdir(folder, { withFileTypes: true }).catch(noneYet);
  for (const { name } of entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink())) {
    if (listed.includes(name)) found.kept.push(name);
    else if (await isLeftover(folder, name, listed, served)) found.leftovers.push(name);
    else found.unknown.push(name);
  }
  found.unknown.sort().reverse();
  return found;
}

function noneYet(error: NodeJS.ErrnoException): [] {
  if (error.code !== 'ENOENT') throw error;
  return [];
}

async function isLeftover(
  folder: string,
  name: string,
  listed: readonly string[],
  served: string | null,
): Promise<boolean> {
  const work = await readUnfinished(join(folder, name));
  // An import that was killed between making the folder and marking it, or after the last of it was removed.
  if (work === null) return isSnapshotId(snapshotOf(name)) && (await isEmpty(join(folder, name)));
  if (name === buildingFolder(work.import)) return true;
  // Finished and never served: the control database is still as it was when that import began. One that was
  // restored serves another snapshot, as a rule; then this may be what it had served later.
  if (name === work.import) return work.builds_on === served;
  // That import was served, and dropped this one.
  return listed.includes(work.import);
}

async function isEmpty(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => ['unreadable'])).length === 0;
}
