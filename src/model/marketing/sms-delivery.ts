import { type Sql, sql } from '../../sql/sql.ts';
import { percent } from '../metrics/metric.ts';
import { sends } from '../tables.ts';

/**
 * Why messages failed, the most frequent reason first.
 *
 * @param sent a condition over `sends`
 */
export function failures(sent: Sql): Sql {
  return sql`
    select reason, failed_count, ${percent(sql`failed_count`, sql`(sum(failed_count) over ())`)} as share
    from (
      select failure_reason as reason, count(*) as failed_count
      from ${sends} where ${sent} and outcome = 'failed'
      group by failure_reason
    ) as failed
    order by failed_count desc, reason`;
}

/** Messages by the country of the number, the most sent first. */
export function countries(sent: Sql): Sql {
  return sql`
    select country, sent as sent_count, ${percent(sql`delivered`, sql`sent`)} as delivery_rate,
      segments as segments_count, cost
    from (
      select coalesce(country, '(not set)') as country, count(*) as sent,
        count(*) filter (where outcome = 'delivered') as delivered, sum(sms_segments) as segments, sum(cost) as cost
      from ${sends} where ${sent}
      group by coalesce(country, '(not set)')
    ) as measures
    order by sent desc, country`;
}
