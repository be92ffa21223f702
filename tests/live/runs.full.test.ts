import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { listSnapshots } from '../../src/control/businesses/businesses.ts';
import { askForErasure } from '../../src/control/connections/connection-erasures.ts';
import { takeConnection } from '../../src/control/connections/connection-leases.ts';
import {
  type Connection,
  createConnection,
  listRuns,
  makeDueSoon,
  readConnection,
} from '../../src/control/connections/connections.ts';
import { LISTING_OF } from '../../src/control/connections/other-origins.ts';
import { forgetNext, forgetPersons } from '../../src/live/forget-persons.ts';
import { LandedFiles } from '../../src/live/landing/landed-files.ts';
import { askToCompare, refusedDeletions } from '../../src/live/reconcile/refused-deletions.ts';
import { type RunContext, type RunResult, runConnection } from '../../src/live/run-connection.ts';
import { turnsHere } from '../../src/live/turns-here.ts';
import { type Stream, VendorError } from '../../src/live/vendor.ts';
import { work } from '../../src/live/worker.ts';
import { hashKey, keyedHash } from '../../src/store/keyed-hash.ts';
import { ENGINES } from '../control/engines.ts';
import { storedRows, writeFiles } from '../ingest/shop.ts';
import { findPostgres } from '../support/postgres.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { MadeUpShop, madeUpVendor, PLANTED_KEY } from './made-up-shop.ts';
import { seedOf } from './stubs/random.ts';

let postgresUrl: () => Promise<string>;
beforeAll(async () => {
  const postgres = await findPostgres();
  postgresUrl = () => postgres.createDatabase();
});

let test: TestInstance;
let business: Business;
let shop: MadeUpShop;
let connection: Connection;
let logged: string[];
/** Leases of runs that were killed end with time. */
let hours: number;

async function begin(engine: (typeof ENGINES)[number]): Promise<void> {
  test = await createTestInstance({
    isOneEngineEnough: true,
    ...(engine === 'PostgreSQL' ? { controlUrl: await postgresUrl() } : {}),
  });
  business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Berlin' });
  shop = new MadeUpShop();
  logged = [];
  hours = 0;
  connection = await createConnection(test.instance.control, test.instance.secret, {
    ...{ business_id: business.business_id, name: 'made-up', vendor: 'made-up', account: 'Made-up' },
    ...{ settings: { shop: 'example.com' }, secrets: { key: PLANTED_KEY }, interval_s: 900 },
  });
}

function contextOf(more: Partial<RunContext> = {}): RunContext {
  const log = (details: object, message: string) => void logged.push(`${message} ${JSON.stringify(details)}`);
  return {
    ...test.instance,
    vendors: [madeUpVendor(shop)],
    log: { info: log, warn: log, error: log },
    signal: new AbortController().signal,
    limits: { seconds: 60, pendingBytes: 2 ** 30, pieceLength: 1500 },
    ...more,
  };
}

async function run(more: Partial<RunContext> = {}): Promise<RunResult | null> {
  hours += 1;
  const now = new Date(Date.now() + hours * 3_600_000);
  const held = await takeConnection(test.instance.control, connection.connection_id, now);
  if (held === null) throw new Error('somebody holds it');
  return runConnection(contextOf(more), held);
}

/** As if the process had been killed before the n-th question to the control database from now on. */
async function runKilled(questions: number, more: Partial<RunContext> = {}): Promise<void> {
  let left = questions;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await run({ ...more, control: test.instance.control.withPlugin(plugin) }).catch(() => {});
}

/** Turns of one page. */
const aPage = { seconds: 0, pendingBytes: 2 ** 30, pieceLength: 1 };

/** Turn after turn, until there is no more. */
async function runAll(more: Partial<RunContext>): Promise<RunResult> {
  const { reconciles, ...rest } = more;
  for (let turn = 0, hasCompared = false; turn < 1000; turn += 1) {
    const asked = reconciles === undefined || hasCompared ? {} : { reconciles };
    const result = await run({ ...rest, ...asked });
    if (result === null) throw new Error('it was stopped');
    hasCompared ||= result.hasCompared;
    if (!result.hasMore) return result;
  }
  throw new Error('no end');
}

async function stored(): Promise<unknown[][]> {
  return storedRows(test, business, 'orders', 'order_id, cast(total as double), email_domain');
}

async function storedItems(): Promise<unknown[][]> {
  return storedRows(
    test,
    business,
    'order_items',
    'order_id, external_product_id, cast(quantity * unit_price as double)',
  );
}

function expected(): { orders: unknown[][]; items: unknown[][] } {
  const text = (rows: unknown[][]) =>
    rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const orders = [...shop.orders.values()];
  return {
    orders: text(orders.map(({ id, total }) => [String(id), total, 'example.com'])),
    items: text(orders.flatMap(({ id, lines }) => lines.map(({ sku, price }) => [String(id), sku, price]))),
  };
}

