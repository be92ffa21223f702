import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Business } from '../business/business.ts';
import { type Held, type LandedFile, recordImported } from '../control/connections/connection-leases.ts';
import { listingCalled, otherOriginAt } from '../control/connections/other-origins.ts';
import { isSurelyLater } from '../control/database/clock-tolerance.ts';
import { importFiles } from '../import/run.ts';
import type { ImportContext } from '../snapshot/import-context.ts';
import { UnchangedError } from '../snapshot/import-errors.ts';
import type { TableCounts } from '../snapshot/import-report.ts';
import type { Settings } from '../sources/source.ts';
import type { LandedFiles } from './landing/landed-files.ts';
import { withoutBuyers } from './reconcile/without-buyers.ts';
import type { Deletion, Vendor } from './vendor.ts';

/**
 * How many bad rows are left out, and told, before an import is refused: one odd order must not stop a store.
 */
const MOST_REJECTS = { rows: 3, share: 0.05 } as const;

export interface ImportedReport {
  /** Null where the store had all rows already, with the same values: then no snapshot is made. */
  readonly snapshot: string | null;
  readonly tables: Readonly<Record<string, TableCounts>>;
  readonly rejects_file: string | null;
  readonly warnings: readonly string[];
}

interface Landed {
  readonly business: Business;
  readonly held: Held;
  readonly files: LandedFiles;
  readonly vendor: Vendor;
  /** Given for this import; those of earlier imports are remembered. */
  readonly settings: Settings;
}

/**
 * Imports what was landed and is not imported yet, by the way that files take. Killed in between, it imports
 * again what it had imported: rows that come twice count once.
 *
 * @throws ImportError, LeaseLostError
 */
export async function importLanded(context: ImportContext, landed: Landed): Promise<ImportedReport[]> {
  const { held, files } = landed;
  const reports: ImportedReport[] = [];
  const pending = (await files.list()).filter(({ imported_at }) => imported_at === null);
  for (const batch of batchesOf(pending)) {
    const imported =
      batch[0]?.kind === 'gone'
        ? await importGone(context, landed, batch)
        : [await importRows(context, landed, batch)];
    reports.push(...imported);
    await recordImported(
      context.control,
      held,
      batch.map(({ file_number }) => file_number),
    );
  }
  return reports;
}

/**
 * Whether rows that wait to be deleted, since they were found to be gone or the vendor told, came by another
 * way meanwhile.
 */
async function isOutdated(
  { control }: ImportContext,
  { connection }: Held,
  { stream, landed_at }: LandedFile,
): Promise<boolean> {
  const listing = listingCalled(stream);
  if (listing === undefined) return false;
  const otherwise = await otherOriginAt(control, connection.connection_id, listing, 'going');
  return otherwise !== null && !isSurelyLater(landed_at, otherwise);
}

/** Deletions stay in their order among the rows: an order may be deleted and come again. */
function batchesOf(files: readonly LandedFile[]): LandedFile[][] {
  const batches: LandedFile[][] = [];
  for (const file of files) {
    const last = batches.at(-1);
    if (last === undefined || last[0]?.kind !== file.kind) batches.push([file]);
    else last.push(file);
  }
  return batches;
}

async function importRows(
  context: ImportContext,
  landed: Landed,
  batch: readonly LandedFile[],
): Promise<ImportedReport> {
  const { files, vendor } = landed;
  const landedAs = new Map<string, string>();
  for (const file of batch) {
    const stream = vendor.streams.find(({ name }) => name === file.stream);
    // This version of the program may have a stream no more.
    if (stream !== undefined) landedAs.set(files.path(file), stream.landsAs);
  }
  if (landedAs.size === 0) return NOTHING;
  return importPaths(context, landed, batch, [...landedAs.keys()], landedAs);
}

/**
 * Persons go after all else: whether somebody has an order is asked when those that are gone have left the
 * store.
 */
async function importGone(
  context: ImportContext,
  landed: Landed,
  batch: readonly LandedFile[],
): Promise<ImportedReport[]> {
  const { business, held, files } = landed;
  const folder = await mkdtemp(join(files.folder, 'going-'));
  const reports: ImportedReport[] = [];
  const nobodys = (ids: readonly string[]) => withoutBuyers(context, business, folder, ids);
  const isOfPersons = ({ table }: Deletion) => table === 'profiles';
  const steps = [
    async (gone: readonly Deletion[]) => gone.filter((row) => !isOfPersons(row)),
    (gone: readonly Deletion[]) => ofNobody(gone.filter(isOfPersons), nobodys),
  ];
  try {
    for (const choose of steps) {
      const paths: string[] = [];
      for (const file of batch) {
        if (await isOutdated(context, held, file)) continue;
        const gone = await choose(await readGone(files.path(file)));
        paths.push(...(await writeGone(folder, file.file_number, gone)));
      }
      if (paths.length > 0) reports.push(await importPaths(context, landed, batch, paths));
    }
    return reports;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function importPaths(
  context: ImportContext,
  { business, held, settings }: Landed,
  batch: readonly LandedFile[],
  paths: readonly string[],
  landedAs: ReadonlyMap<string, string> = new Map(),
): Promise<ImportedReport> {
  const rows = batch.reduce((sum, file) => sum + file.row_count, 0);
  const most = Math.max(MOST_REJECTS.rows, Math.floor(rows * MOST_REJECTS.share));
  return importOrLeave(context, business, paths, {
    settings,
    landedAs,
    isOfLanded: true,
    maxRejects: { rows: most },
    broughtBy: held.connection.connection_id,
    // The stock was read when its rows landed, and some of them may have waited.
    readAt: new Date(Math.max(...batch.map(({ landed_at }) => Date.parse(landed_at)))),
  });
}

const NOTHING: ImportedReport = { snapshot: null, tables: {}, rejects_file: null, warnings: [] };

/** Imports files, and makes no snapshot of what is there as it is. @throws ImportError */
export async function importOrLeave(
  context: ImportContext,
  business: Business,
  paths: readonly string[],
  options: Parameters<typeof importFiles>[3],
): Promise<ImportedReport> {
  try {
    const imported = await importFiles(context, business, paths, { ...options, refusesUnchanged: true });
    const { snapshot, tables, rejects_file, warnings } = imported;
    return { snapshot, tables, rejects_file, warnings };
  } catch (error) {
    if (!(error instanceof UnchangedError)) throw error;
    return {
      ...NOTHING,
      tables: error.report?.tables ?? {},
      rejects_file: error.report?.rejects_file ?? null,
    };
  }
}

async function readGone(landed: string): Promise<Deletion[]> {
  const lines = (await promisify(gunzip)(await readFile(landed))).toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Deletion);
}

/** Writes deletions as files of our own format, in which a row can say that it is deleted. */
async function writeGone(folder: string, number: number, gone: readonly Deletion[]): Promise<string[]> {
  const paths: string[] = [];
  for (const [table, rows] of Map.groupBy(gone, (row) => row.table)) {
    const path = join(folder, `${table}-gone-${number}.ndjson`);
    await writeFile(path, rows.map(({ key }) => `${JSON.stringify({ ...key, _deleted: true })}\n`).join(''), {
      mode: 0o600,
    });
    paths.push(path);
  }
  return paths;
}

async function ofNobody(
  profiles: readonly Deletion[],
  nobodys: (profileIds: readonly string[]) => Promise<string[]>,
): Promise<Deletion[]> {
  if (profiles.length === 0) return [];
  const ids = new Set(await nobodys(profiles.flatMap(({ key }) => key.profile_id ?? [])));
  return profiles.filter(({ key }) => ids.has(key.profile_id ?? ''));
}
