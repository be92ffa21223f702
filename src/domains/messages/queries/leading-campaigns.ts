import { shownName } from '../../../answers/existing-names.ts';
import { column, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { campaigns, sends } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { shortText } from '../../../text/business-text.ts';
import { plural } from '../../../text/plural.ts';
import { type Periods, periodStart } from '../../../time/periods.ts';
import type { Range } from '../../../time/range.ts';
import type { MessageChannel } from './message-channels.ts';
import { type CampaignFilters, sentDuring, sentIn } from './sent-campaigns.ts';

/** One campaign with this share of the clicks may be what moves the rate of a period. */
const LEAST_PART = 0.25;
/** The rate is told without the campaign where it differs by this part of itself. */
const LEAST_MOVED = 0.2;
/** Fewer delivered messages, or clicks, beside the campaign say nothing. */
const LEAST_DELIVERED = 100;
const LEAST_FOLLOWED = 20;
const MOST_TOLD = 3;
const LONGEST_NAME = 60;

const COLUMNS = [
  column('period_start', 'date'),
  column('followed', 'text'),
  column('name', 'text'),
  column('own_delivered', 'integer'),
  column('own_followed', 'integer'),
  column('delivered', 'integer'),
  column('all_followed', 'integer'),
];
/** Messages that were clicked or opened: of the campaign with the most of them, and of all in the period. */
export type Leading = ObjectOf<typeof COLUMNS>;

/**
 * The campaign with most clicks, and that with most opens, of each period. Automations are none: they send
 * in every period alike. A day has one campaign mostly, so days are not looked at, and the range is instead.
 */
export function leadingCampaigns(
  channel: MessageChannel,
  range: Range,
  periods: Periods | null,
  filters: CampaignFilters,
): Query<Leading> {
  const isByPeriod = periods !== null && periods.breakdown !== 'day';
  const period = isByPeriod
    ? periodStart(periods.breakdown, sql`sent_date`)
    : sql`${parameter.date(range.firstDate.toString())}`;
  const sent = isByPeriod ? sentDuring(channel, periods, filters) : sentIn(channel, range, filters);
  return {
    ...query(COLUMNS, leadingRows(channel, period, sent)),
    isAside: true,
  };
}

function leadingRows(channel: MessageChannel, period: Sql, sent: Sql): Sql {
  const of = (name: 'clicked' | 'opened') => sql`
    select period_start, campaign_key, ${parameter.text(name)} as followed, delivered,
      ${name === 'clicked' ? sql`clicked` : sql`opened`} as count_of
    from cells`;
  return sql`
    with cells as (
      select period_start, campaign_key, ${channel.delivered} as delivered, clicked, ${channel.name === 'email' ? sql`opened` : sql`0`} as opened
      from (
        select ${period} as period_start, campaign_key, ${channel.measures}
        from ${sends} where ${sent} group by period_start, campaign_key
      ) as measures
    ),
    named as (
      select period_start, followed, delivered, count_of, name, campaign_id, is_automation
      from (${of('clicked')} union all ${of('opened')}) as counts
      join (select campaign_key, campaign_id, name, is_automation from ${campaigns}) as campaigns using (campaign_key)
    ),
    ranked as (
      select *, sum(delivered) over (partition by period_start, followed) as all_delivered,
        sum(count_of) over (partition by period_start, followed) as all_followed,
        row_number() over (
          partition by period_start, followed
          order by case when is_automation then 1 else 0 end, count_of desc, campaign_id
        ) as place
      from named
    )
    select period_start, followed, name, delivered as own_delivered, count_of as own_followed,
      all_delivered as delivered, all_followed
    from ranked
    where place = 1 and not is_automation and count_of > 0
    order by period_start, followed`;
}

interface Told {
  readonly rates: readonly [all: number, others: number];
  readonly row: Leading;
}

/** @param periods of the answer; null where it has none, or has days */
export function leadingCampaignNotes(rows: readonly Leading[], periods: Periods | null): string[] {
  const told = rows.flatMap((row): Told[] => {
    const others = {
      delivered: row.delivered - row.own_delivered,
      followed: row.all_followed - row.own_followed,
    };
    if (others.delivered < LEAST_DELIVERED || others.followed < LEAST_FOLLOWED) return [];
    if (row.own_followed < LEAST_PART * row.all_followed) return [];
    const rates = [row.all_followed / row.delivered, others.followed / others.delivered] as const;
    return Math.abs(rates[1] - rates[0]) >= LEAST_MOVED * rates[0] ? [{ row, rates }] : [];
  });
  const most = told.toSorted((one, other) => movedBy(other) - movedBy(one)).slice(0, MOST_TOLD);
  const more = told.length - most.length;
  return most.map((one, place) => {
    const rest =
      more > 0 && place === most.length - 1
        ? ` The same is so of ${plural(more, 'more rate', 'more rates')}.`
        : '';
    return `${textOf(one, periods)}${rest}`;
  });
}

function movedBy({ rates: [all, others] }: Told): number {
  return Math.abs(others - all) / all;
}

function textOf({ row, rates }: Told, periods: Periods | null): string {
  const period = periods?.list.find(({ period_start }) => period_start === row.period_start)?.period;
  const [noun, rate] = row.followed === 'clicked' ? ['clicked', 'click_rate'] : ['opened', 'open_rate'];
  const [all, others] = rates.map((share) => `${(100 * share).toFixed(2)} %`);
  const share = ((100 * row.own_followed) / row.all_followed).toFixed(0);
  const name = shownName(shortText(row.name, LONGEST_NAME));
  return `${period === undefined ? 'In the range' : `In ${period}`} ${share} % of the ${noun} messages (${row.own_followed} of ${row.all_followed}) are of one campaign, ${name}: ${rate} is ${all} with it and ${others} without it.`;
}
