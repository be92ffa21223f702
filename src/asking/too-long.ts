import { BusyError, QueryTimeoutError, QueryTooLargeError } from '../warehouse/warehouse.ts';

const TOO_LONG = [BusyError, QueryTimeoutError, QueryTooLargeError];

/** Whether a question was right and could not be answered in the time and memory that there is for it. */
export function isTooLong(error: unknown): boolean {
  return TOO_LONG.some((kind) => error instanceof kind);
}
