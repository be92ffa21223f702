import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { mainThread } from '../../src/main-thread/turns.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { type Message, message, post, postModern, type Reply, replies, toolCall } from './requests.ts';
import { signIn, startTestServer, type TestServer } from './test-server.ts';
import { environmentWith } from './warehouse-doubles.ts';

let test: TestInstance;
let business: Business;
let server: TestServer;
let token: string;
/** How many calls asked the warehouse, and how many of them at once; what they wait for there. */
let asked = 0;
let atOnce = 0;
let most = 0;
let onQuery = () => Promise.resolve();

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  business = await test.createBusiness();
  ({ token } = await signIn(test, [business]));
  const query: Warehouse['query'] = async (...call) => {
    asked += 1;
    atOnce += 1;
    most = Math.max(most, atOnce);
    await onQuery();
    const rows = await test.warehouse.query(...call);
    atOnce -= 1;
    return rows;
  };
  server = await startTestServer(test, {
    environment: environmentWith(test, query),
    maxRequestBytes: 2_000_000,
  });
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

function trend(from_date: string, ways: object = {}, tool = 'order_statistics_trend'): Message {
  const args = {
    ...{ business_id: business.business_id, from_date, to_date: '2025-12-31T23:59:59' },
    ...{ breakdown: 'day', ...ways },
  };
  return toolCall(tool, args);
}

const batchOf = (count: number, one: Message) => Array.from({ length: count }, (_, id) => ({ ...one, id }));

async function askedBy(work: () => Promise<Response>): Promise<{ replies: Reply[]; asked: number }> {
  asked = 0;
  most = 0;
  return { replies: await replies(await work()), asked };
}

const textOf = ({ error, result }: Reply) => error?.message ?? result?.content[0]?.text ?? '';

it('refuses a trend that no answer has room for before anything is asked, and says what fits', async () => {
  const years = (ways: object) => trend('2013-01-01T00:00:00', ways, 'session_statistics_trend');
  const long = await askedBy(() => post(server.mcpUrl, years({ format: 'objects' }), { token }));
  expect(long.asked).toBe(0);
  expect(textOf(long.replies[0] as Reply)).toMatch(
    /^the range gives 4748 rows, and an answer has room for \d{4} with these fields; use a coarser breakdown$/,
  );
  expect(long.replies[0]?.result?.content[1]?.text).toContain('format "table"');
  // A table that is asked for has all of them.
  const fits = await askedBy(() => post(server.mcpUrl, years({ format: 'table' }), { token }));
  expect(fits.asked).toBe(1);
  expect(fits.replies[0]?.result?.structuredContent?.rows).toHaveLength(4748);
});

it.each([
  ['an older revision', post],
  ['the newest revision', postModern],
])(
  'sends a long answer whole over %s, a part of it as text, and knows its bytes before',
  async (_name, send) => {
    const response = await send(server.mcpUrl, trend('2023-01-01T00:00:00'), { token });
    const [reply] = await replies(response);
    const { notes, ...shown } = reply?.result?.structuredContent ?? {};
    const [text = '', ...others] = (reply?.result?.content ?? []).map((one) => one.text);
    expect(others).toEqual([]);
    expect(shown.periods).toHaveLength(1096);
    expect(JSON.parse(text).notes.slice(1)).toEqual(notes);
    expect(JSON.stringify(reply)).not.toContain('"answer ');
    expect(reply?.result?._meta?.['storesight/answer-bytes']).toBe(Buffer.byteLength(JSON.stringify(shown)));
  },
);

it('answers a batch a few messages at a time, and stops when its answers are full', async () => {
  const one = trend('2023-01-01T00:00:00');
  const ofOne = (await askedBy(() => post(server.mcpUrl, one, { token }))).asked;
  const given = await askedBy(() => post(server.mcpUrl, batchOf(40, one), { token }));
  expect(new Set(given.replies.map(({ id }) => id)).size).toBe(40);
  const refused = given.replies.filter(({ error }) => error !== undefined);
  expect(new Set(refused.map(textOf))).toEqual(
    new Set([
      'the answers to this batch have more than 5 MB already; send this message again in another request',
    ]),
  );
  expect(given.asked).toBe(ofOne * (40 - refused.length));
  expect(40 - refused.length).toBeGreaterThan(3);
  expect(40 - refused.length).toBeLessThan(15);
  expect(most).toBeLessThanOrEqual(4);
  expect(server.logText()).toContain('"reason":"answers of one batch"');
});

it('answers another account while a batch waits', async () => {
  const other = await signIn(test, [business]);
  asked = 0;
  const release = Promise.withResolvers<void>();
  onQuery = () => release.promise;
  const batch = post(server.mcpUrl, batchOf(20, trend('2025-12-01T00:00:00')), { token }).then(replies);
  while (asked === 0) await new Promise(setImmediate);
  const [reply] = await replies(
    await post(server.mcpUrl, toolCall('list_businesses', {}), { token: other.token }),
  );
  expect(reply?.result?.structuredContent?.result).toHaveLength(1);
  release.resolve();
  onQuery = () => Promise.resolve();
  expect((await batch).filter(({ result }) => result?.structuredContent !== undefined)).toHaveLength(20);
  expect(mainThread.waiting).toBe(0);
});

