import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PERMISSIONS } from '../../src/business/business.ts';
import { currentSnapshot, listSnapshots } from '../../src/control/businesses/businesses.ts';
import { modelOf } from '../../src/control/businesses/published-snapshot.ts';
import { listServedModels } from '../../src/control/businesses/served-models.ts';
import { createAccount, grantAccess } from '../../src/control/people/accounts.ts';
import { type Instance, openInstance } from '../../src/server/instance.ts';
import { readSettings } from '../../src/server/settings.ts';
import { VERSION } from '../../src/version.ts';
import { CommandLine } from '../cli/command-line.ts';
import { post, replies, toolCall } from '../server/requests.ts';
import { startClickHouse } from '../support/clickhouse.ts';
import { startPostgresServer } from '../support/engines/postgres-server.ts';
import { OtherCheckout } from './other-checkout.ts';
import { report } from './report.ts';

/**
 * Two checkouts of the program on one data folder and one control database, both serving and both importing.
 * Every order is worth 1, so that an answer tells which imports it knows, and whether it knows them whole.
 */
const ID = '5f0c2a4e-1111-4222-8333-444455556666';
const ORDERS = 500;
const IMPORTS = 6;
const CALLERS = 2;
/** After an import both versions answer with it by then. */
const FOLLOWS_MS = 60_000;

const counts = {
  calls: 0,
  imports: 0,
  'refused: busy': 0,
  'refused: older': 0,
  wrong: 0,
  rebuilds: 0,
  exchanged: 0,
};
const worst = { 'followed after ms': 0, 'longest answer ms': 0 };

it.each(['SQLite', 'PostgreSQL', 'SQLite with ClickHouse'] as const)(
  'two versions side by side on %s',
  async (engine) => {
    for (const figures of [counts, worst])
      for (const name of Object.keys(figures)) Object.assign(figures, { [name]: 0 });
    const postgres = engine === 'PostgreSQL' ? await startPostgresServer() : null;
    const clickHouse = engine === 'SQLite with ClickHouse' ? await startClickHouse() : null;
    try {
      await using older = await CommandLine.open();
      const env = {
        STORESIGHT_DATA: join(older.folder, 'data'),
        ...(postgres && { STORESIGHT_CONTROL_URL: postgres.url }),
        ...(clickHouse && { STORESIGHT_WAREHOUSE_URL: clickHouse.url }),
      };
      if (clickHouse !== null) await run(older, ['warehouse', 'init'], env);
      await ofOnePackage(older, env);
      await ofANewerPackage(older, env);
    } finally {
      await postgres?.stop();
      await clickHouse?.stop();
      report(`upgrade on ${engine}`, { counts, worst });
    }
  },
);

/** Each package is as new as the other: it follows what the other imports, and builds it once. */
async function ofOnePackage(one: CommandLine, env: Record<string, string>): Promise<void> {
  await using checkout = await OtherCheckout.make({ version: VERSION });
  await using other = await CommandLine.open(checkout.program);
  await using shop = await Shop.make(one, env);
  const servers = [await Served.start(shop, one), await Served.start(shop, other)];
  const callers = new Callers(servers);
  for (let turn = 0; turn < IMPORTS; turn += 1) {
    await shop.import(turn % 2 === 0 ? other : one);
    await Promise.all(servers.map((server) => server.follows()));
  }
  await callers.stop();
  const snapshots = shop.snapshotsEver.size;
  // One by the importer, and one by the other version, of each import; and the first two. More would be
  // flapping.
  expect(snapshots).toBeLessThanOrEqual(2 * (shop.imports + 1));
  counts.rebuilds += snapshots - shop.imports;
  const settled = await state(shop.instance);
  await Promise.all(servers.map((server) => server.ask()));
  await setTimeout(1000);
  expect(await state(shop.instance)).toEqual(settled);
  for (const server of servers) await server.stop();
}

/**
 * The newer builds ahead, servers are exchanged one by one, and from its first import on the older one
 * imports no more.
 */
