import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { CATALOGUE } from '../../src/catalogue.ts';
import { ask, message, toolCall } from '../server/requests.ts';
import { inTurns } from './in-turns.ts';
import { report } from './report.ts';
import { Target } from './target.ts';

const ROUNDS = 12;
const AT_ONCE = 12;
const MEGABYTE = 1_000_000;
const RANGE = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };

it('hostile requests end with a reason, and the server goes on as before', async () => {
  await using target = await Target.open();
  const shop = await target.makeEmptyShop('Shop');
  const { token } = await target.signIn([shop]);
  const server = await target.serve({ STORESIGHT_RATE_LIMIT: '1000000' });
  const small = () => ask(server.url, token, 'list_product_brands', { business_id: shop.business_id });
  const reference = await small();

  const statuses = new Map<string, number>();
  const unexplained: string[] = [];
  let tried = 0;
  const memory: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const attacks = [...rawRequests(server.url, token), ...bodies(server.url, token, shop.business_id)];
    await inTurns(AT_ONCE, attacks, async (request) => {
      tried += 1;
      const answer = await send(server.url, request);
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'closed';
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // A defect is told by a reference into the log; a bare 5xx, or a stack, tells nobody anything.
      if (/^5/.test(status) || answer.includes('internal error') || answer.includes('node_modules')) {
        unexplained.push(`${request.slice(0, 200)} → ${answer.slice(0, 300)}`);
      }
    });
    expect(await small()).toEqual(reference);
    memory.push(await server.memoryMb());
  }

  const [warm = 0] = memory.slice(ROUNDS / 2);
  report('hostile HTTP', {
    counts: {
      requests: tried,
      ...Object.fromEntries([...statuses].sort().map(([status, count]) => [`answered ${status}`, count])),
    },
    worst: {
      'internal errors and bare 5xx': unexplained.length,
      'memory after each round, MB': memory.join(' '),
    },
  });
  expect(server.isRunning).toBe(true);
  expect(unexplained.slice(0, 5)).toEqual([]);
  expect(server.log).not.toContain('"level":50');
  expect((memory.at(-1) ?? 0) - warm).toBeLessThan(80);
});

/**
 * What no client sends: lines that are not HTTP, lengths that contradict each other, headers without an end.
 */
