import type { Connection } from '../../control/connections.ts';
import type { ConnectionState } from '../../live/schedule.ts';
import { STATES } from '../../live/states.ts';

/** A connection of a store as its pages show it: in words, and without its key. */
export interface SourceView {
  readonly connection_id: string;
  readonly name: string;
  readonly vendor: string;
  /** As the vendor calls it. */
  readonly account: string | null;
  /** How it is, in words. */
  readonly state: string;
  /** Whether a person has to do something. */
  readonly isStuck: boolean;
  readonly advice: string | null;
  readonly message: string | null;
  readonly isPaused: boolean;
  readonly loaded_until: string | null;
  readonly reached_at: string | null;
  readonly next: NextRead;
}

type NextRead =
  | { readonly kind: 'now' }
  | { readonly kind: 'soon' }
  /** Due for long: workers are busy, or there is none. */
  | { readonly kind: 'late'; readonly since: string }
  | { readonly kind: 'at'; readonly at: string }
  | { readonly kind: 'paused' };

const LATE_MS = 10 * 60_000;

/** Whether the message of a state may say numbers of the store, such as how much is gone. */
export function saysNumbers(state: string): boolean {
  return state === 'import_refused' || state === 'deletions_refused';
}

/** @param isReader whether the account may see numbers of the store */
export function sourceView(
  connection: Connection,
  vendor: string,
  isReader: boolean,
  now = Date.now(),
): SourceView {
  const { connection_id, name, account, message, is_paused, loaded_until, reached_at } = connection;
  const state = connection.state as ConnectionState;
  const { title, advice } = STATES[state];
  const isRefused = state === 'import_refused';
  return {
    ...{ connection_id, name, vendor, account, loaded_until, reached_at },
    state: is_paused ? 'paused' : title,
    isStuck: !is_paused && connection.failures > 0 && advice !== null,
    advice: is_paused
      ? 'nothing is read until somebody has it read again'
      : isRefused
        ? 'its page says what is missing'
        : advice,
    // That of an import is in words of the command line.
    message: is_paused || isRefused || (!isReader && saysNumbers(state)) ? null : message,
    isPaused: is_paused,
    next: nextRead(connection, now),
  };
}

function nextRead({ is_paused, leased_until, due_at }: Connection, now: number): NextRead {
  if (leased_until !== null && Date.parse(leased_until) > now) return { kind: 'now' };
  if (is_paused) return { kind: 'paused' };
  const due = Date.parse(due_at);
  if (due > now) return { kind: 'at', at: due_at };
  return now - due > LATE_MS ? { kind: 'late', since: due_at } : { kind: 'soon' };
}
