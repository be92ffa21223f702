/**
 * The real server in a process of its own, asked over HTTP as clients of revision 2026-07-28 do: per tool the
 * median and 99th percentile in milliseconds with 1 and with 16 clients, calls per second, and the server's
 * memory.
 *
 *   node bench/load.ts [seconds per tool and number of clients; default 3]
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postModern, toolCall } from '../tests/server/requests.ts';
import { CALLS } from './calls.ts';
import { startServer } from './server-process.ts';

const seconds = Number(process.argv[2] ?? 3);
const folder = mkdtempSync(join(tmpdir(), 'storesight-bench-'));
const startedAt = performance.now();
const { server, url, token } = await startServer(folder);
console.log(`set-up until the first answer: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);

try {
  console.log('tool | clients | median ms | p99 ms | calls/s');
  for (const clients of [1, 16]) {
    for (const [tool, args] of Object.entries(CALLS)) report(tool, clients, await load(tool, args, clients));
  }
  console.log(`memory of the server: ${memoryOf(server)}`);
} finally {
  server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Milliseconds of each call that `clients` made one after another for some seconds; the first ones warm up.
 */
async function load(tool: string, args: object, clients: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  const warm = end - seconds * 800;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) {
        const before = performance.now();
        const response = await postModern(url, toolCall(tool, args), { token });
        const text = await response.text();
        if (!response.ok || text.includes('"isError":true'))
          throw new Error(`${tool}: ${text.slice(0, 300)}`);
        if (before > warm) times.push(performance.now() - before);
      }
    }),
  );
  return times;
}

function report(tool: string, clients: number, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN).toFixed(1);
  const rate = (times.length / (seconds * 0.8)).toFixed(0);
  console.log(`${tool} | ${clients} | ${at(0.5)} | ${at(0.99)} | ${rate}`);
}

function memoryOf(process: ChildProcess): string {
  const status = readFileSync(`/proc/${process.pid}/status`, 'utf8');
  return /VmHWM:\s*(\d+) kB/.exec(status)?.[1]?.replace(/(\d+)\d{3}$/, '$1 MB at most') ?? 'unknown';
}