function rawRequests(url: string, token: string): string[] {
  const { host } = new URL(url);
  const head = (line: string, ...headers: string[]) =>
    [line, `Host: ${host}`, ...headers, '', ''].join('\r\n');
  const authorization = `Authorization: Bearer ${token}`;
  const json = [
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    authorization,
  ];
  const listing = JSON.stringify(message('tools/list'));
  const hidden = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const post = 'POST /mcp HTTP/1.1';
  const mcp = (body: string, ...headers: string[]) => head(post, ...json, ...headers).concat(body);
  return [
    randomBytes(500).toString('latin1'),
    '\0'.repeat(1000),
    'GET\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    head('GET / HTTP/9.9'),
    head('G\x00T /healthz HTTP/1.1'),
    head('GET /\r\nX: y HTTP/1.1'),
    head('CONNECT evil.example:443 HTTP/1.1'),
    head('TRACE /mcp HTTP/1.1', authorization),
    head(`OPTIONS * HTTP/1.1`),
    head(`GET /${'a'.repeat(20_000)} HTTP/1.1`),
    head('GET /healthz HTTP/1.1', `X: ${'a'.repeat(20_000)}`),
    head('GET /healthz HTTP/1.1', ...Array.from({ length: 3000 }, (_, index) => `X-${index}: a`)),
    head('GET /healthz HTTP/1.1', 'Host: evil.example'),
    head('GET http://evil.example/healthz HTTP/1.1'),
    head('GET /../../etc/passwd HTTP/1.1'),
    head('GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1'),
    head('GET /%00%ff%zz HTTP/1.1'),
    head('GET /connect?x[__proto__][y]=1&%=%%% HTTP/1.1'),
    head('GET /authorize?client_id=%00&redirect_uri=javascript:alert(1) HTTP/1.1'),
    head('GET /sign-in HTTP/1.1', `Cookie: ${'a=b; '.repeat(2000)}`),
    head(
      'POST /sign-in HTTP/1.1',
      'Content-Type: multipart/form-data; boundary=',
      'Content-Length: 3',
    ).concat('abc'),
    head(
      'POST /token HTTP/1.1',
      'Content-Type: application/x-www-form-urlencoded',
      'Content-Length: 7',
    ).concat('a=%ff%f'),
    head('POST /register HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 2').concat('[]'),
    mcp(listing, 'Content-Length: -1'),
    mcp(listing, 'Content-Length: 5', `Content-Length: ${listing.length}`),
    mcp(listing, 'Content-Length: 0x10'),
    mcp(listing, 'Content-Length: 99999999999999999999'),
    mcp(listing, `Content-Length: ${5 * MEGABYTE}`),
    // The two ways to hide one request in another.
    mcp(`0\r\n\r\n${hidden}`, `Content-Length: ${listing.length}`, 'Transfer-Encoding: chunked'),
    mcp(`0\r\n\r\n${hidden}`, 'Transfer-Encoding: chunked, identity'),
    mcp(`0\r\n\r\n${hidden}`, 'Transfer-Encoding: xchunked'),
    mcp(`0\r\n\r\n${hidden}`, 'Transfer-Encoding : chunked'),
    mcp(`zz\r\n${listing}\r\n0\r\n\r\n`, 'Transfer-Encoding: chunked'),
    mcp(`${'f'.repeat(40)}\r\n`, 'Transfer-Encoding: chunked'),
    mcp(`1;${'a'.repeat(30_000)}\r\n{\r\n0\r\n\r\n`, 'Transfer-Encoding: chunked'),
    mcp(listing, 'Expect: 100-continue', `Content-Length: ${listing.length}`),
    head(post, ...json, 'Upgrade: websocket', 'Connection: Upgrade', 'Content-Length: 0'),
    mcp(listing, 'Content-Encoding: gzip', `Content-Length: ${listing.length}`),
    ...[
      'Basic eDp5',
      'Bearer',
      'Bearer  ',
      `Bearer ${'a'.repeat(8000)}`,
      'Bearer e30.e30.',
      'Bearer null',
    ].map((value) => head(post, `Authorization: ${value}`, 'Content-Length: 0')),
    ...[
      'text/plain',
      'application/json; charset=utf-16',
      'application/jsonx',
      '',
      '*/*',
      'a'.repeat(5000),
    ].map((type) =>
      head(post, authorization, `Content-Type: ${type}`, `Content-Length: ${listing.length}`).concat(listing),
    ),
    ...['', '2026-07-28', '9999-01-01', "' or 1=1", '\x7f', 'a'.repeat(3000)].map((version) =>
      mcp(listing, `MCP-Protocol-Version: ${version}`, `Content-Length: ${listing.length}`),
    ),
    // Many requests in one piece, without waiting for an answer.
    mcp(listing, `Content-Length: ${listing.length}`).repeat(20),
    head('GET /healthz HTTP/1.1').repeat(200),
  ];
}

