import { basename } from 'node:path';
import { PROGRESS } from '../snapshot/import-context.ts';
import { type RefusalReport, type RejectedCell, RejectsError } from '../snapshot/import-errors.ts';
import type { TableCounts } from '../snapshot/import-report.ts';
import type { SnapshotWork } from '../snapshot/snapshot-work.ts';
import type { Staged } from '../snapshot/staged-tables.ts';
import type { TableBatch } from '../snapshot/table-batches.ts';
import type { CanonicalTable } from '../store/canonical-table.ts';
import type { Session } from '../store/duckdb-session.ts';
import { CANONICAL_TABLES } from '../store/tables/all-tables.ts';
import { products } from '../store/tables/products.ts';
import { stockReadings } from '../store/tables/stock-readings.ts';
import { plural } from '../text/plural.ts';
import type { Batch } from './batch.ts';
import { findDeletions, type RowsBefore } from './deletions.ts';
import type { ImportOptions } from './import-options.ts';
import { markOtherOrigins } from './mark-other-origins.ts';
import {
  describeReject,
  firstRejects,
  isWithin,
  type MaxRejects,
  type RejectsList,
  whereListed,
  writeRejects,
} from './rejects.ts';
import { spareWorkOfLittle } from './spare-work.ts';
import { type StagedFile, stageTable } from './stage-table.ts';
import { recordStock } from './stock-readings.ts';

/** The rows of an import, in `batch_<table>` of the session. */
export interface StagedRows {
  readonly batches: ReadonlyMap<CanonicalTable, TableBatch>;
  readonly tables: Readonly<Record<string, TableCounts>>;
  /** A path; null where no row is bad. */
  readonly rejects_file: string | null;
  readonly warnings: readonly string[];
}

/**
 * Checks the cells of an import's rows, which become values of the types of our tables.
 *
 * @throws RejectsError when more rows are bad than allowed
 */
export async function stageBatch(
  { context, id, snapshotId, base }: SnapshotWork,
  session: Session,
  batch: Batch,
  rowsBefore: RowsBefore,
  { maxRejects = { rows: 0 }, addsLines = false, readAt = new Date() }: ImportOptions,
): Promise<StagedRows> {
  const { files, sources, raw } = batch;
  spareWorkOfLittle(session, pathsOf([...files.values()].flat()), base);
  const stored = new Set(base?.tables);
  const hasBefore = (table: CanonicalTable) =>
    stored.has(table.name) && leavesColumns(table, files.get(table));
  if ([...files.keys()].some(hasBefore)) await rowsBefore();
  const fileCount = [...files.values()].flat().length;
  let filesRead = 0;
  const onFile = (file: StagedFile) => {
    context.onStep?.(`reading ${file.name}`, (PROGRESS.merging * filesRead) / fileCount);
    filesRead += 1;
  };
  const tables: Record<string, TableCounts> = {};
  const batches = new Map<CanonicalTable, TableBatch>();
  const warnings = [...batch.warnings];
  for (const table of CANONICAL_TABLES) {
    const staging = files.get(table);
    if (staging === undefined) continue;
    const options = { onFile, keepsStock: table === products, addsLines, hasBefore: hasBefore(table) };
    const staged = await stageTable(session, table, staging, options);
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
  const list =
    counts.rejected === 0 ? null : await writeRejects(session, context.data.rejects(id), snapshotId);
  const rejects_file = list?.path ?? null;
  if (list !== null && !isWithin(maxRejects, counts)) {
    const report = { sources, tables, rejects_file };
    throw tooManyRejects(counts, maxRejects, { report, list, cells: await firstRejects(session) });
  }
  return { batches, tables, rejects_file, warnings: [...leftOut(counts, list), ...warnings] };
}

/** Finds what staged rows take away of those before, and whose rows else they are. */
export async function completeStaged(
  { context, id }: SnapshotWork,
  session: Session,
  { files, sources, orderFacts }: Batch,
  { batches, tables, rejects_file, warnings }: StagedRows,
  rowsBefore: RowsBefore,
  { addsLines = false, isTrial = false, broughtBy }: ImportOptions,
): Promise<Staged> {
  const deletions = await findDeletions(session, tables, rowsBefore);
  if (!isTrial) await markOtherOrigins(session, context, id, files.keys(), broughtBy ?? null);
  return {
    batches,
    addsLines,
    losing: deletions.losing,
    forgets: null,
    orderFacts,
    report: {
      sources,
      tables: deletions.tables,
      rejects_file,
      warnings: [...warnings, ...deletions.warnings],
    },
  };
}

/** Says whether rows may be among them that leave columns to what is stored. */
function leavesColumns({ isToldByMany }: CanonicalTable, files: readonly StagedFile[] = []): boolean {
  return isToldByMany === true && files.some(({ format }) => format === 'translated');
}

function pathsOf(files: readonly StagedFile[]): string[] {
  return files.flatMap((file) =>
    file.format === 'translated' ? file.origins.map((origin) => origin.file.path) : [file.path],
  );
}

type RowCounts = Pick<TableCounts, 'read' | 'rejected'>;

function rowsOf(counts: readonly RowCounts[]): RowCounts {
  return {
    read: counts.reduce((sum, table) => sum + table.read, 0),
    rejected: counts.reduce((sum, table) => sum + table.rejected, 0),
  };
}

/** A malformed row of a source stands in the counts of no table. */
function leftOut(counts: RowCounts, list: RejectsList | null): string[] {
  if (list === null) return [];
  const cut =
    list.listed < list.all ? `; ${list.listed} bad cells of ${list.all} are in the list of them` : '';
  return [`${badRows(counts)} and left out${cut}`];
}

function badRows({ read, rejected }: RowCounts): string {
  return `${plural(read, 'row is', 'rows are', `${rejected} of ${read}`)} bad`;
}

function tooManyRejects(
  counts: RowCounts,
  maxRejects: MaxRejects,
  {
    report,
    list,
    cells,
  }: {
    readonly report: RefusalReport;
    readonly list: RejectsList;
    readonly cells: readonly RejectedCell[];
  },
): RejectsError {
  const examples = cells.map(describeReject);
  const allowed = 'rows' in maxRejects ? `${maxRejects.rows}` : `${maxRejects.percent}%`;
  return new RejectsError(
    `${badRows(counts)} and ${allowed} were allowed, so nothing was imported. ` +
      `${whereListed(list)}; mend them, or allow them with --max-rejects. The first:\n${examples.join('\n')}`,
    report,
    { ...counts, examples, cells, list: basename(list.path) },
  );
}
