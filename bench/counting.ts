/**
 * What it costs to count the rows of a file apart from DuckDB, beside reading and staging it, which includes
 * the count.
 *
 *   node bench/counting.ts [megabytes of each file; default 200]
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { SourceFile } from '../src/ingest/find-files.ts';
import { scanFile } from '../src/ingest/scan-file.ts';
import { createRejects, stageTable } from '../src/ingest/stage-table.ts';
import { Session } from '../src/store/duckdb-session.ts';
import { UNMETERED } from '../src/store/meter.ts';
import { defineGate } from '../src/store/personal-data/session-gate.ts';
import { orders } from '../src/store/tables/orders.ts';

const BYTES = Number(process.argv[2] ?? 200) * 1_000_000;
const HEADER = ['order_id', 'ordered_at', 'email', 'total', 'status', 'country', 'payment_method', 'device'];

const cells = (n: number) => [
  ...[
    `O${n}`,
    `2025-0${1 + (n % 9)}-1${n % 10}T10:00:00Z`,
    `customer${n % 90_000}@example.com`,
    `${n % 9000}.50`,
  ],
  ...['paid', 'CZ', 'card on delivery', 'mobile'],
];
const quoted = (values: readonly string[]) => values.map((value) => `"${value}"`).join(',');

const FORMATS: Readonly<Record<string, { line(n: number): string; header: string }>> = {
  'orders-plain.csv': { header: HEADER.join(','), line: (n) => cells(n).join(',') },
  'orders-quoted.csv': { header: quoted(HEADER), line: (n) => quoted(cells(n)) },
  'orders-lines.csv': {
    header: HEADER.join(','),
    line: (n) => [...cells(n).slice(0, 6), '"card\non delivery"', 'mobile'].join(','),
  },
  'orders.ndjson': {
    header: '',
    line: (n) => JSON.stringify(Object.fromEntries(cells(n).map((cell, index) => [HEADER[index], cell]))),
  },
};

const folder = await mkdtemp(join(tmpdir(), 'storesight-bench-'));
try {
  console.log('file | MB | rows | counted MB/s | counted s | all of staging s | share of the count');
  for (const name of Object.keys(FORMATS)) await measure(await write(name));
  await measure(await packed('orders-plain.csv'));
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await rm(folder, { recursive: true });
}

async function write(name: string): Promise<string> {
  const { line, header } = FORMATS[name] as (typeof FORMATS)[string];
  const lines = [header];
  for (let size = 0; size < BYTES; size += (lines.at(-1) ?? '').length + 1) lines.push(line(lines.length));
  await writeFile(join(folder, name), `${lines.join('\n')}\n`);
  return name;
}

async function packed(name: string): Promise<string> {
  await pipeline(
    createReadStream(join(folder, name)),
    createGzip(),
    createWriteStream(join(folder, `${name}.gz`)),
  );
  return `${name}.gz`;
}

async function measure(name: string): Promise<void> {
  const path = join(folder, name);
  const file: SourceFile = { path, name, format: name.includes('.csv') ? 'csv' : 'ndjson' };
  const startedAt = performance.now();
  const { rows } = await scanFile(file, { signal: undefined, meter: UNMETERED });
  const counted = performance.now() - startedAt;
  const staged = await staging(file);
  const megabytes = (await stat(join(folder, name.replace('.gz', '')))).size / 1e6;
  const figures = [
    ...[name, megabytes.toFixed(0), rows, ((megabytes / counted) * 1000).toFixed(0)],
    ...[
      (counted / 1000).toFixed(2),
      (staged / 1000).toFixed(2),
      `${((counted / staged) * 100).toFixed(1)} %`,
    ],
  ];
  console.log(figures.join(' | '));
}

async function staging(file: SourceFile): Promise<number> {
  const path = join(folder, 'temporary');
  await mkdir(path, { recursive: true });
  using session = await Session.open(':memory:', { memory: '2GB', spillFolder: path, spillLimit: '10GB' });
  await session.run("set variable business_timezone = 'UTC'");
  defineGate(session, Buffer.alloc(32), {
    business_id: 'a business',
    timezone: null,
    primary_currency: null,
  });
  await createRejects(session);
  const startedAt = performance.now();
  await stageTable(session, orders, [file]);
  return performance.now() - startedAt;
}
