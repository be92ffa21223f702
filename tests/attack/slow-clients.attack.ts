import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ask, message, postWithoutReading } from '../server/requests.ts';
import { report } from './report.ts';
import { Target } from './target.ts';

const MADE_SHOP = '0a11e7a1-0000-4000-8000-000000000002';
const RANGE = { from_date: '2024-10-01T00:00:00', to_date: '2026-09-30T23:59:59' };

/** The list of tools a hundred times: 12 MB of answer for 6 KB of question. */
const LISTS = Array.from({ length: 100 }, (_, index) => message('tools/list', {}, index + 1));
/** Few, since this is about reading and not about asking much: rankings of every product. */
const RANKINGS = LISTS.slice(0, 5).map(({ id }) =>
  message(
    'tools/call',
    { name: 'product_statistics', arguments: { business_id: MADE_SHOP, ...RANGE, limit: 1000 } },
    id,
  ),
);

const NEVER_READING = 110;
const NEVER_READING_RANKINGS = 20;
const READING_SLOWLY = 20;
const TRICKLING = 100;
/** At most: answers take their time to be made on a busy machine, and then 15 s and more to be given up. */
const SECONDS = 280;
/** The calls beside the attack have these connections. */
const OWN_CONNECTIONS = 2;

it('slow clients hold little memory, are let go, and do not slow others', async () => {
  await using target = await Target.open();
  await target.makeDemo();
  const server = await target.serve();
  const shop = [{ business_id: MADE_SHOP }];
  const slow = await Promise.all(Array.from({ length: 3 }, () => target.signIn(shop)));
  const calm = await target.signIn(shop);
  const small = () => ask(server.url, calm.token, 'list_product_brands', { business_id: MADE_SHOP });
  const reference = await small();
  const idleMb = await server.memoryMb();

  const startedAt = performance.now();
  const sockets: Socket[] = [];
  const attack = (open: (token: string) => Socket, count: number) => {
    for (let index = 0; index < count; index += 1) {
      sockets.push(open(slow[index % slow.length]?.token ?? ''));
    }
  };
  attack((token) => postWithoutReading(server.url, LISTS, token), NEVER_READING);
  attack((token) => postWithoutReading(server.url, RANKINGS, token), NEVER_READING_RANKINGS);
  attack((token) => readSlowly(postWithoutReading(server.url, LISTS, token)), READING_SLOWLY);
  attack((token) => trickle(server.url, `${headOf(server.url, token)}\r\n`), TRICKLING);
  attack((token) => trickle(server.url, headOf(server.url, token).slice(0, 40)), TRICKLING);

  const seen = { calls: 0, refused: 0, slowestMs: 0, mostMb: idleMb, endedS: 0 };
  let isOver = false;
  while (!isOver && performance.now() - startedAt < SECONDS * 1000) {
    const askedAt = performance.now();
    const answer = await small().catch(() => []);
    seen.calls += 1;
    if (answer[0] !== reference[0]) seen.refused += 1;
    seen.slowestMs = Math.max(seen.slowestMs, performance.now() - askedAt);
    seen.mostMb = Math.max(seen.mostMb, await server.memoryMb());
    isOver = (await server.connections()) <= OWN_CONNECTIONS;
    seen.endedS = (performance.now() - startedAt) / 1000;
    await wait(200);
  }

  report('slow clients', {
    counts: { 'slow connections': sockets.length, 'calls of another account beside them': seen.calls },
    worst: {
      'of those refused': seen.refused,
      'the slowest of those, ms': Math.round(seen.slowestMs),
      'until the last slow connection was ended, s': Math.round(seen.endedS),
      'memory before, MB': idleMb,
      'most memory, MB': seen.mostMb,
      'memory after, MB': await server.memoryMb(),
    },
  });
  for (const socket of sockets) socket.destroy();
  expect(server.isRunning).toBe(true);
  expect(await small()).toEqual(reference);
  expect(seen.refused).toBe(0);
  expect(isOver).toBe(true);
  // Answers may hold 128 MB; the rest is what made them.
  expect(seen.mostMb - idleMb).toBeLessThan(700);
});

/** Takes a kilobyte every second. */
function readSlowly(socket: Socket): Socket {
  const timer = setInterval(() => socket.read(1024), 1000);
  return socket.once('close', () => clearInterval(timer));
}

/** Sends a beginning at once, then a byte every second. */
function trickle(url: string, beginning: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).resume();
  socket.on('error', () => {});
  socket.write(beginning);
  const timer = setInterval(() => socket.write('a'), 1000);
  return socket.once('close', () => clearInterval(timer));
}

function headOf(url: string, token: string): string {
  return [
    'POST /mcp HTTP/1.1',
    `Host: ${new URL(url).host}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'Content-Length: 100000',
    `Authorization: Bearer ${token}`,
    '',
  ].join('\r\n');
}
