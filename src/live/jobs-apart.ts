import { waitingErasures } from '../control/connections/connection-erasures.ts';
import { endRun, type Held, LeaseLostError } from '../control/connections/connection-leases.ts';
import type { JobOptions } from '../processes/job-process.ts';
import { JobProcesses } from '../processes/job-processes.ts';
import { EndedError, EndedForOthersError, LimitError, type Limits } from '../processes/limits.ts';
import { bytesOf } from '../snapshot/import-memory.ts';
import { deletionKey, POSTPONED_MS } from './forget-persons.ts';
import type { ForgetAnswer, LiveJob, LiveNote, RunAnswer, TryAnswer } from './job-kinds.ts';
import { removeDownloads } from './landing/download-folder.ts';
import type { ReadingTurn } from './reading-turn.ts';
import { type RunContext, type RunResult, whileHeld } from './run-connection.ts';
import { nextRun } from './schedule.ts';
import type { TryKey } from './try-key.ts';
import { oneAtATime, type Turns } from './turns-here.ts';
import { VendorError } from './vendor.ts';
import { leftOf } from './work-on-job.ts';

/**
 * Reads from vendors, and imports what was read, in processes of their own. An answer on which a library
 * throws, hangs or fills the memory ends that process; the server and the reading of other stores go on.
 */

const MEBIBYTE = 2 ** 20;

/** A try asks little, and a person waits for it. */
const TRY_LIMITS: Limits = {
  residentMb: 384,
  seconds: 60,
  cpuSeconds: 20,
  stuckCpuSeconds: 10,
  toldBytes: MEBIBYTE,
};

/** Rows of a page, an answer of 32 MB and what becomes of it. */
const HEAP_MB = { ofTry: 256, ofRun: 1024 } as const;

/** What DuckDB, Node and the buffers of files take beside what an import is given. */
const BESIDE_IMPORT_MB = 1024;

/**
 * @param importMemory for example `4GB`
 * @param minutes that one turn may take, without waiting for its turn to import
 */
export function runLimits(importMemory: string, minutes: number): Limits {
  return {
    residentMb: Math.round(1.25 * (bytesOf(importMemory) / MEBIBYTE)) + BESIDE_IMPORT_MB,
    seconds: 60 * minutes,
    cpuSeconds: null,
    stuckCpuSeconds: 30,
    toldBytes: 16 * MEBIBYTE,
  };
}

/** Tries keys, each in a process that knows nothing of this server: its environment has no setting of it. */
export function tryApart(environment: NodeJS.ProcessEnv): TryKey {
  const plain = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith('STORESIGHT_')),
  );
  return async (vendor, key, { log, signal, allowsLoopback = false }) => {
    await using processes = new JobProcesses({ environment: plain, heapMb: HEAP_MB.ofTry, mostIdle: 0 });
    const job: LiveJob = { do: 'try', vendor: vendor.name, key, allowsLoopback };
    const answer = await processes
      .run(job, { limits: TRY_LIMITS, signal, log })
      .then((told) => told as TryAnswer)
      .catch((error: unknown) => {
        if (!isKilled(error)) throw error;
        log.error({ vendor: vendor.name, error: error.stack }, 'a try of a key was ended');
        throw new VendorError('bad_answer', `what it answered could not be read: ${error.message}`);
      });
    if (!('refused' in answer)) return answer;
    const { state, message, retryAt } = answer.refused;
    throw new VendorError(state, message, retryAt === undefined ? {} : { retryAt: new Date(retryAt) });
  };
}

interface ApartContext
  extends Pick<
    RunContext,
    'control' | 'data' | 'secret' | 'log' | 'signal' | 'allowsLoopback' | 'settings' | 'reconciles' | 'onStep'
  > {
  readonly limits: Limits;
}

/** Processes for turns: one is kept for each turn that may run at once. */
export function runProcesses(environment: NodeJS.ProcessEnv, atOnce: number): JobProcesses {
  return new JobProcesses({ environment, heapMb: HEAP_MB.ofRun, mostIdle: atOnce });
}

