import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Logger } from 'pino';
import { hasConnections } from '../control/connections/connections.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';

/** How often the server looks whether a business is connected to something. */
const LOOK_MS = 5000;
/** How long a worker may take to end what it does. */
const LONGEST_STOP_MS = 6000;
/** The longest pause between two starts of a worker that ended by itself. */
const LONGEST_PAUSE_MS = 300_000;

/**
 * Keeps a worker running in a process of its own, of low priority, from the moment on that there is a
 * connection: what it reads and builds takes no turn from calls, and what it breaks stops no server.
 *
 * @returns stops it
 */
export function startSyncWorker(control: ControlDatabase, log: Logger): () => Promise<void> {
  let child: ChildProcess | null = null;
  let isStopping = false;
  let startAt = 0;
  let failures = 0;

  const start = () => {
    const startedAt = Date.now();
    const [program = ''] = process.argv.slice(1);
    // Its log goes where that of the server goes. Its input ends with the server, however that ends.
    const started = spawn(process.execPath, [...process.execArgv, program, 'worker', '--beside-server'], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    child = started;
    if (started.pid !== undefined) lowerPriority(started.pid);
    started.once('error', (error) => log.error({ err: error }, 'the worker cannot be started'));
    started.once('close', (code) => {
      child = null;
      if (isStopping) return;
      failures = Date.now() - startedAt > LONGEST_PAUSE_MS ? 0 : failures + 1;
      const pause = Math.min(LONGEST_PAUSE_MS, LOOK_MS * 2 ** Math.min(10, failures - 1));
      startAt = Date.now() + pause;
      log.error({ code, again_in_ms: pause }, 'the worker ended; it is started again');
    });
  };

  const look = setInterval(() => {
    if (child !== null || isStopping || Date.now() < startAt) return;
    hasConnections(control).then(
      (has) => {
        if (has && child === null && !isStopping) start();
      },
      () => {},
    );
  }, LOOK_MS).unref();

  return async () => {
    isStopping = true;
    clearInterval(look);
    const stopping = child;
    if (stopping === null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    stopping.once('close', () => resolve());
    stopping.kill('SIGTERM');
    // This comes before the server itself is killed for not ending: a run that is killed goes on later.
    const killing = setTimeout(() => stopping.kill('SIGKILL'), LONGEST_STOP_MS);
    await promise;
    clearTimeout(killing);
  };
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It may have ended.
  }
}
