import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { BoundedLines } from '../../src/cli/bounded-lines.ts';
import { StdioTransport } from '../../src/cli/stdio-transport.ts';

const MAX_BYTES = 1000;

async function start(output = new PassThrough()) {
  const input = new PassThrough();
  const transport = new StdioTransport({ input, output, maxBytes: MAX_BYTES });
  const messages: unknown[] = [];
  transport.onmessage = (message) => messages.push(message);
  await transport.start();
  const answered = () =>
    String(output.read() ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { input, output, transport, messages, answered };
}

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const PADDING = { params: { padding: 'x'.repeat(5000), id: 99 } };

it.each([
  ['first', { jsonrpc: '2.0', id: 7, method: 'ping', ...PADDING }, 7],
  ['behind the method', { method: 'ping', jsonrpc: '2.0', id: 'seven', ...PADDING }, 'seven'],
  ['last, as official clients have it', { method: 'ping', ...PADDING, jsonrpc: '2.0', id: 7 }, 7],
  ['last but one', { method: 'ping', ...PADDING, id: 7, jsonrpc: '2.0' }, 7],
  ['within something else alone', { jsonrpc: '2.0', method: 'ping', ...PADDING }, null],
  ['in a text', { jsonrpc: '2.0', method: 'ping', params: [`${'x'.repeat(5000)},"id":7}`] }, null],
])('a message that is too long is answered by its id, which stands %s', async (_name, message, id) => {
  const { input, messages, answered } = await start();
  input.write(`${JSON.stringify(message)}\n${JSON.stringify(PING)}\n`);
  expect(answered()).toMatchObject([{ jsonrpc: '2.0', id, error: { code: -32600 } }]);
  expect(messages).toEqual([PING]);
});

it('lines are put together of whatever comes, and nothing but the ends of a long one is held', () => {
  const lines = new BoundedLines(10);
  const taken = ['ab', 'c\nd', 'ef\r\n\n', 'x'.repeat(600), 'y'.repeat(600), '\nlast\n'].flatMap((part) =>
    lines.take(Buffer.from(part)),
  );
  expect(
    taken.map((line) => ('bytes' in line ? String(line.bytes) : [line.head.length, line.tail.length])),
  ).toEqual(['abc', 'def\r', '', [256, 256], 'last']);
});

it('damaged UTF-8 is an error, and no other text', async () => {
  const { input, messages, answered } = await start();
  input.write(
    Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"a'),
      Buffer.from([0xff]),
      Buffer.from('"}\n'),
    ]),
  );
  expect(answered()).toMatchObject([{ id: null, error: { code: -32700 } }]);
  expect(messages).toEqual([]);
});

it('JSON that is no message is refused by an error', async () => {
  const { input, messages, answered } = await start();
  input.write('{"jsonrpc":"2.0","method":7}\n');
  expect(answered()).toMatchObject([{ id: null, error: { code: -32600 } }]);
  expect(messages).toEqual([]);
});

it('nothing more is read while the client does not take what was written', async () => {
  const { input, output, transport, messages } = await start(new PassThrough({ highWaterMark: 10 }));
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  input.write(`${JSON.stringify(PING)}\n`);
  await new Promise(setImmediate);
  expect(messages).toEqual([]);
  output.resume();
  await vi.waitFor(() => expect(messages).toEqual([PING]));
});

it('it is closed without an error when its input ends, and with one when its output breaks', async () => {
  const [ending, breaking] = [await start(), await start()];
  const onclose = vi.fn();
  ending.transport.onclose = onclose;
  breaking.transport.onclose = onclose;
  ending.input.end();
  const broken = new Error('broken');
  breaking.output.destroy(broken);
  expect(await ending.transport.closed).toBeNull();
  expect(await breaking.transport.closed).toBe(broken);
  expect(onclose).toHaveBeenCalledTimes(2);
  await ending.transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  expect(ending.answered()).toEqual([]);
});

it('a batch is taken message by message, without params of null', async () => {
  const { input, messages, answered } = await start();
  input.write(`[${JSON.stringify({ ...PING, params: null })}, ${JSON.stringify({ ...PING, id: 2 })}]\n`);
  expect(messages).toEqual([PING, { ...PING, id: 2 }]);
  expect(answered()).toEqual([]);
});

it('an empty batch, or one of too many messages, is refused', async () => {
  const { input, messages, answered } = await start();
  input.write(`[]\n[${Array.from({ length: 101 }, () => '1').join()}]\n`);
  expect(messages).toEqual([]);
  expect(answered()).toEqual(
    [0, 101].map((count) => ({
      ...{ jsonrpc: '2.0', id: null },
      error: { code: -32600, message: `a batch has 1 to 100 messages; this one has ${count}` },
    })),
  );
});

it('no more is taken while many requests are not answered, or the output is full', async () => {
  const { input, transport, messages } = await start();
  const requests = Array.from({ length: 500 }, (_, id) => JSON.stringify({ ...PING, id }));
  input.write(`${requests.join('\n')}\n`);
  expect(messages).toHaveLength(32);
  await transport.send({ jsonrpc: '2.0', id: 0, result: {} });
  expect(messages).toHaveLength(33);
  // One that is taken back is not answered, and leaves its place in a later turn.
  const full = await start(new PassThrough({ highWaterMark: 10 }));
  full.input.write(`${'no JSON\n'.repeat(5000)}`);
  expect(full.output.writableLength + full.output.readableLength).toBeLessThan(500);
});

it('requests that are taken back leave their place, but not to all that follow at once', async () => {
  const { input, messages } = await start();
  const cancelled = (requestId: number) =>
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  const lines = Array.from(
    { length: 300 },
    (_, id) => `${JSON.stringify({ ...PING, id })}\n${cancelled(id)}\n`,
  );
  input.write(lines.join(''));
  expect(messages.length).toBeLessThan(100);
  await vi.waitFor(() => expect(messages).toHaveLength(600));
});

it('a message of very many values, or a very deep one, is refused by its id', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = new StdioTransport({ input, output, maxBytes: 1e6 });
  const onmessage = vi.fn();
  transport.onmessage = onmessage;
  await transport.start();
  const call = (id: number, args: string) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"list_businesses","arguments":${args}}}\n`;
  input.write(call(1, `{"a":[${Array.from({ length: 10_001 }, () => '1').join()}]}`));
  input.write(call(2, `{"a":${'['.repeat(9000)}${']'.repeat(9000)}}`));
  const lines = () =>
    String(output.read() ?? '')
      .split('\n')
      .filter(Boolean);
  expect(lines().map((line) => JSON.parse(line))).toMatchObject([
    { id: 1, error: { code: -32600, message: expect.stringContaining('more than 10000') } },
    { id: 2, error: { code: -32600, message: expect.stringContaining('more than 100 deep') } },
  ]);
  expect(onmessage).not.toHaveBeenCalled();
});
