import type { Row } from '../../sql/row.ts';
import { parameter, type Sql, sql } from '../../sql/sql.ts';
import type { Range } from '../range.ts';
import { knownProfiles } from '../tables.ts';
import { type ConsentChannel, consentsOf, holdsBefore } from './consents.ts';

/** Those that consent events make, the one that can be written to first. */
const STATES = ['subscribed', 'pending', 'unsubscribed', 'bounced', 'complained', 'suppressed'] as const;

/** How many profiles are in each state at the end of the range, but for those who never were in any. */
export function statesAtEnd(channel: ConsentChannel, { end }: Range): Sql {
  return sql`
    select state, count(*) as profiles_count from ${consentsOf(channel)} and ${holdsBefore(end)} group by state`;
}

/** How many profiles are known at the end of the range. */
export function knownAtEnd({ end }: Range): Sql {
  return sql`
    select count(*) as profiles_count from ${knownProfiles}
    where first_seen_at is null or first_seen_at < ${parameter.timestamp(end)}`;
}

/** Every state, also one that nobody is in. Whoever is in a state is known: all others never subscribed. */
export function stateRows(states: readonly Row[], [known]: readonly Row[]): object[] {
  const counts = new Map(states.map(({ state, profiles_count }) => [state, Number(profiles_count)]));
  const held = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [
    ...STATES.map((state) => ({ state, profiles_count: counts.get(state) ?? 0 })),
    { state: 'never_subscribed', profiles_count: Number(known?.profiles_count) - held },
  ];
}
