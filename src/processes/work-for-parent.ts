import { writeSync } from 'node:fs';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import type { FromChild, ToChild } from './job-messages.ts';
import type { Limits } from './limits.ts';
import { BEAT_MS, MESSAGE_PIPE, WATCHED, WATCHED_BYTES } from './watched.ts';

/** A job that was stopped and does not end is killed with its process, which harms no data. */
export const STOP_MS = 3000;

/** What a job has beside what it was given. */
export interface Job {
  /** Aborts where the parent wants it ended, or is gone. */
  readonly signal: AbortSignal;
  /** The parent's log. */
  readonly log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
  /** Tells the parent something on the way. */
  note(note: unknown): void;
  /** Works when the parent says that it is its turn. */
  whenTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * Makes this process one that works for its parent (`JobProcess`), job after job, until its standard input
 * ends. A thread beside watches what each job takes, and whether the parent is there.
 *
 * @param work gives what is told as the result, which JSON must be able to say
 */
export async function workForParent(work: (given: unknown, job: Job) => Promise<unknown>): Promise<void> {
  const watched = new Float64Array(new SharedArrayBuffer(WATCHED_BYTES));
  const watchdog = new Worker(new URL(`./watchdog${extname(import.meta.url)}`, import.meta.url), {
    workerData: { shared: watched.buffer, parent: process.ppid },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  watchdog.unref();
  const set = (name: keyof typeof WATCHED, value: number) => {
    watched[WATCHED[name]] = value;
  };
  const add = (name: keyof typeof WATCHED) => set(name, (watched[WATCHED[name]] ?? 0) + 1);
  setInterval(() => add('beats'), BEAT_MS).unref();
  let stopping = new AbortController();
  let turn = Promise.withResolvers<void>();
  const stop = () => {
    stopping.abort(new Error('the work was stopped'));
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), STOP_MS).unref();
  };
  const runJob = async (given: unknown, limits: Limits) => {
    const current = new AbortController();
    stopping = current;
    begin(limits);
    try {
      const result = await work(given, jobOf(current.signal));
      tell({ tell: 'done', result, residentMb: Math.round(process.memoryUsage.rss() / 2 ** 20) });
    } catch (error) {
      tell({ tell: 'failed', error: toldError(error), isOver: false });
    } finally {
      add('jobs');
    }
  };
  const begin = (limits: Limits) => {
    for (const name of ['residentMb', 'seconds', 'stuckCpuSeconds'] as const) set(name, limits[name]);
    set('cpuSeconds', limits.cpuSeconds ?? 0);
    set('isWaiting', 0);
    add('jobs');
  };
  const jobOf = (signal: AbortSignal): Job => {
    const logging = (level: 'info' | 'warn' | 'error') => (details: object, message: string) =>
      tell({ tell: 'log', level, details, message });
    return {
      signal,
      log: { info: logging('info'), warn: logging('warn'), error: logging('error') },
      note: (note) => tell({ tell: 'note', note }),
      whenTurn: async (inTurn) => {
        turn = Promise.withResolvers();
        signal.addEventListener('abort', () => turn.reject(signal.reason), { once: true });
        set('isWaiting', 1);
        tell({ tell: 'wait' });
        try {
          await turn.promise;
          set('isWaiting', 0);
          return await inTurn();
        } finally {
          set('isWaiting', 0);
          tell({ tell: 'on' });
        }
      },
    };
  };
  // An error where nobody listens may have left anything half done.
  process.on('uncaughtException', (error) => {
    tell({ tell: 'failed', error: { ...toldError(error), message: 'nobody caught it' }, isOver: true });
    process.kill(process.pid, 'SIGKILL');
  });
  process.on('unhandledRejection', (error) =>
    tell({
      tell: 'log',
      level: 'error',
      details: { error: toldError(error).stack },
      message: 'nobody handled a rejected promise',
    }),
  );
  // Terminals and supervisors send them to parents and children alike; the parent says what becomes of the
  // job.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  let running: Promise<void> = Promise.resolve();
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const said = JSON.parse(line) as ToChild;
    if (said.say === 'work') running = runJob(said.job, said.limits);
    else if (said.say === 'turn') turn.resolve();
    else stop();
  });
  await new Promise<void>((resolve) => lines.once('close', resolve));
  stop();
  await running;
}

/** Waits while the parent does not read: a job tells no faster than somebody listens. */
function tell(told: FromChild): void {
  const bytes = Buffer.from(`${JSON.stringify(told)}\n`);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(MESSAGE_PIPE, bytes, at);
  } catch (error) {
    // The parent is gone, and this process ends soon.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

function toldError(error: unknown) {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: '' };
  const { name, message, stack = '' } = error;
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return { name, message, stack: frames.join('\n') };
}
