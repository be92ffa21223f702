import type { Row } from '../../sql/row.ts';
import { parameter, type Sql, sql } from '../../sql/sql.ts';
import type { Range } from '../range.ts';
import { knownProfiles } from '../tables.ts';
import { type ConsentChannel, consentsOf, holdsBefore } from './consents.ts';

/** All states, those who can be written to first. */
const STATES = [
  'subscribed',
  'pending',
  'unsubscribed',
  'bounced',
  'complained',
  'suppressed',
  'never_subscribed',
] as const;

/** How many profiles that are known at the end of the range are in each state then, a row per state. */
export function statesAtEnd(channel: ConsentChannel, { end }: Range): Sql {
  return sql`
    select coalesce(state, 'never_subscribed') as state, count(*) as profiles_count
    from (
      select customer_key from ${knownProfiles}
      where first_seen_at is null or first_seen_at < ${parameter.timestamp(end)}
    ) as known
    left join (
      select customer_key, state from ${consentsOf(channel)} and ${holdsBefore(end)}
    ) as held using (customer_key)
    group by state`;
}

/** Every state, also one that nobody is in. */
export function stateRows(rows: readonly Row[]): object[] {
  const counts = new Map(rows.map(({ state, profiles_count }) => [state, profiles_count]));
  return STATES.map((state) => ({ state, profiles_count: counts.get(state) ?? 0 }));
}
