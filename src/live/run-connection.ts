import { findBusiness } from '../control/businesses/businesses.ts';
import {
  endRun,
  type Held,
  LeaseLostError,
  readPlaces,
  releaseLease,
} from '../control/connections/connection-leases.ts';
import { type Connection, openSecrets, type Secrets } from '../control/connections/connections.ts';
import { keepRenewing } from '../control/connections/hold-connections.ts';
import { forgetAnswers, rememberedAnswers } from '../control/connections/remembered-answers.ts';
import { InputError } from '../errors.ts';
import type { ImportContext } from '../snapshot/import-context.ts';
import { BusinessLockedError, ImportError, ownWords } from '../snapshot/import-errors.ts';
import { refusalOf } from '../sources/refusal.ts';
import type { Settings } from '../sources/source.ts';
import { businessGate } from '../store/personal-data/business-gate.ts';
import { type ImportedReport, importLanded, importOrLeave } from './import-landed.ts';
import { KEEPING, type Keeping, LandedFiles } from './landing/landed-files.ts';
import {
  ENDS_READING,
  READING_LIMITS,
  type ReadingLimits,
  type ReadReport,
  readStreams,
} from './read-streams.ts';
import { type AskedToReconcile, type ReconcileReport, reconcile } from './reconcile/reconcile.ts';
import type { RefusedDeletions } from './reconcile/refused-deletions.ts';
import type { RunReport } from './run-report.ts';
import { type ConnectionState, nextRun } from './schedule.ts';
import { type Vendor, VendorError } from './vendor.ts';
import { createAccess, type Log, withoutSecrets } from './vendor-access.ts';

