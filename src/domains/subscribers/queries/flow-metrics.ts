import { counted, rate } from '../../../answers/metric.ts';
import { type Sql, sql } from '../../../sql/sql.ts';

/**
 * What the flow of subscribers is made of, over rows of subscriptions with what happened to them in a range
 * or period: `is_at_start`: held when it began; `joins`: began in it, `is_first` for the first time;
 * `left_for`: the state that ended it there, else null; `is_churn`: held when it began, and ended in it.
 */
export const flowMeasures: Sql = sql`
  count(*) filter (where is_at_start) as at_start,
  count(*) filter (where joins and is_first) as joined,
  count(*) filter (where joins and not is_first) as rejoined,
  count(*) filter (where left_for = 'unsubscribed') as unsubscribed,
  count(*) filter (where left_for = 'bounced') as bounced,
  count(*) filter (where left_for = 'complained') as complained,
  count(*) filter (where left_for in ('suppressed', 'pending')) as removed,
  count(*) filter (where is_churn) as churned,
  count(distinct customer_key) filter (where left_for is not null) as leavers`;

export const netGrowth = sql`(joined + rejoined - unsubscribed - bounced - complained - removed)`;

/** The flow fields, over rows of `flowMeasures`. */
export const flowMetrics = [
  profiles(
    'subscribed_at_start_count',
    'Subscribed just before anything of the range or period happened.',
    sql`at_start`,
  ),
  profiles('subscribed_count', 'Subscribed for the first time known.', sql`joined`),
  profiles('resubscribed_count', 'Subscribed again after an exit.', sql`rejoined`),
  profiles('unsubscribed_count', 'Left by own action.', sql`unsubscribed`),
  profiles('bounced_out_count', 'Left because messages bounced.', sql`bounced`),
  profiles('complained_count', 'Left by a spam complaint, also one that names no message.', sql`complained`),
  profiles(
    'removed_count',
    'Suppressed by the business or on a GDPR request, or set back to pending.',
    sql`removed`,
  ),
  profiles(
    'net_growth',
    'subscribed + resubscribed - unsubscribed - bounced_out - complained - removed. Who leaves twice counts twice.',
    netGrowth,
  ),
  profiles(
    'subscribed_at_end_count',
    'subscribed_at_start_count + net_growth.',
    sql`at_start + ${netGrowth}`,
  ),
  rate(
    'churn_rate',
    'Subscribed at the start and left, also if they came back, / subscribed_at_start_count.',
    sql`churned`,
    sql`at_start`,
  ),
  profiles(
    'early_exit_count',
    'Not subscribed at the start, joined and left since; in the exits, not in churn_rate.',
    sql`leavers - churned`,
  ),
];

/**
 * The measures that stand beside the flow of a row: requests to confirm a subscription are rows with
 * `requests`, and `confirms` or not.
 */
export const confirmationMeasures: Sql = sql`
  count(*) filter (where requests) as requested,
  count(*) filter (where confirms) as confirmed`;

export const confirmationMetrics = [
  rate(
    'confirmation_rate',
    'Double opt-ins requested and confirmed in the range / requested in it.',
    sql`confirmed`,
    sql`requested`,
  ),
];

function profiles<const Key extends string>(key: Key, definition: string, value: Sql) {
  return counted('profiles', key, definition, value);
}
