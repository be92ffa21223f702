import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Business } from '../business/business.ts';
import { readAttributionWindows } from '../control/attribution-windows.ts';
import type { BusinessSettings } from '../control/business-settings.ts';
import { currentSnapshot, findBusiness, listSnapshots } from '../control/businesses.ts';
import { type DataFolder, modelFile, storeFolder } from '../control/data-folder.ts';
import type { ControlDatabase } from '../control/database.ts';
import { makeFolder } from '../control/make-folder.ts';
import { contentOf } from '../control/published-snapshot.ts';
import { fingerprintOf } from '../control/secret.ts';
import { listServedModels } from '../control/served-models.ts';
import { readVatRate } from '../control/vat-rate.ts';
import { areFewBytes, filesBelow } from '../store/few-bytes.ts';
import { hashKey } from '../store/keyed-hash.ts';
import { businessGate, type GateBusiness } from '../store/personal-data/business-gate.ts';
import { defineGate } from '../store/personal-data/session-gate.ts';
import { Session } from '../store/session.ts';
import type { CanonicalTable } from '../store/table.ts';
import { CANONICAL_TABLES } from '../store/tables/index.ts';
import { type Base, findBase } from './base.ts';
import type { Batches } from './batches.ts';
import { settingsOf, setVariables } from './build/build-model.ts';
import { MODEL_VERSION } from './build/model-version.ts';
import {
  ImportError,
  isDiskFull,
  ownWords,
  UNFORESEEN,
  UncertainImportError,
  UnchangedError,
} from './errors.ts';
import type { ImportLimits } from './import-limits.ts';
import { gigabytes } from './import-limits.ts';
import { memoryOfDuckDb } from './import-memory.ts';
import type { ImportMeter } from './import-meter.ts';
import { bytesWritten } from './import-meter.ts';
import { carryKeys } from './key-parts.ts';
import { clearFinishedMarks, removeKnown } from './leftovers.ts';
import { lockBusiness } from './lock.ts';
import { findModelBefore, type IncrementalLimits } from './model-before.ts';
import { makeModel } from './model-file.ts';
import { removeOldRejects } from './old-rejects.ts';
import { publishBuilt } from './publish-built.ts';
import type { ImportReport, Reconciliation } from './report.ts';
import { stayingSnapshots } from './retention.ts';
import { describeSnapshot, type ImportedReport, readDescription } from './snapshot-description.ts';
import { buildingFolder, findSnapshotFolders, isSnapshotId } from './snapshot-folders.ts';
import { isGated, writeStore } from './store.ts';
import { refuseUnconvertible } from './unconvertible-money.ts';
import { markUnfinished } from './unfinished.ts';
import type { WarehouseCopier } from './warehouse-copier.ts';
import { warnOfSecrets, warnOfUnknown } from './warnings.ts';

/** Told what is being done now, and which share of the work, 0 to 1, lies behind. */
export type OnStep = (step: string, doneShare: number) => void;

/** About where the phases of an import begin, as shares of its time. */
export const PROGRESS = { merging: 0.55, building: 0.65, checking: 0.95, publishing: 0.97 };

export interface ImportContext {
  readonly control: ControlDatabase;
  readonly data: DataFolder;
  readonly secret: Buffer;
  readonly onStep?: OnStep;
  /** Null where queries run on the files of this data folder. */
  readonly copier: WarehouseCopier | null;
  /** How much may be written to disk of what does not fit into memory, for example `10GB`. */
  readonly spillLimit: string;
  /** Stops the work; nothing has changed then. */
  readonly signal?: AbortSignal;
  /** How much memory an import may take, for example `4GB`; it spills what needs more. */
  readonly importMemory: string;
  /** On how many processors at once it works; without: on all. */
  readonly importThreads?: number;
  /** What an import of files may take. */
  readonly importLimits?: ImportLimits;
}