async function ofANewerPackage(older: CommandLine, env: Record<string, string>): Promise<void> {
  await using checkout = await OtherCheckout.make({ version: '99.0.0' });
  await using newer = await CommandLine.open(checkout.program);
  await using shop = await Shop.make(older, env);
  const [first, second] = [await Served.start(shop, older), await Served.start(shop, older)];
  const servers = [first, second];
  const callers = new Callers(servers);
  expect(await shop.command(newer, ['snapshot', 'prepare'])).toMatchObject({ built: [ID], failed: {} });
  // Built ahead, and the older one goes on.
  await shop.import(older);
  await Promise.all(servers.map((server) => server.follows()));
  expect(await shop.command(newer, ['snapshot', 'prepare'])).toMatchObject({ built: [ID] });

  const third = await Served.start(shop, newer);
  servers.push(third);
  expect(await third.ask()).toBe(shop.orders);
  await first.leave(servers);
  counts.exchanged += 1;
  await shop.import(newer);
  await third.follows();
  const refused = await older.run(['import', ID, await shop.files()], { env });
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('newer version of Storesight');
  counts['refused: older'] += 1;
  // The older server goes on with the import before, which the newer one built ahead.
  expect(await second.ask()).toBe(shop.orders - ORDERS);
  expect(await second.text()).toContain('a newer version of Storesight made it');
  await second.leave(servers);
  counts.exchanged += 1;

  const models = async () => (await listServedModels(shop.instance.control, ID)).length;
  expect(await models()).toBeGreaterThan(1);
  const longAgo = new Date(Date.now() - 4 * 86_400_000).toISOString();
  const ours = modelOf((await currentSnapshot(shop.instance.control, ID))?.model_version ?? '');
  await shop.instance.control
    .updateTable('models')
    .set({ last_seen_at: longAgo })
    .where('model', '<>', ours)
    .execute();
  await shop.import(newer);
  await third.follows();
  expect(await models()).toBe(1);
  expect((await listSnapshots(shop.instance.control, ID)).length).toBeLessThanOrEqual(3);
  await callers.stop();
  await third.stop();
}

async function state({ control }: Instance) {
  const snapshots = (await listSnapshots(control, ID)).map(({ snapshot_id }) => snapshot_id);
  const served = (await listServedModels(control, ID)).map(({ model, snapshot_id }) => [model, snapshot_id]);
  return { snapshots, served };
}

/** A store that grows by the same number of orders with each import. */
class Shop implements AsyncDisposable {
  readonly instance: Instance;
  readonly env: Record<string, string>;
  readonly token: string;
  readonly snapshotsEver = new Set<string>();
  readonly #folder: string;
  imports = 0;

  private constructor(instance: Instance, env: Record<string, string>, token: string, folder: string) {
    this.instance = instance;
    this.env = env;
    this.token = token;
    this.#folder = folder;
  }

  /** The same business again is made anew. */
  static async make(cli: CommandLine, env: Record<string, string>): Promise<Shop> {
    const { PATH = '', HOME = '' } = process.env;
    const instance = await openInstance(readSettings({ PATH, HOME, ...env }));
    await instance.control.deleteFrom('businesses').where('business_id', '=', ID).execute();
    await rmBusiness(instance);
    await run(cli, ['business', 'create', '--name', 'Shop', '--currency', 'CZK', '--id', ID], env);
    const email = `${crypto.randomUUID()}@example.com`;
    const account = await createAccount(instance.control, { email, password: null });
    await grantAccess(instance.control, account.account_id, ID, PERMISSIONS);
    const { access_token } = await run(cli, ['token', 'create', '--account', email], env);
    const shop = new Shop(instance, env, String(access_token), cli.folder);
    await shop.import(cli);
    return shop;
  }

  get orders(): number {
    return this.imports * ORDERS;
  }

  command(cli: CommandLine, args: readonly string[]): Promise<Record<string, unknown>> {
    return run(cli, args, this.env);
  }

