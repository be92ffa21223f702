import { column, field, type ObjectOf } from '../../../answers/fields/field.ts';
import { intervalOf } from '../../../answers/fields/interval.ts';
import { count, text } from '../../../answers/fields/kinds-of-fields.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { timeOfDay } from '../../../answers/fields/shared-fields.ts';
import { counted, emptyRow, selectMetrics } from '../../../answers/metric.ts';
import { messageEvents, messages, sends } from '../../../model-table/table-names.ts';
import { type Sql, sql } from '../../../sql/sql.ts';
import { LEAST_TESTED, SIGNIFICANCE, shownBound } from '../../../statistics/comparison.ts';
import { roundedPercent } from '../../../statistics/rounded.ts';
import { stratifiedDifference } from '../../../statistics/stratified-difference.ts';
import type { ActivityBy, MessageChannel } from './message-channels.ts';

/** The times by which messages, opens and clicks are grouped, in the store's time zone. */
export const TIMES = ['weekday', 'hour', 'weekday_hour'] as const;
export type Times = (typeof TIMES)[number];

const opensThen = counted('opens', 'opens_then_count', 'Human opens at that time.', sql`opens_then`);
const clicksThen = counted('clicks', 'clicks_then_count', 'Human clicks at that time.', sql`clicks_then`);

/** Single clicks decide when fewer than this are compared. */
const LEAST_CLICKS = 20;

/** A single campaign may differ at two times by what it said then. */
const LEAST_CAMPAIGNS = 2;

const NOT_COMPARED = `under ${LEAST_TESTED} delivered, ${LEAST_CLICKS} clicks or ${LEAST_CAMPAIGNS} campaigns`;

const ofCampaigns = [
  count('campaigns', 'campaigns_count', 'Campaigns that sent what is counted.'),
  field({
    key: 'largest_campaign_share',
    type: 'number',
    unit: 'percent',
    null: 'no clicks',
    definition: 'Of the most clicked campaign / unique_clicks_count.',
  }),
  field({
    key: 'click_rate_difference',
    type: 'number',
    unit: 'percentage points',
    null: NOT_COMPARED,
    definition:
      'click_rate less that of the same campaigns, without A/B tests, at other times. Judge times by its interval.',
  }),
  ...intervalOf('click_rate_difference', 'Greenland-Robins; all rows together', {
    unit: 'percentage points',
    null: NOT_COMPARED,
  }),
] as const;

const labelFields = [text('key', '1, 09, or 1-09: ISO weekday, hour, both.'), ...timeOfDay];

export const emailThen = [opensThen, clicksThen];
export const smsThen = [clicksThen];

/** The fields of a row: what was sent at that time, and what people did at that time. */
export function timeFields<Channel extends MessageChannel, Then extends typeof emailThen | typeof smsThen>(
  channel: Channel,
  then: Then,
) {
  return [...labelFields, ...(channel.activity as Channel['activity']), ...ofCampaigns, ...then] as const;
}

const KEY = column('key', 'text');

const COMPARED = [
  KEY,
  column('campaigns_count', 'integer'),
  column('clicked', 'integer'),
  column('largest_clicked', 'integer'),
  column('delivered_then', 'integer'),
  column('delivered_else', 'integer'),
  column('clicked_by_compared', 'integer'),
  column('compared_campaigns', 'integer'),
  column('weight', 'number'),
  column('difference', 'number'),
  column('variance', 'number'),
];
type Compared = ObjectOf<typeof COMPARED>;

/**
 * The campaigns of each time, and the sums over those that were sent at other times too, which
 * `stratifiedDifference` takes. A campaign that was sent at one time alone tells what it is worth, and
 * nothing of the time. The same holds for an A/B test: its variants and what it sent to the rest differ by
 * what they say, and are sent at different times.
 */