export interface Staged {
  readonly batches: Batches;
  /** Whether rows of a list, such as order lines, are added to it instead of replacing it. */
  readonly addsLines: boolean;
  /** The tables of which rows go: their keys are in `gone_<table>`. */
  readonly losing: ReadonlySet<CanonicalTable>;
  /** Where persons are forgotten, how many rows of theirs go, by table: no older snapshot stays then. */
  readonly forgets: Readonly<Record<string, number>> | null;
  readonly report: Omit<
    ImportReport,
    'snapshot' | 'builds_on' | 'build' | 'changes' | 'personal_data_removed' | 'reconciliation'
  >;
  /** Compares what was read with what the new model answers, in the session that built it. */
  readonly reconcile?: (session: Session) => Promise<readonly Reconciliation[]>;
}

export const NOTHING_STAGED: Staged = {
  batches: new Map(),
  addsLines: false,
  losing: new Set(),
  forgets: null,
  report: { sources: [], tables: {}, rejects_file: null, warnings: [] },
};

interface BuildOptions {
  /** A snapshot that the control database does not list, to build on instead of the newest one. */
  readonly adopted?: Base | null;
  /** Those of the business that are new from this snapshot on. */
  readonly settings?: Partial<BusinessSettings>;
  /** Nothing is staged, and nothing changes but the model: it is this version's of the newest rows. */
  readonly isRebuild?: boolean;
  /** When the model is brought up to date; null: never, all of it is built. */
  readonly incremental?: IncrementalLimits | null;
  /** Nothing is served in the end. */
  readonly isTrial?: boolean;
  /** The newest snapshot must still be this one, or none: what was seen of the store would not hold. Without: whichever is. */
  readonly buildsOn?: string | null;
  /** Whether an `UnchangedError` ends what would make a snapshot with the rows of the one before. */
  readonly refusesUnchanged?: boolean;
  /** Whether all files are landed rows, in which hashes stand for e-mail addresses and phone numbers. */
  readonly isOfLanded?: boolean;
  /** Of an import of files: what it takes is counted there, and its signal is among those of the context. */
  readonly meter?: ImportMeter;
}

type Stage = (session: Session, snapshotId: string, base: Base | null) => Promise<Staged>;

/**
 * Stages, merges into the canonical tables, builds the model, checks it and serves it. Everything happens in a folder
 * that no one reads until its name and one row of the control database say otherwise, so that an import killed at any
 * moment leaves the old snapshot served, and folders that the next import knows by their mark.
 */
