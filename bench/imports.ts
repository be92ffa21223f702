/**
 * An import beside a bare load of the same files by DuckDB, which types the columns and numbers the orders.
 * Each runs in a process of its own, so that its memory is its own.
 *
 *   node bench/imports.ts [orders; default 500000] [memory of the import; default 2GB]
 */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { createBusiness } from '../src/control/businesses/businesses.ts';
import { importFolder } from '../src/import/run.ts';
import { openInstance } from '../src/server/instance.ts';
import { readSettings } from '../src/server/settings.ts';

const [first = '500000', second = '2GB', third] = process.argv.slice(2);

if (first === 'bare') await loadBare(second);
else if (first === 'import') await importFiles(second, third ?? '2GB');
else await compare(Number(first), second);

/** What is measured of both ways of importing. */
interface Measured {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly megabytes: number;
  /** The longest of what was done one after the other. */
  readonly steps?: readonly (readonly [step: string, seconds: number])[];
}

async function compare(orders: number, memory: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'storesight-bench-'));
  try {
    await writeFiles(join(folder, 'files'), orders);
    const bare = inProcess('bare', folder);
    const imported = inProcess('import', folder, memory);
    console.log(`${orders} orders, ${orders * 2} lines, ${memory}`);
    console.log('| | s | CPU s | MB |\n|---|---|---|---|');
    for (const [name, { seconds, cpuSeconds, megabytes }] of [
      ['bare load', bare],
      ['import', imported],
    ] as const)
      console.log(`| ${name} | ${seconds.toFixed(1)} | ${cpuSeconds.toFixed(1)} | ${megabytes.toFixed(0)} |`);
    console.log(
      `ratio: ${(imported.seconds / bare.seconds).toFixed(1)} of time, ${(imported.cpuSeconds / bare.cpuSeconds).toFixed(1)} of processor time`,
    );
    for (const [step, seconds] of imported.steps ?? [])
      console.log(`${seconds.toFixed(2).padStart(8)} s ${step}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function inProcess(...args: readonly string[]): Measured {
  const { stdout, stderr, status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...args], {
    encoding: 'utf8',
    env: { ...process.env, UV_THREADPOOL_SIZE: '24' },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** A shop of three years: one order in ten days of each of its customers, two lines in each. */
async function writeFiles(folder: string, orders: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', { temp_directory: '' });
  const connection = await instance.connect();
  const customers = Math.ceil(orders / 5);
  const products = 20_000;
  const tables = {
    profiles: `select 'p' || n as profile_id, 'p' || n || '@example.com' as email, '2024-01-01T00:00:00Z' as created_at,
      case when n % 5 = 0 then 'SK' else 'CZ' end as country from range(${customers}) as t(n)`,
    products: `select 'x' || n as external_product_id, 'Product ' || n as name, 100 + n % 900 as price,
      'Brand ' || n % 50 as brand, '["Shoes"]' as categories from range(${products}) as t(n)`,
    orders: `select 'o' || n as order_id, strftime(timestamp '2024-01-01' + to_seconds(cast(hash(n) % 94608000 as bigint)), '%Y-%m-%dT%H:%M:%SZ') as ordered_at,
      'p' || hash(n * 7) % ${customers} as profile_id, 'p' || hash(n * 7) % ${customers} || '@example.com' as email,
      case when n % 40 = 0 then 'cancelled' else 'paid' end as status, 100 + n % 900 as total, 'CZK' as currency,
      'CZ' as country, 'card' as payment_method, 'post' as shipping_method from range(${orders}) as t(n)`,
    order_items: `select 'o' || n // 2 as order_id, n % 2 + 1 as line_no, 'product' as kind,
      'x' || hash(n) % ${products} as external_product_id, 'Product' as name, 1 + n % 3 as quantity, 99.5 as unit_price
      from range(${orders * 2}) as t(n)`,
  };
  for (const [table, query] of Object.entries(tables))
    await connection.run(`copy (${query}) to '${join(folder, `${table}.csv`)}' (format csv, header)`);
  connection.closeSync();
  instance.closeSync();
}

async function loadBare(folder: string): Promise<void> {
  const file = (table: string) => `read_csv('${join(folder, 'files', `${table}.csv`)}')`;
  const measured = await measure(async () => {
    const instance = await DuckDBInstance.create(join(folder, 'bare.duckdb'));
    const connection = await instance.connect();
    for (const table of ['profiles', 'products', 'order_items'])
      await connection.run(`create table ${table} as from ${file(table)}`);
    await connection.run(
      `create table orders as select row_number() over (order by ordered_at, order_id) as order_key, * from ${file('orders')}`,
    );
    await connection.run('checkpoint');
    connection.closeSync();
    instance.closeSync();
  });
  process.stdout.write(JSON.stringify(measured));
}

async function importFiles(folder: string, memory: string): Promise<void> {
  const settings = readSettings({
    STORESIGHT_DATA: join(folder, 'data'),
    STORESIGHT_IMPORT_MEMORY: memory,
    STORESIGHT_LOG_LEVEL: 'silent',
  });
  await using instance = await openInstance(settings);
  const business = await createBusiness(instance.control, {
    name: 'Large shop',
    timezone: 'Europe/Prague',
    currency: 'CZK',
  });
  const began: [string, number][] = [];
  const onStep = (step: string) => began.push([step, performance.now()]);
  const measured = await measure(() =>
    importFolder({ ...instance, onStep }, business, join(folder, 'files')).then(() => {}),
  );
  const ended = performance.now();
  const steps = began
    .map(([step, at], index) => [step, ((began[index + 1]?.[1] ?? ended) - at) / 1000] as const)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 15);
  process.stdout.write(JSON.stringify({ ...measured, steps }));
}

async function measure(work: () => Promise<void>): Promise<Measured> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return {
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: (user + system) / 1e6,
    megabytes: process.resourceUsage().maxRSS / 1024,
  };
}
