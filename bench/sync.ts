/**
 * What connections cost: how long small calls take while nothing is read, and while many small stores are;
 * how much work a new order is in a large store; and how old answers are.
 *
 *   node bench/sync.ts stores [how many, default 50] [turns of each kind, default 3]
 *   node bench/sync.ts order <folder that bench/days.ts kept>
 *   node bench/sync.ts fresh [orders, default 5]
 *   node bench/sync.ts apart [runs of each kind, default 10]
 *
 * `stores`: the real server is asked over HTTP, one call after the other, in turns of 20 seconds without and
 * with a worker beside it, of low priority as `serve` starts one. Every store is due as soon as it was read,
 * and has a new order each time: that is far more than an interval of 15 minutes brings.
 *
 * `apart`: a small file at an address that has a new order each time is read and imported: in this process,
 * in a process that is kept for the next run as a worker does, and in a new process each time.
 *
 * `fresh`: an order is added to a stub of WooCommerce, and a server with a worker is asked until its answer
 * has it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createBusiness, listBusinesses } from '../src/control/businesses/businesses.ts';
import { takeConnection } from '../src/control/connections/connection-leases.ts';
import {
  type Connection,
  createConnection,
  listConnections,
} from '../src/control/connections/connections.ts';
import { runLimits, runProcesses, turnsApart } from '../src/live/jobs-apart.ts';
import type { RunContext } from '../src/live/run-connection.ts';
import { runConnection } from '../src/live/run-connection.ts';
import { turnsHere } from '../src/live/turns-here.ts';
import type { Vendor } from '../src/live/vendor.ts';
import { VENDORS } from '../src/live/vendors/all-vendors.ts';
import { work } from '../src/live/worker.ts';
import { type Instance, openInstance } from '../src/server/instance.ts';
import { readSettings } from '../src/server/settings.ts';
import { MadeUpShop, madeUpVendor, PLANTED_KEY } from '../tests/live/made-up-shop.ts';
import { startReadSite } from '../tests/live/read-site.ts';
import { postModern, toolCall } from '../tests/server/requests.ts';
import { CALLS } from './calls.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const TURN_MS = 20_000;
const ORDERS_OF_A_STORE = 300;

const [mode, first, second = '3'] = process.argv.slice(2);
if (mode === 'stores') await compareTurns(Number(first ?? 50), Number(second));
else if (mode === 'order') await timeOrders(first ?? '');
else if (mode === 'fresh') await timeFreshness(Number(first ?? 5));
else if (mode === 'apart') await timeApart(Number(first ?? 10));
else if (mode === 'worker') await workAsBeside(first ?? '');
else throw new Error('say `stores`, `order`, `fresh` or `apart`');

async function compareTurns(stores: number, turns: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'storesight-bench-'));
  const running = await startServer(folder, '--no-sync');
  try {
    await using instance = await openAt(folder);
    for (let store = 0; store < stores; store += 1) await connectStore(instance, store);
    // The first run of every store is no part of it.
    let worker = await startWorker(folder);
    while ((await listConnections(instance.control)).some(({ state }) => state !== 'ok'))
      await new Promise((resolve) => setTimeout(resolve, 500));
    const times = { without: [] as number[], with: [] as number[] };
    let runs = 0;
    for (let turn = 0; turn < turns; turn += 1) {
      await stop(worker);
      times.without.push(...(await callFor(running)));
      worker = await startWorker(folder);
      const before = await countRuns(instance);
      times.with.push(...(await callFor(running)));
      runs += (await countRuns(instance)) - before;
    }
    await stop(worker);
    console.log(`${stores} stores, ${runs} runs in ${(turns * TURN_MS) / 1000} s`);
    for (const share of [0.5, 0.95, 0.99]) {
      const [without, withRuns] = [at(times.without, share), at(times.with, share)];
      console.log(
        `p${share * 100}: ${without.toFixed(1)} ms without, ${withRuns.toFixed(1)} ms with: ${(withRuns / without).toFixed(2)} times`,
      );
    }
    console.log(`calls: ${times.without.length} without, ${times.with.length} with`);
  } finally {
    running.server.kill('SIGTERM');
    await once(running.server, 'close');
    rmSync(folder, { recursive: true, force: true });
  }
}

function openAt(folder: string): Promise<Instance> {
  return openInstance(
    readSettings({ STORESIGHT_DATA: join(folder, 'data'), STORESIGHT_LOG_LEVEL: 'silent' }),
  );
}

async function connectStore({ control, secret }: Instance, store: number): Promise<Connection> {
  const business = await createBusiness(control, {
    ...{ name: `Store ${store}`, currency: 'EUR', timezone: 'UTC' },
  });
  return connectTo({ control, secret }, business.business_id, String(store));
}

function connectTo(
  { control, secret }: Pick<Instance, 'control' | 'secret'>,
  business_id: string,
  shop: string,
): Promise<Connection> {
  return createConnection(control, secret, {
    ...{ business_id, name: 'made-up', vendor: 'made-up', account: null, settings: { shop } },
    ...{ secrets: { key: PLANTED_KEY }, interval_s: 1 },
  });
}

/** How many runs there were: each one's number is kept. */
async function countRuns({ control }: Instance): Promise<number> {
  const rows = await control
    .selectFrom('connection_runs')
    .select(({ fn }) => fn.max<number>('run_number').as('last'))
    .groupBy('connection_id')
    .execute();
  return rows.reduce((sum, { last }) => sum + Number(last), 0);
}

