import { z } from 'zod';
import { column, field, fieldsNamed, type ObjectOf } from '../../../answers/fields/field.ts';
import { text } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { knownSum } from '../../../answers/metric.ts';
import { campaigns, orderAttribution, orderTraffic, sessions } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { orderedIn, type Range } from '../../../time/range.ts';
import type { MessageChannel } from './message-channels.ts';
import { isContested, orderDateRevenue } from './order-date-revenue.ts';
import { type CampaignFilters, isByCampaign } from './sent-campaigns.ts';

export const byCampaignArgument = {
  by_campaign: z.boolean().default(false).describe('Adds rows by campaign.'),
};

const MOST_CAMPAIGNS = 1000;
const UNKNOWN_TAGS = '(unknown tags)';

const rowFields = [
  text('campaign_id', 'Id of the campaign.', 'the row (unknown tags)'),
  field({
    key: 'campaign_name',
    type: 'text',
    definition:
      'Name of the campaign; (unknown tags): last clicks of the channel whose visit has the tag of no known campaign, or none. Business data.',
  }),
  ...fieldsNamed(orderDateRevenue(true), [
    'attributed_orders_count',
    'attributed_revenue',
    'last_click_orders_count',
    'last_click_revenue',
  ]),
  field({
    key: 'contested_orders_count',
    type: 'integer',
    unit: 'orders',
    definition: 'attributed_orders_count whose last click is another marketing channel.',
  }),
  ...fieldsNamed(orderDateRevenue(true), ['contested_revenue']),
];

export const campaignsField = field({
  key: 'campaigns',
  type: 'list',
  null: 'by_campaign is false',
  definition: `What adds up to the numbers above, by campaign, most credited first; at most ${MOST_CAMPAIGNS}.`,
  fields: rowFields,
});

const COUNTED = [...rowFields, column('campaigns_count', 'integer')];

/**
 * The orders of the range by the campaign that they are credited to, and by the one whose tag the visit of
 * their last click has. What campaigns that the filters leave out are credited with, nobody is. Where several
 * campaigns have it: the one that gives most parts of the tag, the latest, the first by its id.
 */
export function revenueByCampaign(
  { name, lastClickChannel }: MessageChannel,
  range: Range,
  filters: CampaignFilters,
) {
  const placed = orderedIn(range);
  return query(
    COUNTED,
    sql`
    with claims as (
      select campaign_key, 1 as attributed, revenue as attributed_revenue, 0 as clicked, ${noMoney} as clicked_revenue,
        case when ${isContested(lastClickChannel)} then 1 else 0 end as contested,
        case when ${isContested(lastClickChannel)} then revenue else 0 end as contested_revenue
      from ${orderAttribution}
      left join (select order_key, last_click_channel from ${orderTraffic} where ${placed}) as clicks using (order_key)
      where scenario = 'configured' and channel = ${parameter.text(name)} and ${placed} and ${isByCampaign(filters)}
      union all
      select coalesce(campaign_key, 0), 0, ${noMoney}, 1, revenue, 0, ${noMoney}
      from (
        select order_key, last_session_key, revenue from ${orderTraffic}
        where last_click_channel = ${parameter.text(lastClickChannel)} and ${placed}
      ) as clicks
      left join (${taggedSessions()}) as tagged using (last_session_key)
    ),
    summed as (
      select campaign_key, sum(attributed) as attributed_orders_count, ${knownSum(sql`attributed_revenue`)} as attributed_revenue,
        sum(clicked) as last_click_orders_count, ${knownSum(sql`clicked_revenue`)} as last_click_revenue,
        sum(contested) as contested_orders_count, ${knownSum(sql`contested_revenue`)} as contested_revenue
      from claims group by campaign_key
    )
    select campaign_id, coalesce(name, ${parameter.text(UNKNOWN_TAGS)}) as campaign_name,
      attributed_orders_count, attributed_revenue, last_click_orders_count, last_click_revenue,
      contested_orders_count, contested_revenue, (select count(*) from summed) as campaigns_count
    from summed
    left join (select campaign_key, campaign_id, name from ${campaigns}) as named using (campaign_key)
    order by attributed_revenue desc, last_click_revenue desc, campaign_id nulls last
    limit ${parameter.integer(MOST_CAMPAIGNS)}`,
  );
}

const noMoney = sql`cast(0 as decimal(18,4))`;

/** The campaign of each session that has a known tag. */
function taggedSessions(): Sql {
  return sql`
    select last_session_key, campaign_key
    from (
      select last_session_key, campaign_key, row_number() over (
        partition by last_session_key order by parts desc, created_at desc, campaign_id
      ) as place
      from (
        select session_key as last_session_key, source, medium, campaign as utm_campaign from ${sessions}
      ) as visits
      join (
        select campaign_key, campaign_id, created_at, utm_source, utm_medium, utm_campaign,
          case when utm_source is null then 0 else 1 end + case when utm_medium is null then 0 else 1 end as parts
        from ${campaigns} where utm_campaign is not null
      ) as tags using (utm_campaign)
      where (utm_source is null or source = utm_source) and (utm_medium is null or medium = utm_medium)
    ) as fitting
    where place = 1`;
}

/** @param rows of `revenueByCampaign` */
export function campaignRows(rows: readonly ObjectOf<typeof COUNTED>[]) {
  return rows.map(({ campaigns_count, ...row }) => row);
}

export function cutCampaignsNotes([first]: readonly ObjectOf<typeof COUNTED>[]): string[] {
  return first === undefined || first.campaigns_count <= MOST_CAMPAIGNS
    ? []
    : [
        `campaigns has the first ${MOST_CAMPAIGNS} of ${first.campaigns_count} rows; ask for a shorter range.`,
      ];
}
