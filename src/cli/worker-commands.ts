import { once } from 'node:events';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { runLimits, runProcesses, turnsApart } from '../live/jobs-apart.ts';
import { work } from '../live/worker.ts';
import type { Instance } from '../server/instance.ts';
import { createLog } from '../server/log.ts';
import { removeLeftovers } from '../snapshot/leftovers.ts';
import { withInstance } from './command.ts';
import { stopSignal } from './stop-signals.ts';
import { untilUncaught } from './uncaught-errors.ts';

/** What killed imports left goes now, and again each hour. */
function removeHourly(instance: Instance, log: Logger): NodeJS.Timeout {
  const remove = () => {
    removeLeftovers(instance).catch((error: unknown) =>
      log.error({ err: error }, 'what killed imports left stays'),
    );
  };
  remove();
  return setInterval(remove, 3_600_000).unref();
}

export function addWorkerCommands(program: Command): void {
  program
    .command('worker')
    .description(
      'Read the connections of all businesses when they are due; several workers share the work. `serve` starts one by itself',
    )
    .option('--beside-server', 'end when standard input does, which `serve` holds open')
    .action(
      withInstance<{ json?: true; besideServer?: true }>(async ({ instance, settings }, { besideServer }) => {
        const log = createLog(settings);
        const uncaught = untilUncaught(log);
        const stop = stopSignal();
        const ending = new AbortController();
        const context = {
          ...instance,
          log,
          allowsLoopback: settings.VENDORS_ON_LOOPBACK,
          limits: runLimits(instance.importMemory, settings.RUN_MINUTES),
          signal: AbortSignal.any([stop, ending.signal]),
        };
        const removing = removeHourly(instance, log);
        const atOnce = settings.SYNCS_AT_ONCE;
        await using processes = runProcesses(process.env, atOnce);
        log.info({ at_once: atOnce }, 'working');
        const working = work(context, turnsApart(context, processes), { atOnce });
        const abandoned = besideServer ? [once(process.stdin.resume(), 'close')] : [];
        await Promise.race([working, uncaught, ...abandoned]);
        ending.abort();
        clearInterval(removing);
        await working;
        // Else it would keep this process alive.
        if (besideServer) process.stdin.destroy();
      }),
    );
}
