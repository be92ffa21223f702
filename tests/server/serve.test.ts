import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSnapshots } from '../../src/control/businesses/businesses.ts';
import { createLog } from '../../src/server/log.ts';
import { serve } from '../../src/server/serve.ts';
import { readSettings } from '../../src/server/settings.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { ask } from './requests.ts';
import { signIn } from './test-server.ts';

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
});

afterAll(() => test[Symbol.asyncDispose]());

function start(settings: Record<string, string>, isBehindProxy = false) {
  const environment = Object.fromEntries(
    Object.entries({ PORT: '0', LOG_LEVEL: 'silent', DATA: test.settings.DATA, ...settings }).map(
      ([name, value]) => [`STORESIGHT_${name}`, value],
    ),
  );
  const read = readSettings(environment);
  return serve(test.instance, { settings: read, log: createLog(read), isBehindProxy });
}

it('answers at a port that the system chose, with a token that was made before', async () => {
  const business = await test.createBusiness({ name: 'Early shop' });
  const { token } = await signIn(test, [business]);
  const server = await start({});
  expect(server.mcpUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d{4,5}\/mcp$/);
  expect((await ask(server.mcpUrl, token, 'list_businesses', {}))[0]).toContain('Early shop');
  await server.stop();
  await expect(fetch(server.mcpUrl)).rejects.toThrow();
});

it('builds a snapshot of another version anew when a call needs it, once for all who ask', async () => {
  const business = await test.createBusiness();
  await test.instance.control.updateTable('snapshots').set({ model_version: '0.0.9' }).execute();
  const { token } = await signIn(test, [business]);
  const server = await start({});
  const args = {
    business_id: business.business_id,
    from_date: '2024-01-01T00:00:00',
    to_date: '2024-01-31T23:59:59',
  };
  const calls = [1, 2, 3].map(() => ask(server.mcpUrl, token, 'order_statistics', args));
  for (const [text] of await Promise.all(calls)) expect(text).toContain('"orders_count":0');
  expect(await listSnapshots(test.instance.control, business.business_id)).toHaveLength(2);
  await server.stop();
});

describe('a server beyond this machine', () => {
  it.each<[string, Record<string, string>]>([
    ['without an https URL', { HOST: '0.0.0.0' }],
    ['on IPv6', { HOST: '::' }],
    ['by a name', { HOST: 'analytics.example.com' }],
    ['with an https sign-in alone', { HOST: '0.0.0.0', AUTH_URL: 'https://login.example.com' }],
  ])('it does not listen %s', async (_name, settings) => {
    await expect(start(settings)).rejects.toMatchObject({
      name: 'InputError',
      message: expect.stringContaining('STORESIGHT_BASE_URL'),
    });
  });

  it.each([
    { BASE_URL: 'http://analytics.example.com' },
    { AUTH_URL: 'http://login.example.com' },
    { AUTH_URL: 'https://login.example.com/?a=b' },
    { AUTH_URL: 'https://me@login.example.com' },
    { AUTH_URL: 'https://login.example.com/a/../b' },
    { AUTH_URL: 'https://LOGIN.example.com' },
  ])('clients are told no URL like %o', (settings) => {
    const given = Object.entries(settings).map(([name, value]) => [`STORESIGHT_${name}`, value]);
    expect(() => readSettings(Object.fromEntries(given))).toThrow(/STORESIGHT_(BASE|AUTH)_URL does not fit/);
  });

  it('it listens with an https URL, which is the one that clients are told', async () => {
    const server = await start({ HOST: '0.0.0.0', BASE_URL: 'https://analytics.example.com/' });
    expect(server.mcpUrl).toBe('https://analytics.example.com/mcp');
    await server.stop();
  });

  it('it listens when a proxy is said to be in front', async () => {
    const server = await start({ HOST: '0.0.0.0', BASE_URL: 'https://shop-analytics.internal' }, true);
    expect(server.mcpUrl).toBe('https://shop-analytics.internal/mcp');
    await server.stop();
    await expect(start({ TRUSTED_PROXIES: '10.0.0.1' })).rejects.toThrow('say --behind-proxy too');
    await expect(start({ HOST: '0.0.0.0' }, true)).rejects.toThrow(
      '--behind-proxy needs STORESIGHT_BASE_URL',
    );
  });
});

it('says when the port is taken', async () => {
  const taken = createServer();
  const port = await new Promise<number>((resolve) =>
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port)),
  );
  await expect(start({ PORT: String(port) })).rejects.toMatchObject({
    name: 'InputError',
    message: `port ${port} is in use; choose another with --port or STORESIGHT_PORT`,
  });
  taken.close();
});

describe('a setting that does not fit is named', () => {
  it.each([
    ['PORT', '99999'],
    ['PORT', 'http'],
    ['BASE_URL', 'analytics.example.com'],
    ['BASE_URL', 'ftp://analytics.example.com'],
    ['BASE_URL', 'https://analytics.example.com/storesight'],
    ['BASE_URL', 'https://analytics.example.com?x=1'],
    ['BASE_URL', 'https://someone:password@analytics.example.com'],
    ['RATE_LIMIT', '0'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['MAX_REQUEST_BYTES', '1 MB'],
    ['MEMORY_LIMIT', "1GB'; set enable_external_access = true"],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', (name, value) => {
    expect(() => readSettings({ [`STORESIGHT_${name}`]: value })).toThrow(`STORESIGHT_${name} does not fit`);
  });
});
