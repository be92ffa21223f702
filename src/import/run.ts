/**
 * An import, from the lock to the snapshot that is served. Each step takes what the one before it returned;
 * none calls another (`scripts/import-direction.ts`).
 */
import type { Business } from '../business/business.ts';
import { rowsBeforeOf } from '../ingest/deletions.ts';
import { findForeignOrders } from '../ingest/foreign-orders.ts';
import type { ImportOptions } from '../ingest/import-options.ts';
import { completeStaged, stageBatch } from '../ingest/stage-batch.ts';
import { createRejects } from '../ingest/stage-table.ts';
import { beginSnapshot, openSnapshot } from '../snapshot/begin-snapshot.ts';
import { buildMerged } from '../snapshot/build-merged.ts';
import type { ImportContext } from '../snapshot/import-context.ts';
import { DEFAULT_LIMITS } from '../snapshot/import-limits.ts';
import { ImportMeter } from '../snapshot/import-meter.ts';
import type { ImportReport } from '../snapshot/import-report.ts';
import { lockBusiness } from '../snapshot/lock-business.ts';
import { mergeStaged } from '../snapshot/merge-staged.ts';
import { INCREMENTAL_LIMITS } from '../snapshot/model-before.ts';
import { publish, removeTrial } from '../snapshot/publish.ts';
import { undoSnapshot } from '../snapshot/undo-snapshot.ts';
import {
  folderRequest,
  type ImportRequest,
  readRequest,
  rememberAnswers,
  type SourceImportOptions,
  tellOfCurrency,
} from '../sources/import-request.ts';
import type { OrderOwner } from '../sources/order-owner.ts';
import { readFiles } from '../sources/read-files.ts';
import { askForCurrency } from '../sources/store-currency.ts';
import { translateFiles } from '../sources/translate-files.ts';
import { askForStore } from '../sources/unset-store.ts';
import { shownContext, shownError, shownReport } from './shown.ts';

/**
 * Imports files of any mix of sources and of our own format: all of it is served afterwards, or nothing has
 * changed.
 *
 * @param paths files, folders and archives
 * @throws ImportError when a file cannot be read or understood, more rows are rejected than allowed, or
 *   another import runs
 */
export async function importFiles(
  context: ImportContext,
  business: Business,
  paths: readonly string[],
  options: SourceImportOptions = {},
): Promise<ImportReport> {
  const request = await readRequest(context.control, business, paths, options);
  const { report, owner } = await run(context, business, request);
  if (!options.isTrial) await rememberAnswers(context.control, business, request, owner, report.sources);
  return { ...report, warnings: [...tellOfCurrency(business, request), ...report.warnings] };
}

/**
 * Imports a folder of canonical files into a store that has no orders of another system: all of it is served
 * afterwards, or nothing has changed.
 *
 * @throws ImportError when a file cannot be read, more rows are rejected than allowed, or another import runs
 */
export async function importFolder(
  context: ImportContext,
  business: Business,
  folder: string,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { report } = await run(context, business, folderRequest(folder, options));
  return report;
}

interface Imported {
  readonly report: ImportReport;
  readonly owner: OrderOwner;
}

/**
 * Names of files and columns, and what DuckDB says of a cell, are texts of the merchant's files: they are
 * shown without personal data.
 */
async function run(context: ImportContext, business: Business, request: ImportRequest): Promise<Imported> {
  using meter = new ImportMeter(context.importLimits ?? DEFAULT_LIMITS);
  try {
    const imported = await runSteps(shownContext(context, business, meter.signal), business, request, meter);
    return { ...imported, report: shownReport(context.secret, business, imported.report) };
  } catch (error) {
    throw shownError(context.secret, business, error);
  }
}

async function runSteps(
  context: ImportContext,
  { business_id }: Business,
  request: ImportRequest,
  meter: ImportMeter,
): Promise<Imported> {
  const { options, changed: settings, currency } = request;
  const { incremental = INCREMENTAL_LIMITS, buildsOn, isOfLanded = false } = options;
  using _lock = lockBusiness(context.data.lock(business_id));
  const work = await beginSnapshot(context, business_id, { settings, incremental, buildsOn });
  const { base } = work;
  try {
    using open = await openSnapshot(work, { isOfLanded, meter });
    const { session } = open;
    await createRejects(session);
    const rowsBefore = rowsBeforeOf(session, base);
    const files = await readFiles(session, base, request);
    const batch = await translateFiles(session, base, files, rowsBefore, request, context.onStep);
    const rows = await stageBatch(work, session, batch, rowsBefore, options);
    if (request.asksForStore) await askForStore(session, rows.batches, base, work.business, request.said);
    if (currency !== null) {
      const foreign = await findForeignOrders(session, rows.batches, base, rowsBefore);
      askForCurrency(foreign, { currency, isSync: options.broughtBy !== undefined });
    }
    const staged = await completeStaged(work, session, batch, rows, rowsBefore, options);
    const merged = await mergeStaged(work, open, staged, options);
    const model = await buildMerged(work, merged);
    const end = options.isTrial ? removeTrial : publish;
    return { report: await end(work, merged, model), owner: batch.owner };
  } catch (error) {
    throw await undoSnapshot(work, error);
  }
}