function comparedTimes(channel: MessageChannel, sent: Sql, times: Times) {
  const [inside, outside] = [sql`cast(delivered_own as double)`, sql`cast(delivered_else as double)`];
  const isCompared = sql`delivered_own > 0 and delivered_else > 0
    and campaign_key not in (select campaign_key from ${messages} where variant is not null)`;
  return query(
    COMPARED,
    sql`
    select key, count(*) as campaigns_count, sum(clicked_own) as clicked, max(clicked_own) as largest_clicked,
      coalesce(sum(delivered_own) filter (where ${isCompared}), 0) as delivered_then,
      coalesce(sum(delivered_else) filter (where ${isCompared}), 0) as delivered_else,
      coalesce(sum(clicked_own + clicked_else) filter (where ${isCompared}), 0) as clicked_by_compared,
      count(*) filter (where ${isCompared}) as compared_campaigns,
      coalesce(sum(${inside} * ${outside} / (${inside} + ${outside})) filter (where ${isCompared}), 0) as weight,
      coalesce(sum((clicked_own * ${outside} - clicked_else * ${inside}) / (${inside} + ${outside}))
        filter (where ${isCompared}), 0) as difference,
      coalesce(sum(
        clicked_own * (${inside} - clicked_own) / ${inside} * ${outside} * ${outside} / ((${inside} + ${outside}) * (${inside} + ${outside}))
        + clicked_else * (${outside} - clicked_else) / ${outside} * ${inside} * ${inside} / ((${inside} + ${outside}) * (${inside} + ${outside}))
      ) filter (where ${isCompared}), 0) as variance
    from (
      select key, campaign_key, delivered_own, clicked_own,
        sum(delivered_own) over (partition by campaign_key) - delivered_own as delivered_else,
        sum(clicked_own) over (partition by campaign_key) - clicked_own as clicked_else
      from (
        select key, campaign_key, ${channel.delivered} as delivered_own, clicked as clicked_own
        from (
          select ${SENT[times]} as key, campaign_key, ${channel.measures} from ${sends} where ${sent} group by key, campaign_key
        ) as measures
      ) as cells
    ) as beside
    group by key`,
  );
}

/** @param sent the condition over `sends` */
export function timesOfDay<Channel extends MessageChannel>(channel: Channel, sent: Sql, times: Times | null) {
  return {
    sentThen:
      times &&
      (query(
        [KEY, ...(channel.activity as Channel['activity'])],
        sql`
      select key, ${selectMetrics(channel.activity)}
      from (
        select ${SENT[times]} as key, ${channel.measures} from ${sends} where ${sent} group by key
      ) as measures`,
      ) as Query<ActivityBy<'key', Channel>>),
    comparedThen: times && comparedTimes(channel, sent, times),
    happenedThen:
      times &&
      query(
        [KEY, opensThen, clicksThen],
        sql`
      select key, opens_then as opens_then_count, clicks_then as clicks_then_count
      from (
        select ${HAPPENED[times]} as key,
          count(*) filter (where kind = 'open') as opens_then,
          count(*) filter (where kind = 'click' and is_content) as clicks_then
        from ${messageEvents}
        where not is_machine and send_key in (select send_key from ${sends} where ${sent})
        group by key
      ) as measures`,
      ),
  };
}

const SENT = {
  weekday: sql`sent_weekday`,
  hour: sql`sent_hour`,
  weekday_hour: sql`concat(sent_weekday, '-', sent_hour)`,
} satisfies Record<Times, Sql>;

const HAPPENED = {
  weekday: sql`happened_weekday`,
  hour: sql`happened_hour`,
  weekday_hour: sql`concat(happened_weekday, '-', happened_hour)`,
} satisfies Record<Times, Sql>;

type Then = ObjectOf<readonly [typeof KEY, typeof opensThen, typeof clicksThen]>;