export function buildSnapshot(
  context: ImportContext,
  business: Pick<Business, 'business_id'>,
  stage: Stage,
  options?: BuildOptions & { readonly isTrial?: false },
): Promise<ImportReport & { readonly snapshot: string }>;
export function buildSnapshot(
  context: ImportContext,
  business: Pick<Business, 'business_id'>,
  stage: Stage,
  options: BuildOptions,
): Promise<ImportReport>;
export async function buildSnapshot(
  context: ImportContext,
  { business_id: id }: Pick<Business, 'business_id'>,
  stage: Stage,
  {
    adopted = null,
    settings = {},
    isRebuild = false,
    incremental = null,
    isTrial = false,
    buildsOn,
    refusesUnchanged = false,
    isOfLanded = false,
    meter,
  }: BuildOptions = {},
): Promise<ImportReport> {
  const { control, data, secret, onStep, copier, spillLimit, importMemory, importThreads, signal } = context;
  using _lock = lockBusiness(data.lock(id));
  // As it is now: while this import waited for its turn, another may have changed it.
  const {
    attribution_windows = await readAttributionWindows(control, id),
    vat_rate = await readVatRate(control, id),
    ...newSettings
  } = settings;
  const businessBefore = await findBusiness(control, id);
  const business = { ...businessBefore, ...newSettings };
  const newest = await currentSnapshot(control, id);
  if (buildsOn !== undefined && (newest?.snapshot_id ?? null) !== buildsOn)
    throw new ImportError(
      'the data of the store have changed since the files were checked; check them again',
    );
  const snapshots = await listSnapshots(control, id);
  const listed = snapshots.map(({ snapshot_id }) => snapshot_id);
  const folders = await findSnapshotFolders(data.snapshots(id), listed, newest?.snapshot_id ?? null);
  const base = adopted ?? (await findBase(data.snapshots(id), id, { newest, snapshots, folders }));
  await clearFinishedMarks(data.snapshots(id), folders.kept);
  await removeKnown(context, id, folders.leftovers);
  await removeOldRejects(data.rejects(id));

  const snapshotId = newSnapshotId([...listed, ...folders.unknown]);
  const building = join(data.snapshots(id), buildingFolder(snapshotId));
  const spillFolder = join(building, 'temporary');
  const bounds = { memory: memoryOfDuckDb(importMemory), threads: importThreads, spillFolder, spillLimit };
  const changes = join(spillFolder, 'changes');
  /** Null where the rows that no batch brings are as the model before has them. */
  let whyEverybody: string | null = null;
  const before = await findModelBefore({
    adopted,
    settings,
    newest,
    base,
    incremental,
    secret,
    now: { ...business, attribution_windows, vat_rate },
  });
  const work = { import: snapshotId, builds_on: newest?.snapshot_id ?? null };
  try {
    makeFolder(building);
    await markUnfinished(building, work);
    await mkdir(spillFolder, { mode: 0o700 });
    meter?.watch(building, data);
    const { forgets, report, reconcile, session } = await stageAndStore();
    using _ended = session;
    const model = await modelOf(reconcile, forgets !== null, session);
    const { facts, rows, doubts, warnings, build, reconciliation } = model;
    if (isTrial) {
      await removeKnown(context, id, [buildingFolder(snapshotId)]);
      return {
        snapshot: null,
        builds_on: work.builds_on,
        build,
        ...report,
        reconciliation,
        warnings: [...report.warnings, ...warnings],
      };
    }
    onStep?.('publishing', PROGRESS.publishing);
    const reference = { business_id: id, snapshot_id: snapshotId };
    await copier?.copy(reference, modelFile(building), model.changes);
    await rm(spillFolder, { recursive: true });
    const created_at = new Date().toISOString();
    const rebuilt_from = isRebuild && newest !== null ? contentOf(newest) : null;
    const snapshot = {
      snapshot_id: snapshotId,
      model_version: MODEL_VERSION,
      facts,
      created_at,
      rebuilt_from,
    };
    const secrets = [...new Set([...(base?.secrets ?? []), fingerprintOf(secret)])];
    const imported = Object.fromEntries(
      Object.entries(report.tables).map(([table, { loaded }]) => [table, loaded]),
    );
    const deletions = [
      ...(base?.deletions ?? []),
      ...(forgets === null ? [] : [{ deleted_at: created_at, rows: forgets }]),
    ];
    const found = isRebuild
      ? ((await readDescription(base?.folder ?? building).catch(() => null))?.report ?? NOTHING_FOUND)
      : shownReport(secret, business, { sources: report.sources, reconciliation });
    await describeSnapshot(building, {
      ...snapshot,
      build,
      report: found,
      imported,
      rows,
      doubts,
      deletions,
      business,
      secrets,
    });
    const kept = snapshots.filter(({ snapshot_id }) => folders.kept.includes(snapshot_id));
    const servedModels = await listServedModels(control, id);
    const staying =
      newest === null || forgets !== null
        ? []
        : stayingSnapshots({ snapshots: kept, newest, servedModels, isRebuild });
    const going = [...listed, ...(adopted === null ? [] : [adopted.snapshot_id])].filter(
      (old) => !staying.includes(old),
    );
    signal?.throwIfAborted();
    await publishBuilt(context, id, snapshot, work, { staying, going, settings });
    return {
      snapshot: snapshotId,
      builds_on: work.builds_on,
      build,
      ...report,
      reconciliation,
      warnings: [
        ...report.warnings,
        ...warnings,
        ...warnOfUnknown(
          folders.unknown.filter((name) => !going.includes(name)),
          id,
        ),
        ...warnOfSecrets(secrets),
      ],
    };
  } catch (error) {
    if (error instanceof UncertainImportError) throw error;
    const full = isDiskFull(error) ? diskFull(await bytesWritten(building), error) : null;
    await removeKnown(context, id, [buildingFolder(snapshotId), snapshotId]);
    if (signal?.aborted) throw whyStopped(signal);
    if (full !== null || error instanceof ImportError) throw full ?? error;
    throw new ImportError(
      `the import failed, so nothing was changed: ${ownWords(error) ?? UNFORESEEN}`,
      undefined,
      error,
    );
  }

  async function stageAndStore() {
    using open = new DisposableStack();
    const session = open.use(await Session.open(':memory:', bounds, signal, meter));
    setVariables(session, settingsOf(business));
    const personal_data_removed = defineGate(session, secret, business, { isOfLanded });
    const { batches, addsLines, losing, forgets, report, reconcile } = await stage(session, snapshotId, base);
    onStep?.('merging with what was loaded before', PROGRESS.merging);
    const isIncremental = base !== null && typeof before !== 'string';
    // In a copy of the file before, pages that nothing reads any more would still tell of them.
    if (forgets !== null) whyEverybody = 'a person was deleted for good';
    else if (isIncremental && !(await isGated(session, CANONICAL_TABLES, base)))
      whyEverybody = 'what is personal data is told in another way than before';
    let isChanged = base === null;
    const stored = await writeStore(session, CANONICAL_TABLES, batches, base, building, {
      addsLines,
      losing,
      forgets: forgets !== null,
      changes: isIncremental ? changes : null,
      onChange: () => {
        isChanged = true;
      },
    });
    if (refusesUnchanged && !isChanged && Object.keys(settings).length === 0)
      throw new UnchangedError('all rows were there as they are, so nothing was changed', {
        tables: report.tables,
        rejects_file: report.rejects_file,
      });
    const isOfFewBytes = areFewBytes(filesBelow(storeFolder(building)));
    if (isOfFewBytes) open.move();
    return {
      session: isOfFewBytes ? session : null,
      forgets,
      report: {
        ...report,
        changes: stored.changes,
        personal_data_removed,
        warnings: [...report.warnings, ...stored.warnings],
      },
      reconcile,
    };
  }

  async function modelOf(reconcile: Staged['reconcile'], forgets: boolean, session: Session | null) {
    const model = { ...business, attribution_windows, vat_rate };
    const span = PROGRESS.checking - PROGRESS.building;
    const onTable = (name: string, doneShare: number) =>
      onStep?.(`building ${name}`, PROGRESS.building + span * doneShare);
    const keys = await carryKeys(base?.folder ?? null, building, { forgets });
    const work = {
      building,
      business: model,
      key: hashKey(secret, id),
      keys,
      bounds,
      signal,
      session,
      onTable,
      onChecking: () => onStep?.('checking', PROGRESS.checking),
      // Of a store without rows nothing can be lost.
      refuse: async (session: Session) => {
        if (base !== null && base.tables.length > 0)
          await refuseUnconvertible(session, businessBefore, model);
      },
      reconcile,
    };
    return makeModel(work, whyEverybody ?? (typeof before === 'string' ? before : { ...before, changes }));
  }
}