async function expectEqual(): Promise<void> {
  const sort = (rows: unknown[][]) =>
    rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  expect({ orders: sort(await stored()), items: sort(await storedItems()) }).toEqual(expected());
}

/** A generator of numbers that is the same every time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

afterEach(() => test[Symbol.asyncDispose]());

describe.each(ENGINES)('a connection on %s', (engine) => {
  beforeEach(() => begin(engine));

  it('ends, after changes, failures and kills in any order, equal to the vendor row for row', async () => {
    const random = numbers(seedOf(engine.length));
    for (let step = 0; step < runs(10); step += 1) {
      shop.play(Array.from({ length: random(8) }, () => [random(6), random(100), 10 + random(50)]));
      shop.pageSize = 1 + random(5);
      const failing = random(3) === 0 ? shop.requests + 1 + random(3) : -1;
      shop.onRequest = () => {
        if (shop.requests === failing) throw new VendorError('vendor_down', 'it does not answer');
      };
      const reconciles = random(3) === 0 ? { reconciles: { mostGone: 100 }, limits: aPage } : {};
      if (random(2) === 0) await runKilled(1 + random(40), reconciles);
      else await run(reconciles);
    }
    shop.onRequest = () => {};
    await runAll({ reconciles: { mostGone: 100 } });
    await expectEqual();
  }, 900_000);

  it('makes no snapshot where nothing came, or where everything is as it was', async () => {
    const id = shop.add(20);
    expect(await run()).toMatchObject({ state: 'ok', report: { rows: { orders: 1 } } });
    const before = await listSnapshots(test.instance.control, business.business_id);
    expect((await run())?.report.imports).toEqual([]);
    shop.touch(id);
    expect((await run())?.report.imports).toMatchObject([{ snapshot: null }]);
    expect(await listSnapshots(test.instance.control, business.business_id)).toEqual(before);
    expect(await readConnection(test.instance.control, connection.connection_id)).toMatchObject({
      ...{ state: 'ok', failures: 0, lease: null },
      loaded_until: expect.stringMatching(/^20/),
    });
  });
});

describe('a connection', () => {
  beforeEach(() => begin('SQLite'));

  it('says in which state its vendor is, keeps what it has, and tries again', async () => {
    const failures = {
      ...{ unauthorized: 'the key was taken back', missing_scope: 'it may not read orders' },
      ...{ vendor_down: 'it does not answer', quota: 'no more today' },
      ...{ api_changed: 'there is no such version', bad_answer: 'half an answer' },
    } as const;
    shop.add(20);
    await run();
    shop.add(30);
    for (const [count, [state, message]] of Object.entries(failures).entries()) {
      shop.onRequest = () => {
        throw new VendorError(state as keyof typeof failures, message);
      };
      expect(await run()).toMatchObject({ state, message: `orders: ${message}` });
      const failed = await readConnection(test.instance.control, connection.connection_id);
      expect(failed).toMatchObject({ state, failures: count + 1, lease: null });
      expect(Date.parse(failed?.due_at ?? '')).toBeGreaterThan(Date.now() + 30_000);
    }
    expect(await stored()).toHaveLength(1);
    shop.onRequest = () => {};
    expect(await run()).toMatchObject({ state: 'ok' });
    await expectEqual();
    const past = await listRuns(test.instance.control, connection.connection_id);
    expect(past.map((each) => each.state)).toEqual(['ok', ...Object.keys(failures).toReversed(), 'ok']);
    expect(await readConnection(test.instance.control, connection.connection_id)).toMatchObject({
      failures: 0,
    });
  });

  it('comes further with each run over pages that bring nothing, and reads its other streams meanwhile', async () => {
    const vendor = madeUpVendor(shop);
    const begunAt: unknown[] = [];
    const endless: Stream = {
      name: 'customers',
      landsAs: 'shopify-json',
      read: async function* (_access, cursor) {
        begunAt.push(cursor);
        const begun = typeof cursor === 'number' ? cursor : 0;
        for (let page = begun + 1; page <= begun + 5; page += 1) yield { rows: [], cursor: page };
        throw new VendorError('bad_answer', 'it has no end');
      },
    };
    const vendors = [{ ...vendor, streams: [endless, ...vendor.streams] }];
    shop.add(20);
    for (let count = 0; count < 3; count += 1)
      expect(await run({ vendors })).toMatchObject({ state: 'bad_answer' });
    expect(begunAt).toEqual([null, 5, 10]);
    await expectEqual();
  });

  it('is read on as ever where the key may not read one of its streams', async () => {
    const { control } = test.instance;
    const vendor = madeUpVendor(shop);
    const closed: Stream = {
      name: 'customers',
      landsAs: 'shopify-json',
      // biome-ignore lint/correctness/useYield: it fails before its first page
      read: async function* () {
        throw new VendorError('missing_scope', 'it may not read customers');
      },
    };
    const vendors = [{ ...vendor, streams: [closed, ...vendor.streams] }];
    for (let count = 0; count < 3; count += 1) {
      shop.add(20);
      expect(await run({ vendors })).toMatchObject({
        ...{ state: 'missing_scope', message: 'customers: it may not read customers', hasMore: false },
      });
      const told = await readConnection(control, connection.connection_id);
      expect(told).toMatchObject({ failures: 0, loaded_until: expect.stringMatching(/^20/) });
      expect(Date.parse(told?.due_at ?? '') - Date.now()).toBeLessThan(1000 * 900 * 1.06);
    }
    await expectEqual();
    // A webhook is heard.
    await makeDueSoon(control, connection.connection_id);
    const soon = await readConnection(control, connection.connection_id);
    expect(Date.parse(soon?.due_at ?? '') - Date.now()).toBeLessThan(60_000);
    // The connection is due at once when more is to come.
    shop.add(20);
    shop.add(20);
    const ofOnePage = { seconds: 0, pendingBytes: 2 ** 30, pieceLength: 1 };
    expect(await run({ vendors, limits: ofOnePage })).toMatchObject({
      state: 'missing_scope',
      hasMore: true,
    });
    const due = await readConnection(control, connection.connection_id);
    expect(Date.parse(due?.due_at ?? '')).toBeLessThanOrEqual(Date.now());
    // Where nothing answers any more, that is what is told, and it waits.
    shop.onRequest = () => {
      throw new VendorError('vendor_down', 'it does not answer');
    };
    expect(await run({ vendors })).toMatchObject({ state: 'vendor_down' });
    expect(await readConnection(control, connection.connection_id)).toMatchObject({ failures: 1 });
  });

  it('has an order that went and came back, and not one that came and went, in one import or several', async () => {
    const [back, gone] = [shop.add(20), shop.add(30)];
    const other = shop.add(40);
    await run();
    // All that is landed before the first import: gone, then there again.
    const until = { seconds: 60, pendingBytes: 2 ** 30, pieceLength: 1 };
    const original = shop.read.bind(shop);
    shop.read = async function* (access, cursor) {
      shop.remove(back);
      shop.remove(other);
      yield* original(access, cursor);
      shop.set(back, 25);
      shop.set(gone, 35);
      yield* original(access, shop.latest);
      yield* original(access, 3);
      shop.remove(gone);
      yield* original(access, 3);
    };
    expect(await run({ limits: until })).toMatchObject({ state: 'ok' });
    shop.read = original;
    expect(await stored()).toEqual([[String(back), 25, 'example.com']]);
    await run();
    await expectEqual();
  });

  it('gives turns: small stores are read while a large one is, and two workers never run one at once', async () => {
    const { control, secret } = test.instance;
    const large = shop;
    for (let count = 0; count < 60; count += 1) large.add(20);
    large.pageSize = 1;
    const small = new MadeUpShop();
    small.add(30);
    const readsOf: string[] = [];
    const running = new Set<string>();
    const vendor = madeUpVendor(large);
    const [stream] = vendor.streams;
    if (stream === undefined) throw new Error('it has orders');
    const read: typeof stream.read = async function* (access, cursor) {
      const name = String(access.settings.shop);
      expect(running.has(name)).toBe(false);
      running.add(name);
      readsOf.push(name);
      try {
        yield* (name === 'example.com' ? large : small).read(access, cursor);
      } finally {
        running.delete(name);
      }
    };
    for (const name of ['one', 'two', 'three']) {
      const { business_id } = await test.createBusiness({ currency: 'EUR', timezone: 'UTC', name });
      await createConnection(control, secret, {
        ...{ business_id, name, vendor: 'made-up', account: null, interval_s: 900 },
        ...{ settings: { shop: name }, secrets: { key: PLANTED_KEY } },
      });
    }
    const ending = new AbortController();
    const context = contextOf({
      vendors: [{ ...vendor, streams: [{ ...stream, read }] }],
      signal: ending.signal,
      // A turn of one page.
      limits: { seconds: 0, pendingBytes: 2 ** 30, pieceLength: 1 },
    });
    const working = work(context, turnsHere(context), { atOnce: 2, idleMs: 5 });
    const isRead = async () => {
      const rows = await control.selectFrom('connections').select(['state', 'name']).execute();
      return rows.filter(({ state }) => state === 'ok').length;
    };
    while ((await isRead()) < 3) await setTimeout(20);
    // The large one has had turns in between, and is not done.
    expect(readsOf.filter((name) => name === 'example.com').length).toBeGreaterThan(1);
    expect((await readConnection(control, connection.connection_id))?.state).toBe('reading');
    ending.abort();
    await working;
    expect(await readConnection(control, connection.connection_id)).toMatchObject({ lease: null });
  });

  describe('whose vendor deletes without a word', () => {
    const reconciles = { mostGone: null };
    const ids = async () => (await stored()).map(([id]) => Number(id)).toSorted((a, b) => a - b);

    beforeEach(async () => {
      for (let count = 0; count < 30; count += 1) shop.add(20 + count);
      await run();
    });

    it('compares once a month, by itself', async () => {
      shop.vanish(7);
      await run();
      expect(await ids()).toContain(7);
      const { control } = test.instance;
      const aged = await control
        .selectFrom('connection_streams')
        .select('place')
        .where('stream', '=', 'order-ids')
        .executeTakeFirstOrThrow();
      const ended = new Date(Date.now() - 31 * 86_400_000).toISOString();
      await control
        .updateTable('connection_streams')
        .set({ place: JSON.stringify({ ...JSON.parse(aged.place), ended }) })
        .where('stream', '=', 'order-ids')
        .execute();
      expect(await run()).toMatchObject({ state: 'ok', report: { gone: { 'order-ids': 1 } } });
      await expectEqual();
      const asked = shop.requests;
      await run();
      // The run asks for what is new alone.
      expect(shop.requests - asked).toBe(1);
    });

    it('deletes what is gone in turns of a page, whatever else changes', async () => {
      shop.vanish(1);
      shop.vanish(30);
      shop.set(2, 99);
      shop.pageSize = 7;
      expect(await runAll({ reconciles, limits: aPage })).toMatchObject({ state: 'ok' });
      await expectEqual();
      // Nothing of the comparison is left but the ids of what was brought.
      const files = await test.instance.control
        .selectFrom('landed_files')
        .select('kind')
        .where('kind', 'not in', ['rows', 'gone'])
        .execute();
      expect(files).toEqual([{ kind: 'ids' }]);
    });

    it('leaves rows alone that it did not bring', async () => {
      await test.importFolder(
        business,
        writeFiles(test, { 'orders.csv': 'order_id,ordered_at,total\nby-hand,2026-01-01T10:00:00Z,5\n' }),
      );
      shop.vanish(3);
      await runAll({ reconciles });
      expect((await stored()).map(([id]) => id)).toContain('by-hand');
      expect(await stored()).toHaveLength(30);
    });

    it.each(['a list that ends early', 'a list with nothing'])('asks before it believes %s', async (kind) => {
      const list = shop.list.bind(shop);
      shop.list = async function* (access, cursor) {
        for await (const page of list(access, cursor))
          if (kind === 'a list that ends early' && Number(page.ids[0]) < 3) yield page;
      };
      // What it says of each by itself is no better.
      shop.missing = async (asked) => asked.filter((id) => Number(id) > 3);
      for (let count = 0; count < 2; count += 1)
        expect(await runAll(count === 0 ? { reconciles } : {})).toMatchObject({
          state: 'deletions_refused',
          message: expect.stringMatching(
            /lists (27|30) of 30 orders no more.*--reconcile --most-gone (27|30)/,
          ),
        });
      expect(await ids()).toHaveLength(30);
      const told = await readConnection(test.instance.control, connection.connection_id);
      expect(told).toMatchObject({ failures: 0, state: 'deletions_refused' });
      // It is read on as ever.
      const id = shop.add(33);
      await run();
      expect(await ids()).toContain(id);
    });

    it('keeps what the vendor has, though it does not list it', async () => {
      shop.vanish(4);
      const list = shop.list.bind(shop);
      shop.list = async function* (access, cursor) {
        for await (const page of list(access, cursor))
          yield { ...page, ids: page.ids.filter((id) => id !== '9') };
      };
      expect(await runAll({ reconciles })).toMatchObject({ report: { gone: { 'order-ids': 1 } } });
      await expectEqual();
    });

    it('believes no vendor that denies what it lists', async () => {
      shop.vanish(4);
      shop.missing = async (asked) => [...asked];
      expect(await run({ reconciles })).toMatchObject({ state: 'bad_answer' });
      expect(await ids()).toHaveLength(30);
      const told = await readConnection(test.instance.control, connection.connection_id);
      // Its orders are read as ever.
      expect(told).toMatchObject({ failures: 0, loaded_until: expect.stringMatching(/^20/) });
    });

    /** As if all that the connection knows had come, and been marked, so long ago. */
    const age = async (minutes: number) => {
      const { control } = test.instance;
      const ago = (moment: string) => new Date(Date.parse(moment) - minutes * 60_000).toISOString();
      for (const { file_number, landed_at } of await control.selectFrom('landed_files').selectAll().execute())
        await control
          .updateTable('landed_files')
          .set({ landed_at: ago(landed_at) })
          .where('file_number', '=', file_number)
          .execute();
      const stream = 'order-ids otherwise';
      const mark = await control
        .selectFrom('connection_streams')
        .select('place')
        .where('stream', '=', stream)
        .executeTakeFirst();
      if (mark !== undefined)
        await control
          .updateTable('connection_streams')
          .set({ place: JSON.stringify(ago(JSON.parse(mark.place))) })
          .where('stream', '=', stream)
          .execute();
    };
    const bring = (id: number) =>
      test.importFolder(
        business,
        writeFiles(test, { 'orders.csv': `order_id,ordered_at,total\n${id},2026-01-01T10:00:00Z,5\n` }),
      );

    it('leaves alone what came by a file after it, and compares what it brings after that', async () => {
      shop.vanish(7);
      await runAll({ reconciles });
      expect(await ids()).not.toContain(7);
      await bring(7);
      shop.vanish(10);
      // What went is not the connection's any more, and keeps nothing else from being compared.
      expect(await runAll({ reconciles })).toMatchObject({ report: { gone: { 'order-ids': 1 } } });
      expect(await ids()).toContain(7);
      await bring(8);
      shop.vanish(8);
      expect(await runAll({ reconciles })).toMatchObject({
        state: 'ok',
        report: { gone: {}, notes: [expect.stringMatching(/^1 orders that .* stay/)] },
      });
      await age(10);
      shop.touch(9);
      await run();
      shop.vanish(9);
      expect(await runAll({ reconciles })).toMatchObject({ report: { gone: { 'order-ids': 1 } } });
      expect(await ids()).toEqual(expect.arrayContaining([7, 8]));
      expect(await ids()).not.toContain(9);
    });

    it('takes back what the vendor lists after a file brought it, by itself within a day, and nothing else', async () => {
      const { control } = test.instance;
      /** Acts as if the last comparison had ended this many hours ago. */
      const endedBefore = async (hours: number) => {
        const at = control.updateTable('connection_streams').where('stream', '=', 'order-ids');
        const { place } = await control
          .selectFrom('connection_streams')
          .select('place')
          .where('stream', '=', 'order-ids')
          .executeTakeFirstOrThrow();
        const ended = new Date(Date.now() - hours * 3_600_000).toISOString();
        await at.set({ place: JSON.stringify({ ...JSON.parse(place), ended }) }).execute();
      };
      for (const id of [5, 6, 7]) await bring(id);
      shop.vanish(5);
      await age(10);
      const asked = shop.requests;
      await endedBefore(23);
      await run();
      expect(shop.requests - asked).toBe(1);
      await endedBefore(25);
      expect(await run()).toMatchObject({
        report: { gone: {}, notes: [expect.stringMatching(/^1 orders that .* stay/)] },
      });
      // What is deleted from now on is found, also of what the file brought.
      shop.vanish(6);
      shop.vanish(10);
      expect(await runAll({ reconciles })).toMatchObject({ report: { gone: { 'order-ids': 2 }, notes: [] } });
      expect(await ids()).toEqual([...shop.orders.keys(), 5].toSorted((a, b) => a - b));
    });

    /** As a webhook does. */
    const isToldGone = async (id: number, onlyBrought = true) => {
      const { control, secret } = test.instance;
      await askForErasure(control, secret, {
        ...{ connection_id: connection.connection_id, request_id: `gone ${id}`, identifiers: [] },
        ...{ gone: [{ table: 'orders', key: { order_id: String(id) } }], onlyBrought },
      });
      expect(await forgetNext(contextOf(), new Map())).toBe(true);
    };

    it('deletes what a webhook says it deleted, but nothing that it never brought or that comes by another way meanwhile', async () => {
      await bring(1001);
      await bring(12);
      await age(10);
      shop.touch(13);
      shop.touch(14);
      await run();
      for (const id of [1001, 12, 13]) {
        shop.vanish(id);
        await isToldGone(id);
      }
      await run();
      expect(await ids()).toContain(1001);
      // A file brought 12 too: the vendor had it, and deleted it.
      expect(await ids()).not.toContain(12);
      expect(await ids()).not.toContain(13);
      // A file that brings another row keeps no deletion from being done.
      shop.vanish(15);
      await isToldGone(15);
      await bring(16);
      await run();
      expect(await ids()).not.toContain(15);
      // The order vanishes between the webhook and the run.
      shop.vanish(14);
      await isToldGone(14);
      await bring(14);
      await run();
      expect(await ids()).toContain(14);
      // An order of a person who must be forgotten goes however it came.
      await isToldGone(1001, false);
      await run();
      expect(await ids()).not.toContain(1001);
      // The place of the comparison is as it was.
      expect(await runAll({ reconciles })).toMatchObject({ state: 'ok' });
    });

    it('does not take an order for a person with its number', async () => {
      await forgetPersons(test.instance, business, ['9']);
      shop.vanish(9);
      await runAll({ reconciles });
      await expectEqual();
    });

    it('does not count customers who stay because they bought', async () => {
      const buyers = Array.from({ length: 6 }, (_, index) => `90${index},person${index}@example.com`);
      await test.importFolder(
        business,
        writeFiles(test, { 'profiles.csv': `profile_id,email\n${buyers.join('\n')}\n906,\n` }),
      );
      const customers = {
        ...{ name: LISTING_OF.profiles, title: 'customers', stream: 'orders' },
        ...{ table: 'profiles', column: 'profile_id' },
        idOf: (row: unknown) => `90${(row as { id: number }).id % 7}`,
        list: async function* () {
          yield { ids: [], cursor: null };
        },
        missing: async (_: unknown, asked: readonly string[]) => asked,
      };
      const vendors = [{ ...madeUpVendor(shop), listings: [customers] }];
      for (const id of shop.orders.keys()) shop.touch(id);
      await run({ vendors });
      expect(await runAll({ vendors, reconciles: { mostGone: 1 } })).toMatchObject({
        state: 'ok',
        report: { gone: { 'customer-ids': 1 } },
      });
      expect(await storedRows(test, business, 'profiles', 'profile_id')).toHaveLength(6);
      await expectEqual();
    });

    it('has no customer any more who is gone with all of their orders', async () => {
      const profiles = Array.from({ length: 7 }, (_, index) => `90${index}`);
      await test.importFolder(
        business,
        writeFiles(test, {
          'profiles.csv': `profile_id,email\n${profiles.map((id, index) => `${id},person${index}@example.com`).join('\n')}\n`,
        }),
      );
      const customers = {
        ...{ name: LISTING_OF.profiles, title: 'customers', stream: 'orders' },
        ...{ table: 'profiles', column: 'profile_id' },
        idOf: (row: unknown) => `90${(row as { id: number }).id % 7}`,
        list: async function* () {
          yield { ids: profiles.filter((id) => id !== '903'), cursor: null };
        },
        missing: async (_: unknown, asked: readonly string[]) => asked.filter((id) => id === '903'),
      };
      const vendor = madeUpVendor(shop);
      const vendors = [{ ...vendor, listings: [...(vendor.listings ?? []), customers] }];
      for (const id of shop.orders.keys()) shop.touch(id);
      await run({ vendors });
      for (const id of [...shop.orders.keys()].filter((each) => each % 7 === 3)) shop.vanish(id);
      await runAll({ vendors, reconciles });
      const left = await storedRows(test, business, 'profiles', 'profile_id');
      expect(left.map(([id]) => String(id)).toSorted()).toEqual(profiles.filter((id) => id !== '903'));
      await expectEqual();
    });

    it('begins anew what did not end within days, and reads on while it fails', async () => {
      const { control } = test.instance;
      const list = shop.list.bind(shop);
      shop.list = async function* (access, cursor) {
        if (cursor === 'stuck') throw new VendorError('vendor_down', 'the list is not there any more');
        yield* list(access, cursor);
      };
      const place = { begun: new Date(), ended: null, listed: 'stuck', isListed: false };
      const stick = (begun: Date) =>
        control
          .updateTable('connection_streams')
          .set({
            place: JSON.stringify({ ...place, begun, after: null, mostGone: null, refused: null }),
          })
          .where('stream', '=', 'order-ids')
          .execute();
      await stick(new Date());
      shop.vanish(5);
      const before = Date.now();
      expect(await run()).toMatchObject({ state: 'vendor_down' });
      const told = await readConnection(control, connection.connection_id);
      expect(told?.failures).toBe(0);
      expect(Date.parse(String(told?.due_at)) - before).toBeGreaterThan(800_000);
      await stick(new Date(Date.now() - 4 * 86_400_000));
      expect(await run()).toMatchObject({ state: 'ok' });
      await expectEqual();
    });

    it('forgets with a comparison what a person allowed of it', async () => {
      for (let id = 1; id <= 25; id += 1) shop.vanish(id);
      await runAll({ reconciles });
      const place = {
        begun: new Date(Date.now() - 4 * 86_400_000),
        ended: null,
        listed: null,
        isListed: false,
      };
      await test.instance.control
        .updateTable('connection_streams')
        .set({ place: JSON.stringify({ ...place, after: null, mostGone: 25, refused: null }) })
        .where('stream', '=', 'order-ids')
        .execute();
      expect(await runAll({})).toMatchObject({ state: 'deletions_refused' });
      expect(await ids()).toHaveLength(30);
    });

    it('never goes on with a list whose beginning is gone', async () => {
      const { control } = test.instance;
      let partly = 0;
      for (let questions = 8; questions < 24; questions += 1) {
        await run({ reconciles, limits: aPage });
        await runKilled(questions, { reconciles, limits: aPage });
        const { place } = await control
          .selectFrom('connection_streams')
          .select('place')
          .where('stream', '=', 'order-ids')
          .executeTakeFirstOrThrow();
        const listed = await control
          .selectFrom('landed_files')
          .select('row_count')
          .where('kind', '=', 'listed')
          .execute();
        const cursor = Number(JSON.parse(place).listed);
        // The cursor of the shop is the last id that it listed.
        expect(listed.reduce((sum, { row_count }) => sum + row_count, 0)).toBeGreaterThanOrEqual(cursor);
        if (cursor > 0) partly += 1;
      }
      expect(partly).toBeGreaterThan(0);
    });

    it('deletes as much as a person says', async () => {
      for (let id = 1; id <= 25; id += 1) shop.vanish(id);
      expect(await runAll({ reconciles })).toMatchObject({ state: 'deletions_refused' });
      expect(await runAll({ reconciles: { mostGone: 24 } })).toMatchObject({ state: 'deletions_refused' });
      expect(await ids()).toHaveLength(30);
      expect(await runAll({ reconciles: { mostGone: 25 } })).toMatchObject({ state: 'ok' });
      await expectEqual();
    });

    it('deletes no more than a person says, also where that many are likely', async () => {
      for (let id = 1; id <= 3; id += 1) shop.vanish(id);
      expect(await runAll({ reconciles: { mostGone: 2 } })).toMatchObject({ state: 'deletions_refused' });
      expect(await ids()).toHaveLength(30);
      expect(await runAll({ reconciles: { mostGone: 3 } })).toMatchObject({ state: 'ok' });
      await expectEqual();
    });

    it('deletes with its next run what a person confirmed on its page, and no more', async () => {
      const { control } = test.instance;
      for (let id = 1; id <= 25; id += 1) shop.vanish(id);
      await runAll({ reconciles });
      const refused = { listing: 'order-ids', title: 'orders', gone: 25, known: 30 };
      expect(await refusedDeletions(control, connection, madeUpVendor(shop))).toEqual([refused]);
      // Asked to compare, and then told of fewer than are gone.
      for (const mostGone of [null, 24]) {
        await askToCompare(control, connection, ['order-ids'], mostGone);
        expect(await run()).toMatchObject({ state: 'deletions_refused', report: { refused: [refused] } });
      }
      await askToCompare(control, connection, ['order-ids'], 25);
      await control
        .updateTable('connection_streams')
        .set({ place: JSON.stringify({ mostGone: 25, asked_at: '2026-01-01T00:00:00.000Z' }) })
        .where('stream', '=', 'order-ids asked')
        .execute();
      const asked = shop.requests;
      expect(await run()).toMatchObject({ state: 'deletions_refused' });
      // What somebody said long ago is not done now.
      expect(shop.requests - asked).toBe(1);
      expect(await ids()).toHaveLength(30);
      await askToCompare(control, connection, ['order-ids'], 25);
      expect(await run()).toMatchObject({ state: 'ok', report: { gone: { 'order-ids': 25 }, refused: [] } });
      await expectEqual();
      // Once.
      for (let count = 0; count < 40; count += 1) shop.add(20);
      await run();
      for (const id of [...shop.orders.keys()].slice(0, 30)) shop.vanish(id);
      expect(await run()).toMatchObject({ state: 'ok', report: { gone: {} } });
      expect(await ids()).toHaveLength(45);
    });
  });

  it('says what the import refuses, and keeps what was read for when it does not', async () => {
    shop.add(20);
    const original = shop.read.bind(shop);
    shop.read = async function* (access, cursor) {
      for await (const page of original(access, cursor))
        yield {
          ...page,
          rows: page.rows.map((row) => ({ ...(row as object), financial_status: 'teleported' })),
        };
    };
    expect(await run()).toMatchObject({
      state: 'import_refused',
      message: expect.stringContaining('financial status'),
    });
    shop.read = original;
    shop.set(1, 25);
    expect(await run({ limits: { seconds: 60, pendingBytes: 2 ** 30, pieceLength: 1 } })).toMatchObject({
      state: 'import_refused',
    });
    expect(await stored()).toEqual([]);
  });

  it('has its key and no person in any file, log, error or report', async () => {
    for (let count = 0; count < 5; count += 1) shop.add(20 + count);
    await run();
    shop.onRequest = () => {
      throw new VendorError('unauthorized', `the key ${PLANTED_KEY} is none`);
    };
    shop.add(40);
    const result = await run();
    expect(result?.message).toBe('orders: the key (secret) is none');
    shop.onRequest = () => {
      throw new Error(`unexpected, with ${PLANTED_KEY}`);
    };
    expect(await run()).toMatchObject({ state: 'failed' });
    const texts = await everyText(test.settings.DATA);
    texts.push(...logged, JSON.stringify(await listRuns(test.instance.control, connection.connection_id)));
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts)
      for (const planted of [PLANTED_KEY, 'Planted', 'person1@', 'person4@'])
        expect(text).not.toContain(planted);
  });

  it('hashes addresses as files do: a person of a file and of a connection is one', async () => {
    shop.add(20);
    await run();
    const key = hashKey(test.instance.secret, business.business_id);
    expect(await storedRows(test, business, 'orders', 'email_hash')).toEqual([
      [keyedHash(key, 'person1@example.com')],
    ]);
  });

  it('forgets a person in what was landed too', async () => {
    for (let count = 0; count < 14; count += 1) shop.add(20 + count);
    await run();
    expect(await landedRows()).toHaveLength(14);
    const report = await forgetPersons({ ...test.instance }, business, ['Person1@example.com']);
    expect(report.landed_rows).toBe(2);
    expect((await landedRows()).map((row) => (row as { id: number }).id)).not.toContain(1);
    expect(await landedRows()).toHaveLength(12);
    const ids = (await stored()).map(([id]) => id);
    expect(ids).toHaveLength(12);
    expect(ids).not.toContain('8');
  });

  it('forgets whom a vendor asks it to forget, once', async () => {
    const { control, secret } = test.instance;
    const { connection_id } = connection;
    for (let count = 0; count < 14; count += 1) shop.add(20 + count);
    await run();
    const asked = { connection_id, request_id: 'redact 1', identifiers: ['person2@example.com'], gone: [] };
    await askForErasure(control, secret, asked);
    await askForErasure(control, secret, asked);
    expect(
      JSON.stringify(await control.selectFrom('connection_erasures').selectAll().execute()),
    ).not.toContain('person2');
    expect(await forgetNext(contextOf(), new Map())).toBe(true);
    expect(await stored()).toHaveLength(12);
    expect(await landedRows()).toHaveLength(12);
    expect(await forgetNext(contextOf(), new Map())).toBe(false);
  });

  it('removes what a killed process left half written, and puts small files together', async () => {
    shop.add(20);
    await run();
    const folder = test.instance.data.landed(business.business_id, connection.connection_id);
    await writeFile(join(folder, '00000002-orders-aaaaaaaa.ndjson.gz.part'), 'half');
    await writeFile(join(folder, '00000002-orders-aaaaaaaa.ndjson.gz'), 'not listed');
    for (let count = 0; count < 30; count += 1) shop.add(20 + count);
    shop.pageSize = 1;
    await run({ limits: { seconds: 60, pendingBytes: 2 ** 30, pieceLength: 1 } });
    expect(await landedNames()).toHaveLength(1);
    expect(await landedRows()).toHaveLength(31);
    await run({ keeping: { days: 90, bytes: 0 } });
    expect(await landedNames()).toEqual([]);
  });

  it('keeps no landed row longer than it says, however small files are put together', async () => {
    const { control, data } = test.instance;
    const held = await takeConnection(control, connection.connection_id);
    if (held === null) throw new Error('somebody holds it');
    const files = await LandedFiles.open({ control, data }, held);
    const days = (count: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + count * 86_400_000);
    // Six a day, for twenty days.
    for (let number = 0; number < 120; number += 1) {
      await files.land({ stream: 'orders', place: '1', complete_until: null }, { rows: [{ number }] });
      const landed_at = days(number / 6).toISOString();
      await control
        .updateTable('landed_files')
        .set({ landed_at, imported_at: landed_at })
        .where('file_number', '=', number + 1)
        .execute();
      await files.tidy(undefined, days(number / 6));
    }
    const listed = await files.list();
    expect(listed.length).toBeLessThan(30);
    expect(listed.reduce((sum, { row_count }) => sum + row_count, 0)).toBe(120);
    expect(listed[0]).toMatchObject({ landed_at: days(0).toISOString() });
    await files.tidy(undefined, days(100.1));
    // What is left was landed on day 10.1 or later.
    const numbers = (await landedRows()).map((row) => (row as { number: number }).number);
    expect(Math.min(...numbers)).toBeGreaterThan(60);
    expect(Math.min(...numbers)).toBeLessThanOrEqual(60 + 7 * 6);
  });

  /** Lists the files with rows; files with the ids of what was received lie beside them. */
  async function landedNames(): Promise<string[]> {
    const names = await readdir(test.instance.data.landed(business.business_id, connection.connection_id));
    return names.filter((name) => /^\d+-orders-/.test(name)).toSorted();
  }

  async function landedRows(): Promise<unknown[]> {
    const folder = test.instance.data.landed(business.business_id, connection.connection_id);
    const rows: unknown[] = [];
    for (const name of await landedNames()) {
      const text = (await promisify(gunzip)(await readFile(join(folder, name)))).toString('utf8');
      rows.push(
        ...text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
      );
    }
    return rows;
  }
});

/** All files below a folder, unpacked where they are packed. */
async function everyText(folder: string): Promise<string[]> {
  const texts: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    texts.push(bytes.toString('latin1'));
    if (entry.name.endsWith('.gz')) texts.push((await promisify(gunzip)(bytes)).toString('utf8'));
  }
  return texts;
}