/** JSON that is broken, deep, long, or not what the protocol means. */
function bodies(url: string, token: string, business_id: string): string[] {
  const { host } = new URL(url);
  const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
  const text = (value: unknown) => JSON.stringify(value);
  const call = (args: unknown, name = 'list_products') =>
    text(message('tools/call', { name, arguments: args }));
  const raw = [
    '',
    '{',
    'null',
    '1e999',
    '"',
    '\ufeff{}',
    '[]',
    '[[]]',
    '[null,1,"a",{}]',
    '\u0000',
    deep('[', ']', 400_000),
    deep('{"a":', '}', 150_000).replace('}', '1}'),
    `"${'a'.repeat(MEGABYTE)}"`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/list","__proto__":{"admin":true}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"constructor"}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_products","arguments":{"__proto__":{"limit":1},"business_id":"${business_id}"}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_products","arguments":{"constructor":{"prototype":{"limit":1}},"business_id":"${business_id}"}}}`,
    ...[{}, [], null, 1.5, -1, 1e300, '', 'a'.repeat(MEGABYTE / 2), true].map((id) =>
      text({ ...message('tools/list'), id }),
    ),
    ...[
      '',
      'tools/',
      'rpc.discover',
      '../tools/list',
      'initialize',
      'notifications/cancelled',
      'logging/setLevel',
    ].map((method) => text(message(method))),
    ...[[], 'a', 1, null, { cursor: {} }, { _meta: { progressToken: {} } }].map((params) =>
      text({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }),
    ),
    text(Array.from({ length: 101 }, (_, id) => ({ ...message('ping'), id }))),
    text(Array.from({ length: 10_000 }, () => 1)),
    text(Array.from({ length: 100 }, () => ({ ...message('ping'), id: 1 }))),
    text(
      Array.from({ length: 100 }, () => ({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 1 },
      })),
    ),
    text([message('initialize'), message('initialize')]),
    call([]),
    call('a'),
    call(null),
    call({ business_id, search: 'a'.repeat(MEGABYTE / 2) }),
    call({ business_id, search: '\ud800\u0000\u202e' }),
    call({ business_id, limit: 1e308, offset: -1 }),
    call({ business_id, [`${'k'.repeat(MEGABYTE / 2)}`]: 1 }),
    call(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index]))),
    call(
      { business_id, ...RANGE, filter_brands: Array.from({ length: 60_000 }, (_, index) => `b${index}`) },
      'brand_statistics',
    ),
    call(
      { business_id, ...RANGE, breakdown: 'day', brands: Array(60_000).fill('x') },
      'brand_statistics_trend',
    ),
    call(
      { business_id, from_date: '0001-01-01T00:00:00', to_date: '9999-12-31T23:59:59', breakdown: 'day' },
      'order_statistics_trend',
    ),
    call({ business_id, from_date: '+275760-09-13', to_date: '-271821-04-20' }, 'order_statistics'),
    call({ business_id, segment_query: nestedQuery(3000) }, 'estimate_segment_query'),
    call(
      { business_id, segment_query: { segments: Array(20_000).fill({ targetingBlocks: [] }) } },
      'estimate_segment_query',
    ),
    ...CATALOGUE.flatMap(({ name }) => [
      text(
        toolCall(name, {
          business_id,
          ...RANGE,
          search: "'; drop table orders; --",
          limit: '1',
          sort_by: '1;',
        }),
      ),
      text(toolCall(name, { business_id: [business_id], from_date: {}, to_date: [] })),
    ]),
    text(message('resources/read', { uri: 'file:///etc/passwd' })),
    text(message('resources/read', { uri: 'a'.repeat(MEGABYTE / 2) })),
    text(
      message('prompts/get', { name: 'email_diagnosis', arguments: { business_id: deep('[', ']', 1000) } }),
    ),
    text(
      message('completion/complete', {
        ref: { type: 'ref/prompt', name: '__proto__' },
        argument: { name: 'toString', value: '%' },
      }),
    ),
    text(message('subscriptions/listen', {})),
  ];
  return raw.map((body) =>
    [
      'POST /mcp HTTP/1.1',
      `Host: ${host}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

function nestedQuery(depth: number): unknown {
  let query: unknown = { type: 'order_count', operator: 'gte', value: 1 };
  for (let level = 0; level < depth; level += 1) query = { type: 'not', block: query };
  return { segments: [{ targetingBlocks: [query] }] };
}

/** Sends the bytes and gives what comes back, until the server closes or has nothing more to say. */
async function send(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const { promise, resolve } = Promise.withResolvers<void>();
  let answer = '';
  let quiet: NodeJS.Timeout | undefined;
  socket.on('data', (chunk) => {
    if (answer.length < 10_000) answer += chunk.toString('latin1');
    clearTimeout(quiet);
    quiet = setTimeout(resolve, 300);
  });
  socket.on('error', () => {});
  socket.on('close', resolve);
  // A random beginning without header lines may wait for more; that is for the slow clients' attack.
  const silent = setTimeout(resolve, 3000);
  socket.write(Buffer.from(request, request.startsWith('POST /mcp') ? 'utf8' : 'latin1'));
  await promise;
  clearTimeout(quiet);
  clearTimeout(silent);
  socket.destroy();
  return answer;
}
