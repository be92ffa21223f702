import type { ControlDatabase } from './database.ts';
import { seal, unseal } from './secret.ts';

/** A row of our own format that goes. */
interface GoneRow {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
}

/** Persons whom a vendor asked us to forget, and rows that it has no more. Who they are is sealed, and gone once it is done. */
export interface Erasure {
  readonly connection_id: string;
  readonly business_id: string;
  readonly request_id: string;
  readonly identifiers: readonly string[];
  readonly gone: readonly GoneRow[];
  /** Whether of these rows only those go that the connection brought, and that came by no other way since. */
  readonly onlyBrought?: boolean;
  /** Whether rows that were to go are landed, and a paused connection, which has no next run, may not have imported that yet. */
  readonly isLanded?: boolean;
  /** The connection itself, and what it landed, once all that was asked before is done. */
  readonly removesConnection?: boolean;
}

type Wish = Omit<Erasure, 'connection_id' | 'business_id' | 'request_id'>;

/** A request that came before is the same request. */
export async function askForErasure(
  control: ControlDatabase,
  secret: Buffer,
  { connection_id, request_id, ...wish }: Omit<Erasure, 'business_id'>,
): Promise<void> {
  await control
    .insertInto('connection_erasures')
    .values({
      ...{ connection_id, request_id, asked_at: new Date().toISOString() },
      identifiers_sealed: seal(secret, sealPurpose(connection_id, request_id), JSON.stringify(wish)),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const PER_PAGE = 200;

/** Those that wait, the oldest first, however many of them are postponed or cannot be unsealed: those of one store block no other. */
export async function* waitingErasures(
  control: ControlDatabase,
  secret: Buffer,
  isPostponed: (erasure: Pick<Erasure, 'connection_id' | 'request_id'>) => boolean = () => false,
): AsyncGenerator<Erasure> {
  for (let after: Place | null = null; ; ) {
    const rows = await pageOfErasures(control, after);
    for (const { connection_id, business_id, request_id, identifiers_sealed } of rows) {
      if (isPostponed({ connection_id, request_id })) continue;
      const text = unseal(secret, sealPurpose(connection_id, request_id), identifiers_sealed);
      if (text !== null) yield { connection_id, business_id, request_id, ...(JSON.parse(text) as Wish) };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PER_PAGE) return;
    after = last;
  }
}

type Place = Readonly<Record<'asked_at' | 'request_id' | 'connection_id', string>>;

function pageOfErasures(control: ControlDatabase, after: Place | null) {
  const rows = control
    .selectFrom('connection_erasures as e')
    .innerJoin('connections as c', 'c.connection_id', 'e.connection_id')
    .select(['e.connection_id', 'c.business_id', 'e.request_id', 'e.identifiers_sealed', 'e.asked_at'])
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

/** Notes that the rows are landed to go, and persons are left to be forgotten: what is tried again must not begin anew. */
export async function endGone(
  control: ControlDatabase,
  secret: Buffer,
  { connection_id, request_id, identifiers }: Erasure,
): Promise<void> {
  const wish: Wish = { identifiers, gone: [], isLanded: true };
  await control
    .updateTable('connection_erasures')
    .set({ identifiers_sealed: seal(secret, sealPurpose(connection_id, request_id), JSON.stringify(wish)) })
    .where('connection_id', '=', connection_id)
    .where('request_id', '=', request_id)
    .execute();
}

export async function endErasure(
  control: ControlDatabase,
  { connection_id, request_id }: Pick<Erasure, 'connection_id' | 'request_id'>,
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
