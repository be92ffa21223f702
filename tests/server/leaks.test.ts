import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { QueryTimeoutError } from '../../src/warehouse/warehouse.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { ask, post, postModern, replies, toolCall } from './requests.ts';
import { signIn, startTestServer, type TestServer } from './test-server.ts';
import { environmentWith } from './warehouse-doubles.ts';

const SECRET = 'IO Error: cannot open /srv/data/tenant-7/model.duckdb: select * from orders';
const REFERENCE = /^internal error; the operator finds it in the log under ([0-9a-f-]{36})$/;

let test: TestInstance;
let business: Business;
let account: { email: string; token: string; account_id: string };

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness({ name: 'Hidden Shop' });
  account = await signIn(test, [business]);
});

afterAll(() => test[Symbol.asyncDispose]());

function args(more: object = {}) {
  const range = { from_date: '2024-01-01T00:00:00', to_date: '2024-01-31T23:59:59' };
  return { business_id: business.business_id, ...range, ...more };
}

async function fail(): Promise<never> {
  throw Object.assign(new Error(SECRET), { code: 'EACCES', path: '/srv/data' });
}

async function withServer(
  options: Parameters<typeof startTestServer>[1],
  use: (server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await startTestServer(test, options);
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

describe.each([
  ['the newest revision', postModern],
  ['an older revision', post],
])('an unexpected error over %s shows only its reference', (_name, send) => {
  it.each<[string, () => Parameters<typeof startTestServer>[1]]>([
    ['when the warehouse fails', () => ({ environment: environmentWith(test, fail) })],
    [
      'when the warehouse throws what is no error',
      () => ({ environment: environmentWith(test, () => Promise.reject(SECRET)) }),
    ],
    ['when the snapshot cannot be found', () => ({ environment: { ...test.environment, findServed: fail } })],
    [
      'when an answer is not as advertised',
      () => ({ environment: environmentWith(test, async () => [[{ orders_count: SECRET }]]) }),
    ],
  ])('%s', async (_case, options) => {
    await withServer(options(), async (server) => {
      const response = await send(server.mcpUrl, toolCall('order_statistics', args()), {
        token: account.token,
      });
      const [reply] = await replies(response);
      expect(reply?.result?.isError).toBe(true);
      expect(reply?.result?.content).toHaveLength(1);
      const [, reference] = REFERENCE.exec(reply?.result?.content[0]?.text ?? '') ?? [];
      expect(reference).toBeDefined();
      expect(JSON.stringify(reply)).not.toContain('srv');
      const line = server
        .logText()
        .split('\n')
        .find((logged) => logged.includes(String(reference)));
      expect(JSON.parse(line ?? '{}')).toMatchObject({
        level: 50,
        tool: 'order_statistics',
        caller: account.account_id,
        err: expect.anything(),
      });
    });
  });
});

it('an error in the log says what happened', async () => {
  await withServer({ environment: environmentWith(test, fail) }, async (server) => {
    await ask(server.mcpUrl, account.token, 'order_statistics', args());
    expect(server.logText()).toContain(SECRET);
  });
});

it('a query that takes too long says what to do', async () => {
  const tooLate = () => Promise.reject(new QueryTimeoutError(30));
  await withServer({ environment: environmentWith(test, tooLate) }, async (server) => {
    expect(await ask(server.mcpUrl, account.token, 'order_statistics', args())).toEqual([
      'the query took longer than 30 s; ask for a shorter range or fewer rows',
    ]);
  });
});

it('a broken control database shows only a reference too', async () => {
  await using broken = await createTestInstance();
  const { token } = await signIn(broken, []);
  const server = await startTestServer(broken);
  await broken.instance.control.schema.dropTable('grant_businesses').execute();
  await broken.instance.control.schema.dropTable('grants').execute();
  const response = await post(server.mcpUrl, toolCall('list_businesses', {}), { token });
  expect(response.status).toBe(500);
  const body = await response.text();
  expect(body).not.toContain('grants');
  const [, reference] = REFERENCE.exec(JSON.parse(body).error_description) ?? [];
  expect(reference).toBeDefined();
  expect(server.logText()).toContain(String(reference));
  expect(server.logText()).toContain('no such table');
  await server.stop();
});

it('the log holds no token, no e-mail, no argument, no answer and no client text, at its most talkative', async () => {
  await withServer({}, async (server) => {
    const { token, email } = account;
    const marked = { filter_brands: ['marked-argument'] };
    await ask(server.mcpUrl, token, 'list_businesses', {});
    await ask(server.mcpUrl, token, 'product_statistics', args(marked));
    await ask(server.mcpUrl, token, 'product_statistics', args({ ...marked, limit: 'marked-argument' }));
    await ask(server.mcpUrl, token, 'marked-argument', {});
    await ask(server.mcpUrl, token, 'product_statistics', { business_id: 'marked-argument' });
    await post(server.mcpUrl, 'marked-argument', { token });
    await post(`${server.mcpUrl}?x=marked-argument`, toolCall('list_businesses', {}), { token: `${token}x` });
    await withServer({ environment: environmentWith(test, fail) }, async (failing) => {
      await ask(failing.mcpUrl, token, 'product_statistics', args(marked));
      for (const text of [server.logText(), failing.logText()]) {
        expect(text).toContain('tool call');
        expect(text).not.toContain('marked-argument');
        expect(text).not.toContain('Hidden Shop');
        expect(text).not.toContain(email);
        expect(text).not.toContain('2024-01-31');
        for (const part of token.split('.')) expect(text).not.toContain(part);
      }
    });
  });
});
