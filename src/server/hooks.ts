import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { Logger } from 'pino';
import { isUuid } from '../business/business.ts';
import { WindowCounts } from '../control/window-counts.ts';
import type { HookAnswer, HookRequest } from '../live/hooks.ts';
import { ByteBudget } from './byte-budget.ts';
import { addressReader, type TrustedProxies } from './client-address.ts';

interface HookOptions {
  /** Null where this server takes none. */
  readonly takeHook: ((request: HookRequest) => Promise<HookAnswer>) | null;
  readonly proxies: TrustedProxies | null;
  readonly log: Logger;
}

/** A webhook with a large order has some hundred kilobytes. */
const MOST_BYTES = 4 * 2 ** 20;
/** Of what is read at once, of one address and of all. */
const HELD = { account: 16 * 2 ** 20, all: 64 * 2 ** 20 };
/** Per minute: of one address, and of one connection whoever sends, since vendors have many addresses. */
const LIMITS = { address: 1200, connection: 1200 };

/** Seconds: deletions wait because the connection is paused or fails, or are many. */
const WAIT_WHEN_FULL = 600;

/** `POST /hooks/<vendor>/<connection>`, where vendors tell of changes. */
export function createHooks({ takeHook, proxies, log }: HookOptions) {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const addressOf = addressReader(proxies, log);
  const addresses = new WindowCounts(LIMITS.address, { minutes: 1 });
  const connections = new WindowCounts(LIMITS.connection, { minutes: 1 });
  const held = new ByteBudget(HELD);

  const wait = (context: Context, seconds: number) =>
    context.json({ error: 'too many requests; try again later' }, 429, { 'Retry-After': String(seconds) });

  app.post('/hooks/:vendor/:connection', async (context) => {
    const { vendor, connection } = context.req.param();
    if (takeHook === null || !isUuid(connection)) return refused(context);
    const address = addressOf(context);
    const seconds = addresses.add(address) || connections.add(connection.toLowerCase());
    if (seconds > 0) return wait(context, seconds);
    const body = await readBytes(context.req.raw, address, held);
    if (body === 'too large') return context.json({ error: `more than ${MOST_BYTES} bytes` }, 413);
    if (body === 'busy') return wait(context, 5);
    const { headers } = context.req.raw;
    const answer = await takeHook({ vendor, connectionId: connection.toLowerCase(), headers, body });
    if (answer === 'full') return wait(context, WAIT_WHEN_FULL);
    return answer === 'taken' ? context.json({ status: 'taken' }) : refused(context);
  });
  return app;
}

/** One answer for all that is not signed, so that nobody learns which connections there are. */
function refused(context: Context) {
  return context.json({ error: 'not signed by a vendor that is connected here' }, 401);
}

async function readBytes(
  request: Request,
  address: string,
  held: ByteBudget,
): Promise<Uint8Array | 'too large' | 'busy'> {
  if (Number(request.headers.get('content-length')) > MOST_BYTES) return 'too large';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.body ?? []) {
      if (bytes + chunk.byteLength > MOST_BYTES) return 'too large';
      if (held.take(address, chunk.byteLength) !== null) return 'busy';
      bytes += chunk.byteLength;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    held.giveBack(address, bytes);
  }
}
