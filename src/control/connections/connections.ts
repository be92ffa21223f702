import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { InputError } from '../../errors.ts';
import type { ControlDatabase, ControlSchema } from '../database/control-database.ts';
import { seal, unseal } from '../tokens/instance-secret.ts';
import { connectionsWithErasures } from './connection-erasures.ts';

/** A vendor that a business is connected to. */
export interface Connection
  extends Omit<Selectable<ControlSchema['connections']>, 'settings' | 'is_paused' | 'secrets_sealed'> {
  readonly settings: Readonly<Record<string, string>>;
  readonly is_paused: boolean;
  readonly secrets_sealed: string;
}

export type Secrets = Readonly<Record<string, string>>;

interface NewConnection {
  readonly business_id: string;
  readonly name: string;
  readonly vendor: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Secrets;
  readonly account: string | null;
  readonly account_id?: string | null;
  readonly interval_s: number;
}

/** Runs and their reports that are kept of a connection. */
export const MOST_RUNS = 50;

/** The most connections of one business. */
export const MOST_CONNECTIONS = 20;

/** @throws InputError when the business has one of that name, or the most */
export async function createConnection(
  control: ControlDatabase,
  secret: Buffer,
  { secrets, settings, account_id = null, ...given }: NewConnection,
): Promise<Connection> {
  const connection_id = randomUUID();
  const now = new Date().toISOString();
  const row = {
    connection_id,
    ...given,
    account_id,
    settings: JSON.stringify(settings),
    secrets_sealed: seal(secret, sealPurpose(connection_id), JSON.stringify(secrets)),
    state: 'new',
    message: null,
    is_paused: 0,
    failures: 0,
    due_at: now,
    scheduled_at: now,
    lease: null,
    leased_at: null,
    leased_until: null,
    reached_at: null,
    loaded_until: null,
    created_at: now,
  };
  await control.transaction().execute(async (transaction) => {
    refuseTooMany(await listConnections(transaction, given.business_id));
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('connections')
      .values(row)
      .onConflict((conflict) => conflict.columns(['business_id', 'name']).doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n)
      throw new InputError(
        `the business has a connection called ${given.name} already: remove it first, or give this one another name`,
      );
  });
  return readRow(row);
}

/** @throws InputError where one more would be too many */
export function refuseTooMany(known: readonly Connection[]): void {
  if (known.length >= MOST_CONNECTIONS)
    throw new InputError(
      `the business has ${known.length} connections, and ${MOST_CONNECTIONS} are the most: remove one first`,
    );
}

/** Gives a connection other settings or secrets. What was read stays where it is. */
export async function changeConnection(
  control: ControlDatabase,
  secret: Buffer,
  connection_id: string,
  { secrets, settings, ...account }: Pick<NewConnection, 'secrets' | 'settings' | 'account' | 'account_id'>,
): Promise<void> {
  await control
    .updateTable('connections')
    .set({
      ...account,
      settings: JSON.stringify(settings),
      secrets_sealed: seal(secret, sealPurpose(connection_id), JSON.stringify(secrets)),
    })
    .where('connection_id', '=', connection_id)
    .execute();
}

/** @throws InputError when the secret of this instance does not open them */
export function openSecrets(
  secret: Buffer,
  { connection_id, name, secrets_sealed }: Pick<Connection, 'connection_id' | 'name' | 'secrets_sealed'>,
): Secrets {
  const text = unseal(secret, sealPurpose(connection_id), secrets_sealed);
  if (text === null)
    throw new InputError(
      `the key of the connection ${name} was sealed with another secret of this server, and cannot be read any more`,
    );
  return JSON.parse(text);
}

function sealPurpose(connectionId: string): string {
  return `connection ${connectionId}`;
}

/** The connections of a business, or of all businesses, by their names. */
export async function listConnections(control: ControlDatabase, business_id?: string): Promise<Connection[]> {
  const rows = await control
    .selectFrom('connections')
    .selectAll()
    .$if(business_id !== undefined, (query) => query.where('business_id', '=', business_id ?? ''))
    .orderBy('business_id')
    .orderBy('name')
    .execute();
  return rows.map(readRow);
}

