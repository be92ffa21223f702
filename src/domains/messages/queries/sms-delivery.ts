import {
  field,
  fieldNamed,
  fieldsNamed,
  NOTHING_TO_DIVIDE_BY,
  type ObjectOf,
} from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { periodFields, periodStartColumn } from '../../../answers/fields/shared-fields.ts';
import { emptyRow, percent, selectMetrics } from '../../../answers/metric.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { groupsOfFew, OTHERS, partOf, withShownKey } from '../../../answers/small-groups.ts';
import { sends } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { MAX_TREND_ROWS, type Periods, periodStart } from '../../../time/periods.ts';
import { smsActivity, smsMeasures } from './sms-activity.ts';

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

/** The largest countries have rows in each period, the others one together. */
const COUNTRIES_BY_PERIOD = 10;

const COUNTRY = sql`coalesce(country, '(not set)')`;
const countryField = field({
  key: 'country',
  type: 'text',
  definition: `ISO 3166-1 alpha-2; (not set) when unknown; ${OTHERS}: of under ${LEAST_SHARING} people each and the next smallest where these are few together, in periods also after the ${COUNTRIES_BY_PERIOD} largest.`,
});
const countryMetrics = fieldsNamed(smsActivity, ['sent_count', 'segments_count', 'cost', 'delivery_rate']);

export const countryFields = [countryField, ...countryMetrics];
export const countryPeriodFields = [...periodFields, ...countryFields];

/** Messages by the country of the number, the most sent first. */
export function countries(sent: Sql) {
  const rows = sql`select *, ${COUNTRY} as own_key from ${sends} where ${sent}`;
  return query(
    countryFields,
    sql`
    select shown_key as country, ${selectMetrics(countryMetrics)}
    from (
      select shown_key, ${smsMeasures} from (${withShownKey(rows, fewInRange(sent))}) as shown group by shown_key
    ) as measures
    order by sent desc, shown_key`,
  );
}

/** Countries of few people, see small-groups.ts. */
function fewInRange(sent: Sql): Sql {
  return groupsOfFew(
    sql`select ${COUNTRY} as own_key, 0 as part, customer_key as person from ${sends} where ${sent}`,
  );
}

const BUCKET = [periodStartColumn, ...countryFields];

/**
 * The same by period: those in which anything was sent. Countries of few people in some period are among the others in all.
 *
 * @param sent the condition over `sends` of the range
 * @param sentDuring the same of whole periods
 */
export function countriesByPeriod(sent: Sql, sentDuring: Sql, periods: Periods) {
  const start = periodStart(periods.breakdown, sql`sent_date`);
  const members = sql`
    select ${COUNTRY} as own_key, ${partOf(start, sent)} as part, customer_key as person from ${sends} where ${sentDuring}`;
  const rows = sql`select *, ${COUNTRY} as own_key from ${sends} where ${sentDuring}`;
  return query(
    BUCKET,
    sql`
    with shown as (${withShownKey(rows, groupsOfFew(members, fewInRange(sent)))}),
    largest as (
      select shown_key from shown where shown_key <> ${parameter.text(OTHERS)}
      group by shown_key order by count(*) desc, shown_key limit ${parameter.integer(COUNTRIES_BY_PERIOD)}
    )
    select period_start, country_or_others as country, ${selectMetrics(countryMetrics)}
    from (
      select ${start} as period_start,
        case when shown_key in (select shown_key from largest) then shown_key else ${parameter.text(OTHERS)} end
          as country_or_others,
        ${smsMeasures}
      from shown group by period_start, country_or_others
    ) as measures`,
  );
}

/** Every period of each country; null where nobody asks and, with a note, when that is too long for an answer. */
export function countryPeriods(asked: Periods | null, buckets: readonly ObjectOf<typeof BUCKET>[]) {
  const list = asked?.list ?? [];
  if (list.length === 0) return { periods: null, notes: [] };
  const largest = [...Map.groupBy(buckets, ({ country }) => country)]
    .map(([country, own]) => ({ country, sent: own.reduce((sum, { sent_count }) => sum + sent_count, 0) }))
    .sort(
      (a, b) =>
        Number(a.country === OTHERS) - Number(b.country === OTHERS) ||
        b.sent - a.sent ||
        (a.country < b.country ? -1 : 1),
    );
  if (largest.length * list.length > MAX_TREND_ROWS) {
    return {
      periods: null,
      notes: [`country_periods would have more than ${MAX_TREND_ROWS} rows; use a coarser breakdown.`],
    };
  }
  const byPlace = new Map(buckets.map((bucket) => [`${bucket.period_start} ${bucket.country}`, bucket]));
  const periods = list.flatMap((period) =>
    largest.map(({ country }) => ({
      ...emptyRow(countryMetrics),
      ...byPlace.get(`${period.period_start} ${country}`),
      ...period,
      country,
    })),
  );
  return { periods, notes: [] };
}
