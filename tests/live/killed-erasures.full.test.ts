import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askForErasure } from '../../src/control/connections/connection-erasures.ts';
import { forgetNext } from '../../src/live/forget-persons.ts';
import type { Access, Page } from '../../src/live/vendor.ts';
import { ENGINES } from '../control/engines.ts';
import { storedRows } from '../ingest/shop.ts';
import { findPostgres } from '../support/postgres.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { MadeUpConnection } from './made-up-connection.ts';
import { MadeUpShop } from './made-up-shop.ts';
import { seededRandom, seedOf } from './stubs/random.ts';

let postgresUrl: () => Promise<string>;
beforeAll(async () => {
  const postgres = await findPostgres();
  postgresUrl = () => postgres.createDatabase();
});

/** More than a deletion of each kind asks the control database. */
const MOST_QUESTIONS = 150;

const CASES = ['before rows that were read out land', 'after they landed'].flatMap((when) =>
  Array.from({ length: runs(2) }, (_, round) => [when, round] as const),
);

describe.each(ENGINES)('a worker that is killed between any two writes, on %s', (engine) => {
  let test: TestInstance;
  let connected: MadeUpConnection;
  let shop: MadeUpShop;
  /** The moment until which the next pages are complete. */
  let until: Date;

  /** As with a bulk operation that waits: all orders are read out now, and land with the first run. */
  beforeEach(async () => {
    test = await createTestInstance({
      isOneEngineEnough: true,
      ...(engine === 'PostgreSQL' ? { controlUrl: await postgresUrl() } : {}),
    });
    shop = new MadeUpShop();
    for (let id = 1; id <= 14; id += 1) shop.add(20 + id);
    const read = shop.read.bind(shop);
    const readOut: Page[] = [];
    for await (const page of read({ signal: new AbortController().signal } as Access, null))
      readOut.push(page);
    until = new Date(Date.now() - 60_000);
    shop.read = async function* (access, cursor) {
      for await (const page of cursor === null ? readOut : read(access, cursor)) yield { ...page, until };
      yield { rows: [], cursor: cursor ?? readOut.at(-1)?.cursor ?? null, until };
    };
    connected = await MadeUpConnection.make(test, shop);
  });

  afterEach(() => test[Symbol.asyncDispose]());

  const carryOut = async () => {
    while (await forgetNext(connected.context(), new Map()));
  };

  /** What is read from now on was read out after all that was told. */
  const readSince = async () => {
    const asked_at = new Date(Date.now() - 300_000).toISOString();
    await test.instance.control.updateTable('connection_erasures').set({ asked_at }).execute();
    until = new Date();
    await connected.run();
  };

  /**
   * As if the process had been killed before a question to the control database, and its lease had run out
   * since.
   */
  const carryOutKilled = async (questions: number) => {
    const { control } = test.instance;
    let left = questions;
    const killed = control.withPlugin({
      transformQuery: ({ node }) => {
        left -= 1;
        if (left < 0) throw new Error('killed');
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const context = { ...connected.context(), control: killed };
    for (let count = 0; count < 10 && left >= 0; count += 1)
      if (!(await forgetNext(context, new Map()).catch(() => true))) break;
    const ago = new Date(Date.now() - 300_000).toISOString();
    await control
      .updateTable('connections')
      .set({ leased_at: ago, leased_until: ago })
      .where('lease', 'is not', null)
      .execute();
  };

  it.each(CASES)('loses no deletion of a vendor, and nobody comes back: %s, %i', async (when, round) => {
    const random = seededRandom(seedOf(engine.length + round));
    const { control, secret } = test.instance;
    const key = { connection_id: connected.id };
    const orderGone = (order_id: string) => [{ table: 'orders', key: { order_id } }];
    const wish = { identifiers: [], gone: orderGone('3'), onlyBrought: true };
    shop.vanish(3);
    await askForErasure(control, secret, { ...key, ...wish, request_id: 'order' });
    // Orders 2 and 9 are of this person.
    const person = { identifiers: ['person2@example.com'], gone: orderGone('4') };
    await askForErasure(control, secret, { ...key, ...person, request_id: 'person' });
    if (when === 'after they landed') {
      await carryOut();
      await connected.run();
      await readSince();
    }
    await carryOutKilled(Math.floor(random() * MOST_QUESTIONS));
    await carryOut();
    await connected.run();
    await readSince();
    await carryOut();
    await connected.run();
    const ids = await storedRows(test, connected.business, 'orders', 'cast(order_id as integer)');
    expect(ids.flat()).toEqual([1, 5, 6, 7, 8, 10, 11, 12, 13, 14]);
    expect(await control.selectFrom('connection_erasures').selectAll().execute()).toEqual([]);
  });
});
