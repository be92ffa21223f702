import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TrustedProxies } from '../../src/server/client-address.ts';
import { listen } from '../../src/server/listen.ts';
import { readSettings } from '../../src/server/settings.ts';

/** The time of the thread, which passes by a millisecond for each request that begins. */
let clock = 0;
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const [FLOOD, OTHER] = ['198.51.100.1', '198.51.100.2'];
const REQUESTS_OF_FLOOD = 40;

/**
 * How many requests of one client begin before the only one of another that was sent behind them. All come
 * from the address of this machine, as those of a proxy do.
 *
 * @param writtenFor what `X-Forwarded-For` is for a request of the client
 */
async function placeOfOther(
  proxies: TrustedProxies | null,
  writtenFor: (client: string, index: number) => string,
): Promise<number> {
  const begun: string[] = [];
  const fetch = (request: Request) => {
    clock += 1;
    begun.push(new URL(request.url).pathname.slice(1));
    return new Response('hello');
  };
  const settings = readSettings({ STORESIGHT_PORT: '0' });
  const server = await listen({ ...settings, proxies }, () => ({ fetch, close: async () => {} }));
  const clients = [...Array<string>(REQUESTS_OF_FLOOD).fill(FLOOD), OTHER];
  const sockets = clients.map(() => connect(Number(new URL(server.baseUrl).port), '127.0.0.1'));
  // A first request of each, so that the server has taken all connections before the flood begins.
  const ready = sockets.map((socket) => once(socket, 'data'));
  for (const socket of sockets) socket.write('GET /ready HTTP/1.1\r\nHost: here\r\n\r\n');
  await Promise.all(ready);
  begun.length = 0;
  for (const [index, client] of clients.entries())
    sockets[index]?.write(
      `GET /${client} HTTP/1.1\r\nHost: here\r\nX-Forwarded-For: ${writtenFor(client, index)}\r\n\r\n`,
    );
  await vi.waitFor(() => expect(begun).toHaveLength(clients.length));
  for (const socket of sockets) socket.destroy();
  await server.stop();
  return begun.indexOf(OTHER);
}

it('each client behind a proxy has a share of its own', async () => {
  expect(await placeOfOther(TrustedProxies.nearby(), (client) => client)).toBeLessThan(20);
});

it('a client behind a proxy has one share, whatever it writes before the word of the proxy', async () => {
  const writtenFor = (client: string, index: number) => `203.0.113.${index}, ${client}`;
  expect(await placeOfOther(TrustedProxies.nearby(), writtenFor)).toBeLessThan(20);
});

it('nobody gets a share by writing another address, without a proxy or from one that is not trusted', async () => {
  const writtenFor = (client: string) => client;
  expect(await placeOfOther(null, writtenFor)).toBe(REQUESTS_OF_FLOOD);
  const others = TrustedProxies.listed(['203.0.113.7']);
  expect(await placeOfOther(others, writtenFor)).toBe(REQUESTS_OF_FLOOD);
});
