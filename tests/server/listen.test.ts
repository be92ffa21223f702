import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { listen } from '../../src/server/listen.ts';
import { readSettings } from '../../src/server/settings.ts';

const SERVICE = { fetch: () => new Response('hello'), close: async () => {} };

async function startWith(isBehindProxy: boolean) {
  const onRefused = vi.fn();
  const settings = readSettings({ STORESIGHT_PORT: '0', STORESIGHT_CONNECTIONS: '8' });
  const server = await listen({ ...settings, isBehindProxy }, () => SERVICE, onRefused);
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
  return { ...server, onRefused, open, left, stop };
}

it('one address has a quarter of the connections', async () => {
  const server = await startWith(false);
  for (let opened = 0; opened < 5; opened += 1) await server.open();
  await vi.waitFor(() => expect(server.left()).toBe(2));
  expect(server.onRefused).toHaveBeenCalledTimes(3);
  await server.stop();
});

it('behind a proxy, whose address all of them have, the number of all counts', async () => {
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
