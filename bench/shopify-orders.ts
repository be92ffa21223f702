/**
 * A Shopify order export of a million lines: what the import takes, beside DuckDB's bare read of the same
 * file.
 *
 * `node bench/shopify-orders.ts [lines]`, with `node_modules/.bin` in the path. The shape is that of real
 * exports: 79 columns, two lines an order.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRejects, stageTable } from '../src/ingest/stage-table.ts';
import { literal, Session } from '../src/store/duckdb-session.ts';
import { defineGate } from '../src/store/personal-data/session-gate.ts';
import { readBatch } from '../tests/sources/read-batch.ts';

const lines = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'storesight-bench-'));
const file = join(folder, 'orders_export.csv');
const bounds = { memory: '4GB', spillFolder: folder, spillLimit: '20GB' };

try {
  await writeExport();
  console.log(`${lines} lines, ${Math.round(statSync(file).size / 2 ** 20)} MiB`);
  const bare = await timed('bare read', bareRead);
  const staged = await timed('recognised, translated and staged', translateAndStage);
  const memory = process.resourceUsage().maxRSS / 1024;
  const ratio = (of: keyof Times) => (staged[of] / bare[of]).toFixed(1);
  console.log(
    `ratio ${ratio('seconds')}, of processor time ${ratio('used')}, memory at most ${Math.round(memory)} MiB`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

async function writeExport(): Promise<void> {
  using session = await Session.open(':memory:', bounds);
  const first = (value: string) => `case when line = 1 then ${value} end`;
  const columns: Record<string, string> = {
    Name: "'#' || o",
    Email: first("'buyer' || (o % 200000) || '@example.com'"),
    'Financial Status': first("case when o % 50 = 0 then 'refunded' else 'paid' end"),
    'Fulfillment Status': first("'fulfilled'"),
    Currency: first("'EUR'"),
    Subtotal: first("'30.00'"),
    Shipping: first("'4.90'"),
    Taxes: first("'5.21'"),
    Total: first("'34.90'"),
    'Discount Code': first("case when o % 10 = 0 then 'TEN' end"),
    'Discount Amount': first("'0.00'"),
    'Created at': "strftime(timestamp '2024-01-01' + to_seconds(o * 120), '%Y-%m-%d %H:%M:%S') || ' +0100'",
    'Lineitem quantity': "'1'",
    'Lineitem name': "'Product ' || (o % 5000) || ' - Blue / L'",
    'Lineitem price': "'15.00'",
    'Lineitem sku': "'SKU-' || (o % 5000)",
    'Lineitem discount': "'0.00'",
    'Payment Method': first("'Shopify Payments'"),
    'Refunded Amount': first("case when o % 50 = 0 then '34.90' else '0.00' end"),
    Vendor: "'Acme'",
    Id: first('5000000000000 + o'),
    ...Object.fromEntries(Array.from({ length: 58 }, (_, index) => [`Other ${index}`, first("'some text'")])),
  };
  await session.run(
    `copy (select ${Object.entries(columns)
      .map(([name, value]) => `${value} as "${name}"`)
      .join(', ')} from range(${lines / 2}) as orders(o), range(1, 3) as lines(line) order by o, line)
      to ${literal(file)} (format csv, header)`,
  );
}

async function bareRead(): Promise<void> {
  using session = await Session.open(':memory:', bounds);
  await session.run(
    `create table bare as from read_csv(${literal(file)}, all_varchar = true, header = true)`,
  );
}

async function translateAndStage(): Promise<void> {
  using session = await Session.open(':memory:', bounds);
  await session.run("set variable business_timezone = 'UTC'");
  defineGate(session, Buffer.alloc(32), { business_id: 'b', timezone: null, primary_currency: null });
  await createRejects(session);
  const batch = await readBatch(session, [file]);
  for (const [table, rows] of batch.files) await stageTable(session, table, rows);
}

interface Times {
  readonly seconds: number;
  readonly used: number;
}

async function timed(name: string, work: () => Promise<void>): Promise<Times> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  const used = (user + system) / 1e6;
  console.log(`${name}: ${seconds.toFixed(1)} s, ${used.toFixed(1)} s of processor time`);
  return { seconds, used };
}