it('goes on with a batch of which a message is taken back, or is not understood, or comes twice', async () => {
  const one = trend('2025-12-01T00:00:00');
  const batch = [
    ...Array.from({ length: 6 }, (_, id) => ({ ...message('no/such/method'), id })),
    ...[
      { ...one, id: 10 },
      { ...one, id: 10 },
    ],
    ...batchOf(6, one).map((sent) => ({ ...sent, id: 20 + sent.id })),
  ];
  const given = (await askedBy(() => post(server.mcpUrl, batch, { token }))).replies;
  expect(given.filter(({ error }) => error?.message === 'Method not found')).toHaveLength(6);
  expect(given.filter(({ id }) => id >= 20)).toHaveLength(6);
});

it('takes back what has not begun, and gives its place to nobody', async () => {
  const cancel = (requestId: number) => ({
    ...{ jsonrpc: '2.0', method: 'notifications/cancelled' },
    params: { requestId, reason: 'test' },
  });
  const calls = batchOf(40, trend('2023-01-01T00:00:00'));
  const takenBack = await askedBy(() =>
    post(server.mcpUrl, [...calls, ...calls.map(({ id }) => cancel(id))], { token }),
  );
  expect(takenBack.asked).toBe(0);
  expect(new Set(takenBack.replies.map(textOf))).toEqual(
    new Set([
      'another message of this batch took this one back before it was begun; nothing was asked for it',
    ]),
  );
  // What takes nothing back frees no place either: ids that come later, and ids of nobody.
  const noPlaces = calls.flatMap((call) => [cancel(call.id), cancel(call.id + 1000), call]).slice(0, 99);
  const given = await askedBy(() => post(server.mcpUrl, noPlaces, { token }));
  expect(new Set(given.replies.map(({ id }) => id)).size).toBe(33);
  expect(most).toBeLessThanOrEqual(4);
  expect(given.replies.filter(({ result }) => result !== undefined).length).toBeLessThan(15);
}, 20_000);

function names(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`argument${index}`, 1]));
}

it('refuses a request of very many values before it is parsed', async () => {
  const response = await post(server.mcpUrl, toolCall('order_statistics', names(60_000)), { token });
  expect(response.status).toBe(413);
  expect(((await response.json()) as Reply).error?.message).toBe(
    'the request has more than 10000 arguments and elements of lists; send fewer in one request',
  );
  // Texts may be as long as they like, with any signs.
  const text = { ...trend('2025-12-01T00:00:00', { breakdown: ',{["\\"'.repeat(100_000) }) };
  const [reply] = await replies(await post(server.mcpUrl, text, { token }));
  expect(textOf(reply as Reply)).toBe('breakdown must be one of day, week, month');
});

it.each([101, 4000, 9000])('refuses what lies %d deep in our own words, by its id', async (depth) => {
  // The text is made by hand: JSON.stringify does not go so deep.
  const nested = `${'{"and":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const call = {
    ...toolCall('customer_statistics', { business_id: business.business_id, query: 0 }),
    id: 77,
  };
  const text = JSON.stringify(call).replace('"query":0', `"query":${nested}`);
  const response = await post(server.mcpUrl, text, { token });
  expect(await response.json()).toEqual({
    ...{ jsonrpc: '2.0', id: 77 },
    error: { code: -32600, message: expect.stringContaining('more than 100 deep') },
  });
});

it('names a few of the arguments that do not exist', async () => {
  const args = { business_id: business.business_id, ...names(5000), ['x'.repeat(5000)]: 1 };
  const [reply] = await replies(await post(server.mcpUrl, toolCall('order_statistics', args), { token }));
  expect(textOf(reply as Reply)).toBe(
    '5001 arguments do not exist, such as "argument0", "argument1", "argument2", "argument3", "argument4" and 4996 more; at most 20 are ignored. Arguments are business_id, from_date, to_date.',
  );
});

it('answers no more lists of a batch than there is room for, and knows that before it begins one', async () => {
  const batch = batchOf(100, message('tools/list', {}, 0));
  const given = await replies(await post(server.mcpUrl, batch, { token }));
  expect(given).toHaveLength(100);
  const lists = given.filter(({ result }) => result !== undefined);
  const one = Buffer.byteLength(JSON.stringify(lists[0]?.result));
  // Four may begin before the first of them tells how large it is.
  expect(lists.length).toBeGreaterThan(5);
  expect(lists.length * one).toBeLessThan(5_000_000 + 4 * one);
  const others = given.filter(({ error }) => error !== undefined);
  expect(new Set(others.map(textOf))).toEqual(
    new Set([
      'the answers to this batch have more than 5 MB already; send this message again in another request',
    ]),
  );
});

it.each([
  ['an older revision', post],
  ['the newest revision', postModern],
])('writes an answer to JSON once over %s', async (_name, send) => {
  const written = vi.spyOn(JSON, 'stringify');
  const response = await send(server.mcpUrl, message('tools/list', {}, 1), { token });
  const body = await response.text();
  const long = written.mock.results.filter(({ value }) => String(value).length > 50_000).length;
  written.mockRestore();
  expect(body.length).toBeGreaterThan(50_000);
  expect(body).not.toContain('"answer ');
  expect(long).toBe(1);
});
