import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Door } from '../../src/server/next-request.ts';

/** The time of the thread, which passes as the requests say and not as the machine is busy. */
let clock = 0;
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Requests from an address, perhaps with a token; each takes a millisecond of the thread, or `ms`. */
function through() {
  const begun: string[] = [];
  let turns = 0;
  const door = new Door(({ headers }) => String(headers.from));
  const begin = door.inTurns((incoming, outgoing) => {
    begun.push(String(incoming.headers.name));
    clock += Number(incoming.headers.ms);
    outgoing.emit('close');
  });
  const send = (
    from: string,
    name: string,
    { ms = 1, authorization = undefined as string | undefined } = {},
  ) => {
    const headers = { from, name, ms, ...(authorization === undefined ? {} : { authorization }) };
    const outgoing = Object.assign(new EventEmitter(), { destroyed: false });
    begin({ headers } as unknown as IncomingMessage, outgoing as unknown as ServerResponse);
    return outgoing;
  };
  const until = async (count: number) => {
    while (begun.length < count) {
      turns += 1;
      if (turns > 10_000) throw new Error('nothing begins any more');
      await new Promise(setImmediate);
    }
    return begun;
  };
  return { door, send, until, begun };
}

const many = (count: number, send: (index: number) => void) => {
  for (let index = 0; index < count; index += 1) send(index);
};

it('one request begins in each turn of the event loop', async () => {
  const { send, begun, until } = through();
  many(5, (index) => send('1.1.1.1', `a${index}`));
  expect(begun).toEqual([]);
  for (let turn = 1; turn <= 3; turn += 1) {
    await new Promise(setImmediate);
    expect(begun.length).toBeLessThanOrEqual(turn + 1);
  }
  expect(await until(5)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
});

it('a client that asks for little does not wait for the hundred requests of another address', async () => {
  const { send, until } = through();
  many(100, (index) => send('1.1.1.1', `a${index}`));
  await until(3);
  send('2.2.2.2', 'small');
  expect((await until(102 - 90)).indexOf('small')).toBeLessThan(8);
});

it('shares are measured in time, so that costly requests get fewer turns', async () => {
  const { send, until } = through();
  many(40, (index) => send('1.1.1.1', `costly${index}`, { ms: 4 }));
  many(40, (index) => send('2.2.2.2', `cheap${index}`, { ms: 1 }));
  const first = (await until(30)).slice(0, 30);
  expect(first.filter((name) => name.startsWith('cheap')).length).toBe(24);
});

it('accounts behind one address have a share each, once their tokens are known', async () => {
  const { door, send, until } = through();
  const address = { from: '1.1.1.1' };
  door.recognise('Bearer ada', 'ada');
  door.recognise('Bearer bob', 'bob');
  many(60, (index) => send(address.from, `stranger${index}`));
  many(60, (index) => send(address.from, `ada${index}`, { authorization: 'Bearer ada' }));
  send(address.from, 'bob', { authorization: 'Bearer bob' });
  send(address.from, 'new token', { authorization: 'Bearer unknown' });
  const begun = (await until(14)).slice(0, 14);
  expect(begun).toContain('bob');
  expect(begun).toContain('new token');
});

it('a request whose client is gone is passed over', async () => {
  const { send, until, begun } = through();
  send('1.1.1.1', 'first');
  send('1.1.1.1', 'gone').destroyed = true;
  send('1.1.1.1', 'last');
  await until(2);
  expect(begun).toEqual(['first', 'last']);
});
