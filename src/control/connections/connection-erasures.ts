import { isSurelyLater } from '../database/clock-tolerance.ts';
import type { ControlDatabase } from '../database/control-database.ts';
import { seal, unseal } from '../tokens/instance-secret.ts';

/** A row of our own format that goes. */
interface GoneRow {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
}

/**
 * Persons whom a vendor asked us to forget, and rows that it has no more. Who they are is sealed, and gone
 * once it is done.
 */
export interface Erasure {
  readonly connection_id: string;
  readonly business_id: string;
  readonly request_id: string;
  readonly identifiers: readonly string[];
  readonly gone: readonly GoneRow[];
  /** Whether of these rows only those go that the connection brought, and that came by no other way since. */
  readonly onlyBrought?: boolean;
  /**
   * Whether rows that are to go are landed, and a paused connection, which has no next run, may not have
   * imported that yet.
   */
  readonly isLanded?: boolean;
  /**
   * Whether all of it was done before: rows that came meanwhile by another way are not the vendor's to
   * delete.
   */
  readonly isAgain?: boolean;
  /** The connection itself, and what it landed, once all that was asked before is done. */
  readonly removesConnection?: boolean;
}

type Wish = Omit<Erasure, 'connection_id' | 'business_id' | 'request_id'>;

type Key = Pick<Erasure, 'connection_id' | 'request_id'>;

export interface WaitingErasure extends Erasure {
  readonly asked_at: string;
  /**
   * Whether there is something to do: it was never done, or rows that the vendor may have read before it was
   * asked were landed since.
   */
  readonly isLeft: boolean;
  /** Whether it is certain that nothing can land any more that was read before it was asked. */
  readonly isLast: boolean;
}

/** A request that came before is the same request; one that was done before is done again. */
export async function askForErasure(
  control: ControlDatabase,
  secret: Buffer,
  { connection_id, request_id, ...wish }: Omit<Erasure, 'business_id'>,
): Promise<void> {
  const key = { connection_id, request_id };
  const asked = { asked_at: new Date().toISOString(), identifiers_sealed: sealedWish(secret, key, wish) };
  await control
    .insertInto('connection_erasures')
    .values({ ...key, ...asked })
    .onConflict((conflict) =>
      conflict
        .columns(['connection_id', 'request_id'])
        .doUpdateSet({ ...asked, is_done: 0 })
        .where('connection_erasures.is_done', '=', 1),
    )
    .execute();
}

/** Whether this many erasures of a connection wait, or are kept until nothing from before them can land. */
export async function hasErasures(
  control: ControlDatabase,
  connection_id: string,
  count: number,
): Promise<boolean> {
  const found = await control
    .selectFrom('connection_erasures')
    .select('request_id')
    .where('connection_id', '=', connection_id)
    .limit(1)
    .offset(count - 1)
    .executeTakeFirst();
  return found !== undefined;
}

const PER_PAGE = 200;

/**
 * No vendor hands out what it read longer ago: a bulk operation of Shopify runs for at most 10 days, its
 * results are there for 7.
 */
const KEPT_MS = 20 * 24 * 3600_000;

/** The connections for which something is left to be done, now or before they go. */
export function connectionsWithErasures(control: ControlDatabase) {
  return control
    .selectFrom('connection_erasures')
    .select('connection_id')
    .where(({ or, eb }) => or([eb('is_done', '=', 0), eb('is_landed_since', '=', 1)]));
}

/** Rows that a connection lands from now on are landed since. */
export async function beginErasure(control: ControlDatabase, key: Key): Promise<void> {
  await changeErasure(control, key, { is_done: 0, is_landed_since: 0 });
}

/**
 * Keeps an erasure. It is done with what was landed until it was begun, and is done again with what may still
 * come.
 */
export async function keepErasure(
  control: ControlDatabase,
  secret: Buffer,
  { connection_id, request_id, identifiers, gone, onlyBrought = false }: Erasure,
): Promise<void> {
  const key = { connection_id, request_id };
  const wish: Wish = { identifiers, gone, onlyBrought, isAgain: true };
  await changeErasure(control, key, { is_done: 1, identifiers_sealed: sealedWish(secret, key, wish) });
}

/** A connection landed rows: what was deleted before may be among them. */
export async function noteLandedSince(control: ControlDatabase, connection_id: string): Promise<void> {
  await control
    .updateTable('connection_erasures')
    .set({ is_landed_since: 1 })
    .where('connection_id', '=', connection_id)
    .where('is_landed_since', '=', 0)
    .execute();
}

async function changeErasure(
  control: ControlDatabase,
  { connection_id, request_id }: Key,
  values: { is_done?: number; is_landed_since?: number; identifiers_sealed?: string },
): Promise<void> {
  await control
    .updateTable('connection_erasures')
    .set(values)
    .where('connection_id', '=', connection_id)
    .where('request_id', '=', request_id)
    .execute();
}

