/**
 * A store that is connected: stub vendors of a made shop on this machine, `serve` that reads them, new orders
 * every few seconds, and an MCP client that sees them. `npm run demo:live`; all of it lies in a folder for
 * temporary files, and goes with the process.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { KEY, startKlaviyoStub } from '../tests/live/stubs/klaviyo/klaviyo-stub.ts';
import { MadeAccount } from '../tests/live/stubs/klaviyo/made-account.ts';
import { between, seededRandom } from '../tests/live/stubs/random.ts';
import { MadeShop } from '../tests/live/stubs/shopify/made-shop.ts';
import { CLIENT, startShopifyStub } from '../tests/live/stubs/shopify/shopify-stub.ts';
import { Clock } from '../tests/live/stubs/stub-access.ts';

class ClockOfThisMachine extends Clock {
  override now(): Date {
    return new Date();
  }
}

const PORT = Number(process.env.STORESIGHT_PORT ?? 8787);
const MAIN = join(import.meta.dirname, '../src/cli/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'storesight-demo-live-'));
const environment = {
  ...process.env,
  STORESIGHT_DATA: join(folder, 'data'),
  STORESIGHT_VENDORS_ON_LOOPBACK: 'true',
  STORESIGHT_LOG_LEVEL: process.env.STORESIGHT_LOG_LEVEL ?? 'warn',
};
const NODE = ['--disable-warning=ExperimentalWarning', MAIN];

const random = seededRandom(Date.now());
const clock = new ClockOfThisMachine(new Date().toISOString());
const shop = new MadeShop(random, clock);
shop.fill({ orders: 60, products: 10, customers: 30 });
const account = new MadeAccount(random, clock);
account.fill({ profiles: 40, campaigns: 3 });
await using shopifyStub = await startShopifyStub(shop, clock, random);
await using klaviyoStub = await startKlaviyoStub(account, random);

const business = await storesight(
  'business',
  'create',
  '--name',
  'Made shop',
  '--currency',
  'EUR',
  '--timezone',
  'Europe/Prague',
);
const id = String(business.business_id);
const asDemo = ['--account', 'demo@example.com'];
await storesight('account', 'create', '--email', 'demo@example.com');
await storesight('account', 'grant', ...asDemo, '--business', id, '--all-permissions');
const { access_token: token } = await storesight('token', 'create', ...asDemo);
await connect(
  'shopify',
  ['--shop', hostOf(shopifyStub.url), '--client-id', CLIENT.id],
  `clientSecret=${CLIENT.secret}`,
);
await connect('klaviyo', ['--host', hostOf(klaviyoStub.url)], `privateKey=${KEY.privateKey}`);

const server = spawn(process.execPath, [...NODE, 'serve', '--port', String(PORT)], {
  env: environment,
  stdio: 'inherit',
});
const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());
server.once('exit', () => ended.abort());
console.log(`Stub Shopify is at ${shopifyStub.url}, stub Klaviyo at ${klaviyoStub.url}; both are read each minute.
MCP: http://127.0.0.1:${PORT}/mcp with the header
  Authorization: Bearer ${token}
New orders come every few seconds. Ctrl+C ends all of it.\n`);
try {
  await Promise.all([sell(), watch()]);
} catch (error) {
  if (!ended.signal.aborted) throw error;
} finally {
  await stop(server);
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a command, and returns what it says as JSON. */
async function storesight(...args: readonly string[]): Promise<Record<string, unknown>> {
  return JSON.parse(
    execFileSync(process.execPath, [...NODE, ...args, '--json'], { env: environment, encoding: 'utf8' }),
  );
}

/**
 * The secret goes by standard input: every user of the machine sees the arguments of a process. The stubs
 * answer meanwhile.
 */
async function connect(vendor: string, settings: readonly string[], secrets: string): Promise<void> {
  const adding = spawn(
    process.execPath,
    [...NODE, 'source', 'add', id, vendor, ...settings, '--every', '1', '--secret-stdin'],
    { env: environment, stdio: ['pipe', 'inherit', 'inherit'] },
  );
  adding.stdin.end(`${secrets}\n`);
  const [code] = await new Promise<[number | null]>((resolve) =>
    adding.once('exit', (exited) => resolve([exited])),
  );
  if (code !== 0) throw new Error(`${vendor} could not be connected`);
}

function hostOf(url: string): string {
  return new URL(url).host;
}

async function sell(): Promise<void> {
  for (;;) {
    await setTimeout(between(random, 2000, 5000), undefined, { signal: ended.signal });
    shop.addOrder();
    account.change();
  }
}

/** Acts as any MCP client would: it asks, and sees what comes. */
async function watch(): Promise<void> {
  const client = new Client({ name: 'demo-live', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${PORT}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await untilServed();
  await client.connect(transport);
  for (let before = -1; ; ) {
    const range = { from_date: '2020-01-01T00:00:00', to_date: '2030-12-31T23:59:59' };
    const answer = await client.callTool({
      name: 'order_statistics',
      arguments: { business_id: id, ...range },
    });
    const { orders_count: orders, orders_revenues: revenue } = (answer.structuredContent ?? {}) as Record<
      string,
      number
    >;
    if (orders !== undefined && orders !== before)
      console.log(
        `${new Date().toISOString()}  the MCP client sees ${orders} orders, ${revenue} EUR; the shop has ${valid()}`,
      );
    before = orders ?? before;
    await setTimeout(2000, undefined, { signal: ended.signal });
  }
}

function valid(): number {
  return [...shop.orders.values()].filter(({ cancelledAt, test }) => cancelledAt === null && !test).length;
}

async function untilServed(): Promise<void> {
  for (;;) {
    const isServed = await fetch(`http://127.0.0.1:${PORT}/`).then(
      () => true,
      () => false,
    );
    if (isServed) return;
    await setTimeout(300, undefined, { signal: ended.signal });
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}
