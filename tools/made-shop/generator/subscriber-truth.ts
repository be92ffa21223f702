import type { ConsentEvent } from './consents.ts';
import type { ConsentChannel, ConsentState } from './tables.ts';
import { Tally } from './tally.ts';

/** Profiles by channel and state at the end of the history; those never asked are in none. */
export type SubscriberTruth = Record<ConsentChannel, Partial<Record<ConsentState, number>>>;

/** @param events in order of time; the last one is the state, since nothing follows a suppression */
export function countSubscribers(events: readonly ConsentEvent[]): SubscriberTruth {
  return { email: countStates(events, 'email'), sms: countStates(events, 'sms') };
}

function countStates(events: readonly ConsentEvent[], channel: ConsentChannel) {
  const states = new Map<string, ConsentState>();
  for (const event of events) if (event.channel === channel) states.set(event.profile_id, event.state);
  const counts = new Tally<ConsentState>();
  for (const state of states.values()) counts.add(state, 1);
  return Object.fromEntries(counts.sums);
}
