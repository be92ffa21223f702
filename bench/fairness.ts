/**
 * What accounts that send as much as they can do to the small calls of another one: for one and for eight of
 * them, the median and 99th percentile of its `list_businesses`, and the longest wait of `/healthz`, as
 * ratios to the same calls on an idle server. And what 100 connections do that nobody knows, which send 50
 * requests at once.
 *
 *   node bench/fairness.ts [seconds for each; default 5] [part of a name of what is sent]
 */

import { Target } from '../tests/attack/target.ts';
import { postModern, toolCall } from '../tests/server/requests.ts';
import { Abusers, abuses, Strangers, strangersRequests } from '../tests/support/abusers/abusers.ts';

const seconds = Number(process.argv[2] ?? 5);
const part = process.argv[3] ?? '';

await using target = await Target.open();
await target.makeDemo();
const { businesses } = await listed();
const shop = businesses[0] as { business_id: string };
const victim = (await target.signIn([shop])).token;
const tokens: string[] = [];
for (let abuser = 0; abuser < 8; abuser += 1) tokens.push((await target.signIn([shop])).token);
const server = await target.serve({ STORESIGHT_LOG_LEVEL: 'silent', NODE_OPTIONS: '' });
for (let call = 0; call < 200; call += 1) await listBusinesses();

const idle = await measure();
console.log('sent | accounts | list_businesses median, p99 | x idle | healthz longest | x idle | calls');
report('nothing', 0, idle);
for (const [name, bodies] of Object.entries(abuses(shop.business_id))) {
  if (!name.includes(part)) continue;
  for (const accounts of [1, 8]) {
    await using _abusers = new Abusers(server.url, tokens.slice(0, accounts), bodies);
    await new Promise((resolve) => setTimeout(resolve, 500));
    report(name, accounts, await measure());
  }
  await quiet();
}
for (const [name, request] of Object.entries(strangersRequests(server.url))) {
  if (!name.includes(part)) continue;
  await using _strangers = new Strangers(server.url, request);
  await new Promise((resolve) => setTimeout(resolve, 500));
  report(`strangers: ${name}`, 0, await measure());
}
report('nothing, again', 0, await measure());
console.log(`memory of the server now: ${await server.memoryMb()} MB`);

interface Measured {
  readonly calls: readonly number[];
  readonly health: readonly number[];
}

async function listed() {
  const businesses = await target.instance.control.selectFrom('businesses').selectAll().execute();
  return { businesses };
}

async function listBusinesses(): Promise<number> {
  const before = performance.now();
  const response = await postModern(server.url, toolCall('list_businesses', {}), { token: victim });
  const text = await response.text();
  if (!text.includes('"structuredContent"')) throw new Error(text.slice(0, 300));
  return performance.now() - before;
}

async function askHealth(): Promise<number> {
  const before = performance.now();
  await (await fetch(new URL('/healthz', server.url))).text();
  return performance.now() - before;
}

/** The accounts take turns. A pause between two turns lets other work reach the server. */
async function measure(): Promise<Measured> {
  const [calls, health]: [number[], number[]] = [[], []];
  const end = performance.now() + seconds * 1000;
  do {
    calls.push(await listBusinesses());
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (calls.length % 5 === 0) health.push(await askHealth());
  } while (performance.now() < end || health.length === 0);
  return { calls, health };
}

/** Waits until nothing that was sent is left to answer. */
async function quiet(): Promise<void> {
  for (let quick = 0; quick < 20; ) quick = (await askHealth()) < 20 ? quick + 1 : 0;
}

function report(name: string, accounts: number, { calls, health }: Measured): void {
  const figures = (times: readonly number[], shares: readonly number[]) =>
    shares.map((share) => at(times, share).toFixed(1)).join(', ');
  const ratios = (times: readonly number[], of: readonly number[], shares: readonly number[]) =>
    shares.map((share) => (at(times, share) / at(of, share)).toFixed(1)).join(', ');
  console.log(
    [
      name,
      accounts,
      figures(calls, [0.5, 0.99]),
      ratios(calls, idle.calls, [0.5, 0.99]),
      figures(health, [1]),
      ratios(health, idle.health, [1]),
      calls.length,
    ].join(' | '),
  );
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
