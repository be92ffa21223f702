import {
  column,
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
import { isTelling } from '../../../answers/telling-share.ts';
import { messages, sends } from '../../../model-table/table-names.ts';
import { identifier, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { quoted } from '../../../text/business-text.ts';
import { MAX_TREND_ROWS, type Periods, periodStart } from '../../../time/periods.ts';
import { SMS_PARTS } from '../definitions/sms-parts.ts';
import { charactersBeyondGsm } from '../tables/texts.ts';
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

const FAILED_AS = [
  column('reason', 'text'),
  column('words', 'text'),
  column('country', 'text'),
  column('failed_count', 'integer'),
];

/** Reasons that put together what needs different help. */
const VAGUE = ['rejected', 'unknown'];

/** How the provider calls failures with a vague reason, and to which countries they were sent. */
export function failedAs(sent: Sql) {
  const asked = query(
    FAILED_AS,
    sql`
    select failure_reason as reason, words, shown_country as country, failed_count
    from (
      select failure_reason, coalesce(reason_text, '') as words, ${COUNTRY} as shown_country, count(*) as failed_count
      from ${sends}
      where ${sent} and outcome = 'failed' and failure_reason in (${parameter.texts(VAGUE)})
      group by failure_reason, words, shown_country
    ) as failed
    order by failed_count desc, failure_reason, words, shown_country
    limit 200`,
  );
  return { ...asked, isAside: true };
}

/** Fewer failures are told by no cause of their own. */
const LEAST_FAILED = 5;
/** The most causes that are told, the most frequent first. */
const MOST_CAUSES = 3;
/** A cause with this part of its failures in one country is one of that country. */
const NEARLY_ALL = 0.9;

/**
 * What is wrong is said by the provider's words and the country: a sender to register and a route to open are
 * both `rejected`.
 */
export function failedAsNotes(found: readonly ObjectOf<typeof FAILED_AS>[]): string[] {
  const causes = [...Map.groupBy(found, ({ reason, words }) => `${reason} ${words}`).values()]
    .flatMap((own) => {
      const [largest] = own;
      const count = own.reduce((sum, { failed_count }) => sum + failed_count, 0);
      return largest === undefined || count < LEAST_FAILED || largest.words === ''
        ? []
        : [{ ...largest, count }];
    })
    .toSorted((one, other) => other.count - one.count)
    .slice(0, MOST_CAUSES);
  if (causes.length === 0) return [];
  const named = causes.map(({ reason, words, country, failed_count, count }) => {
    const isOfCountry = failed_count >= NEARLY_ALL * count && country !== '(not set)';
    const where = isOfCountry ? `, ${failed_count === count ? 'all' : failed_count} to ${country}` : '';
    return `${reason} is ${quoted(words)} in ${count}${where}`;
  });
  return [`What the provider calls failures: ${named.join('; ')}.`];
}

const UNICODE_TEXTS = [column('message_text', 'text'), column('sent_count', 'integer')];

/** The texts that were sent as UCS-2. */
export function unicodeTexts(sent: Sql) {
  const asked = query(
    UNICODE_TEXTS,
    sql`
    select coalesce(${identifier('text')}, '') as message_text, sent_count
    from (
      select message_key, count(*) as sent_count from ${sends} where ${sent} and is_unicode group by message_key
    ) as sent_so
    join ${messages} using (message_key)
    order by sent_count desc, message_key
    limit 200`,
  );
  return { ...asked, isAside: true };
}

/** The most characters that are named, those of most messages first. */
const MOST_CHARACTERS = 5;

/** Names the characters for which messages take more parts: one dash may double the bill. */
export function unicodeNotes(
  { unicode_messages_count, sent_count }: { unicode_messages_count: number; sent_count: number },
  texts: readonly ObjectOf<typeof UNICODE_TEXTS>[],
): string[] {
  if (!isTelling({ part: unicode_messages_count, whole: sent_count })) return [];
  const counts = new Map<string, number>();
  for (const { message_text, sent_count: sent } of texts)
    for (const character of charactersBeyondGsm(message_text))
      counts.set(character, (counts.get(character) ?? 0) + sent);
  const found = [...counts].toSorted(([, few], [, many]) => many - few);
  if (found.length === 0) return [];
  const named = found.slice(0, MOST_CHARACTERS).map(([character, count]) => {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `${quoted(character)} (U+${code}, in ${count})`;
  });
  const more = found.length - named.length;
  const { gsm7, ucs2 } = SMS_PARTS;
  return [
    `${unicode_messages_count} SMS are UCS-2, which holds ${ucs2.single} characters where others hold ${gsm7.single}, for these alone: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
  ];
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
 * The periods in which anything was sent to a country, of each the largest countries first; null where nobody
 * asks and, with a note, when that is too long for an answer.
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
