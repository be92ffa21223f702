import { column, type ObjectOf, sinceFirst } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { counted, rate, selectMetrics } from '../../../answers/metric.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { customers, messageEvents, orders, sends, sessions } from '../../../model-table/table-names.ts';
import { identifier, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { plural } from '../../../text/plural.ts';
import type { Range } from '../../../time/range.ts';
import { type ConsentChannel, consentsOf, holdsBefore } from './consents.ts';

/** How far back somebody counts as engaged. */
const WINDOWS = [
  { key: 'engaged_30d', length: sql`interval 30 day` },
  { key: 'engaged_90d', length: sql`interval 90 day` },
  { key: 'engaged_180d', length: sql`interval 180 day` },
  { key: 'engaged_365d', length: sql`interval 365 day` },
] as const;

/** People who got fewer messages had too few occasions. */
const ENOUGH_MESSAGES = 5;

/** The activity of those who are subscribed at the end of a range. */
export const activityMetrics = [
  ...WINDOWS.map(({ key }) =>
    profiles(
      `${key}_count`,
      'Opened (not machines), clicked, visited or ordered anywhere in the N days before to_date.',
      identifier(key),
    ),
  ),
  profiles(
    'never_engaged_count',
    `Got at least ${ENOUGH_MESSAGES} messages of the channel and was never engaged until to_date.`,
    sql`never_engaged`,
  ),
  profiles('customers_count', 'Subscribed profiles with a valid order until to_date.', sql`with_order`),
  rate('customers_share', 'customers_count / all subscribed at to_date.', sql`with_order`, sql`subscribed`),
  sinceFirst(
    profiles(
      'subscribed_then_first_order_count',
      'Joined in the range, then placed the first order ever, until to_date.',
      sql`with_first_order_since`,
    ),
  ),
];

/** Subscribers with enough messages who opened and clicked none, and whom visits or orders make engaged. */
const unopened = column('unopened_count', 'integer');
type Activity = ObjectOf<typeof activityMetrics> & ObjectOf<[typeof unopened]>;

/**
 * "Never engaged" reads as "never opened or clicked", which is another number: whoever visited or ordered is
 * engaged without it.
 */
export function activityNotes({ never_engaged_count, unopened_count }: Activity): string[] {
  if (unopened_count < LEAST_SHARING) return [];
  const all = never_engaged_count + unopened_count;
  return [
    `Engaged are those who opened, clicked, visited or ordered: ${plural(all, 'subscriber', 'subscribers')} with at least ${ENOUGH_MESSAGES} messages never opened or clicked one (machines left out), of whom ${unopened_count} visited or ordered.`,
  ];
}

/** What those who are subscribed at the end of the range did until then: one row. */
export function activity(channel: ConsentChannel, { start, end }: Range) {
  const first = parameter.timestamp(start);
  const after = parameter.timestamp(end);
  const engaged = WINDOWS.map(
    ({ key, length }) =>
      sql`count(*) filter (where last_engaged_at >= ${after} - interval 1 second - ${length}) as ${identifier(key)}`,
  );
  return query(
    [...activityMetrics, unopened],
    sql`
    with subscribers as (
      select customer_key from ${consentsOf(channel)} and state = 'subscribed' and ${holdsBefore(end)}
    ),
    joins as (
      select customer_key, min(changed_at) as joined_at
      from ${consentsOf(channel)} and state = 'subscribed' and changed_at >= ${first} and changed_at < ${after}
      group by customer_key
    ),
    engagements as (
      select customer_key, happened_at, true as is_of_message
      from (
        select send_key, happened_at from ${messageEvents}
        where kind in ('open', 'click') and not is_machine and happened_at < ${after}
      ) as events
      join (select send_key, customer_key from ${sends}) as sent using (send_key)
      union all
      select visitor_key, started_at, false from ${sessions}
      where is_identified and not is_suspected_bot and started_at < ${after}
      union all
      select customer_key, ordered_at, false from ${orders} where is_valid and ordered_at < ${after}
    ),
    engaged as (
      select customer_key, max(happened_at) as last_engaged_at,
        count(*) filter (where is_of_message) as opens_and_clicks
      from engagements group by customer_key
    ),
    received as (
      select customer_key, count(*) as messages
      from ${sends}
      where channel = ${parameter.text(channel)} and outcome = 'delivered' and sent_at < ${after}
      group by customer_key
    ),
    buyers as (
      select customer_key, first_ordered_at from ${customers} where first_ordered_at < ${after}
    )
    select ${selectMetrics(activityMetrics)}, unopened as unopened_count
    from (
      select count(*) as subscribed, ${join(engaged)},
        count(*) filter (where last_engaged_at is null and messages >= ${parameter.integer(ENOUGH_MESSAGES)})
          as never_engaged,
        count(*) filter (where opens_and_clicks = 0 and messages >= ${parameter.integer(ENOUGH_MESSAGES)}) as unopened,
        count(*) filter (where first_ordered_at is not null) as with_order,
        count(*) filter (where first_ordered_at > joined_at) as with_first_order_since
      from subscribers
      left join engaged using (customer_key)
      left join received using (customer_key)
      left join buyers using (customer_key)
      left join joins using (customer_key)
    ) as measures`,
  );
}

function profiles<const Key extends string>(key: Key, definition: string, value: Sql) {
  return counted('profiles', key, definition, value);
}
