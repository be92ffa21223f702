import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { between, oneOf, type Random } from './random.ts';
import type { VendorClock } from './stub-access.ts';

export interface StubRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface StubAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is; anything else as JSON. */
  readonly body: unknown;
}

/** What goes wrong with an answer. Those that a vendor has of its own are answered by its stub. */
export const FAULTS = ['drop', 'cut', 'hang', '500', '503', '429', 'html', 'own'] as const;

export type Fault = (typeof FAULTS)[number];

/** Says of each request what goes wrong; null: nothing does. */
export type Faults = (request: StubRequest) => Fault | null;

const noFaults: Faults = () => null;

/** A share of all requests gets any fault. */
export function randomFaults(random: Random, share: number, kinds: readonly Fault[] = FAULTS): Faults {
  return () => (random() < share ? oneOf(random, kinds) : null);
}

export interface StubServer extends AsyncDisposable {
  readonly url: string;
  /** All requests in their order: the method and the path with its query. */
  readonly asked: readonly string[];
  faults: Faults;
  /** The header `Date` of its answers is by this clock; null sends no such header. */
  clock: VendorClock | null;
}

/**
 * A vendor on loopback.
 *
 * @param answer what the vendor answers; `fault` is `own` where it should be a failure that only this vendor
 *   has
 */
export async function startStub(
  answer: (request: StubRequest, fault: 'own' | null) => Promise<StubAnswer>,
  random: Random,
  port = 0,
): Promise<StubServer> {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    outgoing.sendDate = false;
    const respond = async () => {
      const request = await requestOf(incoming);
      asked.push(`${request.method} ${request.url.pathname}${request.url.search}`);
      const fault = stub.faults(request);
      if (fault === 'drop') return void incoming.socket.destroy();
      if (fault === 'hang') return void setTimeout(() => incoming.socket.destroy(), 50).unref();
      if (fault === '500' || fault === '503') return send(outgoing, { status: Number(fault), body: 'Oh no' });
      if (fault === '429')
        return send(outgoing, {
          status: 429,
          headers: { 'retry-after': String(between(random, 1, 20)) },
          body: { errors: 'Too many requests' },
        });
      if (fault === 'html')
        return send(outgoing, { status: 200, body: '<!doctype html><p>We will be back soon' });
      const answered = await answer(request, fault === 'own' ? 'own' : null);
      if (stub.clock !== null) outgoing.setHeader('date', stub.clock.now().toUTCString());
      if (fault === 'cut') return cutOff(outgoing, answered, random);
      send(outgoing, answered);
    };
    respond().catch((error) => {
      // A stub that fails shows it to the test, as no vendor's failure.
      send(outgoing, { status: 418, body: String(error?.stack ?? error) });
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stub: StubServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    faults: noFaults,
    clock: null,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return stub;
}

async function requestOf(incoming: IncomingMessage): Promise<StubRequest> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return {
    method: incoming.method ?? 'GET',
    url: new URL(incoming.url ?? '/', 'http://stub'),
    headers: incoming.headers as Record<string, string | undefined>,
    body: Buffer.concat(parts).toString(),
  };
}

function textOf({ body }: StubAnswer): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function send(outgoing: ServerResponse, answer: StubAnswer): void {
  outgoing.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  outgoing.end(textOf(answer));
}

/** All of the headers, and not all of the body. */
function cutOff(outgoing: ServerResponse, answer: StubAnswer, random: Random): void {
  const text = Buffer.from(textOf(answer));
  outgoing.writeHead(answer.status, {
    'content-type': 'application/json',
    'content-length': String(text.length + 1),
    ...answer.headers,
  });
  outgoing.write(text.subarray(0, between(random, 0, text.length)), () => outgoing.socket?.destroy());
}
