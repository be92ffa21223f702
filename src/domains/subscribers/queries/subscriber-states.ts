import { field, type ObjectOf } from '../../../answers/fields/field.ts';
import { count } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow, query } from '../../../answers/fields/query.ts';
import { consentChanges, knownProfiles } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { SUPPRESSED_STATES } from '../../../store/suppressed-states.ts';
import type { Range } from '../../../time/range.ts';
import { type ConsentChannel, consentsOf, holdsBefore } from './consents.ts';

/** The states that consent events make. The one that can be written to stands first. */
const STATES = ['subscribed', 'pending', 'unsubscribed', 'bounced', 'complained', 'suppressed'] as const;

const profilesCount = field({
  key: 'profiles_count',
  type: 'integer',
  unit: 'profiles',
  definition: 'Profiles known at to_date that are in this state then.',
});

/** The fields of a state. */
export const stateFields = [
  field({
    key: 'state',
    type: 'text',
    isKey: true,
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

export const reachFields = [
  count('profiles', 'reachable_count', 'Subscribed at to_date and then suppressed in neither channel.'),
  count('profiles', 'suppressed_count', 'Profiles suppressed at to_date in e-mail or SMS.'),
];

/** Who may be written to at the end of the range, and who must not: one row. */
export function reachAtEnd(channel: ConsentChannel, { end }: Range) {
  return query(
    reachFields,
    sql`
    select count(*) filter (where is_subscribed and not is_suppressed) as reachable_count,
      count(*) filter (where is_suppressed) as suppressed_count
    from (
      select customer_key,
        max(case when channel = ${parameter.text(channel)} and state = 'subscribed' then 1 else 0 end) = 1 as is_subscribed,
        max(case when state in (${parameter.texts(SUPPRESSED_STATES)}) then 1 else 0 end) = 1 as is_suppressed
      from ${consentChanges} where ${holdsBefore(end)}
      group by customer_key
    ) as people`,
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
