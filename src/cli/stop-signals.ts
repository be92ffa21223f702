import { once } from 'node:events';
import { constants } from 'node:os';

/** A runtime of containers kills after 10 s. */
const MOST_SECONDS = 9;

/** The process was asked to end before it had done what it was to do. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  /** The exit code, as shells tell it. */
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`stopped by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Aborts when the process is asked to end (SIGINT, SIGTERM), so that what is under way stops and tidies up. A
 * process that is asked twice, or has not ended after some seconds, is killed, which harms no data.
 */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  const kill = () => process.kill(process.pid, 'SIGKILL');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) kill();
      stopping.abort(new StoppedError(signal));
      // TRICKY: process.exit would wait for the threads of queries that do not end.
      setTimeout(kill, MOST_SECONDS * 1000).unref();
    });
  }
  return stopping.signal;
}

/** Waits until the process is asked to end. */
export async function untilStopped(stop: AbortSignal): Promise<void> {
  if (!stop.aborted) await once(stop, 'abort');
}
