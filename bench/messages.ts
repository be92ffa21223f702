/**
 * Every tool about messages on 5 million sends and 20 million events, medians of some rounds.
 *
 *   node bench/messages.ts [share of that size; default 1] [rounds; default 3]
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { CATALOGUE } from '../src/catalogue.ts';
import { createBusiness } from '../src/control/businesses.ts';
import { operatorCaller } from '../src/control/callers.ts';
import { importFolder } from '../src/ingest/import.ts';
import { runTool } from '../src/mcp/run-tool.ts';
import { openInstance } from '../src/server/instance.ts';
import { readSettings } from '../src/server/settings.ts';
import { toolEnvironment } from '../src/server/tool-environment.ts';
import { openWarehouse } from '../src/server/warehouse.ts';
import type { Tool } from '../src/tools/tool.ts';

const share = Number(process.argv[2] ?? 1);
const rounds = Number(process.argv[3] ?? 3);
const count = (atFullSize: number) => Math.round(atFullSize * share);

const SENDS = count(5_000_000);
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
const person = (n: string) => `'p' || (hash(${n}) % ${count(500_000)})`;

const TABLES: Readonly<Record<string, string>> = {
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
    from range(${SENDS}) as t(n)`,
  message_events: `select 'e' || n as event_id, 'd' || n % ${SENDS} as send_id,
      case when n % 4 < 3 then 'open' when n % 40 = 3 then 'unsubscribe' else 'click' end as kind,
      ${sentMoment(`(n % ${SENDS})`, '60 + n % 90000')} as at,
      case when n % 4 = 3 then 'l' || n % ${SENDS} % ${CAMPAIGNS} || case when n % 2 = 0 then 'A' else 'B' end || n % 5 end as link_id,
      n % 5 = 0 as is_machine
    from range(${count(20_000_000)}) as t(n)`,
  audience_members: `select 'c' || n % ${CAMPAIGNS} as campaign_id, ${person('n')} as profile_id, ${sentMoment('n')} as entered_at,
      case when n % 20 = 1 then 'control' when n % 20 = 2 then 'skipped_consent' else 'sent' end as outcome
    from range(${SENDS}) as t(n)`,
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
  segments: `select 's1' as segment_id, 'Buyers' as name,
      '{"segments":[{"targetingBlocks":[{"type":"order_count","operator":"gte","value":1}]}]}' as segment_query`,
};

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

const folder = await mkdtemp(join(tmpdir(), 'storesight-bench-'));
try {
  const files = join(folder, 'files');
  await mkdir(files);
  const generator = await DuckDBInstance.create();
  const connection = await generator.connect();
  for (const [table, query] of Object.entries(TABLES)) {
    await connection.run(`copy (${query}) to '${join(files, `${table}.parquet`)}' (format parquet)`);
  }
  connection.closeSync();
  generator.closeSync();

  const settings = readSettings({ STORESIGHT_DATA: join(folder, 'data') });
  await using instance = await openInstance(settings);
  const { business_id } = await createBusiness(instance.control, {
    name: 'Large shop',
    timezone: 'Europe/Prague',
    currency: 'CZK',
  });
  const business = { business_id, name: '', link: null, timezone: 'Europe/Prague', primary_currency: 'CZK' };
  const imported = await milliseconds(() => importFolder(instance, business, files));
  console.log(`import: ${(imported / 1000).toFixed(0)} s, ${peak()} MB at most`);

  const warehouse = await openWarehouse(instance, settings);
  const environment = toolEnvironment(instance, warehouse);
  console.log('tool | ms');
  for (const tool of CATALOGUE) {
    const args = argumentsOf(tool, business_id);
    if (args === null) continue;
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      times.push(
        await milliseconds(() => runTool(environment, tool, args, operatorCaller(instance.control))),
      );
    }
    console.log(`${tool.name} | ${times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]?.toFixed(0)}`);
  }
  console.log(`${peak()} MB at most`);
  await warehouse.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Half a year, as an agent would ask; null for tools that are about other data. */
function argumentsOf(
  { name, input, group, scope }: Tool,
  business_id: string,
): Record<string, unknown> | null {
  const GROUPS = /^(Email|SMS|Subscribers|Campaign|Segments|Interest)/;
  if (scope === 'account' || !GROUPS.test(group)) return null;
  const fields = input.shape;
  return {
    business_id,
    ...('to_date' in fields && { from_date: '2025-01-01T00:00:00', to_date: '2025-06-30T23:59:59' }),
    ...('breakdown' in fields && { breakdown: 'month' }),
    ...('campaign_id' in fields && { campaign_id: name === 'campaign_variant_statistics' ? 'c1' : 'c3' }),
    ...('campaign_ids' in fields && { campaign_ids: ['c1', 'c3', 'c9'] }),
    ...('segment_id' in fields && { segment_id: 's1' }),
    ...('segment_query' in fields && { segment_query: ESTIMATED }),
  };
}

function peak(): string {
  return (process.resourceUsage().maxRSS / 1024).toFixed(0);
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}
