import type { Connection } from '../../control/connections/connections.ts';
import type { ConnectionState } from '../../live/schedule.ts';
import type { PlainKey } from '../../messages/catalogue.ts';

/** A connection of a store as its pages show it: in words, and without its key. */
export interface ConnectionView {
  readonly connection_id: string;
  readonly name: string;
  readonly vendor: string;
  /** The account's name at the vendor. */
  readonly account: string | null;
  /** Its state, in words. */
  readonly state: PlainKey;
  /** Whether a person has to do something. */
  readonly isStuck: boolean;
  readonly advice: PlainKey | null;
  readonly message: string | null;
  readonly isPaused: boolean;
  readonly loaded_until: string | null;
  readonly reached_at: string | null;
  readonly next: NextRead;
}

type NextRead =
  | { readonly kind: 'now' }
  | { readonly kind: 'soon' }
  /** It has been due for long: workers are busy, or no worker runs. */
  | { readonly kind: 'late'; readonly since: string }
  | { readonly kind: 'at'; readonly at: string }
  | { readonly kind: 'paused' };

/** What a state means to a person, and what they can do about it; null: nothing. */
export const STATE_WORDS: Readonly<
  Record<ConnectionState, { readonly title: PlainKey; readonly advice: PlainKey | null }>
> = {
  new: { title: 'state.new', advice: 'advice.new' },
  reading: { title: 'state.reading', advice: null },
  ok: { title: 'state.ok', advice: null },
  unauthorized: { title: 'state.unauthorized', advice: 'advice.unauthorized' },
  missing_scope: { title: 'state.missing-scope', advice: 'advice.missing-scope' },
  vendor_down: { title: 'state.vendor-down', advice: null },
  quota: { title: 'state.quota', advice: null },
  api_changed: { title: 'state.api-changed', advice: 'advice.api-changed' },
  bad_answer: { title: 'state.bad-answer', advice: null },
  import_refused: { title: 'state.import-refused', advice: 'advice.import-refused' },
  deletions_refused: { title: 'state.deletions-refused', advice: 'advice.deletions-refused' },
  over_limit: { title: 'state.over-limit', advice: 'advice.over-limit' },
  failed: { title: 'state.failed', advice: 'advice.failed' },
};

const LATE_MS = 10 * 60_000;

/**
 * Whether the page itself asks what to do. The message of such a state uses words of the command line and may
 * hold numbers of the store, such as how many rows are missing.
 */
export function asksOnPage(state: string): boolean {
  return state === 'import_refused' || state === 'deletions_refused';
}

export function connectionView(connection: Connection, vendor: string, now = Date.now()): ConnectionView {
  const { connection_id, name, account, message, is_paused, loaded_until, reached_at } = connection;
  const state = connection.state as ConnectionState;
  const { title, advice } = STATE_WORDS[state];
  return {
    connection_id,
    name,
    vendor,
    account,
    loaded_until,
    reached_at,
    state: is_paused ? 'state.paused' : title,
    isStuck: !is_paused && connection.failures > 0 && advice !== null,
    advice: is_paused ? 'advice.paused' : advice,
    message: is_paused || asksOnPage(state) ? null : message,
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
