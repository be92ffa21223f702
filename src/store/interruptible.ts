import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * Runs a statement of the connection so that it ends soon after the signal aborts.
 *
 * TRICKY: an interrupt before the statement executes (while it is prepared, or waits for a thread) is lost,
 * so it is repeated. The statement must have ended before its connection is closed: closing one that is at
 * work loses the interrupt, and the process could not end before the statement.
 *
 * @throws the signal's reason
 */
export async function interruptible<Result>(
  connection: DuckDBConnection,
  signal: AbortSignal | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  let interrupting: NodeJS.Timeout | undefined;
  const stop = () => {
    interrupting = setInterval(() => connection.interrupt(), 20);
  };
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await run();
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    clearInterval(interrupting);
    signal?.removeEventListener('abort', stop);
  }
}
