import type { Business } from '../business/business.ts';
import type { BusinessSettings } from '../control/business-settings.ts';
import { storeFolder } from '../control/data-folder.ts';
import type { Base } from '../snapshot/base.ts';
import type { TableBatch } from '../snapshot/batches.ts';
import {
  buildSnapshot,
  type ImportContext,
  NOTHING_STAGED,
  PROGRESS,
  type Staged,
} from '../snapshot/build-snapshot.ts';
import { ImportError, type RefusalReport, RejectsError } from '../snapshot/errors.ts';
import { DEFAULT_LIMITS } from '../snapshot/import-limits.ts';
import { ImportMeter } from '../snapshot/import-meter.ts';
import { INCREMENTAL_LIMITS, type IncrementalLimits } from '../snapshot/model-before.ts';
import type { ImportReport, SourceReport, TableCounts } from '../snapshot/report.ts';
import { areFewBytes, filesBelow } from '../store/few-bytes.ts';
import { businessGate } from '../store/personal-data/business-gate.ts';
import type { Session } from '../store/session.ts';
import type { CanonicalTable } from '../store/table.ts';
import { CANONICAL_TABLES } from '../store/tables/index.ts';
import { products } from '../store/tables/products.ts';
import { stockReadings } from '../store/tables/stock-readings.ts';
import { counted } from '../text/counted.ts';
import { findDeletions, type RowsBefore, rowsBeforeOf } from './deletions.ts';
import { findFiles } from './files.ts';
import { type ForeignOrders, findForeignOrders } from './foreign-orders.ts';
import { markOtherOrigins } from './mark-other-origins.ts';
import { firstRejects, isWithin, type MaxRejects, writeRejects } from './rejects.ts';
import { createRejects, type StagedFile, stageTable } from './stage.ts';
import { keepReportedStock, recordStock } from './stock-readings.ts';

export interface ImportOptions {
  /** None, unless it is given. */
  readonly maxRejects?: MaxRejects;
  /** Whether order lines are added to those of the same order that were loaded before, instead of replacing them all. */
  readonly addsLines?: boolean;
  /** When the model is brought up to date for whom the import affects; null: never, all of it is built. */
  readonly incremental?: IncrementalLimits | null;
  /** Whether to do all of it but to serve the result. */
  readonly isTrial?: boolean;
  /** The newest snapshot must still be this one, or none. Without: whichever is. */
  readonly buildsOn?: string | null;
  /** Whether an `UnchangedError` ends an import of rows that are all there as they are. */
  readonly refusesUnchanged?: boolean;
  /** Whether all files are landed rows, in which hashes stand for e-mail addresses and phone numbers. */
  readonly isOfLanded?: boolean;
  /** When the files were read where they come from; without: now. */
  readonly readAt?: Date;
  /** The id of the connection that brought the files; without: a person did. */
  readonly broughtBy?: string;
  /** Those of the business that are new from this import on. */
  readonly settings?: Partial<BusinessSettings>;
  /** Told of orders whose money nobody can convert; may refuse the import. */
  readonly onForeign?: (found: ForeignOrders) => void;
}

/** What an import found in its files. */
export interface Batch {
  /** In the order in which a later row replaces an earlier one. */
  readonly files: ReadonlyMap<CanonicalTable, readonly StagedFile[]>;
  readonly warnings: readonly string[];
  readonly sources: readonly SourceReport[];
  /** Rows of the sources, and those of them that are malformed: they never came to be rows of a table. */
  readonly raw: Pick<TableCounts, 'read' | 'rejected'>;
  readonly reconcile?: Staged['reconcile'];
}

/** @param rowsBefore makes the views of what is loaded, for whom they are needed */
type Find = (session: Session, base: Base | null, rowsBefore: RowsBefore) => Promise<Batch>;

/**
 * Imports a folder of canonical files into a store that has no orders of another system: all of it is served afterwards, or nothing
 * has changed.
 *
 * @throws ImportError when a file cannot be read, more rows are rejected than allowed, or another import runs
 */
export async function importFolder(
  context: ImportContext,
  business: Business,
  folder: string,
  options: ImportOptions = {},
): Promise<ImportReport> {
  return importBatch(context, business, options, async ({ meter }) => ({
    ...(await findFiles(folder, CANONICAL_TABLES, meter)),
    ...{ sources: [], raw: { read: 0, rejected: 0 } },
  }));
}

/**
 * Imports what `find` finds: all of it is served afterwards, or nothing has changed.
 *
 * @throws ImportError when a file cannot be read, more rows are rejected than allowed, or another import runs
 */
export async function importBatch(
  context: ImportContext,
  business: Business,
  options: ImportOptions,
  find: Find,
): Promise<ImportReport> {
  const gate = businessGate(context.secret, business);
  const shown = (text: string) => gate.shown(text);
  const { onStep } = context;
  const showing = onStep && ((step: string, doneShare: number) => onStep(shown(step), doneShare));
  using meter = new ImportMeter(context.importLimits ?? DEFAULT_LIMITS);
  const { signal } = context;
  try {
    const report = await stageBatch(
      {
        ...context,
        ...(showing === undefined ? {} : { onStep: showing }),
        signal: signal === undefined ? meter.signal : AbortSignal.any([signal, meter.signal]),
      },
      business,
      options,
      meter,
      find,
    );
    return { ...report, warnings: report.warnings.map(shown) };
  } catch (error) {
    // Names of files and columns, and what DuckDB says of a cell, are texts of the merchant's files too.
    if (error instanceof ImportError) error.message = shown(error.message);
    throw error;
  }
}

