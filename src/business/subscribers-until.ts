import { earliest, type SnapshotFacts } from './snapshot-facts.ts';

/**
 * The moment until which subscribers and what they did are known: the earliest of the ends. It is null where
 * no consent event is known.
 */
export function subscribersUntil(facts: SnapshotFacts): string | null {
  const { consents_until, messages_until, sessions_until, orders_until } = facts;
  return consents_until === null
    ? null
    : earliest(consents_until, messages_until, sessions_until, orders_until);
}

/**
 * The moment until which interest lists and what their members did are known. It is null where nobody is
 * known to have joined or left.
 */
export function interestListsUntil(facts: SnapshotFacts): string | null {
  const { list_events_until, consents_until, messages_until, orders_until } = facts;
  return list_events_until === null
    ? null
    : earliest(list_events_until, consents_until, messages_until, orders_until);
}

/**
 * Says that without consent events nobody is known to be subscribed, and that this is no fact about the
 * store.
 */
export function consentNotes({ consents_until }: SnapshotFacts): string[] {
  return consents_until === null
    ? ['No consent events are loaded, so nobody is known to be subscribed.']
    : [];
}
