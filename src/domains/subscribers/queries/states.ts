import { field, type ObjectOf } from '../../../answers/fields/field.ts';
import { onlyRow, query } from '../../../answers/fields/query.ts';
import { knownProfiles } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import type { Range } from '../../../time/range.ts';
import { type ConsentChannel, consentsOf, holdsBefore } from './consents.ts';

/** Those that consent events make, the one that can be written to first. */
const STATES = ['subscribed', 'pending', 'unsubscribed', 'bounced', 'complained', 'suppressed'] as const;

const profilesCount = field({
  key: 'profiles_count',
  type: 'integer',
  unit: 'profiles',
  definition: 'Profiles known at to_date that are in this state then.',
});

/** Of a state. */
export const stateFields = [
  field({
    key: 'state',
    type: 'text',
    definition:
      'subscribed, pending (double opt-in not confirmed), unsubscribed, bounced, complained, suppressed, never_subscribed.',
  }),
  profilesCount,
];
type State = ObjectOf<typeof stateFields>;

/** How many profiles are in each state at the end of the range, but for those who never were in any. */
export function statesAtEnd(channel: ConsentChannel, { end }: Range) {
  return query(
    stateFields,
    sql`
    select state, count(*) as profiles_count from ${consentsOf(channel)} and ${holdsBefore(end)} group by state`,
  );
}

/** How many profiles are known at the end of the range. */
export function knownAtEnd({ end }: Range) {
  return query(
    [profilesCount],
    sql`
    select count(*) as profiles_count from ${knownProfiles}
    where first_seen_at is null or first_seen_at < ${parameter.timestamp(end)}`,
  );
}

/** Every state, also one that nobody is in. Whoever is in a state is known: all others never subscribed. */
export function stateRows(
  states: readonly State[],
  known: readonly { readonly profiles_count: number }[],
): State[] {
  const counts = new Map(states.map(({ state, profiles_count }) => [state, profiles_count]));
  const held = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [
    ...STATES.map((state) => ({ state, profiles_count: counts.get(state) ?? 0 })),
    { state: 'never_subscribed', profiles_count: onlyRow(known).profiles_count - held },
  ];
}