async function stageBatch(
  context: ImportContext,
  business: Business,
  {
    maxRejects = { rows: 0 },
    addsLines = false,
    isTrial = false,
    buildsOn,
    incremental = INCREMENTAL_LIMITS,
    refusesUnchanged = false,
    isOfLanded = false,
    readAt = new Date(),
    broughtBy,
    settings = {},
    onForeign,
  }: ImportOptions,
  meter: ImportMeter,
  find: Find,
): Promise<ImportReport> {
  const stage = async (session: Session, snapshotId: string, base: Base | null): Promise<Staged> => {
    await createRejects(session);
    const rowsBefore = rowsBeforeOf(session, base);
    const { files, sources, raw, reconcile, ...found } = await find(session, base, rowsBefore);
    spareWorkOfLittle(session, pathsOf([...files.values()].flat()), base);
    const warnings = [...found.warnings];
    const tables: Record<string, TableCounts> = {};
    const batches = new Map<CanonicalTable, TableBatch>();
    const fileCount = [...files.values()].flat().length;
    let filesRead = 0;
    const stored = new Set(base?.tables);
    const hasBefore = (table: CanonicalTable) =>
      stored.has(table.name) && leavesColumns(table, files.get(table));
    if ([...files.keys()].some(hasBefore)) await rowsBefore();
    for (const table of CANONICAL_TABLES) {
      const staging = files.get(table);
      if (staging === undefined) continue;
      const staged = await stageTable(session, table, staging, {
        onFile: (file) => {
          context.onStep?.(`reading ${file.name}`, (PROGRESS.merging * filesRead) / fileCount);
          filesRead += 1;
        },
        ...(table === products ? { onGood: () => keepReportedStock(session) } : {}),
        addsLines,
        hasBefore: hasBefore(table),
      });
      tables[table.name] = staged.counts;
      batches.set(table, staged.batch);
      warnings.push(...staged.warnings);
    }
    if ((tables[products.name]?.loaded ?? 0) > 0) {
      const isStored = stored.has(stockReadings.name);
      if (isStored) await rowsBefore();
      const given = batches.get(stockReadings);
      const readings = await recordStock(session, { at: readAt, given, hasBefore: isStored });
      if (readings !== undefined) batches.set(stockReadings, readings);
    }
    const counts = rowsOf([...Object.values(tables), raw]);
    const folder = context.data.rejects(business.business_id);
    const rejects_file = counts.rejected === 0 ? null : await writeRejects(session, folder, snapshotId);
    if (!isWithin(maxRejects, counts))
      throw tooManyRejects(
        counts,
        maxRejects,
        { sources, tables, rejects_file },
        await firstRejects(session),
      );
    const foreign = onForeign && (await findForeignOrders(session, batches, base, rowsBefore));
    if (foreign) onForeign(foreign);
    const deletions = await findDeletions(session, tables, rowsBefore);
    if (!isTrial)
      await markOtherOrigins(session, context, business.business_id, files.keys(), broughtBy ?? null);
    return {
      batches,
      addsLines,
      losing: deletions.losing,
      forgets: null,
      report: {
        sources,
        tables: deletions.tables,
        rejects_file,
        warnings: [...leftOut(counts), ...warnings, ...deletions.warnings],
      },
      ...(reconcile === undefined ? {} : { reconcile }),
    };
  };
  return buildSnapshot(context, business, stage, {
    ...{ isTrial, incremental, refusesUnchanged, isOfLanded, meter, settings },
    ...(buildsOn === undefined ? {} : { buildsOn }),
  });
}

/** Whether rows may be among them that leave columns to what is stored. */
function leavesColumns({ isToldByMany }: CanonicalTable, files: readonly StagedFile[] = []): boolean {
  return isToldByMany === true && files.some(({ format }) => format === 'translated');
}

/** From here on the session spares work, where the files to import and the rows before hold little. */
export function spareWorkOfLittle(
  session: Session,
  paths: readonly string[],
  base: Pick<Base, 'folder'> | null,
): void {
  const before = base === null ? [] : filesBelow(storeFolder(base.folder));
  if (areFewBytes([...paths, ...before])) session.spareWork();
}

function pathsOf(files: readonly StagedFile[]): string[] {
  return files.flatMap((file) =>
    file.format === 'translated' ? file.origins.map((origin) => origin.file.path) : [file.path],
  );
}

/** Builds the model of the newest rows: after `business create`, or for this version of the model. */
export async function rebuildSnapshot(
  context: ImportContext,
  business: Pick<Business, 'business_id'>,
): Promise<string> {
  const { snapshot } = await buildSnapshot(context, business, async () => NOTHING_STAGED, {
    isRebuild: true,
  });
  return snapshot;
}

type RowCounts = Pick<TableCounts, 'read' | 'rejected'>;

function rowsOf(counts: readonly RowCounts[]): RowCounts {
  return {
    read: counts.reduce((sum, table) => sum + table.read, 0),
    rejected: counts.reduce((sum, table) => sum + table.rejected, 0),
  };
}

/** A malformed row of a source stands in the counts of no table. */
function leftOut(counts: RowCounts): string[] {
  return counts.rejected === 0 ? [] : [`${badRows(counts)} and left out`];
}

function badRows({ read, rejected }: RowCounts): string {
  return `${counted(read, 'row is', 'rows are', `${rejected} of ${read}`)} bad`;
}

function tooManyRejects(
  counts: RowCounts,
  maxRejects: MaxRejects,
  report: RefusalReport,
  examples: readonly string[],
): RejectsError {
  const allowed = 'rows' in maxRejects ? `${maxRejects.rows}` : `${maxRejects.percent}%`;
  return new RejectsError(
    `${badRows(counts)} and ${allowed} were allowed, so nothing was imported. ` +
      `Each is listed in ${report.rejects_file}; mend them, or allow them with --max-rejects. The first:\n${examples.join('\n')}`,
    report,
    { ...counts, examples },
  );
}
