import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import {
  askForErasure,
  connectionsWithErasures,
  type Erasure,
} from '../../src/control/connections/connection-erasures.ts';
import { listLanded, takeConnection } from '../../src/control/connections/connection-leases.ts';
import {
  createConnection,
  pauseConnection,
  readConnection,
} from '../../src/control/connections/connections.ts';
import { forgetNext } from '../../src/live/forget-persons.ts';
import { type RunContext, runConnection } from '../../src/live/run-connection.ts';
import { type Turns, turnsHere } from '../../src/live/turns-here.ts';
import { work } from '../../src/live/worker.ts';
import { storedRows } from '../ingest/shop.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { MadeUpShop, madeUpVendor, PLANTED_KEY } from './made-up-shop.ts';

let test: TestInstance;
let shop: MadeUpShop;

beforeEach(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  shop = new MadeUpShop();
  for (let count = 0; count < 30; count += 1) shop.add(20 + count);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await test[Symbol.asyncDispose]();
});

const context = (): RunContext => ({
  ...{ ...test.instance, vendors: [madeUpVendor(shop)], signal: new AbortController().signal },
  log: { info: () => {}, warn: () => {}, error: () => {} },
});

async function connect(): Promise<{ business: Business; connection_id: string }> {
  const { control, secret } = test.instance;
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'UTC' });
  const { connection_id } = await createConnection(control, secret, {
    ...{ business_id: business.business_id, name: 'made-up', vendor: 'made-up', account: null },
    ...{ settings: {}, secrets: { key: PLANTED_KEY }, interval_s: 900 },
  });
  return { business, connection_id };
}

async function run(connection_id: string): Promise<string | undefined> {
  const held = await takeConnection(test.instance.control, connection_id);
  if (held === null) throw new Error('it is held');
  return (await runConnection(context(), held))?.state;
}

/** A store whose import is refused, since a status is unknown, and whose connection somebody has paused. */
async function connectRefused() {
  const connected = await connect();
  expect(await run(connected.connection_id)).toBe('ok');
  const original = shop.read.bind(shop);
  shop.read = async function* (access, cursor) {
    for await (const page of original(access, cursor))
      yield {
        ...page,
        rows: page.rows.map((row) => ({ ...(row as object), financial_status: 'teleported' })),
      };
  };
  shop.set(1, 99);
  expect(await run(connected.connection_id)).toBe('import_refused');
  await pauseConnection(test.instance.control, connected.connection_id, true);
  return connected;
}

/** As the vendor asks for it, one after the other. */
async function ask(erasure: Pick<Erasure, 'connection_id' | 'request_id'> & Partial<Erasure>): Promise<void> {
  const { control, secret } = test.instance;
  await askForErasure(control, secret, { identifiers: [], gone: [], ...erasure });
  await setTimeout(5);
}

const orderGone = (id: number) => [{ table: 'orders', key: { order_id: String(id) } }];

const PERSON = 'person2@example.com';

/**
 * The emails of orders are kept as hashes: those of one person are told by the orders that only they placed.
 */
async function ordersWithPerson(business: Business): Promise<number> {
  const [[count] = []] = await storedRows(test, business, 'orders', 'count(email_hash)');
  return Number(count);
}

describe('a paused connection whose import is refused', () => {
  it('a person is forgotten, and the connection goes where its vendor wants it removed', async () => {
    const { business, connection_id } = await connectRefused();
    const before = await ordersWithPerson(business);
    await ask({ connection_id, request_id: 'a', identifiers: [PERSON], gone: orderGone(3) });
    await ask({ connection_id, request_id: 'b', removesConnection: true });
    const postponed = new Map<string, number>();
    while (await forgetNext(context(), postponed));
    expect(postponed.size).toBe(0);
    expect(await ordersWithPerson(business)).toBeLessThan(before);
    expect(await readConnection(test.instance.control, connection_id)).toBeNull();
  });

  it('rows that its vendor deleted are landed once, and go when the import is let through', async () => {
    const { business, connection_id } = await connectRefused();
    shop.vanish(3);
    await ask({ connection_id, request_id: 'a', gone: orderGone(3), onlyBrought: true });
    for (let count = 0; count < 3; count += 1) await forgetNext(context(), new Map());
    const landed = await listLanded(test.instance.control, connection_id);
    expect(landed.filter(({ kind }) => kind === 'gone')).toHaveLength(1);
    shop.read = MadeUpShop.prototype.read.bind(shop);
    await pauseConnection(test.instance.control, connection_id, false);
    const { control } = test.instance;
    await control
      .deleteFrom('landed_files')
      .where('kind', '=', 'rows')
      .where('imported_at', 'is', null)
      .execute();
    expect(await run(connection_id)).toBe('ok');
    expect((await storedRows(test, business, 'orders', 'order_id')).flat()).not.toContain('3');
  });

  it('its deletions keep nobody else waiting, however many they are', async () => {
    const other = await connect();
    expect(await run(other.connection_id)).toBe('ok');
    const { connection_id } = await connectRefused();
    const { control } = test.instance;
    for (let id = 1; id <= 25; id += 1)
      await ask({ connection_id, request_id: `a${id}`, identifiers: [`person${id}@example.com`] });
    await ask({ connection_id: other.connection_id, request_id: 'b', identifiers: [PERSON] });
    // Nothing of the first store can be done now: somebody reads it.
    const held = await takeConnection(control, connection_id);
    expect(held).not.toBeNull();
    const postponed = new Map<string, number>();
    while (await forgetNext(context(), postponed));
    expect(postponed.size).toBe(25);
    const left = await connectionsWithErasures(control).select('request_id').execute();
    expect(left.map(({ request_id }) => request_id)).not.toContain('b');
  });
});

it('a store is read while one has deletions without end and another reads for ever', async () => {
  const endless = await connect();
  const other = await connect();
  const { control } = test.instance;
  const ending = new AbortController();
  const stoppable = { ...context(), signal: ending.signal };
  const here = turnsHere(stoppable);
  const turns: Turns = {
    run: (held, turn) =>
      held.connection.connection_id === endless.connection_id
        ? setTimeout(60_000, null, { signal: ending.signal }).catch(() => null)
        : here.run(held, turn),
    forgetNext: () => setTimeout(10, true),
  };
  const working = work(stoppable, turns, { atOnce: 1, deletesForMs: 100, longMs: 50, idleMs: 10 });
  const isRead = async () => (await readConnection(control, other.connection_id))?.state === 'ok';
  await vi.waitUntil(isRead, { timeout: 30_000, interval: 20 });
  ending.abort();
  await working;
});

it('a run that begins as soon as deletions are landed does not have them wait', async () => {
  const { connection_id } = await connect();
  expect(await run(connection_id)).toBe('ok');
  const { control } = test.instance;
  shop.vanish(3);
  await ask({ connection_id, request_id: 'a', gone: orderGone(3), onlyBrought: true });
  let begun: ReturnType<typeof takeConnection> | null = null;
  const isMadeDue = new Set<object>();
  const watched = control.withPlugin({
    transformQuery: ({ node, queryId }) => {
      if (node.kind === 'UpdateQueryNode' && JSON.stringify(node).includes('due_at')) isMadeDue.add(queryId);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      if (isMadeDue.has(queryId)) begun ??= takeConnection(control, connection_id);
      return result;
    },
  });
  const postponed = new Map<string, number>();
  expect(await forgetNext({ ...context(), control: watched }, postponed)).toBe(true);
  expect(await begun).not.toBeNull();
  expect(postponed.size).toBe(0);
});
