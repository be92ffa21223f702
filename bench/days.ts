/**
 * A day of orders into a big store: how long an import takes that builds everything anew, and one that brings
 * the model up to date; their ratio is what counts, since both run on the same machine at the same time of
 * day.
 *
 *   node bench/days.ts [orders in the store, default 500000] [orders of the day, default 7000] [--only-orders] [--keep folder]
 *
 * Each order has two lines, a session and seven product events, unless there are only orders. With `--keep`,
 * the store stays in the folder, and the next run with it imports one more day alone.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { createBusiness, currentSnapshot, listBusinesses } from '../src/control/businesses/businesses.ts';
import { importFolder } from '../src/import/run.ts';
import { openInstance } from '../src/server/instance.ts';
import { readSettings } from '../src/server/settings.ts';
import { INCREMENTAL_LIMITS, type IncrementalLimits } from '../src/snapshot/model-before.ts';
import { readDescription } from '../src/snapshot/snapshot-description.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'only-orders': { type: 'boolean' }, keep: { type: 'string' } },
});
const orders = Number(positionals[0] ?? 500_000);
const ordersOfDay = Number(positionals[1] ?? 7_000);
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'storesight-bench-'));
const isThere = existsSync(join(folder, 'data'));
try {
  const instance = await openInstance(readSettings({ STORESIGHT_DATA: join(folder, 'data') }));
  const settings = { name: 'Big', timezone: 'Europe/Prague', currency: 'CZK' };
  const business =
    (await listBusinesses(instance.control))[0] ?? (await createBusiness(instance.control, settings));
  if (!isThere) {
    await writeFiles(join(folder, 'store'), 0, orders);
    await timed('the store', 'store', null);
  }
  if (values.keep === undefined) await importDay('a day, whole', null);
  await importDay('a day, incremental', INCREMENTAL_LIMITS);

  async function importDay(title: string, incremental: IncrementalLimits | null): Promise<void> {
    const day = readdirSync(folder).filter((name) => name.startsWith('day-')).length;
    await writeFiles(
      join(folder, `day-${day}`),
      orders + day * ordersOfDay,
      orders + (day + 1) * ordersOfDay,
    );
    await timed(title, `day-${day}`, incremental);
  }

  async function timed(title: string, source: string, incremental: IncrementalLimits | null): Promise<void> {
    const startedAt = performance.now();
    const usedBefore = process.cpuUsage();
    let step = 'start';
    let stepAt = startedAt;
    const took = new Map<string, number>();
    const onStep = (next: string) => {
      took.set(step, (took.get(step) ?? 0) + performance.now() - stepAt);
      step = next;
      stepAt = performance.now();
    };
    await importFolder({ ...instance, onStep }, business, join(folder, source), { incremental });
    onStep('end');
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const used = process.cpuUsage(usedBefore);
    const cpuSeconds = ((used.user + used.system) / 1e6).toFixed(1);
    const id = String((await currentSnapshot(instance.control, business.business_id))?.snapshot_id);
    const description = await readDescription(instance.data.snapshot(business.business_id, id));
    const { kind, affected_persons } = description?.build ?? {};
    console.log(
      `${title}: ${seconds} s, ${cpuSeconds} s of processor time, ${kind}, ${affected_persons ?? 'all'} persons affected`,
    );
    for (const [name, ms] of took) if (ms > 300) console.log(`  ${(ms / 1000).toFixed(1)} s ${name}`);
  }
  await instance[Symbol.asyncDispose]();
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}

/**
 * Orders `first` to before `end` of one sequence: their customers come again every 200,000 orders or so, a
 * year is as long as the store.
 */
async function writeFiles(target: string, first: number, end: number): Promise<void> {
  mkdirSync(target, { recursive: true });
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  const copy = (table: string, select: string) =>
    connection.run(`copy (${select}) to '${join(target, table)}.parquet' (format parquet)`);
  const at = `timestamp '2024-01-01' + to_seconds(cast(i * ${(700 * 86_400) / orders} as bigint))`;
  const customer = `hash(i) % ${Math.ceil(orders / 4)}`;
  const range = `range(${first}, ${end}) as r(i)`;
  await copy(
    'orders',
    `select 'o' || i as order_id, ${at} as ordered_at, 'c' || ${customer} || '@example.com' as email,
    ${values['only-orders'] ? 'null' : `'v' || ${customer}`} as visitor_id, 'CZ' as country, hash(i + 1) % 3000 + 100 as total from ${range}`,
  );
  await copy(
    'order_items',
    `select 'o' || i as order_id, line as line_no, 'p' || hash(i * 3 + line) % 5000 as external_product_id,
    1 as quantity, 100 as unit_price from ${range}, range(1, 3) as l(line)`,
  );
  if (first === 0) {
    await copy(
      'products',
      `select 'p' || i as external_product_id, 'Product ' || i as name, 'b' || i % 40 as brand, 100 as price, 60 as purchase_price from range(5000) as r(i)`,
    );
  }
  if (values['only-orders']) return close();
  await copy(
    'sessions',
    `select 's' || i as session_id, 'v' || ${customer} as visitor_id, ${at} - interval 5 minutes as started_at,
    'google' as source, 'cpc' as medium, 'c' || hash(i) % 50 as campaign, 3 as page_views from ${range}`,
  );
  await copy(
    'product_events',
    `select 'e' || i || '-' || n as event_id, 'v' || ${customer} as visitor_id, 'p' || hash(i * 5 + n) % 5000 as external_product_id,
    case n when 0 then 'add_to_cart' else 'view' end as kind, ${at} - interval 4 minutes as "at" from ${range}, range(0, 7) as n(n)`,
  );
  close();

  function close(): void {
    connection.closeSync();
    database.closeSync();
  }
}
