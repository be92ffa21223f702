import { LeaseLostError } from '../control/connections/connection-leases.ts';
import type { Job } from '../processes/work-for-parent.ts';
import type { ImportContext } from '../snapshot/import-context.ts';
import { forgetNext } from './forget-persons.ts';
import type {
  ForgetAnswer,
  ForgetJob,
  LiveNote,
  Postponed,
  RunAnswer,
  RunJob,
  TryAnswer,
  TryJob,
} from './job-kinds.ts';
import { type RunContext, runTurn, vendorOf } from './run-connection.ts';
import { tryHere } from './try-key.ts';
import { type Vendor, VendorError } from './vendor.ts';

type Opened = Omit<ImportContext, 'signal' | 'onStep'>;

/** The child's side of a try. */
export async function workOnTry(
  vendors: readonly Vendor[],
  { vendor, key, allowsLoopback }: TryJob,
  { log, signal }: Job,
): Promise<TryAnswer> {
  try {
    return await tryHere(vendorOf(vendors, vendor), key, { log, signal, allowsLoopback });
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    const { state, message, retryAt } = error;
    return { refused: { state, message, retryAt: retryAt?.toISOString() } };
  }
}

/** The child's side of a turn. */
export async function workOnRun(
  opened: Opened,
  vendors: readonly Vendor[],
  { held, ...asked }: RunJob,
  job: Job,
): Promise<RunAnswer> {
  const context = contextOf(opened, vendors, asked, job);
  const onStep = (step: string, doneShare: number) => note(job, { step, doneShare });
  try {
    return await runTurn({ ...context, onStep }, held);
  } catch (error) {
    if (error instanceof LeaseLostError) return { isLost: true };
    throw error;
  }
}

/** The child's side of carrying out what vendors asked to delete. */
export async function workOnForget(
  opened: Opened,
  vendors: readonly Vendor[],
  { postponed, ...asked }: ForgetJob,
  job: Job,
): Promise<ForgetAnswer> {
  const waiting = new Map(postponed.map(([key, left]) => [key, performance.now() + left]));
  const onBegin = (deletion: string) => note(job, { deletion });
  const hasDone = await forgetNext(contextOf(opened, vendors, asked, job), waiting, onBegin);
  return { hasDone, postponed: leftOf(waiting) };
}

export function leftOf(postponed: ReadonlyMap<string, number>): Postponed {
  return [...postponed].map(([key, until]) => [key, Math.max(0, until - performance.now())]);
}

function contextOf(
  opened: Opened,
  vendors: readonly Vendor[],
  asked: Omit<RunJob, 'do' | 'held'>,
  { log, signal, whenTurn }: Job,
): RunContext {
  return { ...opened, vendors, log, signal, whenMayImport: whenTurn, ...asked };
}

function note(job: Job, told: LiveNote): void {
  job.note(told);
}
