import { earliest, type SnapshotFacts } from './snapshot-facts.ts';

/** Until when subscribers and what they did are known: to the earliest end. Null where no consent event is known. */
export function subscribersUntil(facts: SnapshotFacts): string | null {
  const { consents_until, messages_until, sessions_until, orders_until } = facts;
  return consents_until === null
    ? null
    : earliest(consents_until, messages_until, sessions_until, orders_until);
}

/** Until when interest lists and what their members did are known. Null where nobody is known to have joined or left. */
export function interestListsUntil(facts: SnapshotFacts): string | null {
  const { list_events_until, consents_until, messages_until, orders_until } = facts;
  return list_events_until === null
    ? null
    : earliest(list_events_until, consents_until, messages_until, orders_until);
}

/** Without consent events nobody is known to be subscribed; that is no fact about the store. */
export function consentNotes({ consents_until }: SnapshotFacts): string[] {
  return consents_until === null
    ? ['No consent events are loaded, so nobody is known to be subscribed.']
    : [];
}
