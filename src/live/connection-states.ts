import type { ConnectionState } from './schedule.ts';

interface StateInWords {
  readonly title: string;
  /** What a person can do; null: nothing needs to be done. */
  readonly advice: string | null;
  /** The command that changes the state, where there is one. */
  readonly command?: string;
}

/** What a state is to a person who looks at a connection, and what they can do. */
export const STATES: Readonly<Record<ConnectionState, StateInWords>> = {
  new: {
    title: 'not read yet',
    advice: 'it is read in a moment, by whichever worker is free first',
    command: '`serve` or `worker` must run',
  },
  reading: { title: 'reads on', advice: null },
  ok: { title: 'up to date', advice: null },
  unauthorized: {
    title: 'the key is refused',
    advice: 'make a new key at the vendor, and give the connection that key',
    command: '`source key`',
  },
  missing_scope: {
    title: 'the key may not read all',
    advice: 'add what the message names to the key at the vendor, then have it read again',
    command: '`source sync`',
  },
  vendor_down: { title: 'the vendor does not answer', advice: null },
  quota: { title: 'the vendor answers no more for now', advice: null },
  api_changed: {
    title: 'the vendor changed its interface',
    advice: 'a newer version of Storesight must be installed',
  },
  bad_answer: { title: 'the vendor answers with something else', advice: null },
  import_refused: {
    title: 'what was read cannot be imported',
    advice: 'the message says what is missing',
    command: '`source sync` with that setting, or `source runs` for more',
  },
  deletions_refused: {
    title: 'more is gone than is likely',
    advice: 'look whether it is gone at the vendor; the message says how to delete it here, too',
  },
  over_limit: {
    title: 'a run took more than it may, and was ended',
    advice:
      'look whether the vendor holds something unusually large or long. Where it is right as it is, whoever runs this server can allow more (STORESIGHT_RUN_MINUTES, STORESIGHT_IMPORT_MEMORY)',
  },
  failed: { title: 'something unexpected happened', advice: 'the log of the server says what' },
};

/** The advice with the command that does it. */
export function adviceOnCommandLine(state: ConnectionState): string | null {
  const { advice, command } = STATES[state];
  return advice === null || command === undefined ? advice : `${advice} (${command})`;
}
