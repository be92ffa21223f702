import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Business } from '../../src/model/business.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { message, post, postModern, replies, toolCall } from './requests.ts';
import { signIn, startTestServer } from './test-server.ts';
import { SlowWarehouse } from './warehouse-doubles.ts';

let test: TestInstance;
let business: Business;
let token: string;

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness();
  ({ token } = await signIn(test, [business]));
});

afterAll(() => test[Symbol.asyncDispose]());

function call() {
  const range = { from_date: '2024-01-01T00:00:00', to_date: '2024-01-31T23:59:59' };
  return toolCall('order_statistics', { business_id: business.business_id, ...range });
}

describe.each([
  ['the newest revision', postModern],
  ['an older revision', post],
])('over %s', (_name, send) => {
  it('a client that goes away ends its query, which is no failure', async () => {
    const slow = new SlowWarehouse(test);
    const server = await startTestServer(test, { environment: slow.environment });
    const client = new AbortController();
    const gone = send(server.mcpUrl, call(), { token, signal: client.signal }).then((response) =>
      response.text(),
    );
    const failed = expect(gone).rejects.toThrow();
    await slow.asked;
    client.abort();
    await failed;
    await slow.cancelled;
    await vi.waitFor(() => expect(server.logText()).toContain('tool call cancelled'));
    expect(server.logText()).not.toContain('tool call failed');
    await server.stop();
  });

  it('a call under way ends before the server stops, which takes no new ones', async () => {
    const slow = new SlowWarehouse(test);
    const server = await startTestServer(test, { environment: slow.environment });
    const answer = send(server.mcpUrl, call(), { token }).then(replies);
    await slow.asked;
    const startedAt = performance.now();
    const stopped = server.stop();
    await expect(fetch(server.mcpUrl)).rejects.toThrow();
    slow.finish();
    const [reply] = await answer;
    expect(reply?.result?.structuredContent).toMatchObject({ orders_count: 0 });
    await stopped;
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

it('a client that listens for changes is told at once that there are none to come', async () => {
  const server = await startTestServer(test);
  const listening = message('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const [acknowledged, ended] = await replies(await postModern(server.mcpUrl, listening, { token }));
  expect(acknowledged).toMatchObject({ params: { notifications: {} } });
  expect(ended).toMatchObject({ id: 1, result: { resultType: 'complete' } });
  await server.stop();
});

it('connections that clients keep open do not hold up the stop', async () => {
  const server = await startTestServer(test);
  await (await fetch(new URL('/healthz', server.mcpUrl))).text();
  const startedAt = performance.now();
  await server.stop();
  expect(performance.now() - startedAt).toBeLessThan(2000);
});
