import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { CLOCK_SECONDS } from '../database/clock-tolerance.ts';
import type { ControlDatabase } from '../database/control-database.ts';
import { noteLandedSince } from './connection-erasures.ts';
import { type Connection, listConnections, MOST_RUNS, type Run, readConnection } from './connections.ts';

/** How long a worker holds a connection without a sign of life. */
export const LEASE_SECONDS = 90;

/** A connection that this worker runs. Only who holds it may write what comes of a run. */
export interface Held {
  readonly connection: Connection;
  readonly lease: string;
}

/**
 * The work was taken over by another worker, or the connection removed: nothing of it may be written any
 * more.
 */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor() {
    super('another worker took over, or the connection was removed');
  }
}

/** An account with a connection that is due. */
export interface DueAccount {
  /** Who has managed the business for longest; where nobody manages it, the business by itself. */
  readonly account: string;
}

/**
 * Chooses whose connection is taken.
 *
 * @param due in the order in which they have been due for longest
 * @param countAccounts how many accounts have connections that are read at all
 * @returns null: nobody's now
 */
export type ChooseDue = (
  due: readonly DueAccount[],
  countAccounts: () => Promise<number>,
) => Promise<string | null>;

const LONGEST_DUE: ChooseDue = async ([first]) => first?.account ?? null;

/**
 * Takes the connection of an account that has been due for longest, among businesses of which no connection
 * runs. Two workers never get the same: a transaction sees what the one before it wrote, on both engines
 * (0014), and none waits long since it writes one row.
 *
 * @returns null when nothing is due
 */
export async function takeDue(
  control: ControlDatabase,
  now = new Date(),
  choose: ChooseDue = LONGEST_DUE,
): Promise<(Held & DueAccount) | null> {
  // Nearly always there is nothing to do, which takes no lock to see.
  if ((await dueConnections(control, now).limit(1).executeTakeFirst()) === undefined) return null;
  return control.transaction().execute(async (transaction) => {
    for (;;) {
      const due = await longestDueOfAccounts(transaction, now);
      const account = await choose(due, () => countAccounts(transaction));
      const found = due.find((each) => each.account === account);
      if (found === undefined) return null;
      // A worker that ends a run lets go of it: a lease that is still there has run out.
      if (found.lease === null)
        return { ...(await hold(transaction, found.connection_id, now)), account: found.account };
      await countLapse(transaction, found, now);
    }
  });
}

/** Takes this connection, due or not; null when it, or another of its business, runs. */
export async function takeConnection(
  control: ControlDatabase,
  connection_id: string,
  now = new Date(),
): Promise<Held | null> {
  return control.transaction().execute(async (transaction) => {
    const connection = await readConnection(transaction, connection_id);
    if (connection === null || (await isBusinessHeld(transaction, connection.business_id, now))) return null;
    return hold(transaction, connection_id, now);
  });
}

/** Takes all connections of a business, for what concerns them all; null when one of them runs. */
export async function takeBusiness(
  control: ControlDatabase,
  business_id: string,
  now = new Date(),
): Promise<Held[] | null> {
  return control.transaction().execute(async (transaction) => {
    if (await isBusinessHeld(transaction, business_id, now)) return null;
    const held: Held[] = [];
    for (const { connection_id } of await listConnections(transaction, business_id))
      held.push(await hold(transaction, connection_id, now));
    return held;
  });
}

function dueConnections(control: ControlDatabase, now: Date) {
  return control
    .selectFrom('connections')
    .select(['connection_id', 'lease', 'failures', 'business_id', 'due_at'])
    .where('is_paused', '=', 0)
    .where(({ or, eb }) =>
      or([eb('due_at', '<=', now.toISOString()), eb('scheduled_at', '>', shifted(now, CLOCK_SECONDS))]),
    )
    .where('business_id', 'not in', heldBusinesses(control, now));
}

/**
 * One connection of each account: however many are due of one, those of others are among what is chosen from.
 */
