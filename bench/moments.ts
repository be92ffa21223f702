/**
 * What it costs to read a time, by how it is written.
 *
 *   node bench/moments.ts [rows of each; default 200000]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { moment } from '../src/store/column-kinds.ts';
import { Session } from '../src/store/duckdb-session.ts';

const ROWS = Number(process.argv[2] ?? 200_000);
const SPELLINGS = ['10:00:00Z', '10:00:00+01:00', '10:00:00 +0100', '10:00:00 Z', '10:00+01:00', '10:00:00'];

const folder = await mkdtemp(join(tmpdir(), 'storesight-bench-'));
try {
  using session = await Session.open(':memory:', { memory: '1GB', spillFolder: folder, spillLimit: '1GB' });
  await session.run("set variable business_timezone = 'Europe/Prague'");
  const [{ value } = { value: '' }] = moment().stored('at', (name) => `"${name}"`);
  const times: [spelling: string, microseconds: number][] = [];
  for (const spelling of SPELLINGS) {
    await session.run(
      `create or replace temp table cells as
      select strftime(date '2020-01-01' + cast(n % 2000 as integer), '%Y-%m-%dT') || '${spelling}' as at from range(${ROWS}) as t(n)`,
    );
    const startedAt = performance.now();
    await session.run(`create or replace temp table moments as select ${value} as at from cells`);
    times.push([spelling, ((performance.now() - startedAt) * 1000) / ROWS]);
  }
  const first = times[0]?.[1] ?? 1;
  console.log('written | µs a row | of the first');
  for (const [spelling, time] of times)
    console.log(`${spelling} | ${time.toFixed(2)} | ${(time / first).toFixed(1)}`);
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await rm(folder, { recursive: true });
}
