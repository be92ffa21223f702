import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { createMcpServer } from '../../src/mcp/mcp-server.ts';
import { createLog } from '../../src/server/log.ts';
import { Collected } from '../support/collected.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { message, type PostOptions, post, postModern, toolCall } from './requests.ts';
import { signIn, startTestServer } from './test-server.ts';
import { environmentWith } from './warehouse-doubles.ts';

/** A request makes an MCP server of its own: none may outlive its answer. */
const REQUESTS = 20;
/** What the last requests of connections that stay open may hold. */
const MOST_LEFT = 5;

let test: TestInstance;
let business: Business;
let token: string;

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness();
  ({ token } = await signIn(test, [business]));
});

afterAll(() => test[Symbol.asyncDispose]());

const log = createLog({ LOG_LEVEL: 'silent' });

/** A server, and the MCP servers that it made for requests. */
async function startWatched(environment = test.environment) {
  const collected = new Collected();
  const server = await startTestServer(test, {
    mcpServer: (caller) => collected.watch(createMcpServer(environment, caller, log)),
  });
  return { ...server, collected };
}

const INITIALIZE = message('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});
const NOTIFICATION = { jsonrpc: '2.0', method: 'notifications/initialized' };

const BODIES: readonly (readonly [string, unknown])[] = [
  ['a handshake', INITIALIZE],
  ['a call', toolCall('list_businesses', {})],
  ['a call that is refused', toolCall('order_statistics', { business_id: 'x' })],
  ['a tool that does not exist', toolCall('drop_tables', {})],
  ['a ping', message('ping')],
  ['a list', message('prompts/list')],
  ['a notification', NOTIFICATION],
  ['a batch', [message('ping', {}, 1), toolCall('list_businesses', {}), NOTIFICATION]],
  ['a method that does not exist', message('no/method')],
  ['a batch that asks nothing', [NOTIFICATION, NOTIFICATION]],
];

describe('objects made for a request are collected after its answer', () => {
  it.each(BODIES)('an older revision keeps nothing: %s', async (_name, body) => {
    const { collected, ...server } = await startWatched();
    for (let request = 0; request < REQUESTS; request += 1)
      await (await post(server.mcpUrl, body, { token })).text();
    expect(collected.made).toBe(REQUESTS);
    expect(await collected.left(MOST_LEFT)).toBeLessThanOrEqual(MOST_LEFT);
    await server.stop();
  });

  it.each([
    ['a call', toolCall('list_businesses', {})],
    ['a tool that does not exist', toolCall('drop_tables', {})],
    ['a list', message('tools/list')],
    ['a client that listens', message('subscriptions/listen', { notifications: { toolsListChanged: true } })],
  ])('the newest revision keeps nothing: %s', async (_name, body) => {
    const { collected, ...server } = await startWatched();
    for (let request = 0; request < REQUESTS; request += 1)
      await (await postModern(server.mcpUrl, body, { token })).text();
    expect(collected.made).toBe(REQUESTS);
    expect(await collected.left(MOST_LEFT)).toBeLessThanOrEqual(MOST_LEFT);
    await server.stop();
  });

  it.each([
    ['an older revision', post],
    ['the newest revision', postModern],
  ])('%s keeps nothing of a call whose client goes away', async (_name, send) => {
    let asked = Promise.withResolvers<void>();
    let cancelled = 0;
    const slow = environmentWith(test, (_snapshot, _queries, _asker, signal) => {
      const { promise, reject } = Promise.withResolvers<never>();
      signal?.addEventListener('abort', () => {
        cancelled += 1;
        reject(signal.reason);
      });
      asked.resolve();
      return promise;
    });
    const { collected, ...server } = await startWatched(slow);
    const range = { from_date: '2024-01-01T00:00:00', to_date: '2024-01-31T23:59:59' };
    const call = toolCall('order_statistics', { business_id: business.business_id, ...range });
    const goAway = async () => {
      const client = new AbortController();
      const options: PostOptions = { token, signal: client.signal };
      const gone = expect(
        send(server.mcpUrl, call, options).then((answer) => answer.text()),
      ).rejects.toThrow();
      await asked.promise;
      asked = Promise.withResolvers<void>();
      client.abort();
      await gone;
    };
    for (let request = 0; request < REQUESTS; request += 1) await goAway();
    expect(collected.made).toBe(REQUESTS);
    await expect.poll(() => cancelled).toBe(REQUESTS);
    expect(await collected.left(MOST_LEFT)).toBeLessThanOrEqual(MOST_LEFT);
    await server.stop();
  });
});
