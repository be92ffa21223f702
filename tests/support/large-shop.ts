import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Tool } from '../../src/answers/tool.ts';

/** How a large shop is imported. */
export const LARGE_SHOP = { name: 'Large shop', timezone: 'Europe/Prague', currency: 'CZK' };

/**
 * Writes the files of a shop: 5 million sends, 20 million events, 600,000 orders, a million sessions at full
 * size.
 *
 * @param share of that size
 */
export async function writeLargeShop(folder: string, share: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const generator = await DuckDBInstance.create(':memory:', { temp_directory: '' });
  const connection = await generator.connect();
  for (const [table, query] of Object.entries(tablesOf(share))) {
    await connection.run(`copy (${query}) to '${join(folder, `${table}.parquet`)}' (format parquet)`);
  }
  connection.closeSync();
  generator.closeSync();
}

const CAMPAIGNS = 120;
/** One in eight is SMS, one in three an automation. */
const channel = (campaign: string) => `case when ${campaign} % 8 = 7 then 'sms' else 'email' end`;
/** A moment of the year, spread by `n`. */
const moment = (n: string) =>
  `strftime(timestamp '2025-01-01' + to_seconds(cast(${n} % 31536000 as bigint)), '%Y-%m-%dT%H:%M:%SZ')`;
/** An automation sends all the year, another campaign within two days. @param n of the send */
const sentSecond = (n: string) =>
  `case when ${n} % ${CAMPAIGNS} % 3 = 0 then hash(${n}) % 31536000
    else ${n} % ${CAMPAIGNS} * 259200 + hash(${n}) % 172800 end`;
const sentMoment = (n: string, later = '0') =>
  `strftime(timestamp '2025-01-01' + to_seconds(cast(${sentSecond(n)} as bigint) + ${later}), '%Y-%m-%dT%H:%M:%SZ')`;

function tablesOf(share: number): Readonly<Record<string, string>> {
  const count = (atFullSize: number) => Math.round(atFullSize * share);
  const sends = count(5_000_000);
  const person = (n: string) => `'p' || (hash(${n}) % ${count(500_000)})`;
  return {
    profiles: `select 'p' || n as profile_id, 'p' || n || '@example.com' as email, '2025-01-01T00:00:00Z' as created_at,
      case when n % 5 = 0 then 'SK' else 'CZ' end as country from range(${count(500_000)}) as t(n)`,
    orders: `select 'o' || n as order_id, ${moment('hash(n)')} as ordered_at, ${person('n * 7')} as profile_id,
      'paid' as status, cast(100 + n % 900 as varchar) as total from range(${count(600_000)}) as t(n)`,
    sessions: `select 's' || n as session_id, 'v' || n % ${count(400_000)} as visitor_id,
      case when n % 3 = 0 then ${person('n')} end as profile_id, ${moment('hash(n + 1)')} as started_at,
      case when n % 4 = 0 then 'newsletter' else 'google' end as source,
      case when n % 4 = 0 then 'email' else 'organic' end as medium,
      'c' || n % ${CAMPAIGNS} as campaign, 3 as page_views, 20 as engagement_s from range(${count(1_000_000)}) as t(n)`,
    campaigns: `select 'c' || n as campaign_id, 'Campaign ' || n as name,
        case when n % 10 = 9 then 'popup' when n % 8 = 7 then case when n % 3 = 0 then 'incremental-sms' else 'targeted-sms' end
          when n % 3 = 0 then 'incremental-emailing' when n % 7 = 1 then 'targeted-emailing-ab'
          else 'targeted-emailing' end as campaign_type,
        case when n % 3 = 0 then 'active' else 'finished' end as state, '2024-12-01T00:00:00Z' as created_at,
        'newsletter' as utm_source, 'email' as utm_medium, 'c' || n as utm_campaign,
        '{"segments":[{"targetingBlocks":[{"type":"interest_list","operator":"is_subscribed","value":["news"]}]}]}' as segment_query
      from range(${CAMPAIGNS}) as t(n)`,
    messages: `select 'm' || n || v as message_id, 'c' || n as campaign_id, case when n % 10 = 9 then 'popup' else ${channel('n')} end as channel,
        v as variant, 'Subject ' || n as subject, 'Text of the message' as text
      from range(${CAMPAIGNS}) as t(n), (values ('A'), ('B')) as variants(v)`,
    links: `select 'l' || n || v || i as link_id, 'm' || n || v as message_id,
        'https://shop.example.com/' || i || '?utm_campaign=c' || n as url, 'Link ' || i as label
      from range(${CAMPAIGNS}) as t(n), (values ('A'), ('B')) as variants(v), range(5) as links(i)`,
    sends: `select 'd' || n as send_id, 'm' || n % ${CAMPAIGNS} || case when n % 2 = 0 then 'A' else 'B' end as message_id,
        ${person('n')} as profile_id, ${sentMoment('n')} as sent_at,
        case when n % 50 = 0 then 'hard' when n % 70 = 0 then 'soft' else 'delivered' end as outcome,
        case when n % 3 = 0 then 'gmail.com' when n % 3 = 1 then 'seznam.cz' else 'icloud.com' end as recipient_domain,
        'mail.shop.example.com' as sending_domain, '1.2' as cost
      from range(${sends}) as t(n)`,
    message_events: `select 'e' || n as event_id, 'd' || n % ${sends} as send_id,
        case when n % 4 < 3 then 'open' when n % 40 = 3 then 'unsubscribe' else 'click' end as kind,
        ${sentMoment(`(n % ${sends})`, '60 + n % 90000')} as at,
        case when n % 4 = 3 then 'l' || n % ${sends} % ${CAMPAIGNS} || case when n % 2 = 0 then 'A' else 'B' end || n % 5 end as link_id,
        n % 5 = 0 as is_machine
      from range(${count(20_000_000)}) as t(n)`,
    audience_members: `select 'c' || n % ${CAMPAIGNS} as campaign_id, ${person('n')} as profile_id, ${sentMoment('n')} as entered_at,
        case when n % 20 = 1 then 'control' when n % 20 = 2 then 'skipped_consent' else 'sent' end as outcome
      from range(${sends}) as t(n)`,
    consent_events: `select 'p' || n % ${count(500_000)} as profile_id, 'email' as channel, ${moment('hash(n)')} as at,
        case when n % 6 < 4 then 'subscribed' when n % 6 = 4 then 'pending' else 'unsubscribed' end as state,
        case when n % 2 = 0 then 'popup' else 'checkout' end as source
      from range(${count(1_500_000)}) as t(n)`,
    interest_lists: `select * from (values ('news', 'News'), ('sales', 'Sales')) as lists(code, name)`,
    interest_list_events: `select case when n % 3 = 0 then 'sales' else 'news' end as code, 'p' || n % ${count(500_000)} as profile_id,
        ${moment('hash(n)')} as at, case when n % 4 = 0 then 'unsubscribed' else 'subscribed' end as kind
      from range(${count(1_000_000)}) as t(n)`,
    popup_events: `select 'x' || n as event_id, 'c' || n % 12 * 10 + 9 as campaign_id, 'v' || n % ${count(400_000)} as visitor_id,
        ${moment('hash(n)')} as at, case when n % 10 = 0 then 'submit' when n % 3 = 0 then 'close' else 'display' end as kind,
        'mobile' as device, case when n % 10 = 0 then ${person('n')} end as profile_id
      from range(${count(1_000_000)}) as t(n)`,
    products: `select 'x' || n as external_product_id, 'Product ' || n as name, cast(100 + n % 900 as varchar) as price,
      'Brand ' || n % 20 as brand, '["Shoes"]' as categories from range(${count(50_000)}) as t(n)`,
    order_items: `select 'o' || n // 3 as order_id, cast(n % 3 + 1 as varchar) as line_no,
      'x' || hash(n) % ${count(50_000)} as external_product_id, '1' as quantity, '100' as unit_price
      from range(${count(1_800_000)}) as t(n)`,
    segments: `select 's1' as segment_id, 'Buyers' as name,
        '{"segments":[{"targetingBlocks":[{"type":"order_count","operator":"gte","value":1}]}]}' as segment_query`,
  };
}

