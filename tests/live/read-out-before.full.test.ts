import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askForErasure, type Erasure } from '../../src/control/connections/connection-erasures.ts';
import { pauseConnection, removeConnection } from '../../src/control/connections/connections.ts';
import { forgetNext } from '../../src/live/forget-persons.ts';
import type { Access, Page } from '../../src/live/vendor.ts';
import { ENGINES } from '../control/engines.ts';
import { storedRows, writeFiles } from '../ingest/shop.ts';
import { findPostgres } from '../support/postgres.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { MadeUpConnection } from './made-up-connection.ts';
import { MadeUpShop } from './made-up-shop.ts';

let postgresUrl: () => Promise<string>;
beforeAll(async () => {
  const postgres = await findPostgres();
  postgresUrl = () => postgres.createDatabase();
});

describe.each(ENGINES)(
  'a row that a vendor read out before it deleted it, and hands over later, on %s',
  (engine) => {
    let test: TestInstance;
    let shop: MadeUpShop;
    let connected: MadeUpConnection;
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

    const run = async () => expect(await connected.run()).toMatchObject({ state: 'ok' });

    /** Tells it, and has it carried out as far as it can be. */
    const tell = async (request_id: string, wish: Partial<Erasure>) => {
      const { control, secret } = test.instance;
      const asked = { connection_id: connected.id, request_id, identifiers: [], gone: [], ...wish };
      await askForErasure(control, secret, asked);
      await carryOut();
    };
    const carryOut = async () => {
      while (await forgetNext(connected.context(), new Map()));
    };
    /** The shop has deleted it, and says so when it is asked. */
    const orderGone = (id: number) => {
      shop.vanish(id);
      return [{ table: 'orders', key: { order_id: String(id) } }];
    };
    const ids = async () =>
      (await storedRows(test, connected.business, 'orders', 'cast(order_id as integer)')).flat();
    const kept = () => test.instance.control.selectFrom('connection_erasures').selectAll().execute();

    /** What is read from now on was read out after all that was told. */
    const readSince = async () => {
      const asked_at = new Date(Date.now() - 300_000).toISOString();
      await test.instance.control.updateTable('connection_erasures').set({ asked_at }).execute();
      until = new Date();
      await run();
      await carryOut();
      await run();
    };

    it('goes once the connection has read since, and nothing is kept of it then', async () => {
      await tell('order', { gone: orderGone(3), onlyBrought: true });
      // Orders 2 and 9 are of this person.
      await tell('person', { identifiers: ['person2@example.com'], gone: orderGone(4) });
      await run();
      expect(await ids()).toHaveLength(14);
      expect(JSON.stringify(await kept())).not.toContain('person2');
      await readSince();
      expect(await ids()).toEqual([1, 5, 6, 7, 8, 10, 11, 12, 13, 14]);
      expect(await kept()).toEqual([]);
    });

    it('is waited for where a clock that was ahead said until when all was read', async () => {
      until = new Date(Date.now() + 3_600_000);
      const { control } = test.instance;
      const loaded_until = until.toISOString();
      await control.updateTable('connections').set({ loaded_until }).execute();
      until = new Date(Date.now() - 60_000);
      await tell('order', { gone: orderGone(3), onlyBrought: true });
      await run();
      await readSince();
      expect(await ids()).not.toContain(3);
      expect(await kept()).toEqual([]);
    });

    it('goes before its connection is removed, and what is only kept holds nothing up', async () => {
      const { control } = test.instance;
      await tell('person', { identifiers: ['person2@example.com'] });
      await run();
      await expect(removeConnection(control, connected.id)).rejects.toThrow('pause the connection');
      await pauseConnection(control, connected.id, true);
      await carryOut();
      expect(await ids()).toHaveLength(12);
      expect(await kept()).toHaveLength(1);
      await removeConnection(control, connected.id);
      expect(await kept()).toEqual([]);
    });

    it('stays where a file has brought it since', async () => {
      await tell('order', { gone: orderGone(3), onlyBrought: true });
      await run();
      const order = 'order_id,ordered_at,total\n3,2026-01-01T10:00:00Z,5\n';
      await test.importFolder(connected.business, writeFiles(test, { 'orders.csv': order }));
      await readSince();
      expect(await ids()).toContain(3);
      expect(await kept()).toEqual([]);
    });

    it('is waited for no longer than a vendor has it, and is asked for again by the same request', async () => {
      const { control } = test.instance;
      const asked_at = new Date(Date.now() - 21 * 24 * 3600_000).toISOString();
      await tell('order', { gone: orderGone(3), onlyBrought: true });
      await control.updateTable('connection_erasures').set({ asked_at }).execute();
      // Asked for anew before it was ended.
      await tell('order', { gone: orderGone(3), onlyBrought: true });
      expect(await kept()).toHaveLength(1);
      await control.updateTable('connection_erasures').set({ asked_at }).execute();
      await carryOut();
      expect(await kept()).toEqual([]);
    });
  },
);
