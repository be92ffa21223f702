import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { Logger } from 'pino';
import { isUuid } from '../business/business.ts';
import { WindowCounts } from '../control/limits/window-counts.ts';
import type { FindHook } from '../live/find-webhook.ts';
import { ByteBudget } from './byte-budget.ts';
import { addressReader, type TrustedProxies } from './client-address.ts';

interface HookOptions {
  /** It is null where this server takes none. */
  readonly findHook: FindHook | null;
  readonly proxies: TrustedProxies | null;
  readonly log: Logger;
}

/** The most bytes of bodies that are being read, for one connection and for all. */
const HELD = { account: 8 * 2 ** 20, all: 32 * 2 ** 20 };
/**
 * Bodies that are read at once. One address gets at most a quarter of a connection's places, so that nobody
 * who knows its id can take all.
 */
const PLACES = { address: 8, connection: 32, all: 128 };
/** No vendor waits longer than this for an answer. */
const BODY_WITHIN_MS = 10_000;
/** Requests per minute, from one address and to one connection (vendors send from many addresses). */
const LIMITS = { address: 1200, connection: 1200 };

/** Seconds to wait when deletions pile up: the connection is paused or fails, or there are many. */
const WAIT_WHEN_FULL = 600;

/**
 * `POST /hooks/<vendor>/<connection>`, where vendors tell of changes. A body is read only where a connection
 * is for it, and is signed.
 */
export function createHooks({ findHook, proxies, log }: HookOptions) {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const addressOf = addressReader(proxies, log);
  const addresses = new WindowCounts(LIMITS.address, { minutes: 1 });
  const connections = new WindowCounts(LIMITS.connection, { minutes: 1 });
  const held = new ByteBudget(HELD);
  const places = new Places();

  const wait = (context: Context, seconds: number) =>
    context.json({ error: 'too many requests; try again later' }, 429, { 'Retry-After': String(seconds) });

  app.post('/hooks/:vendor/:connection', async (context) => {
    const { vendor, connection } = context.req.param();
    if (findHook === null || !isUuid(connection)) return refused(context);
    const address = addressOf(context);
    const tooOften = addresses.add(address);
    if (tooOften > 0) return wait(context, tooOften);
    const { headers } = context.req.raw;
    const connectionId = connection.toLowerCase();
    const hook = await findHook({ vendor, connectionId, headers });
    if (hook === null) return refused(context);
    const seconds = connections.add(connectionId);
    if (seconds > 0) return wait(context, seconds);
    if (!places.take(address, connectionId)) return wait(context, 5);
    const body = await readBytes(context.req.raw, hook.mostBytes, {
      take: (bytes) => held.take(connectionId, bytes) === null,
      giveBack: (bytes) => held.giveBack(connectionId, bytes),
    }).finally(() => places.giveBack(address, connectionId));
    if (body === 'too large') return context.json({ error: `more than ${hook.mostBytes} bytes` }, 413);
    if (body === 'too slow')
      return context.json({ error: `the body did not come within ${BODY_WITHIN_MS / 1000} seconds` }, 408);
    if (body === 'broken off') return context.json({ error: 'the request ended before its body did' }, 400);
    if (body === 'busy') return wait(context, 5);
    const answer = await hook.take(body);
    if (answer === 'full') return wait(context, WAIT_WHEN_FULL);
    return answer === 'taken' ? context.json({ status: 'taken' }) : refused(context);
  });
  return app;
}

/** One answer for all that is not signed. */
function refused(context: Context) {
  return context.json({ error: 'not signed by a vendor that is connected here' }, 401);
}

/** Who reads a body, of an address and of a connection. */
class Places {
  readonly #taken = new Map<string, number>();
  #all = 0;

  take(address: string, connectionId: string): boolean {
    const [ofAddress, ofConnection] = [this.#of(address), this.#of(connectionId)];
    if (ofAddress >= PLACES.address || ofConnection >= PLACES.connection || this.#all >= PLACES.all)
      return false;
    this.#change(address, connectionId, 1);
    return true;
  }

  giveBack(address: string, connectionId: string): void {
    this.#change(address, connectionId, -1);
  }

  #change(address: string, connectionId: string, by: 1 | -1): void {
    this.#all += by;
    for (const key of [address, connectionId]) {
      const count = this.#of(key) + by;
      if (count === 0) this.#taken.delete(key);
      else this.#taken.set(key, count);
    }
  }

  #of(key: string): number {
    return this.#taken.get(key) ?? 0;
  }
}

interface Room {
  /** False if there is no room for this many bytes. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

async function readBytes(
  request: Request,
  mostBytes: number,
  room: Room,
): Promise<Uint8Array | 'too large' | 'too slow' | 'broken off' | 'busy'> {
  if (Number(request.headers.get('content-length')) > mostBytes) return 'too large';
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), BODY_WITHIN_MS);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), late.promise]);
      if (next === 'late') return 'too slow';
      if (next.done) return Buffer.concat(chunks);
      if (bytes + next.value.byteLength > mostBytes) return 'too large';
      if (!room.take(next.value.byteLength)) return 'busy';
      bytes += next.value.byteLength;
      chunks.push(next.value);
    }
  } catch {
    return 'broken off';
  } finally {
    clearTimeout(timer);
    // The rest is not ours to cancel: the connection must stay open for the response.
    reader.releaseLock();
    room.giveBack(bytes);
  }
}
