import { column } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { consentStates, customers, profiles } from '../../../model-table/table-names.ts';
import { identifier, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { SUPPRESSED_STATES } from '../../../store/suppressed-states.ts';
import { type Audience, audienceMembers } from './audience-members.ts';
import type { EvaluatedAt } from './condition-periods.ts';
import { BOUGHT, consentFacts } from './consent-groups.ts';
import { CONSENT_GROUPS, type ConsentChannel, consentColumns } from './consent-names.ts';
import type { Fact, ProfileCount } from './profile-counts.ts';

/** A person without a profile is counted nowhere. */
const FACTS = {
  is_profile: sql`select customer_key from ${profiles}`,
  is_email_reachable: reachableBy('email'),
  is_sms_reachable: reachableBy('sms'),
  is_customer: sql`select customer_key from ${customers}`,
} satisfies Partial<Record<Fact, Sql>>;

/** Reachable people consented and are not suppressed. */
function reachableBy(channel: 'email' | 'sms'): Sql {
  return sql`
    select customer_key from ${consentStates}
    where channel = ${parameter.text(channel)} and state = 'subscribed'
      and customer_key not in (select customer_key from ${consentStates} where state in (${parameter.texts(SUPPRESSED_STATES)}))`;
}

/**
 * One row with the counts.
 *
 * @param counts of `countsOf` for the query and the exclusion
 * @throws InputError that names the path of a block that cannot be evaluated, or says what is too much for
 *   one statement
 */
export function estimate(
  audience: Audience,
  counts: readonly ProfileCount[],
  at: EvaluatedAt,
  by: ConsentChannel | null = null,
) {
  const { rows, isCounted } = audienceMembers(
    audience,
    by === null ? FACTS : { ...FACTS, ...consentFacts(by) },
    at,
  );

  function sumsOf(all: readonly ProfileCount[]): Sql[] {
    return CONSENT_GROUPS.flatMap((group) => {
      const { buyers, orders, revenue } = consentColumns(group);
      const count = all.find((one) => one.column === buyers);
      if (count === undefined) throw new Error(`no count of buyers who are ${group}`);
      return [
        sql`coalesce(sum(orders_counted) filter (where ${isCounted(count)}), 0) as ${identifier(orders)}`,
        sql`coalesce(sum(revenue_counted) filter (where ${isCounted(count)}), 0) as ${identifier(revenue)}`,
      ];
    });
  }

  return asCounts(
    counts,
    by,
    sql`
    select ${join([
      ...counts.map(
        (count) => sql`count(*) filter (where ${isCounted(count)}) as ${identifier(count.column)}`,
      ),
      ...(by === null ? [] : [sql`coalesce(max(usual_value), 0) as usual_value`, ...sumsOf(counts)]),
    ])}
    from (${rows}) as profiles
    ${by === null ? sql`` : sql`left join (${BOUGHT}) as bought using (customer_key)`}
    where is_profile`,
  );
}

/** One row, a column for each count. */
function asCounts(counts: readonly ProfileCount[], by: ConsentChannel | null, sums: Sql) {
  const ofGroups = CONSENT_GROUPS.flatMap((group) => {
    const { orders, revenue } = consentColumns(group);
    return [column(orders, 'integer'), column(revenue, 'number')];
  });
  return query(
    [
      ...counts.map((count) => column(count.column, 'integer')),
      ...(by === null ? [] : [column('usual_value', 'number'), ...ofGroups]),
    ],
    sums,
  );
}
