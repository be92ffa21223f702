import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Business, PERMISSIONS } from '../../src/business/business.ts';
import { grantAccess, revokeAccess } from '../../src/control/people/accounts.ts';
import { connectV2, type OfficialClient } from '../mcp/official-clients.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { ask } from './requests.ts';
import { signIn, startTestServer, type TestServer } from './test-server.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));
const RANGE = { from_date: '2023-01-01T00:00:00', to_date: '2025-12-31T23:59:59' };

let test: TestInstance;
let server: TestServer;
let full: Business;
let empty: Business;

beforeAll(async () => {
  test = await createTestInstance();
  full = await test.createBusiness({ name: 'Full shop', timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importFolder(full, FOLDER);
  empty = await test.createBusiness({ name: 'Empty shop' });
  server = await startTestServer(test);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

/** The names of the businesses that a token sees. */
async function seen(token: string): Promise<string[]> {
  const [text] = await ask(server.mcpUrl, token, 'list_businesses', {});
  return JSON.parse(text ?? '').result.map(({ name }: Business) => name);
}

async function ordersOf(token: string, { business_id }: Business): Promise<string | undefined> {
  const [text] = await ask(server.mcpUrl, token, 'order_statistics', { business_id, ...RANGE });
  return text?.startsWith('{') ? JSON.parse(text).orders_count : text;
}

it('a token for all businesses sees one that is assigned later, within one session', async () => {
  const { account_id, token } = await signIn(test, [empty]);
  const client: OfficialClient = await connectV2(server.mcpUrl, token, 'legacy');
  const names = async () => {
    const { content } = await client.callTool('list_businesses', {});
    return JSON.parse(content[0]?.text ?? '').result.map(({ name }: Business) => name);
  };
  expect(await names()).toEqual(['Empty shop']);
  expect(await ordersOf(token, full)).toBe('account is not assigned to this business');
  await grantAccess(test.instance.control, account_id, full.business_id, PERMISSIONS);
  expect(await names()).toEqual(['Empty shop', 'Full shop']);
  expect(await ordersOf(token, full)).toBeGreaterThan(0);
  await client.close();
});

it('a token with an allowlist does not', async () => {
  const { account_id, token } = await signIn(test, [empty], { allowlist: [empty] });
  await grantAccess(test.instance.control, account_id, full.business_id, PERMISSIONS);
  expect(await seen(token)).toEqual(['Empty shop']);
  expect(await ordersOf(token, full)).toBe("business_id is not in this token's allowlist");
});

it('an allowlist gives nothing that is not assigned', async () => {
  const { token } = await signIn(test, [empty], { allowlist: [empty, full] });
  expect(await seen(token)).toEqual(['Empty shop']);
  expect(await ordersOf(token, full)).toBe('account is not assigned to this business');
});

it('a revoked assignment ends at the next call, with its permissions', async () => {
  const { account_id, token } = await signIn(test, [empty, full]);
  expect(await ordersOf(token, full)).toBeGreaterThan(0);
  await revokeAccess(test.instance.control, account_id, full.business_id);
  expect(await ordersOf(token, full)).toBe('account is not assigned to this business');
  expect(await seen(token)).toEqual(['Empty shop']);
  await grantAccess(test.instance.control, account_id, full.business_id, []);
  expect(await ordersOf(token, full)).toBe(
    'Permission denied: this tool requires DISPLAY_ANALYTICS_DASHBOARD on this business.',
  );
});

it('a business taken from the allowlist is gone at the next call', async () => {
  const { account_id, token } = await signIn(test, [empty, full], { allowlist: [empty, full] });
  expect(await ordersOf(token, full)).toBeGreaterThan(0);
  const { control } = test.instance;
  const { grant_id } = await control
    .selectFrom('grants')
    .select('grant_id')
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow();
  await control
    .deleteFrom('grant_businesses')
    .where('grant_id', '=', grant_id)
    .where('business_id', '=', full.business_id)
    .execute();
  expect(await ordersOf(token, full)).toBe("business_id is not in this token's allowlist");
  expect(await seen(token)).toEqual(['Empty shop']);
});

it('an allowlist that lost its last business allows nothing, rather than all', async () => {
  const gone = await test.createBusiness({ name: 'Gone shop' });
  const { token } = await signIn(test, [gone, full], { allowlist: [gone] });
  await test.instance.control.deleteFrom('businesses').where('business_id', '=', gone.business_id).execute();
  expect(await seen(token)).toEqual([]);
  expect(await ordersOf(token, full)).toBe("business_id is not in this token's allowlist");
});

it('calls for two businesses at the same time are never mixed up', async () => {
  const { token } = await signIn(test, [empty, full]);
  const orders = await ordersOf(token, full);
  expect(orders).toBeGreaterThan(0);
  const asked = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? full : empty));
  const answers = await Promise.all(asked.map((business) => ordersOf(token, business)));
  expect(answers).toEqual(asked.map((business) => (business === full ? orders : 0)));
});