/** Whoever stops an import may say why: a limit of it. */
function whyStopped({ reason }: AbortSignal): ImportError {
  return reason instanceof ImportError
    ? reason
    : new ImportError('the import was stopped, so nothing was changed');
}

function diskFull(written: number, cause: unknown): ImportError {
  return new ImportError(
    `the disk of this server is full: this import had written ${gigabytes(written)} when nothing more fitted on it, and needs more than that. ` +
      'Nothing was changed. Whoever runs this server must make room; then import again',
    undefined,
    cause,
  );
}

const NOTHING_FOUND: ImportedReport = { sources: [], reconciliation: [] };

/** What files and columns are called may hold personal data. */
function shownReport(
  secret: Buffer,
  business: GateBusiness,
  { sources, reconciliation }: ImportedReport,
): ImportedReport {
  const gate = businessGate(secret, business);
  const shown = (texts: readonly string[]) => texts.map((text) => gate.shown(text));
  return {
    sources: sources.map((source) => ({
      ...source,
      title: gate.shown(source.title),
      files: shown(source.files),
      assumptions: shown(source.assumptions),
    })),
    reconciliation: reconciliation.map((each) => ({
      ...each,
      files: shown(each.files),
      assumptions: shown(each.assumptions),
    })),
  };
}

/** Sorts by time, also within a second. */
function newSnapshotId(names: readonly string[]): string {
  const now = new Date().toISOString().replace(/[-:.]/g, '').slice(0, 18);
  const id = `${now}Z-${randomBytes(2).toString('hex')}`;
  const newest = names.filter(isSnapshotId).sort().at(-1) ?? '';
  // A clock that went back must not make the new snapshot look older than the old one.
  return id > newest ? id : `${newest}a`;
}