/** Every weekday, hour or hour of the week at which something was sent. */
export function timeRows<Channel extends MessageChannel>(
  channel: Channel,
  times: Times,
  sentThen: readonly ActivityBy<'key', Channel>[],
  comparedThen: readonly Compared[],
  happenedThen: readonly Then[],
) {
  const tested = comparedThen.filter(isTested).length;
  const comparedByKey = new Map(comparedThen.map((row) => [row.key, ofCampaignsAt(row, tested)]));
  const sentByKey = new Map(sentThen.map((row) => [row.key, row]));
  const happenedByKey = new Map(happenedThen.map((row) => [row.key, row]));
  return labels(times)
    .filter(({ key }) => sentByKey.has(key))
    .map((label) => ({
      ...emptyRow(channel.activity as Channel['activity']),
      ...sentByKey.get(label.key),
      ...(comparedByKey.get(label.key) ?? NO_CAMPAIGNS),
      ...label,
      opens_then_count: happenedByKey.get(label.key)?.opens_then_count ?? 0,
      clicks_then_count: happenedByKey.get(label.key)?.clicks_then_count ?? 0,
    }));
}

const NOTHING_COMPARED = {
  click_rate_difference: null,
  click_rate_difference_low: null,
  click_rate_difference_high: null,
};
const NO_CAMPAIGNS = { campaigns_count: 0, largest_campaign_share: null, ...NOTHING_COMPARED };

function isTested(row: Compared): boolean {
  const delivered = Math.min(row.delivered_then, row.delivered_else);
  return (
    delivered >= LEAST_TESTED &&
    row.clicked_by_compared >= LEAST_CLICKS &&
    row.compared_campaigns >= LEAST_CAMPAIGNS
  );
}

/**
 * @param tested how many times are compared: which one is best shows only in the results, so all intervals
 *   hold together
 */
function ofCampaignsAt(row: Compared, tested: number) {
  const { campaigns_count, clicked, largest_clicked } = row;
  const known = { campaigns_count, largest_campaign_share: roundedPercent(largest_clicked, clicked) };
  if (!isTested(row)) return { ...known, ...NOTHING_COMPARED };
  const { value, low, high } = stratifiedDifference(row, SIGNIFICANCE / tested);
  return {
    ...known,
    click_rate_difference: roundedPercent(value, 1),
    click_rate_difference_low: shownBound(100 * low),
    click_rate_difference_high: shownBound(100 * high),
  };
}

/**
 * Rates of times are those of the campaigns that were sent then. Whether a time is better is told by those
 * that were sent at two.
 *
 * @param comparedThen what the times were made of
 */
export function timeNotes(
  rows: ReturnType<typeof timeRows> | null,
  comparedThen: readonly Compared[],
): string[] {
  if (rows === null || rows.length < 2) return [];
  const alone = rows.filter(({ largest_campaign_share: share }) => share !== null && share > 50).length;
  const largest = `At ${alone} of ${rows.length} times one campaign has more than half of the clicks: their rates tell of that campaign, not of the time. `;
  const isTold = comparesTimes(rows);
  if (alone === 0 && isTold) return [];
  return [`${alone === 0 ? '' : largest}${isTold ? TOLD : notTold(comparedThen)}`];
}

/** Whether a time is told against others. */
export function comparesTimes(rows: ReturnType<typeof timeRows> | null): boolean {
  return rows?.some(({ click_rate_difference: difference }) => difference !== null) ?? false;
}

const TOLD = 'Whether a time is better is told by click_rate_difference, where its interval leaves out 0.';

function notTold(comparedThen: readonly Compared[]): string {
  return comparedThen.every(({ compared_campaigns }) => compared_campaigns === 0)
    ? 'Whether a time is better cannot be told: no campaign was sent at two of them, but for A/B tests, so click_rate_difference is null.'
    : 'Whether a time is better cannot be told: too little was sent by campaigns that were sent at two of them, so click_rate_difference is null.';
}

function labels(times: Times) {
  const weekdays = times === 'hour' ? [null] : [1, 2, 3, 4, 5, 6, 7];
  const hours = times === 'weekday' ? [null] : Array.from({ length: 24 }, (_, hour) => hour);
  return weekdays.flatMap((weekday) =>
    hours.map((hour) => ({
      key: [weekday, hour === null ? null : String(hour).padStart(2, '0')]
        .filter((part) => part !== null)
        .join('-'),
      weekday,
      hour,
    })),
  );
}
