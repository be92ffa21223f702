import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { TrustedProxies } from '../../src/server/client-address.ts';
import type { HttpService } from '../../src/server/http.ts';
import { listen } from '../../src/server/listen.ts';
import { readSettings } from '../../src/server/settings.ts';

const SERVICE = { fetch: () => new Response('hello'), close: async () => {} };

async function startWith(isBehindProxy: boolean, service: HttpService = SERVICE) {
  const onRefused = vi.fn();
  const settings = readSettings({ STORESIGHT_PORT: '0', STORESIGHT_CONNECTIONS: '8' });
  const server = await listen(
    { ...settings, proxies: isBehindProxy ? TrustedProxies.nearby() : null },
    () => service,
    onRefused,
  );
  const sockets: Socket[] = [];
  const open = async () => {
    const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1').resume();
    sockets.push(socket);
    await once(socket, 'connect');
  };
  const left = () => sockets.filter(({ closed }) => !closed).length;
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await server.stop();
  };
  /** Sends each piece by itself, and gives all that came back until the connection was quiet or closed. */
  const send = async (pieces: readonly string[], isWhole: (received: string) => boolean) => {
    const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1').setNoDelay();
    sockets.push(socket);
    socket.on('error', () => {});
    let received = '';
    const ended = new Promise<void>((resolve) => {
      socket.on('data', (bytes) => {
        received += bytes;
        if (isWhole(received)) resolve();
      });
      socket.on('close', () => resolve());
    });
    for (const piece of pieces) {
      socket.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await ended;
    return received;
  };
  return { ...server, onRefused, open, left, send, stop };
}

it('one address has a quarter of the connections', async () => {
  const server = await startWith(false);
  for (let opened = 0; opened < 5; opened += 1) await server.open();
  await vi.waitFor(() => expect(server.left()).toBe(2));
  expect(server.onRefused).toHaveBeenCalledTimes(3);
  await server.stop();
});

it('the number of all clients counts behind a proxy, whose address all of them have', async () => {
  const server = await startWith(true);
  for (let opened = 0; opened < 10; opened += 1) await server.open();
  await vi.waitFor(() => expect(server.left()).toBe(8));
  expect(server.onRefused).toHaveBeenCalledTimes(2);
  await server.stop();
});

it('an unused connection stays open for longer than a proxy keeps it', async () => {
  const server = await startWith(false);
  const response = await fetch(server.baseUrl);
  expect(response.headers.get('Keep-Alive')).toBe('timeout=125');
  await response.text();
  await server.stop();
});

/**
 * Answers with the path, or with what was sent, after some turns of the event loop; counts how many are
 * answered at once.
 */
function slowService() {
  const counted = { most: 0, all: 0 };
  let atOnce = 0;
  const fetch = async (request: Request) => {
    atOnce += 1;
    counted.all += 1;
    counted.most = Math.max(counted.most, atOnce);
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    const text = request.method === 'POST' ? await request.text() : new URL(request.url).pathname;
    atOnce -= 1;
    return new Response(`<${text}>`);
  };
  return { counted, service: { fetch, close: async () => {} } };
}

const get = (path: number) => `GET /${path} HTTP/1.1\r\nHost: here\r\n\r\n`;
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const pathsIn = (received: string) => [...received.matchAll(/<\/(\d+)>/g)].map(([, path]) => Number(path));

it('requests that a connection sends at once are answered one after the other', async () => {
  const { counted, service } = slowService();
  const server = await startWith(false, service);
  const received = await server.send([upTo(50).map(get).join('')], (text) => pathsIn(text).length === 50);
  expect(pathsIn(received)).toEqual(upTo(50));
  expect(counted.most).toBe(1);
  await server.stop();
});

it('a connection that sends on and on, with fifty on their way, has all of them answered', async () => {
  const { counted, service } = slowService();
  const server = await startWith(false, service);
  const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
  let [sent, received] = [0, ''];
  const sendMore = () => {
    for (const answered = pathsIn(received).length; sent < 300 && sent - answered < 50; sent += 1)
      socket.write(get(sent));
  };
  sendMore();
  for await (const bytes of socket) {
    received += bytes;
    sendMore();
    if (pathsIn(received).length === 300) break;
  }
  expect(pathsIn(received)).toEqual(upTo(300));
  expect(counted.most).toBe(1);
  await server.stop();
});

it('the body of a request that waits comes when it is its turn', async () => {
  const { counted, service } = slowService();
  const server = await startWith(false, service);
  const body = 'x'.repeat(200_000);
  const post = `POST /2 HTTP/1.1\r\nHost: here\r\nContent-Length: ${body.length}\r\n\r\n`;
  const received = await server.send(
    [get(1) + post + body.slice(0, 1000), body.slice(1000), get(3)],
    (text) => text.includes('</3>'),
  );
  expect(received).toContain(`<${body}>`);
  expect(counted).toEqual({ most: 1, all: 3 });
  await server.stop();
});

it('a connection that sends very many at once is closed, and the next ones are answered', async () => {
  const { counted, service } = slowService();
  const server = await startWith(false, service);
  const received = await server.send([upTo(1000).map(get).join('')], () => false);
  expect(pathsIn(received).length).toBeLessThan(2);
  expect(server.onRefused.mock.calls).toEqual([['requests of a connection']]);
  expect(counted.all).toBeLessThan(3);
  expect(await (await fetch(new URL('/7', server.baseUrl))).text()).toBe('</7>');
  await server.stop();
});