function sealedWish(secret: Buffer, { connection_id, request_id }: Key, wish: Wish): string {
  return seal(secret, sealPurpose(connection_id, request_id), JSON.stringify(wish));
}

/**
 * The erasures that are to be done or ended, the oldest first, however many of them are postponed or cannot
 * be unsealed: those of one store block no other.
 */
export async function* waitingErasures(
  control: ControlDatabase,
  secret: Buffer,
  isPostponed: (erasure: Key) => boolean = () => false,
): AsyncGenerator<WaitingErasure> {
  for (let after: Place | null = null; ; ) {
    const rows = await pageOfErasures(control, after);
    for (const { connection_id, business_id, request_id, identifiers_sealed, ...row } of rows) {
      if (isPostponed({ connection_id, request_id })) continue;
      const text = unseal(secret, sealPurpose(connection_id, request_id), identifiers_sealed);
      const isLast = isLastTime(row);
      if (text === null || !(isLast || row.is_done === 0 || row.is_paused === 1)) continue;
      const isLeft = row.is_done === 0 || row.is_landed_since === 1;
      const { asked_at } = row;
      const wish = JSON.parse(text) as Wish;
      yield { connection_id, business_id, request_id, asked_at, ...wish, isLeft, isLast };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PER_PAGE) return;
    after = last;
  }
}

/**
 * Whether the connection has read since, which a moment that is still to come does not say, or had so much
 * time for it that there can be nothing of before.
 */
function isLastTime({ asked_at, loaded_until }: { asked_at: string; loaded_until: string | null }): boolean {
  const asked = new Date(asked_at);
  const isReadSince =
    loaded_until !== null && isSurelyLater(loaded_until, asked) && !isSurelyLater(loaded_until, new Date());
  return isReadSince || Date.now() - asked.getTime() > KEPT_MS;
}

type Place = Readonly<Record<'asked_at' | 'request_id' | 'connection_id', string>>;

function pageOfErasures(control: ControlDatabase, after: Place | null) {
  const keptSince = new Date(Date.now() - KEPT_MS).toISOString();
  const rows = control
    .selectFrom('connection_erasures as e')
    .innerJoin('connections as c', 'c.connection_id', 'e.connection_id')
    .select([
      ...([
        'e.connection_id',
        'c.business_id',
        'e.request_id',
        'e.identifiers_sealed',
        'e.asked_at',
      ] as const),
      ...(['e.is_done', 'e.is_landed_since', 'c.is_paused', 'c.loaded_until'] as const),
    ])
    // More exactly it is said by `isLastTime`.
    .where(({ eb, or, and, ref }) =>
      or([
        eb('e.is_done', '=', 0),
        eb('c.loaded_until', '>', ref('e.asked_at')),
        eb('e.asked_at', '<', keptSince),
        and([eb('c.is_paused', '=', 1), eb('e.is_landed_since', '=', 1)]),
      ]),
    )
    .orderBy('e.asked_at')
    .orderBy('e.request_id')
    .orderBy('e.connection_id')
    .limit(PER_PAGE);
  if (after === null) return rows.execute();
  const { asked_at, request_id, connection_id } = after;
  return rows
    .where(({ eb, or, and }) =>
      or([
        eb('e.asked_at', '>', asked_at),
        and([eb('e.asked_at', '=', asked_at), eb('e.request_id', '>', request_id)]),
        and([
          eb('e.asked_at', '=', asked_at),
          eb('e.request_id', '=', request_id),
          eb('e.connection_id', '>', connection_id),
        ]),
      ]),
    )
    .execute();
}

/**
 * Notes that the rows are landed to go, and persons are left to be forgotten: what is tried again must not
 * begin anew.
 */
export async function markDeletionsLanded(
  control: ControlDatabase,
  secret: Buffer,
  { connection_id, request_id, identifiers, gone, onlyBrought = false, isAgain = false }: Erasure,
): Promise<void> {
  const key = { connection_id, request_id };
  const wish: Wish = { identifiers, gone, onlyBrought, isAgain, isLanded: true };
  await changeErasure(control, key, { identifiers_sealed: sealedWish(secret, key, wish) });
}

export async function endErasure(
  control: ControlDatabase,
  { connection_id, request_id }: Key,
): Promise<void> {
  await control
    .deleteFrom('connection_erasures')
    .where('connection_id', '=', connection_id)
    .where('request_id', '=', request_id)
    .execute();
}

function sealPurpose(connectionId: string, requestId: string): string {
  return `erasure ${requestId} of connection ${connectionId}`;
}
