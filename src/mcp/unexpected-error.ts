import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';

/** Keeps an unexpected error in the log, and returns all that a caller may know of it. */
export function hideUnexpected(log: Logger, error: unknown, what: string, facts: object = {}): string {
  const reference = randomUUID();
  log.error({ ...facts, reference, err: error }, what);
  return `internal error; the operator finds it in the log under ${reference}`;
}
