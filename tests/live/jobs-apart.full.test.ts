import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeDue } from '../../src/control/connections/connection-leases.ts';
import {
  type Connection,
  createConnection,
  listRuns,
  readConnection,
} from '../../src/control/connections/connections.ts';
import { tryApart, turnsApart } from '../../src/live/jobs-apart.ts';
import { ReadingTurn } from '../../src/live/reading-turn.ts';
import { fivetranPostgres } from '../../src/live/vendors/fivetran-postgres/fivetran-postgres.ts';
import { work } from '../../src/live/worker.ts';
import { JobProcesses } from '../../src/processes/job-processes.ts';
import type { Limits } from '../../src/processes/limits.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { PLANTED_KEY } from './made-up-shop.ts';
import { message, startHostilePostgres } from './stubs/hostile-postgres.ts';

/**
 * What vendors send is read in processes of their own: a run that is killed is told, waits, and holds nobody
 * up.
 */

const LIMITS: Limits = {
  ...{ residentMb: 1500, seconds: 60, cpuSeconds: null, stuckCpuSeconds: 1, toldBytes: 1_000_000 },
};

describe('turns in processes of their own', () => {
  let test: TestInstance;
  let processes: JobProcesses;
  const logged: string[] = [];
  const add = (details: object, text: string) => void logged.push(`${text} ${JSON.stringify(details)}`);
  const log = { info: add, warn: add, error: add };

  beforeEach(async () => {
    test = await createTestInstance({ isOneEngineEnough: true });
    logged.length = 0;
    processes = new JobProcesses({
      ...{ heapMb: 512, mostIdle: 1, program: [fileURLToPath(new URL('deadly-child.ts', import.meta.url))] },
      environment: { ...process.env, STORESIGHT_DATA: test.instance.data.root },
    });
  });

  afterEach(async () => {
    await processes[Symbol.asyncDispose]();
    await test[Symbol.asyncDispose]();
  });

  /** A connection that has been due for `since` seconds. */
  async function connectionTo(name: string, since: number): Promise<Connection> {
    const { control, secret } = test.instance;
    const { business_id } = await test.createBusiness({ currency: 'EUR', timezone: 'UTC', name });
    const connection = await createConnection(control, secret, {
      ...{ business_id, name, vendor: 'made-up', account: null, interval_s: 900 },
      ...{ settings: { shop: name }, secrets: { key: PLANTED_KEY } },
    });
    const due_at = new Date(Date.now() - 1000 * since).toISOString();
    await control
      .updateTable('connections')
      .set({ due_at })
      .where('connection_id', '=', connection.connection_id)
      .execute();
    return connection;
  }

  const stateOf = async ({ connection_id }: Connection) =>
    (await readConnection(test.instance.control, connection_id))?.state;

  it('leave other stores to be read, and put off what ended them', async () => {
    const stuck = await connectionTo('stuck', 30);
    const gone = await connectionTo('gone', 20);
    const good = await connectionTo('good', 10);
    const ending = new AbortController();
    const context = { ...test.instance, log, signal: ending.signal, limits: LIMITS };
    const working = work(context, turnsApart(context, processes), { atOnce: 1, idleMs: 20 });
    await expect.poll(() => stateOf(good), { timeout: 60_000, interval: 50 }).toBe('ok');
    ending.abort();
    await working;
    const { control } = test.instance;
    const ended = await readConnection(control, stuck.connection_id);
    expect(ended).toMatchObject({ state: 'over_limit', failures: 1, lease: null });
    expect(ended?.message).toMatch(/^the run was ended: one thing of what it read .* 1 seconds/);
    expect(Date.parse(ended?.due_at ?? '') - Date.now()).toBeGreaterThan(200_000);
    expect(await listRuns(control, stuck.connection_id)).toMatchObject([{ state: 'over_limit' }]);
    expect(await readConnection(control, gone.connection_id)).toMatchObject({ state: 'failed', failures: 1 });
    expect(logged.filter((line) => line.startsWith('a run was ended'))).toHaveLength(2);
    expect(logged.join()).not.toContain(PLANTED_KEY);
  });

  it('are ended where they read for long and find no place of long turns, and tell that they wait for one', async () => {
    await connectionTo('slow', 10);
    const { signal } = new AbortController();
    const context = { ...test.instance, log, signal, limits: LIMITS };
    const held = await takeDue(test.instance.control);
    const turn = new ReadingTurn('slow', 0, { isLong: false, longMs: 200, onLong: () => false });
    expect(await turnsApart(context, processes).run(held as never, turn)).toMatchObject({
      state: 'over_limit',
      message:
        'the run was ended: what it read came so slowly that others waited for it, and as many of these as may are being read; ' +
        'it is read when one of them has ended. What was served before stays',
    });
  });

  it.each(['stuck', 'gone'])(
    'leave no file with persons in clear where one ends that is %s: its next run may be hours away, or never come',
    async (name) => {
      const { business_id, connection_id } = await connectionTo(name, 10);
      const landed = test.instance.data.landed(business_id, connection_id);
      const { signal } = new AbortController();
      const context = { ...test.instance, log, signal, limits: LIMITS };
      const held = await takeDue(test.instance.control);
      await mkdir(join(landed, 'download'), { recursive: true });
      await writeFile(join(landed, 'download', 'orders.csv'), 'ann@example.com');
      await writeFile(join(landed, 'rows.ndjson.gz'), 'of a run before');
      expect(await turnsApart(context, processes).run(held as never)).toMatchObject({
        state: name === 'stuck' ? 'over_limit' : 'failed',
      });
      await expect(access(join(landed, 'download'))).rejects.toThrow('ENOENT');
      await access(join(landed, 'rows.ndjson.gz'));
    },
  );

  it.each(['stuck', 'slow'])(
    'are stopped within seconds, also one that is %s, and are due as before',
    async (name) => {
      const connection = await connectionTo(name, 10);
      const ending = new AbortController();
      const limits = { ...LIMITS, stuckCpuSeconds: 60 };
      const context = { ...test.instance, log, signal: ending.signal, limits };
      const held = await takeDue(test.instance.control);
      const running = turnsApart(context, processes).run(held as never);
      await setTimeout(1000);
      ending.abort(new Error('enough'));
      const isOver = await Promise.race([running.then(() => true), setTimeout(20_000, false)]);
      expect(isOver).toBe(true);
      expect(await running).toBeNull();
      expect(await readConnection(test.instance.control, connection.connection_id)).toMatchObject({
        ...{ lease: null, state: 'new', failures: 0 },
      });
    },
  );
});

describe('a key that is tried', () => {
  it('is tried in another process, which has no settings of this one', async () => {
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    // The five bytes.
    await using server = await startHostilePostgres((socket) => void socket.write(message('R')));
    // The process could not read its settings with this value, if it looked at them.
    const tryKey = tryApart({ ...process.env, STORESIGHT_PORT: 'none' });
    const key = { name: 'a', settings: {}, secrets: { connectionString: server.connectionString } };
    const { signal } = new AbortController();
    const tried = tryKey(fivetranPostgres, key, { log, signal, allowsLoopback: true });
    await expect(tried).rejects.toMatchObject({
      ...{ name: 'VendorError', state: 'bad_answer' },
      message: '127.0.0.1 sends a message that ends elsewhere than it says',
    });
  });
});