export interface RunContext extends Omit<ImportContext, 'signal'> {
  readonly vendors: readonly Vendor[];
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly allowsLoopback?: boolean;
  readonly limits?: ReadingLimits;
  readonly keeping?: Keeping;
  /** Answers to what an import asks, such as what a status means; they are remembered for later runs. */
  readonly settings?: Settings;
  /** A request to look now for what the vendor deleted without a word, whenever that was done last. */
  readonly reconciles?: AskedToReconcile;
  /**
   * Makes the imports of this process wait for each other, since each may need all the memory that is meant
   * for one.
   */
  readonly whenMayImport?: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

export interface RunResult {
  readonly state: ConnectionState;
  readonly message: string | null;
  readonly report: RunReport;
  /** Whether the connection should be read again at once, whatever its state. */
  readonly hasMore: boolean;
  /** Whether it came to looking for what was deleted. */
  readonly hasCompared: boolean;
}

/** A run tries again after this time while another import of the business runs. */
const LOCKED_SECONDS = 10;

/** A first run imports what it has read so far each time that it has read for so long. */
const IMPORT_AFTER_SECONDS = 900;

/**
 * One turn of a connection: reads on, lands, imports, and says when it is due again. Killed at any moment it
 * loses and doubles nothing: what is landed and where the streams go on change in one transaction, after the
 * rows are on the disk.
 *
 * @returns null when the run was stopped, or taken over: it goes on elsewhere, or later
 */
export async function runConnection(context: RunContext, held: Held): Promise<RunResult | null> {
  return whileHeld(context, held, (signal) => runTurn({ ...context, signal }, held));
}

/**
 * A turn, in this process or another, for as long as the connection is held: signs of life are given here.
 *
 * @returns null when the turn was stopped, or taken over
 */
export async function whileHeld(
  context: Pick<RunContext, 'control' | 'log' | 'signal'>,
  held: Held,
  turn: (signal: AbortSignal) => Promise<RunResult>,
): Promise<RunResult | null> {
  const { control, log } = context;
  const { connection_id, name, vendor } = held.connection;
  const ending = new AbortController();
  const signal = AbortSignal.any([context.signal, ending.signal]);
  const stopRenewing = keepRenewing(control, [held], (error) => ending.abort(error));
  try {
    return await turn(signal);
  } catch (error) {
    if (error instanceof LeaseLostError || signal.reason instanceof LeaseLostError) {
      log.warn({ connection: name, connection_id, vendor }, 'another worker took the connection over');
      return null;
    }
    if (!signal.aborted) throw error;
    await releaseLease(control, held).catch(() => {});
    return null;
  } finally {
    stopRenewing();
  }
}

/**
 * Runs a turn of a connection that somebody gives signs of life for. @throws LeaseLostError, or the reason of
 * the signal
 */
export async function runTurn(context: RunContext, held: Held): Promise<RunResult> {
  const { control, data, secret, signal } = context;
  const { connection } = held;
  const started_at = new Date().toISOString();
  let secrets: Secrets = {};
  const imports: ImportedReport[] = [];
  let read: ReadReport = { rows: {}, gone: {}, failed: [], hasMore: false };
  let compared: ReconcileReport = { gone: {}, failed: [], refused: [], notes: [], hasMore: false };
  let hasCompared = false;
  let failure: unknown = null;
  let loadedUntil: string | null = null;
  /** A text that vendor or import wrote, for people: without secrets, persons and where it lies. */
  let shown = (text: string) => withoutSecrets(text, secrets);
  try {
    const vendor = vendorOf(context.vendors, connection.vendor);
    secrets = secretsOf(secret, connection);
    const business = await findBusiness(control, connection.business_id);
    const files = await LandedFiles.open(context, held);
    const gate = businessGate(secret, business);
    shown = (text) => gate.shown(withoutSecrets(text, secrets).replaceAll(`${files.folder}/`, ''));
    const importing = context.whenMayImport ?? ((work) => work());
    const said = await rememberedAnswers(control, connection.connection_id);
    const settings: Settings = { ...said, ...context.settings };
    const access = createAccess(connection, secrets, context);
    const limits = context.limits ?? READING_LIMITS;
    read = await readStreams({
      control,
      data,
      secret,
      business,
      held,
      files,
      vendor,
      access,
      limits,
      importDownloads: async (paths, ends, maxRejects = { rows: 0 }) => {
        const ending = { ...context, signal: AbortSignal.any([signal, ends]) };
        const options = { settings, maxRejects };
        imports.push(await importing(() => importOrLeave(ending, business, paths, options)));
      },
    });
    const importAll = async () => {
      const landed = { business, held, files, vendor, settings };
      imports.push(...(await importing(() => importLanded(context, landed))));
    };
    if (!read.hasMore || (await isTimeToImport(files))) await importAll();
    if (said !== null && imports.length > 0) await forgetAnswers(control, connection.connection_id, said);
    if (!read.hasMore && !read.failed.some(({ error }) => ENDS_READING.has(error.state))) {
      hasCompared = true;
      compared = await reconcile({
        context,
        business,
        held,
        files,
        vendor,
        access,
        asked: context.reconciles ?? null,
        seconds: limits.seconds,
        failed: read.failed.map(({ stream }) => stream),
      });
      if (Object.keys(compared.gone).length > 0) await importAll();
    }
    loadedUntil = await completeUntil(context, held, files, readableStreams(vendor, read));
    await files.tidy(context.keeping ?? KEEPING);
  } catch (error) {
    if (error instanceof LeaseLostError || signal.aborted) throw error;
    failure = error;
  }
  const turn = { started_at, secrets, shown, imports, read, compared, hasCompared, failure, loadedUntil };
  return endTurn(context, held, turn);
}

/** What a turn did until it ended, or failed. */
interface Turn {
  readonly started_at: string;
  readonly secrets: Secrets;
  readonly shown: (text: string) => string;
  readonly imports: readonly ImportedReport[];
  readonly read: ReadReport;
  readonly compared: ReconcileReport;
  readonly hasCompared: boolean;
  readonly failure: unknown;
  readonly loadedUntil: string | null;
}

/** Writes what a turn came to, and when the next one is due. */
async function endTurn(
  context: RunContext,
  held: Held,
  { started_at, secrets, shown, imports, read, compared, hasCompared, failure, loadedUntil }: Turn,
): Promise<RunResult> {
  const { connection } = held;
  const failed = [...read.failed, ...compared.failed];
  const refused = compared.refused.map((each) =>
    refusedInWords(connection, vendorOf(context.vendors, connection.vendor), each),
  );
  const told = tell(failure, failed, refused, read.hasMore || compared.hasMore);
  if (told.state === 'failed')
    context.log.error(
      { connection: connection.name, error: withoutSecrets(stackOf(failure), secrets) },
      'a run failed unexpectedly',
    );
  // An import into the business by somebody else is no failure of the connection.
  const isLocked = failure instanceof BusinessLockedError;
  const report: RunReport = {
    rows: read.rows,
    gone: { ...read.gone, ...compared.gone },
    imports,
    notes: compared.notes.map(shown),
    refused: compared.refused,
    failed: failed.map(({ stream, error }) => ({
      stream,
      state: error.state,
      message: shown(error.message),
    })),
    refusal: told.state === 'import_refused' && !isLocked ? refusalOf(failure, shown) : null,
  };
  const message = told.message === null ? null : shown(told.message);
  const now = new Date();
  const hasMore = failure === null && (read.hasMore || compared.hasMore);
  // Streams that can be read must not wait for one that cannot: the key may never get the scope that it
  // lacks.
  const isInPart =
    failure === null &&
    failed.length > 0 &&
    isReadInPart(vendorOf(context.vendors, connection.vendor), read.failed);
  const state = isLocked ? (connection.state as ConnectionState) : told.state;
  await endRun(context.control, held, {
    run: { started_at, ended_at: now.toISOString(), state, message, report: { ...report } },
    ...whenDue(connection, told, { isLocked, isInPart, hasMore }, now),
    ...(loadedUntil === null ? {} : { loaded_until: loadedUntil }),
  });
  return { state, message, report, hasMore, hasCompared };
}

interface HowItEnded {
  /** Another import of the business was running. */
  readonly isLocked: boolean;
  /** Some streams were read, others could not be. */
  readonly isInPart: boolean;
  readonly hasMore: boolean;
}

/** How many runs failed one after another, and when the next one is due. */
function whenDue(
  connection: Connection,
  { state, retryAt }: Told,
  { isLocked, isInPart, hasMore }: HowItEnded,
  now: Date,
): { readonly failures: number; readonly due_at: Date } {
  const { failures: before, interval_s } = connection;
  if (isLocked) return { failures: before, due_at: new Date(now.getTime() + 1000 * LOCKED_SECONDS) };
  if (isInPart)
    return {
      failures: 0,
      due_at: nextRun({ state: hasMore ? 'reading' : 'ok', failures: 0, interval_s }, now),
    };
  const failures = ['ok', 'reading', 'deletions_refused'].includes(state) ? 0 : before + 1;
  return { failures, due_at: nextRun({ state, failures, interval_s, retryAt }, now) };
}

/** What was refused, in words for the command line. */
function refusedInWords(
  { business_id, name }: Connection,
  vendor: Vendor,
  { title, gone, known }: RefusedDeletions,
): string {
  return (
    `${vendor.title} lists ${gone} of ${known} ${title} no more, which is unlikely, so they were not deleted. Look whether they are gone ` +
    `there; if so, \`source sync ${business_id} ${name} --reconcile --most-gone ${gone}\` deletes them`
  );
}

/** @throws VendorError */
function secretsOf(secret: Buffer, connection: Connection): Secrets {
  try {
    return openSecrets(secret, connection);
  } catch (error) {
    throw error instanceof InputError ? new VendorError('unauthorized', error.message) : error;
  }
}

/** Asked while there is more to read: a snapshot after every turn would only be replaced by the next one. */
async function isTimeToImport(files: LandedFiles): Promise<boolean> {
  const pending = (await files.list()).filter(({ imported_at }) => imported_at === null);
  const bytes = pending.reduce((sum, { byte_count }) => sum + byte_count, 0);
  const since = pending[0]?.landed_at;
  return (
    bytes > READING_LIMITS.pendingBytes ||
    (since !== undefined && Date.now() - Date.parse(since) > 1000 * IMPORT_AFTER_SECONDS)
  );
}

/** @throws InputError when this version knows no such vendor */
export function vendorOf(vendors: readonly Vendor[], name: string): Vendor {
  const vendor = vendors.find((each) => each.name === name);
  if (vendor !== undefined) return vendor;
  throw new InputError(
    `there is no vendor ${name}; ${vendors.map((each) => each.name).join(', ')} can be connected`,
  );
}

/** Whether streams could be read, and those that could not be read stop no other one. */
function isReadInPart(vendor: Vendor, failed: ReadReport['failed']): boolean {
  const names = failed.map(({ stream }) => stream);
  return (
    vendor.streams.some(({ name }) => !names.includes(name)) &&
    failed.every(({ error }) => !ENDS_READING.has(error.state))
  );
}

/** The names of streams that the key may read. */
function readableStreams(vendor: Vendor, { failed }: ReadReport): string[] {
  const closed = failed.filter(({ error }) => error.state === 'missing_scope').map(({ stream }) => stream);
  return vendor.streams.map(({ name }) => name).filter((name) => !closed.includes(name));
}

/**
 * The moment until which all these streams are in what is served. It is null where one was never read to its
 * end.
 */
async function completeUntil(
  { control }: RunContext,
  held: Held,
  files: LandedFiles,
  streams: readonly string[],
): Promise<string | null> {
  if ((await files.list()).some(({ imported_at }) => imported_at === null)) return null;
  const places = new Map(
    (await readPlaces(control, held)).map((place) => [place.stream, place.complete_until]),
  );
  const moments = streams.map((name) => places.get(name) ?? null);
  return moments.every((moment) => moment !== null) ? (moments.toSorted()[0] ?? null) : null;
}

interface Told {
  readonly state: ConnectionState;
  readonly message: string | null;
  readonly retryAt?: Date | undefined;
}

function tell(
  failure: unknown,
  failures: ReadReport['failed'],
  refused: readonly string[],
  hasMore: boolean,
): Told {
  // The failure that ended the reading is told first, before those of streams that were left out.
  const failed = failures.find(({ error }) => ENDS_READING.has(error.state)) ?? failures[0];
  if (failure instanceof VendorError) return failure;
  if (failure instanceof ImportError || failure instanceof InputError)
    return { state: 'import_refused', message: failure.message };
  if (failure !== null)
    return {
      state: 'failed',
      message: ownWords(failure) ?? 'something unexpected happened; the log of the server says what',
    };
  if (failed !== undefined) {
    const { state, message, retryAt } = failed.error;
    return { state, message: `${failed.stream}: ${message}`, retryAt };
  }
  if (hasMore) return { state: 'reading', message: null };
  return refused.length > 0
    ? { state: 'deletions_refused', message: refused.join('. ') }
    : { state: 'ok', message: null };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
