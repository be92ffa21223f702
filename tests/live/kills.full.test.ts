import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createBusiness, currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { createConnection, makeDue, readConnection } from '../../src/control/connections/connections.ts';
import { openInstance } from '../../src/server/instance.ts';
import { readSettings } from '../../src/server/settings.ts';
import { ENGINES } from '../control/engines.ts';
import { query, storedSql } from '../ingest/shop.ts';
import { findPostgres } from '../support/postgres.ts';
import { runs } from '../support/runs.ts';
import { MadeUpShop, PLANTED_KEY } from './made-up-shop.ts';
import { seededRandom, seedOf } from './stubs/random.ts';

const CHILD = fileURLToPath(new URL('run-child.ts', import.meta.url));

/**
 * Workers in processes of their own, two at a time, both killed (kill -9) at a moment that nobody chose, most
 * in the middle of a run.
 */
describe.each(ENGINES)('workers that are killed, on %s', (engine) => {
  it('leave a store that ends equal to the vendor, row for row', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'storesight-kills-'));
    const story: [number, number, number][] = [];
    const storyFile = join(folder, 'story.json');
    const environment = {
      ...process.env,
      STORESIGHT_DATA: join(folder, 'data'),
      STORESIGHT_LOG_LEVEL: 'silent',
      ...(engine === 'PostgreSQL'
        ? { STORESIGHT_CONTROL_URL: await (await findPostgres()).createDatabase() }
        : {}),
    };
    const instance = await openInstance(readSettings(environment));
    try {
      const business = await createBusiness(instance.control, {
        name: 'Shop',
        currency: 'EUR',
        timezone: 'UTC',
      });
      const { connection_id } = await createConnection(instance.control, instance.secret, {
        ...{ business_id: business.business_id, name: 'made-up', vendor: 'made-up', account: null },
        ...{ settings: { shop: 'example.com' }, secrets: { key: PLANTED_KEY }, interval_s: 60 },
      });
      const start = () =>
        spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD, storyFile], {
          env: environment,
          stdio: ['ignore', 'pipe', 'ignore'],
        });
      const seed = seedOf(engine.length);
      const next = seededRandom(seed);
      const random = (below: number) => Math.floor(next() * below);
      const kills = { workers: 0, runs: 0 };
      while (kills.workers < runs(1)) {
        for (let change = 0; change < 12; change += 1)
          story.push([random(20) === 0 ? 3 : random(3), random(100), 10 + random(50)]);
        await writeFile(storyFile, JSON.stringify(story));
        const children = [start(), start()];
        await Promise.all(children.map((child) => once(child.stdout, 'data')));
        await setTimeout(random(1500));
        for (const child of children) child.kill('SIGKILL');
        await Promise.all(children.map((child) => once(child, 'close')));
        kills.workers += children.length;
        if ((await readConnection(instance.control, connection_id))?.lease !== null) kills.runs += 1;
        // A lease ends with time, and what its worker left is taken up after more: no test waits for that.
        await instance.control
          .updateTable('connections')
          .set({ lease: null, leased_at: null, leased_until: null })
          .execute();
        await makeDue(instance.control, connection_id);
      }
      const before = new Date().toISOString();
      console.log(`${engine}, seed ${seed}: ${JSON.stringify(kills)}`);
      const last = start();
      last.stdout.resume();
      while (((await readConnection(instance.control, connection_id))?.loaded_until ?? '') < before)
        await setTimeout(100);
      last.kill('SIGTERM');
      await once(last, 'close');
      const shop = new MadeUpShop();
      shop.play(story);
      const snapshot = await currentSnapshot(instance.control, business.business_id);
      const orders = await storedSql(
        instance.data.snapshot(business.business_id, snapshot?.snapshot_id ?? ''),
        'orders',
      );
      const stored = await query(
        `select cast(order_id as integer), cast(total as double) from (${orders}) order by 1`,
      );
      const expected = [...shop.orders.values()].map(({ id, total }) => [id, total]);
      expect(stored).toEqual(expected.toSorted(([one = 0], [other = 0]) => one - other));
    } finally {
      await instance[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    }
  }, 3_600_000);
});