const ESTIMATED = {
  segments: [
    {
      targetingBlocks: [
        { type: 'interest_list', operator: 'is_subscribed', value: ['news'] },
        { type: 'order_count', operator: 'gte', value: 1, period: { last_days: 365 } },
        { type: 'campaign', operator: 'clicked', value: ['c1', 'c3'] },
        {
          type: 'messages_received',
          operator: 'lte',
          value: 20,
          channel: 'email',
          period: { last_days: 90 },
        },
        { type: 'session', operator: 'gte', value: 1, period: { last_days: 180 } },
      ],
    },
  ],
};

/** Half a year, as an agent would ask; null for a tool that is about no business. */
export function askLargeShop(
  { name, input, scope }: Tool,
  business_id: string,
): Record<string, unknown> | null {
  if (scope === 'account') return null;
  const fields = input.shape;
  return {
    business_id,
    ...('to_date' in fields && { from_date: '2025-01-01T00:00:00', to_date: '2025-06-30T23:59:59' }),
    ...('breakdown' in fields && { breakdown: 'month' }),
    ...('dimension' in fields && { dimension: 'weekday_hour' }),
    ...('campaign_id' in fields && { campaign_id: name === 'campaign_variant_statistics' ? 'c1' : 'c3' }),
    ...('campaign_ids' in fields && { campaign_ids: ['c1', 'c3', 'c9'] }),
    ...('segment_id' in fields && { segment_id: 's1' }),
    ...('segment_query' in fields && { segment_query: ESTIMATED }),
    ...('external_product_id' in fields && { external_product_id: 'x1' }),
    ...('external_product_ids' in fields &&
      name.endsWith('_trend') && { external_product_ids: ['x1', 'x2'] }),
    ...('external_master_product_ids' in fields &&
      name.endsWith('_trend') && { external_master_product_ids: ['x1'] }),
    ...('categories' in fields && name.endsWith('_trend') && { categories: ['Shoes'] }),
    ...('brands' in fields && name.endsWith('_trend') && { brands: ['Brand 1'] }),
  };
}
