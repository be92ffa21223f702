import { randomUUID } from 'node:crypto';
import { Agent, type RequestOptions, request } from 'node:http';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../cli/command-line.ts';
import { heapMbOf, WEIGHABLE } from '../support/heap-of.ts';
import { message, modern, toolCall } from './requests.ts';

/**
 * The number of requests of each kind, smaller for expensive kinds, so that the file takes some minutes.
 * STORESIGHT_MEMORY_REQUESTS=20000 sends that number of every kind.
 */
const ALL = Number(process.env.STORESIGHT_MEMORY_REQUESTS ?? 0);
const COUNTS = { cheap: ALL || 2400, usual: ALL || 900, costly: ALL || 240 };
const AT_ONCE = 6;
/** 20,000 requests may leave 5 MB. Fewer leave less, but caches and what V8 compiles take up to one. */
const mostMb = (requests: number) => Math.max(1, (5 * requests) / 20_000);

/** The server has a process of its own, whose heap is weighed after forced collections. */
let cli: CommandLine;
let server: Awaited<ReturnType<CommandLine['serve']>>;
let headers: Record<string, string>;
let business_id: string;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

beforeAll(async () => {
  cli = await CommandLine.open();
  ({ business_id } = (await cli.json(['business', 'create', '--name', 'Shop'])) as { business_id: string });
  await cli.json(['account', 'create', '--email', 'ada@example.com']);
  const as = ['--account', 'ada@example.com'];
  await cli.json(['account', 'grant', ...as, '--business', business_id, '--all-permissions']);
  const { access_token } = await cli.json([
    'token',
    'create',
    ...as,
    '--businesses',
    'all',
    '--ttl',
    '86400',
  ]);
  server = await cli.serve([], {
    NODE_OPTIONS: WEIGHABLE,
    LOG_LEVEL: 'warn',
    STORESIGHT_RATE_LIMIT: '100000000',
  });
  headers = {
    Authorization: `Bearer ${access_token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
});

afterAll(async () => {
  agent.destroy();
  server?.child.kill('SIGKILL');
  await cli[Symbol.asyncDispose]();
});

/** @returns the status, when all of the answer has come; 0 of a request that was ended by its client */
async function send(
  path: string,
  options: RequestOptions,
  body?: string,
  endsAfterMs?: number,
): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const sent = request(new URL(path, server.url), { agent, ...options }, (answer) => {
    answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    answer.on('error', () => resolve(0));
  });
  sent.on('error', () => resolve(0)).end(body);
  if (endsAfterMs !== undefined) setTimeout(() => sent.destroy(), endsAfterMs);
  return promise;
}

async function repeat(requests: number, once: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < requests) await once(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/**
 * What the requests leave in the heap. What grows once, as a cache does, is sent again; what grows each time
 * is a leak.
 */
async function leftBy(
  { child }: Pick<typeof server, 'child'>,
  requests: number,
  once: (index: number) => Promise<unknown>,
): Promise<number> {
  await repeat(Math.min(200, requests), once);
  let before = await heapMbOf(child);
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && least >= mostMb(requests); round += 1) {
    await repeat(requests, once);
    const after = await heapMbOf(child);
    least = Math.min(least, after - before);
    before = after;
  }
  return least;
}

const range = { from_date: '2024-01-01T00:00:00', to_date: '2024-01-31T23:59:59' };
const initialize = message('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});
const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
const completion = {
  ref: { type: 'ref/prompt', name: 'retention_review' },
  argument: { name: 'business_id', value: '' },
};
const statistics = () => toolCall('order_statistics', { business_id, ...range });

type Weight = keyof typeof COUNTS;
const OLDER: readonly (readonly [string, Weight, number, () => unknown])[] = [
  ['initialize', 'usual', 200, () => initialize],
  ['tools/list', 'costly', 200, () => message('tools/list')],
  ['tools/call', 'usual', 200, () => toolCall('list_businesses', {})],
  ['tools/call with a query', 'costly', 200, statistics],
  ['tools/call that is refused', 'usual', 200, () => toolCall('order_statistics', { business_id: 'x' })],
  ['a tool that does not exist', 'usual', 200, () => toolCall('drop_tables', {})],
  ['ping', 'usual', 200, () => message('ping')],
  ['a notification', 'usual', 202, () => notification],
  ['a batch', 'usual', 200, () => [message('ping', {}, 1), toolCall('list_businesses', {}), notification]],
  ['a method that does not exist', 'usual', 200, () => message('no/method')],
  ['resources/read', 'costly', 200, () => message('resources/read', { uri: 'analytics://metrics' })],
  [
    'prompts/get',
    'usual',
    200,
    () =>
      message('prompts/get', {
        name: 'retention_review',
        arguments: { from_date: '2024-01-01', to_date: '2024-01-31' },
      }),
  ],
  ['completion/complete', 'usual', 200, () => message('completion/complete', completion)],
  ['JSON that is no message', 'usual', 400, () => ({ hello: 'world' })],
  ['bad JSON', 'usual', 400, () => '{"jsonrpc"'],
];

/** What has a limit of each address is mostly answered by 429 after its first requests. */
const OTHERS: readonly (readonly [string, Weight, string, RequestOptions, string])[] = [
  ['without a token', 'cheap', '/mcp', { method: 'POST' }, '{}'],
  ['a page of the endpoint', 'cheap', '/mcp', { headers: { Accept: 'text/html' } }, ''],
  ['OPTIONS', 'cheap', '/mcp', { method: 'OPTIONS', headers: { Origin: 'http://localhost' } }, ''],
  ['DELETE without a token', 'cheap', '/mcp', { method: 'DELETE' }, ''],
  ['healthz', 'cheap', '/healthz', {}, ''],
  ['metadata of the resource', 'cheap', '/.well-known/oauth-protected-resource', {}, ''],
  ['metadata of the authorization server', 'cheap', '/.well-known/oauth-authorization-server', {}, ''],
  ['keys', 'usual', '/jwks', {}, ''],
  ['nothing', 'cheap', '/nothing', {}, ''],
  ['the page of the sign-in', 'usual', '/sign-in', {}, ''],
  ['the page how to connect', 'usual', '/connect', {}, ''],
  ['a page for who is signed in', 'usual', '/stores', {}, ''],
  ['a token', 'usual', '/token', { method: 'POST' }, 'grant_type=authorization_code&code=x'],
  ['a registration', 'usual', '/register', { method: 'POST' }, '{"redirect_uris":7}'],
  ['an authorization', 'usual', '/authorize?client_id=nobody&response_type=code', {}, ''],
];

describe('memory that requests took comes back', () => {
  it.each(OLDER)('an older revision gives its memory back: %s', async (_name, weight, status, bodyOf) => {
    const body = bodyOf();
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const post = () => send('/mcp', { method: 'POST', headers }, text);
    expect(await post()).toBe(status);
    expect(await leftBy(server, COUNTS[weight], post)).toBeLessThan(mostMb(COUNTS[weight]));
  });

  it.each([
    ['tools/call', 'usual', () => toolCall('list_businesses', {})],
    ['tools/list', 'costly', () => message('tools/list')],
    [
      'subscriptions/listen',
      'costly',
      () => message('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    ],
  ] as const)('the newest revision gives its memory back: %s', async (_name, weight, messageOf) => {
    const sent = messageOf();
    const { name } = sent.params as { name?: string };
    const newest = {
      ...headers,
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': sent.method,
      ...(name === undefined ? {} : { 'Mcp-Name': name }),
    };
    const post = () => send('/mcp', { method: 'POST', headers: newest }, JSON.stringify(modern(sent)));
    expect(await post()).toBe(200);
    expect(await leftBy(server, COUNTS[weight], post)).toBeLessThan(mostMb(COUNTS[weight]));
  });

  it('requests whose client goes away give their memory back', async () => {
    const post = (index: number) => {
      const body = JSON.stringify(index % 2 === 0 ? statistics() : toolCall('list_businesses', {}));
      return send('/mcp', { method: 'POST', headers, agent: new Agent() }, body, index % 7);
    };
    expect(await leftBy(server, COUNTS.costly, post)).toBeLessThan(mostMb(COUNTS.costly));
  });

  it.each(OTHERS)('other requests give their memory back: %s', async (_name, weight, path, options, body) => {
    const ask = () => send(path, options, body);
    expect(await ask()).toBeGreaterThanOrEqual(200);
    expect(await leftBy(server, COUNTS[weight], ask)).toBeLessThan(mostMb(COUNTS[weight]));
  });

  it('webhooks for connections that do not exist give their memory back', async () => {
    const post = () => send(`/hooks/shopify/${randomUUID()}`, { method: 'POST' }, '{}');
    expect(await leftBy(server, COUNTS.usual, post)).toBeLessThan(mostMb(COUNTS.usual));
  });

  it('wrong tokens and sessions give their memory back', async () => {
    const post = (index: number) =>
      send(
        '/mcp',
        { method: 'POST', headers: { ...headers, Authorization: `${headers.Authorization}${index}` } },
        '{}',
      );
    expect(await leftBy(server, COUNTS.usual, post)).toBeLessThan(mostMb(COUNTS.usual));
  });
});

it('memory that lines on standard input took comes back', async () => {
  const child = cli.start(['stdio'], { NODE_OPTIONS: WEIGHABLE, LOG_LEVEL: 'warn' });
  const waiting: ((line: string) => void)[] = [];
  createInterface(child.stdout).on('line', (line) => waiting.shift()?.(line));
  const ask = (line: string) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    waiting.push(resolve);
    child.stdin.write(`${line}\n`);
    return promise;
  };
  await ask(JSON.stringify(initialize));
  child.stdin.write(`${JSON.stringify(notification)}\n`);
  const lines = [
    JSON.stringify(message('ping')),
    JSON.stringify(toolCall('list_businesses', {})),
    JSON.stringify(toolCall('order_statistics', { business_id: 'x' })),
    JSON.stringify(message('no/method')),
    'not JSON',
    '{"hello":"world"}',
  ];
  // A client that has several answers to come may take them for one another, but not for fewer.
  const left = await leftBy({ child }, 4 * COUNTS.usual, (index) => ask(lines[index % lines.length] ?? ''));
  expect(left).toBeLessThan(mostMb(4 * COUNTS.usual));
  child.kill('SIGKILL');
});