async function longestDueOfAccounts(
  control: ControlDatabase,
  now: Date,
): Promise<(Pick<Connection, 'connection_id' | 'lease' | 'failures'> & DueAccount)[]> {
  const owned = dueConnections(control, now)
    .leftJoin(longestManagers(control).as('manager'), (join) =>
      join.onRef('manager.managed', '=', 'connections.business_id').on('manager.rank', '=', 1),
    )
    .select(OWNER.as('account'));
  const placed = control.selectFrom(owned.as('owned')).select(({ fn }) => [
    ...(['connection_id', 'lease', 'failures', 'due_at', 'account'] as const),
    fn
      .agg<number>('row_number')
      .over((over) => over.partitionBy('account').orderBy('due_at').orderBy('connection_id'))
      .as('place'),
  ]);
  return control
    .selectFrom(placed.as('due'))
    .select(['connection_id', 'lease', 'failures', 'account'])
    .where('place', '=', 1)
    .orderBy('due_at')
    .orderBy('connection_id')
    .execute();
}

const OWNER = sql<string>`coalesce(manager.account_id, connections.business_id)`;

function longestManagers(control: ControlDatabase) {
  return control.selectFrom('business_managers').select((managers) => [
    'business_id as managed',
    'account_id',
    managers.fn
      .agg<number>('row_number')
      .over((over) => over.partitionBy('business_id').orderBy('created_at').orderBy('account_id'))
      .as('rank'),
  ]);
}

async function countAccounts(control: ControlDatabase): Promise<number> {
  const { accounts } = await control
    .selectFrom('connections')
    .leftJoin(longestManagers(control).as('manager'), (join) =>
      join.onRef('manager.managed', '=', 'connections.business_id').on('manager.rank', '=', 1),
    )
    .where('is_paused', '=', 0)
    .select(sql<number | string>`count(distinct ${OWNER})`.as('accounts'))
    .executeTakeFirstOrThrow();
  return Number(accounts);
}

async function isBusinessHeld(control: ControlDatabase, business_id: string, now: Date): Promise<boolean> {
  const held = await heldBusinesses(control, now).where('business_id', '=', business_id).executeTakeFirst();
  return held !== undefined;
}

function heldBusinesses(control: ControlDatabase, now: Date) {
  return control
    .selectFrom('connections')
    .select('business_id')
    .where('leased_until', '>', now.toISOString())
    .where('leased_at', '<=', shifted(now, CLOCK_SECONDS));
}

/**
 * How long a connection is left alone whose worker is gone, the first time; each further time twice as long,
 * up to the most. What it reads may be what ends workers or machines, such as for want of memory, and others
 * must be read. That it is being read was written down before it began: so also a machine that is started
 * anew does not begin with the same one.
 */
const LAPSED_SECONDS = { first: 60, most: 6 * 3600 } as const;

async function hold(control: ControlDatabase, connection_id: string, now: Date): Promise<Held> {
  const before = await readConnection(control, connection_id);
  // Somebody asked for this very one.
  if (before !== null && before.lease !== null) await countLapse(control, before, now);
  const lease = randomUUID();
  await control
    .updateTable('connections')
    .set({ lease, leased_at: now.toISOString(), leased_until: shifted(now, LEASE_SECONDS) })
    .where('connection_id', '=', connection_id)
    .execute();
  const connection = await readConnection(control, connection_id);
  if (connection === null) throw new LeaseLostError();
  return { connection, lease };
}

/** Counts a lapse. The worker of the connection is gone, so the connection is due again after a while. */
async function countLapse(
  control: ControlDatabase,
  { connection_id, failures: before }: Pick<Connection, 'connection_id' | 'failures'>,
  now: Date,
): Promise<void> {
  const failures = before + 1;
  const scheduled_at = now.toISOString();
  const wait = Math.min(LAPSED_SECONDS.most, LAPSED_SECONDS.first * 2 ** Math.min(20, before));
  await control
    .updateTable('connections')
    .set({
      failures,
      due_at: shifted(now, wait),
      scheduled_at,
      state: 'failed',
      message: LAPSED,
      ...NOT_HELD,
    })
    .where('connection_id', '=', connection_id)
    .execute();
}

