import { join } from 'node:path';
import type { Business } from '../business/business.ts';
import { findBusiness } from '../control/businesses/businesses.ts';
import {
  answerRun,
  readUpload,
  tellRun,
  type Upload,
  type UploadFile,
} from '../control/businesses/uploads.ts';
import { importFiles } from '../import/run.ts';
import { readMaxRejects } from '../ingest/rejects.ts';
import type { ImportContext } from '../snapshot/import-context.ts';
import { UncertainImportError } from '../snapshot/import-errors.ts';
import type { ImportReport } from '../snapshot/import-report.ts';
import { namedMapping, readMappingFile } from '../sources/mapping/known-sources.ts';
import { proposedStore } from '../sources/proposed-store.ts';
import { refusalOf } from '../sources/refusal.ts';
import type { Settings } from '../sources/source.ts';
import { UnsetStoreError } from '../sources/unset-store.ts';
import { businessGate } from '../store/personal-data/business-gate.ts';
import { changeSettings } from './change-settings.ts';
import { type UploadOutcome, written } from './outcome.ts';
import { TablesToMap } from './tables-to-map.ts';
import { filesFolder, removeFiles } from './upload-folder.ts';

const MAPPING = /\.ya?ml$/i;
const TELLING_MS = 500;

/**
 * Checks or publishes the files of an upload, and writes down what it came to. In a process of its own,
 * unless a test runs it.
 */
export async function runUpload(
  context: ImportContext,
  { upload_id, run_id }: { readonly upload_id: string; readonly run_id: string },
): Promise<void> {
  const { control, data } = context;
  const upload = await readUpload(control, upload_id);
  if (upload === null || upload.run_id !== run_id) return;
  if (!(await tellRun(control, run_id, { state: 'running', step: 'starting', done_percent: 0 }))) return;
  const business = await findBusiness(control, upload.business_id);
  const outcome = await outcomeOf(context, business, upload);
  // It was stopped on purpose, so there is nothing to report.
  if (outcome === null) return;
  const isDone = outcome.kind === 'published' || outcome.kind === 'settings';
  if (isDone) await removeFiles(data, upload_id);
  await tellRun(control, run_id, {
    state: isDone ? 'published' : 'open',
    outcome: written(outcome),
  });
}

async function outcomeOf(
  context: ImportContext,
  business: Business,
  upload: Upload & { readonly files: readonly UploadFile[] },
): Promise<UploadOutcome | null> {
  const folder = filesFolder(context.data, upload.upload_id);
  const gate = businessGate(context.secret, business);
  const shown = (text: string) => gate.shown(text.replaceAll(`${folder}/`, ''));
  let found: TablesToMap | null = null;
  try {
    if (upload.work === 'settings')
      return await changeSettings({ ...context, ...tellingSteps(context, upload) }, business, upload.answers);
    const paths = upload.files.map(({ name }) => join(folder, name));
    const { settings, max_rejects, mappings: chosen = {} } = upload.answers;
    const mappings = [
      ...Object.values(chosen).map((text) => namedMapping(text, 'what was chosen for the columns')),
      ...paths.filter((path) => MAPPING.test(path)).map(readMappingFile),
    ];
    found = new TablesToMap(context, upload, mappings, shown);
    const report = await importFiles(
      { ...context, ...tellingSteps(context, upload) },
      business,
      paths.filter((path) => !MAPPING.test(path)),
      {
        settings: settings as Settings,
        mappings,
        maxRejects: readMaxRejects(max_rejects) ?? { rows: 0 },
        store: upload.answers.store ?? {},
        asksForStore: true,
        // While it waited, another upload may have been published; then its check is out of date.
        ...(upload.work === 'check'
          ? { isTrial: true, onTables: found.find }
          : { buildsOn: upload.builds_on }),
      },
    );
    const kind = report.snapshot === null ? 'checked' : 'published';
    return { kind, report: shownReport(report, shown), tables: found.tables };
  } catch (error) {
    if (context.signal?.aborted) return null;
    if (error instanceof UnsetStoreError) return withProposedStore(context, business, upload, error);
    if (error instanceof UncertainImportError) return { kind: 'uncertain' };
    const refusal = refusalOf(error, shown);
    if (refusal === null) throw error;
    const question = refusal.kind === 'refused' ? (found?.question ?? null) : null;
    return { ...((question && refusalOf(question, shown)) ?? refusal), tables: found?.tables ?? [] };
  }
}

/**
 * Goes on with what the files tell of the store, which the page of the check shows; where they do not tell it
 * all, it is asked.
 */
async function withProposedStore(
  context: ImportContext,
  business: Business,
  upload: Upload & { readonly files: readonly UploadFile[] },
  { clues, timezone }: UnsetStoreError,
): Promise<UploadOutcome | null> {
  const known = {
    ...(business.timezone !== null && { timezone: business.timezone }),
    ...(business.primary_currency !== null && { primary_currency: business.primary_currency }),
    ...upload.answers.store,
  };
  const proposed = { ...proposedStore(clues), ...(timezone !== null && { timezone }), ...known };
  if (proposed.timezone === null || proposed.primary_currency === null) return { kind: 'store', proposed };
  const answers = { ...upload.answers, store: proposed };
  await answerRun(context.control, upload.run_id ?? '', answers);
  return outcomeOf(context, { ...business, ...proposed }, { ...upload, answers });
}

/** Names of files and columns are texts of the merchant. */
function shownReport(
  { rejects_file: _, ...report }: ImportReport,
  shown: (text: string) => string,
): UploadOutcomeReport {
  return {
    ...report,
    sources: report.sources.map((source) => ({
      ...source,
      title: shown(source.title),
      files: source.files.map(shown),
      assumptions: source.assumptions.map(shown),
    })),
    reconciliation: report.reconciliation.map((each) => ({
      ...each,
      files: each.files.map(shown),
      assumptions: each.assumptions.map(shown),
    })),
    warnings: report.warnings.map(shown),
  };
}

type UploadOutcomeReport = Extract<UploadOutcome, { readonly kind: 'checked' }>['report'];

/** Steps are told often, and written down twice a second at most. */
function tellingSteps({ control }: ImportContext, { run_id }: Upload): Pick<ImportContext, 'onStep'> {
  let toldAt = 0;
  return {
    onStep: (step, doneShare) => {
      const now = performance.now();
      if (now - toldAt < TELLING_MS) return;
      toldAt = now;
      // A step that cannot be told is no reason to end an import.
      tellRun(control, run_id ?? '', {
        step: step.slice(0, 200),
        done_percent: Math.round(100 * doneShare),
      }).catch(() => {});
    },
  };
}
