import type { Logger } from 'pino';

/**
 * Keeps a process that serves alive. A rejected promise that nobody awaits is logged and ends nothing: the
 * one request that it belonged to has failed, and the others have nothing to do with it.
 *
 * An exception that was thrown where nobody listens may have left anything half done, so that going on is not
 * safe: it is logged, and the process is to stop in order, with status 1, so that whatever supervises it
 * starts it anew.
 *
 * @returns when there was such an exception
 */
export function untilUncaught(log: Logger): Promise<void> {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'nobody handled a rejected promise'));
  const { promise, resolve } = Promise.withResolvers<void>();
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'nobody caught an exception; stopping');
    process.exitCode = 1;
    resolve();
  });
  return promise;
}
