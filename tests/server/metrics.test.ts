import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { createLog } from '../../src/server/log.ts';
import { Metrics } from '../../src/server/metrics.ts';
import { serveMetrics } from '../../src/server/metrics-server.ts';
import { BusyError, QueryTimeoutError, QueryTooLargeError } from '../../src/warehouse/warehouse.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { ask, message, post } from './requests.ts';
import { signIn, startTestServer, type TestServer } from './test-server.ts';
import { environmentWith } from './warehouse-doubles.ts';

let test: TestInstance;
let business: Business;
let foreign: Business;
let server: TestServer;
let account: Awaited<ReturnType<typeof signIn>>;
const failures: Error[] = [];

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  business = await test.createBusiness({ name: 'Shop of Ada' });
  foreign = await test.createBusiness();
  const environment = environmentWith(test, (...call) => {
    const failure = failures.shift();
    return failure === undefined ? test.warehouse.query(...call) : Promise.reject(failure);
  });
  server = await startTestServer(test, { environment, rateLimit: 12 });
  account = await signIn(test, [business]);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const ARGUMENTS = { search: 'a very private word' };

function call({ business_id }: Business, more: object = {}): Promise<string[]> {
  return ask(server.mcpUrl, account.token, 'list_product_brands', { business_id, ...more });
}

/** The lines of one metric. */
async function lines(name: string): Promise<string[]> {
  return (await server.metrics.text()).split('\n').filter((line) => line.startsWith(`storesight_${name}{`));
}

it('calls are counted and logged by how they ended', async () => {
  await call(business, ARGUMENTS);
  await call(business, { limit: 'a very private word' });
  await call(foreign);
  failures.push(new BusyError(), new QueryTimeoutError(30), new QueryTooLargeError('memory'));
  failures.push(new Error('broken'));
  for (let asked = 0; asked < 4; asked += 1) await call(business);
  const outcomes = ['answered', 'invalid arguments', 'no access', 'busy', 'timeout', 'too large', 'failed'];
  expect(await lines('tool_calls_total')).toEqual(
    outcomes.map(
      (outcome) => `storesight_tool_calls_total{tool="list_product_brands",outcome="${outcome}"} 1`,
    ),
  );
  for (const outcome of outcomes) expect(server.logText()).toContain(`"outcome":"${outcome}"`);
});

it('tools, routes and methods that do not exist make no labels', async () => {
  await post(server.mcpUrl, message('tools/call', { name: 'a_secret_tool' }), { token: account.token });
  await fetch(new URL('/a-secret-path', server.mcpUrl), { method: 'PUT' });
  await vi.waitFor(async () =>
    expect(await lines('http_requests_total')).toContainEqual(
      'storesight_http_requests_total{route="/*",method="other",status="404"} 1',
    ),
  );
  expect(await server.metrics.text()).not.toContain('secret');
});

it('refusals are counted with their reason, and logged once a minute', async () => {
  for (let asked = 0; asked < 10; asked += 1) {
    await post(server.mcpUrl, message('tools/list'), { token: account.token });
  }
  const [line = ''] = await lines('refusals_total');
  expect(line).toMatch(/reason="rate limit"} ([5-9]|\d\d)$/);
  expect(server.logText().match(/"reason":"rate limit"/g)).toHaveLength(1);
});

it('metrics name no merchant, account or call', async () => {
  const text = await server.metrics.text();
  expect(text).not.toContain('private');
  expect(text).not.toContain(account.account_id);
  expect(text).not.toContain(account.email);
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
  expect(text).not.toContain('Ada');
  expect(server.logText()).not.toContain('private');
});

it('they stand at a port of their own, and nothing else does', async () => {
  const metrics = new Metrics();
  metrics.addProcess();
  metrics.addGauge('of_today', 'A number', () => 7);
  metrics.addGauge('unknown', 'A number that cannot be read', () => Promise.reject(new Error('gone')));
  const log = createLog({ LOG_LEVEL: 'silent' });
  const own = await serveMetrics(metrics, { METRICS_HOST: '127.0.0.1', METRICS_PORT: 0 }, log);
  const response = await fetch(own.url);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await response.text();
  expect(text).toContain('storesight_of_today 7\n');
  expect(text).not.toMatch(/^storesight_unknown /m);
  expect(text).toContain('process_resident_memory_bytes ');
  expect((await fetch(new URL('/', own.url))).status).toBe(404);
  expect((await fetch(own.url, { method: 'POST' })).status).toBe(404);
  const port = Number(new URL(own.url).port);
  await expect(serveMetrics(metrics, { METRICS_HOST: '127.0.0.1', METRICS_PORT: port }, log)).rejects.toThrow(
    'STORESIGHT_METRICS_PORT',
  );
  await own.stop();
  expect((await fetch(new URL('/metrics', server.mcpUrl))).status).toBe(404);
});
