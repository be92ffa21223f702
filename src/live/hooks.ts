import { createHash } from 'node:crypto';
import { askForErasure, type Erasure, hasErasures } from '../control/connection-erasures.ts';
import { makeDueSoon, openSecrets, pauseConnection, readConnection } from '../control/connections.ts';
import type { ControlDatabase } from '../control/database.ts';
import type { Log } from './access.ts';
import type { Notice, Vendor } from './vendor.ts';

interface HookContext {
  readonly control: ControlDatabase;
  readonly secret: Buffer;
  readonly vendors: readonly Vendor[];
  readonly log: Log;
  /** How many deletions of a connection wait at most. */
  readonly mostDeletions?: number;
}

/** Of a shop that clears its catalogue; done ones are among them until the connection has read since. While it is paused or fails they wait. */
const MOST_DELETIONS = 10_000;

/** `full`: so many deletions wait that the vendor must tell this one again; one that gives up is found by the next comparison. */
export type HookAnswer = 'taken' | 'full' | 'not signed';

/** What a vendor sent to `/hooks/<vendor>/<connection>`. */
export interface HookRequest {
  readonly vendor: string;
  readonly connectionId: string;
  readonly headers: Headers;
  /** Unchanged, since the signature is over these very bytes. */
  readonly body: Uint8Array;
}

/**
 * Takes what a vendor tells of changes; changed rows are then read as usual. Whom to forget and which rows are deleted is kept,
 * sealed, until a worker has carried it out: once the vendor has our answer, it will be done.
 *
 * @returns `not signed` also where there is no such connection: nobody learns which ids there are
 */
export async function takeHook(context: HookContext, request: HookRequest): Promise<HookAnswer> {
  const { control, secret, log, mostDeletions = MOST_DELETIONS } = context;
  const webhook = context.vendors.find(({ name }) => name === request.vendor)?.webhook;
  const connection = await readConnection(control, request.connectionId);
  if (webhook === undefined || connection === null || connection.vendor !== request.vendor)
    return 'not signed';
  const key = openSecrets(secret, connection)[webhook.secret];
  const notice =
    key === undefined ? null : webhook.read(request.headers, request.body, key, connection.settings);
  if (notice === null) return 'not signed';
  const { connection_id, business_id, name } = connection;
  const told = { business_id, connection: name, kind: notice.kind };
  // What a person asks for is always kept.
  if (notice.kind === 'gone') {
    if (await hasErasures(control, connection_id, mostDeletions)) return 'full';
    if (await hasErasures(control, connection_id, mostDeletions - 1))
      log.warn(
        told,
        `${mostDeletions} deletions wait: until some are carried out, the vendor has to tell more of them again`,
      );
  }
  const asked = wishOf(notice);
  if (notice.kind === 'changed') await makeDueSoon(control, connection_id);
  if (asked !== null)
    await askForErasure(control, secret, {
      ...{ connection_id, ...asked },
      // A request that the vendor sends twice counts once.
      request_id: createHash('sha256').update(request.body).digest('hex'),
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