/** Turns that imports of this process wait for each other in. */
export function turnsApart(context: ApartContext, processes: JobProcesses): Turns {
  const { control, secret, log, allowsLoopback = false, limits, onStep } = context;
  const whenTurn = oneAtATime();
  const options = (signal: AbortSignal, onNote: (note: LiveNote) => void): JobOptions => ({
    limits,
    signal,
    log,
    whenTurn,
    onNote: (note) => onNote(note as LiveNote),
  });
  const optionsOfRun = (
    signal: AbortSignal,
    onNote: (note: LiveNote) => void,
    turn: ReadingTurn | undefined,
  ) => {
    if (turn === undefined) return options(signal, onNote);
    return {
      ...options(AbortSignal.any([signal, turn.signal]), onNote),
      whenTurn: <Result>(work: () => Promise<Result>) => turn.notReading(() => whenTurn(work)),
    };
  };
  return {
    run: (held, turn) =>
      whileHeld(context, held, async (signal) => {
        const started_at = new Date().toISOString();
        const { settings, reconciles } = context;
        const job: LiveJob = {
          do: 'run',
          held,
          allowsLoopback,
          ...(settings === undefined ? {} : { settings }),
          ...(reconciles === undefined ? {} : { reconciles }),
        };
        const tellStep = (note: LiveNote) => {
          if ('step' in note) onStep?.(note.step, note.doneShare);
        };
        try {
          const answer = (await processes.run(job, optionsOfRun(signal, tellStep, turn))) as RunAnswer;
          if ('isLost' in answer) throw new LeaseLostError();
          return answer;
        } catch (error) {
          if (!isKilled(error)) throw error;
          return endKilled(context, held, started_at, error);
        }
      }),
    forgetNext: async (postponed) => {
      for (const [key, until] of postponed) if (until <= performance.now()) postponed.delete(key);
      if (!(await hasDeletions(postponed))) return false;
      let deletion: string | null = null;
      const note = (told: LiveNote) => {
        if ('deletion' in told) deletion = told.deletion;
      };
      try {
        const job: LiveJob = { do: 'forget', postponed: leftOf(postponed), allowsLoopback };
        const answer = (await processes.run(job, options(context.signal, note))) as ForgetAnswer;
        for (const [key, left] of answer.postponed) postponed.set(key, performance.now() + left);
        return answer.hasDone;
      } catch (error) {
        if (!isKilled(error)) throw error;
        if (deletion !== null) postponed.set(deletion, performance.now() + POSTPONED_MS);
        log.error({ error: error.stack }, 'a deletion that a vendor asked for was ended; it is tried again');
        return false;
      }
    },
  };

  async function hasDeletions(postponed: ReadonlyMap<string, number>): Promise<boolean> {
    for await (const _erasure of waitingErasures(control, secret, (each) => postponed.has(deletionKey(each))))
      return true;
    return false;
  }
}

type Killed = LimitError | EndedForOthersError | EndedError;

function isKilled(error: unknown): error is Killed {
  return error instanceof LimitError || error instanceof EndedForOthersError || error instanceof EndedError;
}

/** The end of a turn whose process was killed, or ended by itself. It is tried again, ever later. */
async function endKilled(
  { control, data, log }: Pick<RunContext, 'control' | 'data' | 'log'>,
  held: Held,
  started_at: string,
  error: Killed,
): Promise<RunResult> {
  const { name, connection_id, business_id, vendor, interval_s, failures: before } = held.connection;
  const isOver = !(error instanceof EndedError);
  const state = isOver ? 'over_limit' : 'failed';
  const message = isOver
    ? `the run was ended: ${error.message}. What was served before stays`
    : 'the run ended in the middle; the log of the server says how. What was served before stays';
  log.error({ business_id, connection: name, connection_id, vendor, error: error.stack }, 'a run was ended');
  // While it is still held: gigabytes, with persons in clear, and the next run may be hours away, or never
  // come.
  await removeDownloads(data.landed(business_id, connection_id)).catch((err: unknown) =>
    log.error(
      { business_id, connection_id, err },
      'what an ended run had downloaded stays until its next run',
    ),
  );
  const now = new Date();
  const failures = before + 1;
  const report = { rows: {}, gone: {}, failed: [], imports: [], notes: [], refused: [], refusal: null };
  await endRun(control, held, {
    run: { started_at, ended_at: now.toISOString(), state, message, report },
    failures,
    due_at: nextRun({ state, failures, interval_s }, now),
  });
  return { state, message, report, hasMore: false, hasCompared: false };
}
