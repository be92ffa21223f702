import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBusiness } from '../../src/control/businesses/businesses.ts';
import {
  endRun,
  LeaseLostError,
  recordLanded,
  releaseLease,
  renewLease,
  takeBusiness,
  takeConnection,
  takeDue,
} from '../../src/control/connections/connection-leases.ts';
import {
  type Connection,
  createConnection,
  findConnection,
  listRuns,
  MOST_RUNS,
  makeDue,
  openSecrets,
  pauseConnection,
  readConnection,
} from '../../src/control/connections/connections.ts';
import { LISTING_OF, markOtherOrigin, otherOriginAt } from '../../src/control/connections/other-origins.ts';
import { type ControlDatabase, openControlDatabase } from '../../src/control/database/control-database.ts';
import { nextRun } from '../../src/live/schedule.ts';
import { ENGINES, type ENGINES as Engines, openPlaces, type Places } from '../control/engines.ts';

const secret = Buffer.alloc(32, 3);
let places: Places;
let control: ControlDatabase;
let other: ControlDatabase;

async function connectionOf(name: string, business_id?: string): Promise<Connection> {
  const business = business_id ?? (await createBusiness(control, { name })).business_id;
  return createConnection(control, secret, {
    ...{ business_id: business, name, vendor: 'made-up', settings: { shop: name }, account: null },
    ...{ secrets: { key: `key of ${name}` }, interval_s: 900 },
  });
}

const later = (seconds: number) => new Date(Date.now() + 1000 * seconds);

/**
 * Two that are made within a millisecond are due at the same time: which of them comes first then, nobody
 * says.
 */
async function setDue({ connection_id }: Connection, due: Date): Promise<void> {
  await control
    .updateTable('connections')
    .set({ due_at: due.toISOString() })
    .where('connection_id', '=', connection_id)
    .execute();
}

const ended = (state: string) => ({
  run: {
    ...{ started_at: new Date().toISOString(), ended_at: new Date().toISOString() },
    ...{ state, message: null, report: {} },
  },
  failures: 0,
});