async function startWorker(folder: string): Promise<ChildProcess> {
  const worker = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', fileURLToPath(import.meta.url), 'worker', folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  setPriority(worker.pid ?? 0, constants.priority.PRIORITY_BELOW_NORMAL);
  await once(worker.stdout ?? worker, 'data');
  return worker;
}

async function stop(worker: ChildProcess): Promise<void> {
  worker.kill('SIGTERM');
  await once(worker, 'close');
}

async function workAsBeside(folder: string): Promise<void> {
  await using instance = await openAt(folder);
  const ending = new AbortController();
  process.once('SIGTERM', () => ending.abort());
  const shops = new Map<string, MadeUpShop>();
  const shopOf = (name: string) => {
    const shop = shops.get(name) ?? filledShop();
    shops.set(name, shop);
    return shop;
  };
  const context = contextOf(instance, growing(shopOf), ending.signal);
  console.log('working');
  await work(context, turnsHere(context), { atOnce: readSettings({}).SYNCS_AT_ONCE });
}

function filledShop(): MadeUpShop {
  const shop = new MadeUpShop();
  shop.pageSize = 100;
  for (let count = 0; count < ORDERS_OF_A_STORE; count += 1) shop.add(20 + (count % 50));
  return shop;
}

/**
 * One vendor of many shops, each of which has a new order whenever it is asked. A shop of before is filled
 * anew, and read on.
 */
function growing(shopOf: (name: string) => MadeUpShop): Vendor {
  const vendor = madeUpVendor(new MadeUpShop());
  const [stream] = vendor.streams;
  if (stream === undefined) throw new Error('it has orders');
  const read: typeof stream.read = (access, cursor) => {
    const shop = shopOf(String(access.settings.shop));
    while (shop.latest <= Number(cursor ?? 0)) shop.add(20);
    return shop.read(access, cursor);
  };
  return { ...vendor, streams: [{ ...stream, read }] };
}

function contextOf(instance: Instance, vendor: Vendor, signal: AbortSignal): RunContext {
  const log = { info: () => {}, warn: console.error, error: console.error };
  return { ...instance, vendors: [vendor], log, signal };
}

