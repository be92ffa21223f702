/**
 * A BigQuery export of Google Analytics 4 with ten million events, as Parquet: what reading, translating and
 * staging it takes, beside DuckDB's bare read of its parameters.
 *
 * `node bench/ga4.ts [events]`, with `node_modules/.bin` in the path. The shape is that of the samples:
 * twelve events a visit, a dozen parameters each, three items in views of products, a purchase in every
 * fiftieth visit.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRejects, stageTable } from '../src/ingest/stage-table.ts';
import { literal, Session } from '../src/store/duckdb-session.ts';
import { defineGate } from '../src/store/personal-data/session-gate.ts';
import { readBatch } from '../tests/sources/read-batch.ts';

const events = Number(process.argv[2] ?? 10_000_000);
const folder = mkdtempSync(join(tmpdir(), 'storesight-bench-'));
const file = join(folder, 'events.parquet');
const bounds = { memory: '1500MB', spillFolder: join(folder, 'spill'), spillLimit: '40GB' };

try {
  await writeExport();
  const written = process.resourceUsage().maxRSS / 1024;
  console.log(
    `${events} events, ${Math.round(statSync(file).size / 2 ** 20)} MiB, ${Math.round(written)} MiB to write them`,
  );
  const bare = await timed('bare read of the parameters', bareRead);
  const staged = await timed('recognised, translated and staged', translateAndStage);
  const memory = process.resourceUsage().maxRSS / 1024;
  console.log(`ratio ${(staged / bare).toFixed(1)}, memory at most ${Math.round(memory)} MiB`);
} finally {
  rmSync(folder, { recursive: true });
}

async function writeExport(): Promise<void> {
  using session = await Session.open(':memory:', { ...bounds, memory: '800MB' });
  const value = (column: string, text: string) =>
    `{'string_value': ${column === 'string' ? text : 'cast(null as varchar)'}, 'int_value': ${column === 'int' ? `cast(${text} as bigint)` : 'cast(null as bigint)'},
      'float_value': cast(null as double), 'double_value': ${column === 'double' ? `cast(${text} as double)` : 'cast(null as double)'}}`;
  const param = (key: string, column: string, text: string) =>
    `{'key': '${key}', 'value': ${value(column, text)}}`;
  const page = `'https://shop.example/category/product-' || (visit * 7 + step) % 5000 || '?utm_source=google&utm_medium=cpc'`;
  const name = `case step when 0 then 'session_start' when 1 then 'page_view' when 4 then 'view_item' when 6 then 'view_item' when 7 then 'page_view'
    when 8 then case when visit % 10 = 0 then 'add_to_cart' else 'scroll' end when 11 then case when visit % 50 = 0 then 'purchase' else 'user_engagement' end
    else case when step % 2 = 0 then 'page_view' else 'user_engagement' end end`;
  const item = (
    shift: number,
  ) => `{'item_id': 'SKU-' || (visit * 3 + step + ${shift}) % 20000, 'item_name': 'Product of the shop', 'item_brand': 'Acme',
    'item_category': 'Shoes', 'price': 29.9, 'quantity': 1, 'item_revenue': 29.9}`;
  await session.run(`set preserve_insertion_order = true; copy (
    select strftime(moment, '%Y%m%d') as event_date, epoch_us(moment) as event_timestamp, event_name,
      [${[
        param('ga_session_id', 'int', '1700000000 + visit'),
        param('ga_session_number', 'int', '1 + visit % 5'),
        param('page_location', 'string', page),
        param('page_referrer', 'string', `'https://shop.example/'`),
        param('page_title', 'string', `'Product of the shop'`),
        param('engagement_time_msec', 'int', 'step * 1000'),
        param('session_engaged', 'string', `'1'`),
        param('engaged_session_event', 'int', '1'),
        param('source', 'string', `case when visit % 3 = 0 then 'google' else 'newsletter' end`),
        param('medium', 'string', `case when visit % 3 = 0 then 'cpc' else 'email' end`),
        param('campaign', 'string', `'campaign ' || visit % 40`),
        param('currency', 'string', `'EUR'`),
      ].join(', ')}] as event_params,
      cast(null as varchar) as user_id, (10000000 + visit % 700000) || '.1606435662' as user_pseudo_id,
      {'category': case when visit % 2 = 0 then 'mobile' else 'desktop' end, 'language': 'en'} as device, {'country': 'Czechia', 'city': 'Prague'} as geo,
      {'transaction_id': case when event_name = 'purchase' then 'T' || visit end, 'purchase_revenue': case when event_name = 'purchase' then 89.7 end,
        'shipping_value': cast(null as double), 'tax_value': cast(null as double), 'refund_value': cast(null as double)} as ecommerce,
      case when event_name in ('view_item', 'add_to_cart', 'purchase') then [${[0, 1, 2].map(item).join(', ')}] else [] end as items
    from (
      select visit, step, ${name} as event_name, timestamp '2026-01-01' + to_microseconds(visit * 15000000 + step * 20000000 + visit % 1000) as moment
      from range(${Math.ceil(events / 12)}) as visits(visit), range(12) as steps(step)
    ) limit ${events}
  ) to ${literal(file)} (format parquet, row_group_size 100000)`);
}

async function bareRead(): Promise<void> {
  using session = await Session.open(':memory:', bounds);
  await session.row(
    `select max(list_transform(event_params, lambda param: param.key)), max(user_pseudo_id), max(event_timestamp) from read_parquet(${literal(file)})`,
  );
}

async function translateAndStage(): Promise<void> {
  using session = await Session.open(':memory:', bounds);
  await session.run("set variable business_timezone = 'UTC'");
  defineGate(session, Buffer.alloc(32), { business_id: 'b', timezone: null, primary_currency: null });
  await createRejects(session);
  const batch = await readBatch(session, [file]);
  for (const [table, rows] of batch.files) {
    const { counts } = await stageTable(session, table, rows);
    console.log(`  ${table.name}: ${counts.loaded} rows, ${counts.rejected} rejected`);
  }
}

async function timed(name: string, work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  console.log(`${name}: ${seconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of processor time`);
  return seconds;
}
