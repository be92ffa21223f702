import { field, fieldNamed, NOTHING_TO_DIVIDE_BY } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { percent } from '../../../answers/metric.ts';
import { sends } from '../../../model-table/table-names.ts';
import { type Sql, sql } from '../../../sql/sql.ts';
import { smsActivity } from './sms-activity.ts';

const ofActivity = <const Key extends (typeof smsActivity)[number]['key']>(key: Key) =>
  fieldNamed(smsActivity, key);

export const failureFields = [
  field({
    key: 'reason',
    type: 'text',
    definition: 'invalid_number, unreachable, blocked, expired, rejected, no_credit, unknown.',
  }),
  ofActivity('failed_count'),
  field({
    key: 'share',
    type: 'number',
    unit: 'percent',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'Of failed_count.',
  }),
];

/**
 * Why messages failed, the most frequent reason first.
 *
 * @param sent a condition over `sends`
 */
export function failures(sent: Sql) {
  return query(
    failureFields,
    sql`
    select reason, failed_count, ${percent(sql`failed_count`, sql`(sum(failed_count) over ())`)} as share
    from (
      select failure_reason as reason, count(*) as failed_count
      from ${sends} where ${sent} and outcome = 'failed'
      group by failure_reason
    ) as failed
    order by failed_count desc, reason`,
  );
}

export const countryFields = [
  field({ key: 'country', type: 'text', definition: 'ISO 3166-1 alpha-2; (not set) when unknown.' }),
  ofActivity('sent_count'),
  ofActivity('delivery_rate'),
  ofActivity('segments_count'),
  ofActivity('cost'),
];

/** Messages by the country of the number, the most sent first. */
export function countries(sent: Sql) {
  return query(
    countryFields,
    sql`
    select country, sent as sent_count, ${percent(sql`delivered`, sql`sent`)} as delivery_rate,
      segments as segments_count, cost
    from (
      select coalesce(country, '(not set)') as country, count(*) as sent,
        count(*) filter (where outcome = 'delivered') as delivered, sum(sms_segments) as segments, sum(cost) as cost
      from ${sends} where ${sent}
      group by coalesce(country, '(not set)')
    ) as measures
    order by sent desc, country`,
  );
}
