/**
 * How long the overview of the made shop takes whoever opens it first after a start and after a publish, with
 * what pages ask ahead and without. The server runs in a process of its own.
 *
 *   node bench/pages-ahead.ts [rounds; default 3]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Business } from '../src/business/business.ts';
import { createDemo, DEMO_BUSINESSES, importDemo } from '../src/demo/prepare-demo.ts';
import { type Instance, openInstance } from '../src/server/instance.ts';
import { readSettings } from '../src/server/settings.ts';
import { rebuildSnapshot } from '../src/snapshot/build-snapshot.ts';
import { Person } from '../tests/oauth/person.ts';
import { freePort } from '../tests/support/free-port.ts';

/** Longer than a publish may be unseen and than the longest question takes. */
const QUIET_MS = 10_000;

const rounds = Number(process.argv[2] ?? 3);
const folder = mkdtempSync(join(tmpdir(), 'storesight-pages-'));
const settings = readSettings({ STORESIGHT_DATA: folder, STORESIGHT_LOG_LEVEL: 'silent' });
const instance = await openInstance(settings);

class Server {
  readonly #server: ChildProcess;
  readonly #url: string;
  readonly #metrics: string;

  private constructor(server: ChildProcess, url: string, metrics: string) {
    [this.#server, this.#url, this.#metrics] = [server, url, metrics];
  }

  static async start(): Promise<Server> {
    const [port, metrics] = [await freePort(), await freePort()];
    const server = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'src/cli/main.ts', 'serve', '--no-sync', '--port', `${port}`],
      {
        env: {
          ...process.env,
          ...{ STORESIGHT_DATA: folder, STORESIGHT_LOG_LEVEL: 'silent' },
          ...{ STORESIGHT_METRICS_PORT: `${metrics}`, STORESIGHT_RATE_LIMIT: '1000000' },
        },
        stdio: 'ignore',
      },
    );
    const started = new Server(server, `http://127.0.0.1:${port}`, `http://127.0.0.1:${metrics}/metrics`);
    while (!(await fetch(started.#url).catch(() => null))) await sleep(100);
    return started;
  }

  /** Milliseconds until all of the page is there. */
  async open(person: Person, { business_id }: Business): Promise<number> {
    await person.open(`${this.#url}/stores`);
    const startedAt = performance.now();
    const page = await person.browser.get(`${this.#url}/stores/${business_id}/overview`);
    if (page.status !== 200) throw new Error(`${page.status}: ${page.text}`);
    return performance.now() - startedAt;
  }

  /** Waits until nothing more is asked ahead. */
  async quiet(): Promise<void> {
    let [before, since] = ['', performance.now()];
    while (performance.now() - since < QUIET_MS) {
      await sleep(500);
      const text = await (await fetch(this.#metrics)).text();
      const now = /^storesight_kept_answer_bytes .*$/m.exec(text)?.[0] ?? '';
      if (now !== before) [before, since] = [now, performance.now()];
    }
  }

  async stop(): Promise<void> {
    this.#server.kill();
    await once(this.#server, 'exit');
  }
}

async function measure(person: Person, shop: Business, { data }: Instance) {
  rmSync(data.visitedStores, { force: true });
  const unaware = await Server.start();
  const afterStart = await unaware.open(person, shop);
  const again = await unaware.open(person, shop);
  await unaware.quiet();
  await rebuildSnapshot(instance, shop);
  const afterPublish = await unaware.open(person, shop);
  await unaware.stop();
  const server = await Server.start();
  await server.quiet();
  const afterStartAhead = await server.open(person, shop);
  await rebuildSnapshot(instance, shop);
  await server.quiet();
  const afterPublishAhead = await server.open(person, shop);
  await server.stop();
  return { afterStart, afterStartAhead, afterPublish, afterPublishAhead, again };
}

try {
  const demo = DEMO_BUSINESSES.at(-1);
  if (demo === undefined) throw new Error('there is no demo');
  const shop = await createDemo(instance.control, demo);
  await importDemo(instance, shop, demo);
  const person = await Person.join(instance.control, [shop]);
  for (let round = 1; round <= rounds; round += 1) {
    const times = await measure(person, shop, instance);
    const [load = 0] = loadavg();
    const shown = Object.entries(times).map(([name, time]) => `${name} ${time.toFixed(0)} ms`);
    console.log(`load ${load.toFixed(1)}: ${shown.join(', ')}`);
  }
} finally {
  await instance.control.destroy();
  rmSync(folder, { recursive: true });
}