/** Whether any gives a worker something to do: to be read, or, though paused, somebody to forget. */
export async function hasConnections(control: ControlDatabase): Promise<boolean> {
  const row = await control
    .selectFrom('connections')
    .select('connection_id')
    .where(({ or, eb }) =>
      or([eb('is_paused', '=', 0), eb('connection_id', 'in', connectionsWithErasures(control))]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** @throws InputError when the business has no connection of that name */
export async function findConnection(
  control: ControlDatabase,
  business_id: string,
  name: string,
): Promise<Connection> {
  const connections = await listConnections(control, business_id);
  const found = connections.find((connection) => connection.name === name);
  if (found !== undefined) return found;
  const names = connections.map((connection) => connection.name).join(', ');
  throw new InputError(
    `the business has no connection ${name}; ${names === '' ? '`source add` makes one' : `it has ${names}`}`,
  );
}

/** Null when no connection has that id. */
export async function readConnection(
  control: ControlDatabase,
  connection_id: string,
): Promise<Connection | null> {
  const row = await control
    .selectFrom('connections')
    .selectAll()
    .where('connection_id', '=', connection_id)
    .executeTakeFirst();
  return row === undefined ? null : readRow(row);
}

function readRow(row: Selectable<ControlSchema['connections']>): Connection {
  return { ...row, settings: JSON.parse(row.settings), is_paused: row.is_paused !== 0 };
}

export async function pauseConnection(
  control: ControlDatabase,
  connection_id: string,
  isPaused: boolean,
): Promise<void> {
  await control
    .updateTable('connections')
    .set({ is_paused: isPaused ? 1 : 0, ...(isPaused ? {} : dueNow()) })
    .where('connection_id', '=', connection_id)
    .execute();
}

/** Has the connection run as soon as a worker is free, whatever it waits for. */
export async function makeDue(control: ControlDatabase, connection_id: string): Promise<void> {
  await control.updateTable('connections').set(dueNow()).where('connection_id', '=', connection_id).execute();
}

/**
 * How soon a connection runs of which the vendor told a change, and how long after its last run at the
 * earliest.
 */
const SOON = { seconds: 2, afterLast: 30 } as const;

/**
 * Does the same as `makeDue` for callers who may ask again and again: not while the connection fails, and
 * with a pause between two runs.
 */
export async function makeDueSoon(
  control: ControlDatabase,
  connection_id: string,
  now = new Date(),
): Promise<void> {
  const connection = await readConnection(control, connection_id);
  if (connection === null || connection.failures > 0) return;
  const { scheduled_at, due_at } = connection;
  const earliest = Math.max(
    now.getTime() + 1000 * SOON.seconds,
    // A moment ahead of now was written before a clock was set back.
    Math.min(Date.parse(scheduled_at), now.getTime()) + 1000 * SOON.afterLast,
  );
  // It was asked for before and is still to come.
  if (Date.parse(due_at) <= earliest && connection.lease === null) return;
  await control
    .updateTable('connections')
    .set({ due_at: new Date(earliest).toISOString(), scheduled_at: now.toISOString() })
    .where('connection_id', '=', connection_id)
    .execute();
}

function dueNow() {
  const now = new Date().toISOString();
  return { due_at: now, scheduled_at: now };
}

/**
 * Removes a connection with its key and all that is remembered of it.
 *
 * @throws InputError while a person waits to be forgotten: who it is goes with the connection
 */
export async function removeConnection(control: ControlDatabase, connection_id: string): Promise<void> {
  await control
    .deleteFrom('connections')
    .where('connection_id', '=', connection_id)
    .where('connection_id', 'not in', connectionsWithErasures(control))
    .execute();
  if ((await readConnection(control, connection_id)) !== null)
    throw new InputError(
      'the vendor asked to delete what is not deleted yet, so the connection was not removed; `serve` or `worker` does that: pause the connection, and try again in a minute',
    );
}

export interface Run {
  readonly run_number: number;
  readonly started_at: string;
  readonly ended_at: string;
  readonly state: string;
  readonly message: string | null;
  readonly report: Readonly<Record<string, unknown>>;
}

/** The last runs, the newest first. */
export async function listRuns(control: ControlDatabase, connection_id: string): Promise<Run[]> {
  const rows = await control
    .selectFrom('connection_runs')
    .select(['run_number', 'started_at', 'ended_at', 'state', 'message', 'report'])
    .where('connection_id', '=', connection_id)
    .orderBy('run_number', 'desc')
    .execute();
  return rows.map((row) => ({ ...row, report: JSON.parse(row.report) }));
}
