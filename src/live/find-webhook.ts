import { createHash } from 'node:crypto';
import { askForErasure, type Erasure, hasErasures } from '../control/connections/connection-erasures.ts';
import {
  type Connection,
  makeDueSoon,
  openSecrets,
  pauseConnection,
  readConnection,
} from '../control/connections/connections.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { mainThread, onePiece } from '../main-thread/turns.ts';
import type { Notice, Vendor } from './vendor.ts';
import type { Log } from './vendor-access.ts';

export interface HookContext {
  readonly control: ControlDatabase;
  readonly secret: Buffer;
  readonly vendors: readonly Vendor[];
  readonly log: Log;
  /** The most deletions of rows of a connection that wait; with those of persons, twice this number. */
  readonly mostDeletions?: number;
}

/**
 * The most deletions of a shop that clears its catalogue. Those that are done count until the connection has
 * read again; while it is paused or fails, they wait. Deletions of persons have the same number of places
 * again, which nothing else takes: no shop has that many requests, and anybody with its secret may write
 * them.
 */
const MOST_DELETIONS = 10_000;

/**
 * `full`: too many deletions wait, so the vendor must send this one again; if it gives up, the next
 * comparison finds it.
 */
type HookAnswer = 'taken' | 'full' | 'not signed';

/** A request to `/hooks/<vendor>/<connection>`, of which only the headers were read. */
export interface HookRequest {
  readonly vendor: string;
  readonly connectionId: string;
  readonly headers: Headers;
}

/** Where the body of a request goes. */
export interface Hook {
  /** How many bytes it may have. */
  readonly mostBytes: number;
  /** @param body unchanged, since the signature is over these very bytes */
  take(body: Uint8Array): Promise<HookAnswer>;
}

/**
 * Looks for the connection that a request is for, so that the body of a request for an unknown one is not
 * read; null: unknown.
 */
export type FindHook = (request: HookRequest) => Promise<Hook | null>;

/** Finds a hook as a `FindHook` does. It is null also for a request that has no signature at all. */
export async function findHook(context: HookContext, request: HookRequest): Promise<Hook | null> {
  const { vendor, headers, connectionId } = request;
  const webhook = context.vendors.find(({ name }) => name === vendor)?.webhook;
  if (webhook === undefined || !headers.has(webhook.signedBy)) return null;
  const connection = await readConnection(context.control, connectionId);
  if (connection === null || connection.vendor !== vendor) return null;
  const key = openSecrets(context.secret, connection)[webhook.secret];
  if (key === undefined) return null;
  const read = (body: Uint8Array) => webhook.read(headers, body, key, connection.settings);
  return {
    mostBytes: webhook.mostBytes(headers),
    take: async (body) => {
      // A merchant may have the secret, and sign what is slow to read: it waits for its store's turn.
      const notice =
        body.byteLength <= READ_AT_ONCE
          ? read(body)
          : await mainThread.run(
              connection.business_id,
              onePiece(() => read(body)),
            );
      return notice === null ? 'not signed' : takeNotice(context, connection, notice, body);
    },
  };
}

/** How much is read at once, in bytes. */
const READ_AT_ONCE = 16_384;

/**
 * Takes what a vendor tells of changes; changed rows are then read as usual. Whom to forget and which rows
 * are deleted is kept, sealed, until a worker has carried it out: once the vendor has our answer, it will be
 * done.
 */
async function takeNotice(
  { control, secret, log, mostDeletions = MOST_DELETIONS }: HookContext,
  { connection_id, business_id, name }: Connection,
  notice: Notice,
  body: Uint8Array,
): Promise<HookAnswer> {
  const told = { business_id, connection: name, kind: notice.kind };
  const asked = wishOf(notice);
  if (asked !== null) {
    const most = notice.kind === 'gone' ? mostDeletions : 2 * mostDeletions;
    if (await hasErasures(control, connection_id, most)) return 'full';
    if (await hasErasures(control, connection_id, most - 1))
      log.warn(
        told,
        `${most} deletions wait: until some are carried out, the vendor has to tell more of them again`,
      );
  }
  if (notice.kind === 'changed') await makeDueSoon(control, connection_id);
  if (asked !== null)
    await askForErasure(control, secret, {
      connection_id,
      ...asked,
      // A request that the vendor sends twice counts once.
      request_id: createHash('sha256').update(body).digest('hex'),
    });
  if (notice.kind === 'asked')
    log.warn(
      told,
      'a person asked a vendor what is known of them: answer them, the vendor has told who it is',
    );
  if (notice.kind === 'forget_all') {
    await pauseConnection(control, connection_id, true);
    log.warn(
      { ...told, connection_id },
      'the vendor asks that its data go: the connection, its key and the rows it landed are removed; remove what was imported too',
    );
  }
  return 'taken';
}

type Wish = Pick<Erasure, 'identifiers' | 'gone' | 'onlyBrought' | 'removesConnection'>;

function wishOf(notice: Notice): Wish | null {
  if (notice.kind === 'forget_all') return { identifiers: [], gone: [], removesConnection: true };
  if (notice.kind === 'gone')
    return {
      identifiers: [],
      gone: [{ table: notice.gone.table, key: { ...notice.gone.key } }],
      onlyBrought: true,
    };
  if (notice.kind !== 'forget') return null;
  const { customerId, email, phone } = notice.person;
  const identifiers = [customerId, email, phone].flatMap((each) => each ?? []);
  const gone = notice.orders.map((order_id) => ({ table: 'orders', key: { order_id } }));
  return identifiers.length + gone.length === 0 ? null : { identifiers, gone };
}