const LAPSED =
  'the reading broke off without a word: the server was stopped, or had too little memory for it';

function shifted(now: Date, seconds: number): string {
  return new Date(now.getTime() + 1000 * seconds).toISOString();
}

/** Gives a sign of life. @throws LeaseLostError */
export async function renewLease(control: ControlDatabase, held: Held, now = new Date()): Promise<void> {
  await change(control, held, { leased_at: now.toISOString(), leased_until: shifted(now, LEASE_SECONDS) });
}

/** Lets go of it without a result: it is due as before. */
export async function releaseLease(control: ControlDatabase, held: Held): Promise<void> {
  await change(control, held, NOT_HELD);
}

const NOT_HELD = { lease: null, leased_at: null, leased_until: null } as const;

async function change(
  control: ControlDatabase,
  { connection: { connection_id }, lease }: Held,
  values: Partial<
    Record<'lease' | 'leased_at' | 'leased_until' | 'reached_at' | 'loaded_until', string | null>
  >,
): Promise<void> {
  const { numUpdatedRows } = await control
    .updateTable('connections')
    .set({ lease, ...values })
    .where('connection_id', '=', connection_id)
    .where('lease', '=', lease)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new LeaseLostError();
}

export interface StreamPlace {
  readonly stream: string;
  /** The place, as JSON. */
  readonly place: string;
  readonly complete_until: string | null;
}

export async function readPlaces(
  control: ControlDatabase,
  { connection }: { readonly connection: Pick<Connection, 'connection_id'> },
): Promise<StreamPlace[]> {
  return control
    .selectFrom('connection_streams')
    .select(['stream', 'place', 'complete_until'])
    .where('connection_id', '=', connection.connection_id)
    .execute();
}

export interface LandedFile {
  readonly file_number: number;
  readonly stream: string;
  readonly name: string;
  /**
   * What the file holds. Files of ids hold those that were brought, for as long as there is the connection,
   * or those that the vendor lists.
   */
  readonly kind: 'rows' | 'gone' | 'ids' | 'listed';
  readonly row_count: number;
  readonly byte_count: number;
  readonly landed_at: string;
  readonly imported_at: string | null;
}

/** The landed files in the order in which they were landed. */
export async function listLanded(control: ControlDatabase, connection_id: string): Promise<LandedFile[]> {
  return control
    .selectFrom('landed_files')
    .select([
      ...(['file_number', 'stream', 'name', 'kind', 'row_count', 'byte_count'] as const),
      ...(['landed_at', 'imported_at'] as const),
    ])
    .where('connection_id', '=', connection_id)
    .orderBy('file_number')
    .execute();
}

/**
 * Says in one transaction that files are on the disk and where their stream goes on, so that neither is true
 * alone.
 *
 * @throws LeaseLostError
 */
export async function recordLanded(
  control: ControlDatabase,
  held: Held,
  { stream, place, complete_until }: StreamPlace,
  files: readonly Omit<LandedFile, 'imported_at' | 'landed_at'>[],
): Promise<void> {
  const { connection_id } = held.connection;
  const now = new Date().toISOString();
  await control.transaction().execute(async (transaction) => {
    await change(transaction, held, { reached_at: now });
    if (files.some(({ kind }) => kind === 'rows')) await noteLandedSince(transaction, connection_id);
    for (const file of files)
      await transaction
        .insertInto('landed_files')
        .values({ ...file, connection_id, landed_at: now, imported_at: isOfIds(file) ? now : null })
        .execute();
    await transaction
      .insertInto('connection_streams')
      .values({ connection_id, stream, place, complete_until })
      .onConflict((conflict) =>
        conflict.columns(['connection_id', 'stream']).doUpdateSet({ place, complete_until }),
      )
      .execute();
  });
}

