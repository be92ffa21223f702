import {
  field,
  fieldNamed,
  fieldsNamed,
  NOTHING_TO_DIVIDE_BY,
  type ObjectOf,
} from '../../../answers/fields/field.ts';
import { measure, text } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { periodFields, periodStartColumn } from '../../../answers/fields/shared-fields.ts';
import { percent, selectMetrics } from '../../../answers/metric.ts';
import { OTHERS } from '../../../answers/small-groups.ts';
import { sends } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { MAX_TREND_ROWS, type Periods, periodStart } from '../../../time/periods.ts';
import { smsActivity, smsMeasures } from './sms-activity.ts';

const ofActivity = <const Key extends (typeof smsActivity)[number]['key']>(key: Key) =>
  fieldNamed(smsActivity, key);

export const failureFields = [
  text(
    'reason',
    'invalid_number, unreachable (phone off or away), blocked, expired, rejected (also: no route to a network), no_credit, unknown.',
  ),
  ofActivity('failed_count'),
  measure('percent', 'share', 'failed_count / that of all reasons.', NOTHING_TO_DIVIDE_BY),
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

/** The largest countries have rows in each period, the others one together. */
const COUNTRIES_BY_PERIOD = 10;

const COUNTRY = sql`coalesce(country, '(not set)')`;
const countryField = field({
  key: 'country',
  type: 'text',
  definition: `ISO 3166-1 alpha-2; (not set) when unknown; in periods ${OTHERS}: after the ${COUNTRIES_BY_PERIOD} largest.`,
});
const countryMetrics = fieldsNamed(smsActivity, ['sent_count', 'segments_count', 'cost', 'delivery_rate']);

export const countryFields = [countryField, ...countryMetrics];
export const countryPeriodFields = [...periodFields, ...countryFields];

/** Messages by the country of the number, the most sent first. */
export function countries(sent: Sql) {
  return query(
    countryFields,
    sql`
    select shown_country as country, ${selectMetrics(countryMetrics)}
    from (
      select ${COUNTRY} as shown_country, ${smsMeasures} from ${sends} where ${sent} group by shown_country
    ) as measures
    order by sent desc, shown_country`,
  );
}

const BUCKET = [periodStartColumn, ...countryFields];

/**
 * The same by period: those in which anything was sent.
 *
 * @param sentDuring a condition over `sends`: that a message was sent in one of the periods
 */
export function countriesByPeriod(sentDuring: Sql, periods: Periods) {
  const shown = sql`select *, ${COUNTRY} as shown_country from ${sends} where ${sentDuring}`;
  return query(
    BUCKET,
    sql`
    with shown as (${shown}),
    largest as (
      select shown_country from shown
      group by shown_country order by count(*) desc, shown_country limit ${parameter.integer(COUNTRIES_BY_PERIOD)}
    )
    select period_start, country_or_others as country, ${selectMetrics(countryMetrics)}
    from (
      select ${periodStart(periods.breakdown, sql`sent_date`)} as period_start,
        case when shown_country in (select shown_country from largest) then shown_country
          else ${parameter.text(OTHERS)} end as country_or_others,
        ${smsMeasures}
      from shown group by period_start, country_or_others
    ) as measures`,
  );
}

/**
 * The periods in which anything was sent to a country, of each the largest countries first; null where nobody asks and, with a note, when that is too
 * long for an answer.
 */
export function countryPeriods(asked: Periods | null, buckets: readonly ObjectOf<typeof BUCKET>[]) {
  const list = asked?.list ?? [];
  if (list.length === 0) return { periods: null, notes: [] };
  if (buckets.length > MAX_TREND_ROWS) {
    return {
      periods: null,
      notes: [`country_periods would have more than ${MAX_TREND_ROWS} rows; use a coarser breakdown.`],
    };
  }
  const largest = [...Map.groupBy(buckets, ({ country }) => country)]
    .map(([country, own]) => ({ country, sent: own.reduce((sum, { sent_count }) => sum + sent_count, 0) }))
    .sort(
      (a, b) =>
        Number(a.country === OTHERS) - Number(b.country === OTHERS) ||
        b.sent - a.sent ||
        (a.country < b.country ? -1 : 1),
    );
  const byPlace = new Map(buckets.map((bucket) => [`${bucket.period_start} ${bucket.country}`, bucket]));
  const periods = list.flatMap((period) =>
    largest.flatMap(({ country }) => {
      const bucket = byPlace.get(`${period.period_start} ${country}`);
      return bucket === undefined ? [] : [{ ...bucket, ...period, country }];
    }),
  );
  return { periods, notes: [] };
}
