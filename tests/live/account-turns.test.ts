import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBusiness } from '../../src/control/businesses/businesses.ts';
import { endRun, type Held } from '../../src/control/connections/connection-leases.ts';
import { createConnection } from '../../src/control/connections/connections.ts';
import { DataFolder } from '../../src/control/data-folder/data-folder.ts';
import { type ControlDatabase, openControlDatabase } from '../../src/control/database/control-database.ts';
import { createAccount } from '../../src/control/people/accounts.ts';
import { addManager } from '../../src/control/people/managers.ts';
import { AccountTurns } from '../../src/live/account-turns.ts';
import type { ReadingTurn } from '../../src/live/reading-turn.ts';
import type { RunResult } from '../../src/live/run-connection.ts';
import { work } from '../../src/live/worker.ts';
import { ENGINES, openPlaces, type Places } from '../control/engines.ts';
import { temporaryFolder } from '../ingest/staging.ts';

const secret = Buffer.alloc(32, 3);
const silent = { info: () => {}, warn: () => {}, error: () => {} };
const whenAborted = (turn: ReadingTurn | undefined) =>
  new Promise<void>((resolve) => turn?.signal.addEventListener('abort', () => resolve()));
const DONE: RunResult = {
  ...{ state: 'ok', message: null, hasMore: false, hasCompared: false },
  report: { rows: {}, gone: {}, failed: [], imports: [], notes: [], refused: [], refusal: null },
};

describe('the next account is', () => {
  const due = (...accounts: string[]) => accounts.map((account) => ({ account }));
  const two = async () => 2;

  it('the one whose connection was due for longest, while nobody had more than others', async () => {
    expect(await new AccountTurns(2).choose(due('a', 'b'), two)).toBe('a');
  });

  it('another than those that are being read, and nobody has all places where there are others', async () => {
    const turns = new AccountTurns(3);
    const ends = [turns.begin('a')];
    expect(await turns.choose(due('a', 'b'), two)).toBe('b');
    expect(await turns.choose(due('a'), two)).toBe('a');
    ends.push(turns.begin('a'));
    expect(await turns.choose(due('a'), two)).toBe(null);
    expect(await turns.choose(due('a'), async () => 1)).toBe('a');
    if (ends[0] !== undefined) turns.end(ends[0]);
    expect(await turns.choose(due('a'), two)).toBe('a');
    // Nobody can leave one place free where there is only one.
    expect(await new AccountTurns(1).choose(due('a'), two)).toBe('a');
  });

  it('the one that had least of the time, not of the turns; a new one has no more right than those that waited', async () => {
    let now = 0;
    const turns = new AccountTurns(1, { now: () => now });
    const read = async (accounts: readonly string[], seconds: Readonly<Record<string, number>>) => {
      const account = (await turns.choose(due(...accounts), two)) ?? 'nobody';
      const turn = turns.begin(account);
      now += 1000 * (seconds[account] ?? 0);
      turns.end(turn);
      return account;
    };
    const read10: string[] = [];
    for (let turn = 0; turn < 12; turn += 1)
      read10.push(await read(['slow', 'quick'], { slow: 100, quick: 10 }));
    expect(read10.join(' ')).toBe(`slow${' quick'.repeat(10)} slow`);
    // It begins with as much as the least served.
    expect(await read(['slow', 'quick', 'new'], { slow: 100, quick: 10, new: 10 })).toBe('quick');
    expect(await read(['slow', 'quick', 'new'], { slow: 100, quick: 10, new: 10 })).toBe('new');
  });
});

describe('a turn that reads for long', () => {
  const due = (...accounts: string[]) => accounts.map((account) => ({ account }));
  const many = async () => 9;
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  it('leaves its place to others, and its account has no other than a long one', async () => {
    const turns = new AccountTurns(1, { longMs: 20 });
    const turn = turns.begin('a');
    expect(await turns.choose(due('b'), many)).toBe(null);
    await vi.waitFor(() => expect(turn.isLong).toBe(true));
    expect(turn.signal.aborted).toBe(false);
    expect(await turns.choose(due('a', 'b'), many)).toBe('b');
    expect(await turns.choose(due('a'), many)).toBe(null);
    turns.end(turn);
    expect(await turns.choose(due('a'), many)).toBe('a');
    expect(turns.begin('a').isLong).toBe(true);
  });

  it('is ended where as many are long as may be, and begins again when one of them has ended', async () => {
    const turns = new AccountTurns(1, { longMs: 20 });
    const first = turns.begin('a');
    await vi.waitFor(() => expect(first.isLong).toBe(true));
    const second = turns.begin('b');
    await vi.waitFor(() => expect(second.signal.aborted).toBe(true));
    expect(second.signal.reason).toMatchObject({ message: expect.stringContaining('others waited for it') });
    turns.end(second);
    expect(await turns.choose(due('b', 'c'), many)).toBe('c');
    turns.end(first);
    expect(await turns.choose(due('b'), many)).toBe('b');
  });

  it('does not count what it imports, or waits to import', async () => {
    const turns = new AccountTurns(1, { longMs: 60 });
    const turn = turns.begin('a');
    await turn.notReading(() => wait(150));
    expect(turn.isLong).toBe(false);
    await vi.waitFor(() => expect(turn.isLong).toBe(true));
    turns.end(turn);
  });

  it('leaves a long place to others when its account has several', async () => {
    const turns = new AccountTurns(2, { longMs: 20 });
    const turn = turns.begin('a');
    await vi.waitFor(() => expect(turn.isLong).toBe(true));
    expect(await turns.choose(due('a'), many)).toBe(null);
    expect(await turns.choose(due('a'), async () => 1)).toBe('a');
    turns.end(turn);
  });
});