describe.each(ENGINES)('due connections on %s', (engine: (typeof Engines)[number]) => {
  beforeEach(async () => {
    places = await openPlaces();
    const place = await places.fresh(engine);
    control = await openControlDatabase(place);
    other = await openControlDatabase(place);
  });

  afterEach(async () => {
    await control.destroy();
    await other.destroy();
    await places[Symbol.asyncDispose]();
  });

  it('are taken once, by whichever process comes first, the longest waiting first', async () => {
    for (let number = 0; number < 12; number += 1) await connectionOf(`shop-${number}`);
    const takers = Array.from({ length: 20 }, (_, index) =>
      // Two connections of one process to one SQLite file would wait for each other for ever.
      takeDue(index % 2 === 0 || engine === 'SQLite' ? control : other),
    );
    const taken = (await Promise.all(takers)).flatMap((held) => held ?? []);
    expect(new Set(taken.map(({ connection }) => connection.connection_id)).size).toBe(12);
    expect(taken).toHaveLength(12);
  });

  it('run one after the other when they are of one business', async () => {
    const one = await connectionOf('one');
    await setDue(one, later(-1));
    await connectionOf('two', one.business_id);
    const held = await takeDue(control);
    expect(held?.connection.name).toBe('one');
    expect(await takeDue(other)).toBeNull();
    expect(await takeBusiness(other, one.business_id)).toBeNull();
    await endRun(control, held as never, { ...ended('ok'), due_at: later(900) });
    expect((await takeDue(other))?.connection.name).toBe('two');
  });

  it('are taken over when their worker is gone, which can write nothing any more', async () => {
    const connection = await connectionOf('one');
    const dead = await takeDue(control);
    if (dead === null) throw new Error('nothing was due');
    expect(await takeDue(other, later(80))).toBeNull();
    // It may be what ended the worker.
    expect(await takeDue(other, later(100))).toBeNull();
    const successor = await takeDue(other, later(170));
    expect(successor?.connection.connection_id).toBe(connection.connection_id);
    const place = { stream: 'orders', place: '1', complete_until: null };
    await expect(recordLanded(control, dead, place, [])).rejects.toThrow(LeaseLostError);
    await expect(renewLease(control, dead)).rejects.toThrow(LeaseLostError);
    await expect(endRun(control, dead, { ...ended('ok'), due_at: later(1) })).rejects.toThrow(LeaseLostError);
    expect(await listRuns(control, connection.connection_id)).toEqual([]);
  });

  it('are not read first again by the worker that comes after one that they ended, and ever later', async () => {
    const { connection_id } = await connectionOf('deadly');
    await setDue(await connectionOf('other'), later(60));
    expect((await takeDue(control))?.connection.name).toBe('deadly');
    const taken = await takeDue(control, later(100));
    expect(taken?.connection.name).toBe('other');
    await endRun(control, taken as never, { ...ended('ok'), due_at: later(100_000) });
    expect(await takeDue(control, later(150))).toBeNull();
    expect((await takeDue(control, later(170)))?.connection.name).toBe('deadly');
    expect(await takeDue(control, later(300))).toBeNull();
    expect(await readConnection(control, connection_id)).toMatchObject({ failures: 2, state: 'failed' });
    expect(await takeDue(control, later(410))).toBeNull();
    const last = await takeDue(control, later(430));
    expect(last?.connection.failures).toBe(2);
    await endRun(control, last as never, { ...ended('ok'), due_at: later(0) });
    expect(await readConnection(control, connection_id)).toMatchObject({ failures: 0, state: 'ok' });
  });

  it('are put off as well where somebody else takes them before the next worker does', async () => {
    const { connection_id, business_id } = await connectionOf('deadly');
    expect(await takeDue(control)).not.toBeNull();
    const [held] = (await takeBusiness(control, business_id, later(100))) ?? [];
    await releaseLease(control, held as never);
    expect(await takeDue(control, later(150))).toBeNull();
    expect(await readConnection(control, connection_id)).toMatchObject({ failures: 1, state: 'failed' });
  });

  it('are due again when a clock that was ahead is set right', async () => {
    await connectionOf('one');
    const ahead = later(86_400);
    const held = await takeDue(control, ahead);
    const report = ended('ok');
    await endRun(control, held as never, {
      ...report,
      run: { ...report.run, ended_at: ahead.toISOString() },
      due_at: later(86_400 + 900),
    });
    expect((await takeDue(control))?.connection.name).toBe('one');
  });

  it('are due again where a clock that was ahead put them off, since their worker was gone', async () => {
    const { connection_id } = await connectionOf('one');
    const ahead = (seconds: number) => later(365 * 86_400 + seconds);
    expect(await takeDue(control, ahead(0))).not.toBeNull();
    expect(await takeDue(control, ahead(100))).toBeNull();
    expect((await takeDue(control))?.connection.connection_id).toBe(connection_id);
  });

  it('know again who brought a row, once a clock that was ahead is set right', async () => {
    const { connection_id } = await connectionOf('one');
    const listing = LISTING_OF.orders;
    const at = async () => (await otherOriginAt(control, connection_id, listing, 'brought'))?.getTime() ?? 0;
    await markOtherOrigin(control, connection_id, listing, 'brought', later(365 * 86_400));
    const first = await at();
    // What comes from now on comes after it.
    expect(first).toBeLessThanOrEqual(Date.now());
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await at()).toBe(first);
  });

  it('are remembered when they were asked for while they ran, and are not taken while they are paused', async () => {
    const { connection_id } = await connectionOf('one');
    const held = await takeDue(control);
    await makeDue(other, connection_id);
    await endRun(control, held as never, { ...ended('ok'), due_at: later(900) });
    const again = await takeDue(control);
    expect(again?.connection.connection_id).toBe(connection_id);
    await endRun(control, again as never, { ...ended('ok'), due_at: later(900) });
    expect(await takeDue(control)).toBeNull();
    await makeDue(control, connection_id);
    await pauseConnection(control, connection_id, true);
    expect(await takeDue(control)).toBeNull();
    await pauseConnection(control, connection_id, false);
    expect(await takeDue(control)).not.toBeNull();
  });

  it('keep a bounded number of runs, and a key that only this instance opens', async () => {
    const connection = await connectionOf('one');
    for (let number = 0; number < MOST_RUNS + 3; number += 1) {
      const held = await takeConnection(control, connection.connection_id);
      await endRun(control, held as never, { ...ended(number === 0 ? 'failed' : 'ok'), due_at: later(900) });
    }
    const runs = await listRuns(control, connection.connection_id);
    expect(runs).toHaveLength(MOST_RUNS);
    expect(runs[0]?.run_number).toBe(MOST_RUNS + 3);
    const found = await findConnection(control, connection.business_id, 'one');
    expect(openSecrets(secret, found)).toEqual({ key: 'key of one' });
    expect(JSON.stringify(found)).not.toContain('key of one');
    expect(() => openSecrets(Buffer.alloc(32, 4), found)).toThrow('sealed with another secret');
    await control.deleteFrom('businesses').execute();
    expect(await readConnection(control, connection.connection_id)).toBeNull();
  });
});

describe('the next run comes', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const seconds = (next: Date) => Math.round((next.getTime() - now.getTime()) / 1000);
  const interval_s = 900;

  it('a run waits for its interval, or begins at once while there is more to read', () => {
    expect(seconds(nextRun({ state: 'ok', failures: 0, interval_s }, now, 0.5))).toBe(900);
    expect(seconds(nextRun({ state: 'reading', failures: 0, interval_s }, now, 0.5))).toBe(0);
  });

  it('ever later while it fails, within bounds', () => {
    const waits = [1, 2, 3, 4, 20, 1000].map((failures) =>
      seconds(nextRun({ state: 'vendor_down', failures, interval_s }, now, 0.5)),
    );
    expect(waits).toEqual([60, 120, 240, 480, 3600, 3600]);
  });

  it('the vendor chooses the next run, but not at once and not in a year', () => {
    const at = (retryAt: string) =>
      seconds(nextRun({ state: 'quota', failures: 1, interval_s, retryAt: new Date(retryAt) }, now, 0.5));
    expect(at('2026-11-22T15:00:00Z')).toBe(3 * 3600);
    expect(at('2027-11-22T15:00:00Z')).toBe(24 * 3600);
    expect(at('2026-11-22T12:00:01Z')).toBe(5);
    expect(at('2026-11-22T11:00:00Z')).toBe(60);
  });
});
