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

/** Those that wait, the oldest first. */
export async function listErasures(control: ControlDatabase, secret: Buffer): Promise<Erasure[]> {
  const rows = await control
    .selectFrom('connection_erasures')
    .innerJoin('connections', 'connections.connection_id', 'connection_erasures.connection_id')
    .select(['connection_erasures.connection_id', 'business_id', 'request_id', 'identifiers_sealed'])
    .orderBy('asked_at')
    .orderBy('request_id')
    .limit(20)
    .execute();
  return rows.flatMap(({ identifiers_sealed, ...row }) => {
    const text = unseal(secret, sealPurpose(row.connection_id, row.request_id), identifiers_sealed);
    return text === null ? [] : [{ ...row, ...(JSON.parse(text) as Wish) }];
  });
}

/** Notes that the rows are gone, and persons are left to be forgotten: what is tried again must not begin anew. */
export async function endGone(
  control: ControlDatabase,
  secret: Buffer,
  { connection_id, request_id, identifiers }: Erasure,
): Promise<void> {
  const wish: Wish = { identifiers, gone: [] };
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
