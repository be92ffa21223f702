import type { FailureState } from './vendor.ts';

/** The states of a connection: these, and the failures of its vendor. */
export type ConnectionState =
  /** The connection was made and has not run yet. */
  | 'new'
  /** Reads everything for the first time, or after a long while: there is more to come. */
  | 'reading'
  /** The last run read and imported everything. */
  | 'ok'
  /** What was read is on the disk, and the import refuses it. */
  | 'import_refused'
  /** All was read and imported, but more is gone than is likely: a person is asked. */
  | 'deletions_refused'
  /** A run took more time or memory than it may, and was ended. */
  | 'over_limit'
  /** Something that nobody foresaw. */
  | 'failed'
  | FailureState;

const MINUTE = 60;
const HOUR = 3600;

/**
 * How long to wait in seconds after the first failure, and at most. Each further failure doubles the wait.
 */
const WAITS: Readonly<
  Record<Exclude<ConnectionState, 'new' | 'ok' | 'reading' | 'deletions_refused'>, readonly [number, number]>
> = {
  vendor_down: [MINUTE, HOUR],
  bad_answer: [MINUTE, HOUR],
  quota: [MINUTE, 24 * HOUR],
  // A person has to mend it, and then reads the connection at once by `source sync`.
  unauthorized: [15 * MINUTE, 6 * HOUR],
  missing_scope: [15 * MINUTE, 6 * HOUR],
  api_changed: [HOUR, 24 * HOUR],
  import_refused: [15 * MINUTE, 6 * HOUR],
  over_limit: [5 * MINUTE, 6 * HOUR],
  failed: [5 * MINUTE, 6 * HOUR],
};

interface Ended {
  readonly state: ConnectionState;
  /** Failures in a row, this one too. */
  readonly failures: number;
  readonly interval_s: number;
  readonly retryAt?: Date | undefined;
}

/**
 * Decides when a connection is due again. A tenth of the time is random, so that many connections are not due
 * at once.
 */
export function nextRun(
  { state, failures, interval_s, retryAt }: Ended,
  now: Date,
  random = Math.random(),
): Date {
  if (state === 'new' || state === 'reading') return now;
  const spread = 0.95 + random / 10;
  if (state === 'ok' || state === 'deletions_refused') return after(now, interval_s * spread);
  const [first, longest] = WAITS[state];
  const wait = Math.min(longest, first * 2 ** Math.min(20, Math.max(0, failures - 1)));
  const told = retryAt === undefined ? 0 : (retryAt.getTime() - now.getTime()) / 1000;
  // The vendor may say when to come again, but it can neither make us wait for ever nor make us ask without a
  // pause.
  return after(now, Math.max(told > 0 ? Math.min(told, 24 * HOUR) : wait * spread, 5));
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + 1000 * seconds);
}
