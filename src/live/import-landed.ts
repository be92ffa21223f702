import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Business } from '../business/business.ts';
import { isSurelyLater, listingCalled, otherwiseAt } from '../control/brought-otherwise.ts';
import { type Held, type LandedFile, recordImported } from '../control/connection-leases.ts';
import type { ImportContext } from '../snapshot/build-snapshot.ts';
import { UnchangedError } from '../snapshot/errors.ts';
import type { TableCounts } from '../snapshot/report.ts';
import { importFiles } from '../sources/import-files.ts';
import type { Settings } from '../sources/source.ts';
import type { LandedFiles } from './landing/landed-files.ts';
import { withoutBuyers } from './reconcile/without-buyers.ts';
import type { Gone, Vendor } from './vendor.ts';

/** How many bad rows are left out, and told, before an import is refused: one odd order must not stop a store. */
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
 * Imports what was landed and is not imported yet, by the way that files take. Killed in between, it imports again what
 * it had imported: rows that come twice count once.
 *
 * @throws ImportError, LeaseLostError
 */
export async function importLanded(context: ImportContext, landed: Landed): Promise<ImportedReport[]> {
  const { held, files } = landed;
  const reports: ImportedReport[] = [];
  const pending = (await files.list()).filter(({ imported_at }) => imported_at === null);
  for (const batch of batchesOf(pending)) {
    reports.push(await importBatch(context, landed, batch));
    await recordImported(
      context.control,
      held,
      batch.map(({ file_number }) => file_number),
    );
  }
  return reports;
}

/** Whether rows that wait to be deleted, since they were found to be gone or the vendor told, came by another way meanwhile. */
async function isOutdated(
  { control }: ImportContext,
  { connection }: Held,
  { stream, landed_at }: LandedFile,
): Promise<boolean> {
  const listing = listingCalled(stream);
  if (listing === undefined) return false;
  const otherwise = await otherwiseAt(control, connection.connection_id, listing, 'going');
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

async function importBatch(
  context: ImportContext,
  { business, held, files, vendor, settings }: Landed,
  batch: readonly LandedFile[],
): Promise<ImportedReport> {
  const folder = await mkdtemp(join(files.folder, 'going-'));
  try {
    const landedAs = new Map<string, string>();
    const paths: string[] = [];
    for (const file of batch) {
      if (file.kind === 'gone') {
        if (await isOutdated(context, held, file)) continue;
        const nobodys = (ids: readonly string[]) => withoutBuyers(context, business, folder, ids);
        paths.push(...(await writeGone(folder, file.file_number, files.path(file), nobodys)));
        continue;
      }
      const stream = vendor.streams.find(({ name }) => name === file.stream);
      // This version of the program does not have the stream any more.
      if (stream === undefined) continue;
      landedAs.set(files.path(file), stream.landsAs);
      paths.push(files.path(file));
    }
    if (paths.length === 0) return NOTHING;
    const rows = batch.reduce((sum, file) => sum + file.row_count, 0);
    const most = Math.max(MOST_REJECTS.rows, Math.floor(rows * MOST_REJECTS.share));
    return await importOrLeave(context, business, paths, {
      settings,
      landedAs,
      isOfLanded: true,
      broughtBy: held.connection.connection_id,
      maxRejects: { rows: most },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

/** Writes deletions as files of our own format, in which a row can say that it is deleted. */
async function writeGone(
  folder: string,
  number: number,
  landed: string,
  nobodys: (profileIds: readonly string[]) => Promise<string[]>,
): Promise<string[]> {
  const lines = (await promisify(gunzip)(await readFile(landed))).toString('utf8').split('\n');
  const gone = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Gone);
  const paths: string[] = [];
  for (const [table, all] of Map.groupBy(gone, (row) => row.table)) {
    const rows = table === 'profiles' ? await ofNobody(all, nobodys) : all;
    if (rows.length === 0) continue;
    const path = join(folder, `${table}-gone-${number}.ndjson`);
    await writeFile(path, rows.map(({ key }) => `${JSON.stringify({ ...key, _deleted: true })}\n`).join(''), {
      mode: 0o600,
    });
    paths.push(path);
  }
  return paths;
}

async function ofNobody(
  profiles: readonly Gone[],
  nobodys: (profileIds: readonly string[]) => Promise<string[]>,
): Promise<Gone[]> {
  const ids = new Set(await nobodys(profiles.flatMap(({ key }) => key.profile_id ?? [])));
  return profiles.filter(({ key }) => ids.has(key.profile_id ?? ''));
}
