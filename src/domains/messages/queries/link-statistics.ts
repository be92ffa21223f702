import { AS_NAMED, field, NO_RATE } from '../../../answers/fields/field.ts';
import { count, text } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import { counted, metric, percent, rate, selectMetrics } from '../../../answers/metric.ts';
import { rankedPage } from '../../../answers/ranking.ts';
import { links, messageEvents, orderAttribution, sends } from '../../../model-table/table-names.ts';
import type { Paging, Sorting } from '../../../sql/page.ts';
import { shared } from '../../../sql/shared.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { NO_CONTENT } from '../../../text/link-types.ts';

/** What a row is: its key, and what of a link all of the row have. */
const groupings = {
  url: { key: sql`plain_url`, url: sql`plain_url`, position: null },
  link: { key: sql`link_id`, url: sql`url`, position: sql`position` },
  domain: { key: sql`coalesce(domain, '(not set)')`, url: null, position: null },
  link_type: { key: sql`link_type`, url: null, position: null },
};
export type LinkGrouping = keyof typeof groupings;
export const LINK_GROUPINGS = Object.keys(groupings) as [LinkGrouping, ...LinkGrouping[]];

const linkMetrics = [
  counted('campaigns', 'campaigns_count', 'Campaigns that sent it in the range.', sql`campaigns`),
  counted('messages', 'delivered_count', 'Delivered messages with the link.', sql`delivered`),
  counted('clicks', 'clicks_count', 'Human clicks.', sql`coalesce(clicks, 0)`),
  counted('messages', 'unique_clicks_count', 'Sends with a human click.', sql`coalesce(clicked, 0)`),
  counted('clicks', 'bot_clicks_count', AS_NAMED, sql`coalesce(bot_clicks, 0)`),
  rate('click_rate', 'unique_clicks_count / delivered_count.', sql`coalesce(clicked, 0)`, sql`delivered`),
  metric({
    key: 'click_share',
    type: 'number',
    unit: 'percent',
    null: 'unsubscribe, preferences, view_online',
    definition: 'clicks_count / human clicks on all content links.',
    value: sql`case when has_content then ${percent(sql`coalesce(content_clicks, 0)`, sql`(sum(content_clicks) over ())`)} end`,
  }),
  counted(
    'orders',
    'attributed_orders_count',
    'Orders credited to a click on the link.',
    sql`coalesce(attributed_orders, 0)`,
  ),
  metric({
    key: 'attributed_revenue',
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    revenue: 'credited',
    definition: 'Revenue credited to clicks on the link.',
    value: sql`case when attributed_orders is null then 0 else attributed_revenue end`,
  }),
];

export const linkFields = [
  text('key', 'URL, link id, domain or type; (not set) when none. Business data.'),
  text('url', 'Business data.', 'the row is no single URL'),
  text('label', 'Text of the link. Business data.', 'none, or the row mixes several'),
  field({
    key: 'link_type',
    type: 'text',
    definition:
      'product, category, content, social, unsubscribe, preferences, view_online; other also when mixed.',
  }),
  count('place', 'position', '1: first of its message.', 'not known, or not by link'),
  ...linkMetrics,
];

interface LinkListing extends Sorting, Paging {
  readonly group_by: LinkGrouping;
}

/**
 * Links in the messages sent, one page of them.
 *
 * @param sent a condition over `sends`
 */
export function listLinks(sent: Sql, listing: LinkListing) {
  const { url, position } = groupings[listing.group_by];
  return query(
    linkFields,
    rankedPage(
      sql`
    with ${linksSent(sent, listing.group_by)},
    clicks_of_rows as (
      select row_key, count(*) filter (where not is_machine) as clicks,
        count(distinct send_key) filter (where not is_machine) as clicked,
        count(*) filter (where is_machine) as bot_clicks,
        count(*) filter (where is_content and not is_machine) as content_clicks
      from (
        select send_key, link_key, is_machine from ${messageEvents}
        where kind = 'click' and send_key in (select send_key from ${sends} where ${sent})
      ) as clicks
      join links_sent using (link_key)
      group by row_key
    ),
    orders_of_rows as (
      select row_key, count(*) as attributed_orders, sum(revenue) as attributed_revenue
      from (
        select link_key, revenue from ${orderAttribution}
        where scenario = 'configured' and touch_kind = 'click'
          and send_key in (select send_key from ${sends} where ${sent})
      ) as credited
      join links_sent using (link_key)
      group by row_key
    )
    select row_key as key, ${url === null ? sql`cast(null as varchar)` : sql`shown_url`} as url, label,
      coalesce(link_type, 'other') as link_type,
      ${position === null ? sql`cast(null as integer)` : sql`shown_position`} as position,
      ${selectMetrics(linkMetrics)}
    from (
      select row_key, min(shown_url) as shown_url, ${shared('label')}, ${shared('link_type')},
        min(position) as shown_position, max(case when is_content then 1 else 0 end) = 1 as has_content
      from links_sent group by row_key
    ) as described
    join (
      select row_key, sum(delivered) as delivered, count(distinct campaign_key) as campaigns
      from (select distinct row_key, message_key, campaign_key, delivered from links_sent) as messages_of_rows
      group by row_key
    ) as contained using (row_key)
    left join clicks_of_rows using (row_key)
    left join orders_of_rows using (row_key)`,
      listing,
      'key',
      linkFields,
    ),
  );
}

export function countLinks(sent: Sql, grouping: LinkGrouping) {
  return query(
    [totalCount],
    sql`
    with ${linksSent(sent, grouping)}
    select count(distinct row_key) as total_count from links_sent`,
  );
}

/** CTE `links_sent`: each link of each message sent, with its row and what was delivered of the message. */
function linksSent(sent: Sql, grouping: LinkGrouping): Sql {
  const { key, url } = groupings[grouping];
  return sql`links_sent as (
    select link_key, message_key, ${key} as row_key, ${url ?? sql`plain_url`} as shown_url, label, link_type, position,
      link_type not in (${parameter.texts(NO_CONTENT)}) as is_content, campaign_key, delivered
    from ${links}
    join (
      select message_key, campaign_key, count(*) filter (where outcome = 'delivered') as delivered
      from ${sends} where ${sent} group by message_key, campaign_key
    ) as messages_sent using (message_key)
  )`;
}