/** Ids are never imported. */
export function isOfIds({ kind }: Pick<LandedFile, 'kind'>): boolean {
  return kind === 'ids' || kind === 'listed';
}

/** @throws LeaseLostError */
export async function recordImported(
  control: ControlDatabase,
  held: Held,
  files: readonly number[],
): Promise<void> {
  await control.transaction().execute(async (transaction) => {
    await change(transaction, held, {});
    for (const file_number of files)
      await transaction
        .updateTable('landed_files')
        .set({ imported_at: new Date().toISOString() })
        .where('connection_id', '=', held.connection.connection_id)
        .where('file_number', '=', file_number)
        .execute();
  });
}

/** Puts other files, or none, in the place of some. @throws LeaseLostError */
export async function replaceLanded(
  control: ControlDatabase,
  held: Held,
  going: readonly number[],
  coming: readonly LandedFile[],
): Promise<void> {
  const { connection_id } = held.connection;
  await control.transaction().execute(async (transaction) => {
    await change(transaction, held, {});
    for (const file_number of going)
      await transaction
        .deleteFrom('landed_files')
        .where('connection_id', '=', connection_id)
        .where('file_number', '=', file_number)
        .execute();
    for (const file of coming)
      await transaction
        .insertInto('landed_files')
        .values({ ...file, connection_id })
        .execute();
  });
}

/**
 * Files that are not on the disk any more, and streams that must be read anew because of it. @throws
 * LeaseLostError
 */
export async function recordLost(
  control: ControlDatabase,
  held: Held,
  files: readonly number[],
  streams: readonly string[],
): Promise<void> {
  const { connection_id } = held.connection;
  await control.transaction().execute(async (transaction) => {
    await change(transaction, held, {});
    for (const file_number of files)
      await transaction
        .deleteFrom('landed_files')
        .where('connection_id', '=', connection_id)
        .where('file_number', '=', file_number)
        .execute();
    for (const stream of streams)
      await transaction
        .deleteFrom('connection_streams')
        .where('connection_id', '=', connection_id)
        .where('stream', '=', stream)
        .execute();
  });
}

interface RunEnd {
  readonly run: Omit<Run, 'run_number'>;
  readonly failures: number;
  readonly due_at: Date;
  /** The moment until which data are loaded. Without it, the moment stays as it was. */
  readonly loaded_until?: string | null;
  readonly reached_at?: string;
}

/**
 * Ends a run: its report, the state, when it goes on; and lets go of the connection. @throws LeaseLostError
 */
export async function endRun(
  control: ControlDatabase,
  held: Held,
  { run, failures, due_at, ...moments }: RunEnd,
): Promise<void> {
  const { connection_id } = held.connection;
  await control.transaction().execute(async (transaction) => {
    const { scheduled_at } = held.connection;
    await change(transaction, held, { ...NOT_HELD, ...moments });
    const { state, message } = run;
    await transaction
      .updateTable('connections')
      .set({ state, message, failures })
      .where('connection_id', '=', connection_id)
      .execute();
    // A person who asked for a run while this one was under way gets one: it may have been past what they
    // mean.
    await transaction
      .updateTable('connections')
      .set({ due_at: due_at.toISOString(), scheduled_at: run.ended_at })
      .where('connection_id', '=', connection_id)
      .where('scheduled_at', '=', scheduled_at)
      .execute();
    const { last } = await transaction
      .selectFrom('connection_runs')
      .select(({ fn }) => fn.max<number | string | null>('run_number').as('last'))
      .where('connection_id', '=', connection_id)
      .executeTakeFirstOrThrow();
    const run_number = Number(last ?? 0) + 1;
    await transaction
      .insertInto('connection_runs')
      .values({ connection_id, run_number, ...run, report: JSON.stringify(run.report) })
      .execute();
    await transaction
      .deleteFrom('connection_runs')
      .where('connection_id', '=', connection_id)
      .where('run_number', '<=', run_number - MOST_RUNS)
      .execute();
  });
}