describe.each(ENGINES)('several accounts on %s', (engine) => {
  let places: Places;
  let control: ControlDatabase;
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());

  beforeEach(async () => {
    places = await openPlaces();
    control = await openControlDatabase(await places.fresh(engine));
  });
  afterEach(async () => {
    await control.destroy();
    await places[Symbol.asyncDispose]();
  });

  /** Stores of an account, each with a connection that is due; those of the first account for longest. */
  async function storesOf(email: string, count: number, dueSeconds: number): Promise<void> {
    const { account_id } = await createAccount(control, { email, password: null });
    for (let number = 0; number < count; number += 1) {
      const { business_id } = await createBusiness(control, { name: `${email} ${number}` });
      await addManager(control, account_id, business_id);
      const { connection_id } = await createConnection(control, secret, {
        ...{ business_id, name: `${email} ${number}`, vendor: 'made-up', settings: {}, account: null },
        ...{ secrets: { key: 'k' }, interval_s: 900 },
      });
      const due_at = new Date(Date.now() - 1000 * (dueSeconds - number)).toISOString();
      await control
        .updateTable('connections')
        .set({ due_at })
        .where('connection_id', '=', connection_id)
        .execute();
    }
  }

  /**
   * Works until `enough` turns have begun, or nothing happens any more; each of `slow` takes until all is
   * over.
   */
  async function readBy(
    atOnce: number,
    enough: number,
    isSlow: (name: string) => boolean,
    longMs?: number,
  ): Promise<string[]> {
    const stop = new AbortController();
    const begun: string[] = [];
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const run = async (held: Held, turn?: ReadingTurn): Promise<RunResult> => {
      const { name } = held.connection;
      begun.push(name.split(' ')[0] ?? '');
      if (begun.length >= enough) end();
      if (isSlow(name)) await Promise.race([over, whenAborted(turn)]);
      const now = new Date().toISOString();
      await endRun(control, held, {
        run: { started_at: now, ended_at: now, state: 'ok', message: null, report: {} },
        failures: 0,
        due_at: new Date(Date.now() + 900_000),
      });
      return DONE;
    };
    const waiting = setTimeout(end, 20_000);
    const context = { control, data: new DataFolder(folder.path), log: silent, signal: stop.signal };
    const working = work(
      context,
      { run, forgetNext: async () => false },
      { atOnce, idleMs: 20, ...(longMs === undefined ? {} : { longMs }) },
    );
    await over;
    stop.abort();
    clearTimeout(waiting);
    await working;
    return begun;
  }

  it('vendors of one that never end keep no turn from those of the other', async () => {
    await storesOf('slow@example.com', 5, 1000);
    await storesOf('quick@example.com', 3, 100);
    const begun = await readBy(2, 4, (name) => name.startsWith('slow'));
    expect(begun.slice(0, 4)).toEqual([
      'slow@example.com',
      ...Array.from({ length: 3 }, () => 'quick@example.com'),
    ]);
  });

  it('vendors of several that never end keep no turn from those of another', async () => {
    for (const letter of ['a', 'b', 'c', 'd', 'e']) await storesOf(`slow-${letter}@example.com`, 2, 1000);
    await storesOf('quick@example.com', 3, 100);
    const begun = await readBy(2, 8, (name) => name.startsWith('slow'), 50);
    expect(begun.filter((email) => email === 'quick@example.com')).toHaveLength(3);
  });

  it('one that has many connections due lets the other have every second turn, with one place too', async () => {
    await storesOf('many@example.com', 6, 1000);
    await storesOf('few@example.com', 1, 100);
    const begun = await readBy(1, 3, () => false);
    expect(begun.slice(0, 3)).toContain('few@example.com');
  });
});
