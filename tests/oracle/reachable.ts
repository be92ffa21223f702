// Who may be written to: consented, and not suppressed in either channel, from the rows of the import files.
import { type Channel, consentHistories } from './consents.ts';
import type { Moment } from './moments.ts';
import type { Store } from './store.ts';

const BLOCKED = ['bounced', 'complained', 'suppressed'];

export interface Reach {
  consented: Set<string>;
  suppressed: Set<string>;
  reachable: Set<string>;
}

/** At the moment before `end`; null: now. */
export function reachAt(store: Store, channels: readonly Channel[], end: Moment | null): Reach {
  const inStates = (channel: Channel, states: readonly string[]) =>
    [...consentHistories(store, channel)].flatMap(([customer, changes]) => {
      const state = changes.findLast(({ moment }) => end === null || moment < end)?.state ?? '';
      return states.includes(state) ? [customer] : [];
    });
  const consented = new Set(channels.flatMap((channel) => inStates(channel, ['subscribed'])));
  const suppressed = new Set((['email', 'sms'] as const).flatMap((channel) => inStates(channel, BLOCKED)));
  return { consented, suppressed, reachable: new Set([...consented].filter((one) => !suppressed.has(one))) };
}