  /** Those of the next import. */
  async files(): Promise<string> {
    const folder = join(this.#folder, `files-${crypto.randomUUID()}`);
    await mkdir(folder);
    const rows = Array.from({ length: ORDERS }, (_, i) => `${this.imports}-${i},2024-05-0${1 + (i % 9)},1\n`);
    await writeFile(join(folder, 'orders.csv'), `order_id,ordered_at,total\n${rows.join('')}`);
    return folder;
  }

  /** Tried again while the other version holds the business. */
  async import(cli: CommandLine): Promise<void> {
    const folder = await this.files();
    for (;;) {
      const { status, stderr } = await cli.run(['import', ID, folder, '--json'], { env: this.env });
      if (status === 0) break;
      expect(stderr).toContain('another import of this business is running');
      counts['refused: busy'] += 1;
      await setTimeout(200);
    }
    this.imports += 1;
    counts.imports += 1;
    await this.look();
  }

  async look(): Promise<void> {
    for (const { snapshot_id } of await listSnapshots(this.instance.control, ID)) {
      this.snapshotsEver.add(snapshot_id);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.instance[Symbol.asyncDispose]();
  }
}

async function rmBusiness({ data }: Instance): Promise<void> {
  await rm(data.business(ID), { recursive: true, force: true });
}

async function run(
  cli: CommandLine,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Record<string, unknown>> {
  const { status, stdout, stderr } = await cli.run([...args, '--json'], { env });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

/** One server of one of the versions. */
class Served {
  readonly #shop: Shop;
  readonly #url: string;
  readonly #child: Awaited<ReturnType<CommandLine['serve']>>['child'];
  #known = 0;

  private constructor(shop: Shop, { child, url }: Awaited<ReturnType<CommandLine['serve']>>) {
    this.#shop = shop;
    this.#child = child;
    this.#url = url;
    child.stderr.resume();
  }

  static async start(shop: Shop, cli: CommandLine): Promise<Served> {
    return new Served(shop, await cli.serve([], { ...shop.env, STORESIGHT_LOG_LEVEL: 'warn' }));
  }

  async text(): Promise<string> {
    const range = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };
    const response = await post(this.#url, toolCall('order_statistics', { business_id: ID, ...range }), {
      token: this.#shop.token,
    });
    return response.ok ? JSON.stringify(await replies(response)) : response.text();
  }

  /**
   * How many orders it knows: those of whole imports, no fewer than it knew, and none from an import that has
   * not begun.
   *
   * @throws for any other answer
   */
  async ask(): Promise<number> {
    const before = this.#known;
    const startedAt = performance.now();
    const text = await this.text();
    counts.calls += 1;
    worst['longest answer ms'] = Math.max(
      worst['longest answer ms'],
      Math.round(performance.now() - startedAt),
    );
    const number = (name: string) => Number(new RegExp(`${name}\\\\?":(\\d+)`).exec(text)?.[1]);
    const [orders, revenue] = [number('orders_count'), number('orders_revenues')];
    const isWhole = orders % ORDERS === 0 && revenue === orders;
    if (!isWhole || orders < before || orders > this.#shop.orders + ORDERS) {
      counts.wrong += 1;
      throw new Error(`a wrong answer: ${text.slice(0, 500)}`);
    }
    this.#known = Math.max(this.#known, orders);
    return orders;
  }

  async follows(): Promise<void> {
    const startedAt = performance.now();
    while ((await this.ask()) < this.#shop.orders) {
      if (performance.now() - startedAt > FOLLOWS_MS) throw new Error('a server does not follow an import');
      await this.#shop.look();
      await setTimeout(50);
    }
    worst['followed after ms'] = Math.max(
      worst['followed after ms'],
      Math.round(performance.now() - startedAt),
    );
    await this.#shop.look();
  }

  /** Exchanged: asked no more, then stopped. */
  async leave(servers: Served[]): Promise<void> {
    servers.splice(servers.indexOf(this), 1);
    await setTimeout(300);
    await this.stop();
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.kill('SIGTERM');
    await ended;
  }
}

/** They ask all servers that there are, all the time. */
class Callers {
  readonly #running: Promise<unknown>;
  #isOver = false;

  constructor(servers: readonly Served[]) {
    this.#running = Promise.all(
      Array.from({ length: CALLERS }, async (_, caller) => {
        for (let turn = caller; !this.#isOver; turn += 1) {
          await servers[turn % servers.length]?.ask();
          await setTimeout(20);
        }
      }),
    );
    // Told where they are stopped.
    this.#running.catch(() => {});
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }
}