/** Milliseconds of each call of one client; the first ones warm up. */
async function callFor({ url, token }: ServerProcess): Promise<number[]> {
  const times: number[] = [];
  const call = toolCall('order_statistics', CALLS.order_statistics ?? {});
  const end = performance.now() + TURN_MS;
  while (performance.now() < end) {
    const before = performance.now();
    const response = await postModern(url, call, { token });
    const text = await response.text();
    if (!response.ok || text.includes('"isError":true')) throw new Error(text.slice(0, 300));
    if (before > end - 0.9 * TURN_MS) times.push(performance.now() - before);
  }
  return times;
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function timeOrders(folder: string): Promise<void> {
  await using instance = await openAt(folder);
  const { control } = instance;
  const [business] = await listBusinesses(control);
  if (business === undefined) throw new Error('bench/days.ts --keep makes the store');
  const [known] = await listConnections(control, business.business_id);
  const connection = known ?? (await connectTo(instance, business.business_id, 'large'));
  const shop = new MadeUpShop();
  const vendor = growing(() => shop);
  for (let run = 0; run < 4; run += 1) {
    const held = await takeConnection(control, connection.connection_id);
    if (held === null) throw new Error('it is being read');
    const startedAt = performance.now();
    const usedBefore = process.cpuUsage();
    const result = await runConnection(contextOf(instance, vendor, new AbortController().signal), held);
    const used = process.cpuUsage(usedBefore);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const cpuSeconds = ((used.user + used.system) / 1e6).toFixed(1);
    console.log(
      `${result?.state}, ${JSON.stringify(result?.report.rows)}: ${seconds} s, ${cpuSeconds} s of processor time`,
    );
  }
}

/**
 * How long it takes from an order at a shop to an answer that has it: with its webhook, and read by itself
 * each minute.
 */
async function timeFreshness(orders: number): Promise<void> {
  for (const isTold of [true, false]) {
    await using site = await startReadSite(isTold ? 60 : 1);
    const times: number[] = [];
    for (let order = 0; order < orders; order += 1) {
      // At no moment in particular.
      await new Promise((resolve) => setTimeout(resolve, 40_000 * Math.random()));
      times.push(await site.addOrder(isTold));
    }
    const shown = times.map((seconds) => seconds.toFixed(1)).join(', ');
    console.log(
      `${isTold ? 'with a webhook' : 'without one, read each minute'}: ${shown} s; the median is ${at(times, 0.5).toFixed(1)} s`,
    );
  }
}

async function timeApart(runs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'storesight-bench-'));
  const orders = ['order_id,ordered_at,currency,total,status,email'];
  const files = createServer((_, response) => {
    orders.push(`${orders.length},2026-10-10T10:00:00Z,EUR,10,paid,person${orders.length}@example.com`);
    response.end(`${orders.join('\n')}\n`);
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(files.address() as AddressInfo).port}/orders.csv`;
  try {
    await using instance = await openAt(folder);
    const { control, secret } = instance;
    const { business_id } = await createBusiness(control, {
      name: 'Store',
      currency: 'EUR',
      timezone: 'UTC',
    });
    const { connection_id } = await createConnection(control, secret, {
      ...{ business_id, name: 'url', vendor: 'url', account: null, settings: {} },
      ...{ secrets: { address }, interval_s: 900 },
    });
    const log = { info: () => {}, warn: console.error, error: console.error };
    const { signal } = new AbortController();
    const context = { ...instance, log, signal, allowsLoopback: true };
    const limits = runLimits(instance.importMemory, 60);
    const environment = { ...process.env, STORESIGHT_DATA: join(folder, 'data') };
    await using kept = runProcesses(environment, 1);
    await using anew = runProcesses(environment, 0);
    const kinds = {
      'in this process': turnsHere({ ...context, vendors: VENDORS }),
      'in a process that is kept': turnsApart({ ...context, limits }, kept),
      'in a new process': turnsApart({ ...context, limits }, anew),
    };
    const times = new Map<string, number[]>();
    for (let run = 0; run <= runs; run += 1)
      for (const [kind, turns] of Object.entries(kinds)) {
        const held = await takeConnection(control, connection_id);
        if (held === null) throw new Error('it is being read');
        const startedAt = performance.now();
        const result = await turns.run(held);
        if (result?.state !== 'ok') throw new Error(`${kind}: ${result?.message}`);
        // The first of each warms up.
        if (run > 0) times.set(kind, [...(times.get(kind) ?? []), performance.now() - startedAt]);
      }
    const least = at(times.get('in this process') ?? [], 0.5);
    for (const [kind, all] of times) {
      const median = at(all, 0.5);
      console.log(`${kind}: ${median.toFixed(0)} ms, ${(median / least).toFixed(2)} times`);
    }
  } finally {
    files.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
