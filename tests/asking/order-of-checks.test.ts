import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { ask } from '../server/requests.ts';
import { signIn, startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Every call here also has arguments that cannot be: nothing about them may show before the caller may read.
 */
const BAD_ARGUMENTS = { from_date: 'yesterday', filter_no_such: true };

let test: TestInstance;
let server: TestServer;
let own: Business;
let foreign: Business;

beforeAll(async () => {
  test = await createTestInstance();
  own = await test.createBusiness();
  foreign = await test.createBusiness();
  server = await startTestServer(test);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const tokens = new Map<string, Promise<string>>();

/** One for each of what accounts may do, for all tools: making accounts took longer than asking them. */
function tokenOf(assigned: readonly Business[], options: Parameters<typeof signIn>[2] = {}): Promise<string> {
  const may = JSON.stringify([assigned, options]);
  const token = tokens.get(may) ?? signIn(test, assigned, options).then((made) => made.token);
  tokens.set(may, token);
  return token;
}

const TOOLS = CATALOGUE.flatMap((tool) => (tool.scope === 'business' ? [tool] : []));

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s checks', (name, tool) => {
  it.each([
    ['a text', 'my shop'],
    ['nothing', undefined],
    ['a number', 7],
    ['a UUID with more', '0a11e7a1-0000-4000-8000-000000000001 or 1=1'],
    ['a UUID and a line', '0a11e7a1-0000-4000-8000-000000000001\n'],
  ])('the UUID first: %s', async (_name, business_id) => {
    const token = await tokenOf([own], { allowlist: [own] });
    const [message] = await ask(server.mcpUrl, token, name, { ...BAD_ARGUMENTS, business_id });
    expect(message).toBe('business_id is not a valid UUID');
  });

  it('then the allowlist, before the assignment', async () => {
    const args = { ...BAD_ARGUMENTS, business_id: foreign.business_id };
    for (const assigned of [[own], [own, foreign]]) {
      const token = await tokenOf(assigned, { allowlist: [own] });
      const [message, hint] = await ask(server.mcpUrl, token, name, args);
      expect(message).toBe("business_id is not in this token's allowlist");
      expect(hint).toContain('list_businesses');
    }
  });

  it('then the assignment, alike for a foreign business and one that does not exist', async () => {
    const token = await tokenOf([own]);
    for (const business_id of [foreign.business_id, randomUUID()]) {
      const [message, hint] = await ask(server.mcpUrl, token, name, { ...BAD_ARGUMENTS, business_id });
      expect(message).toBe('account is not assigned to this business');
      expect(hint).toContain('list_businesses');
    }
  });

  it('then each permission, the first missing one by name', async () => {
    for (const permission of tool.permissions) {
      const before = tool.permissions.slice(0, tool.permissions.indexOf(permission));
      const token = await tokenOf([own], { permissions: before });
      const args = { ...BAD_ARGUMENTS, business_id: own.business_id };
      expect(await ask(server.mcpUrl, token, name, args)).toEqual([
        `Permission denied: this tool requires ${permission} on this business.`,
      ]);
    }
  });

  it('then the arguments, as the last of all', async () => {
    const token = await tokenOf([own], { permissions: tool.permissions });
    const args = { ...BAD_ARGUMENTS, business_id: own.business_id };
    const [message] = await ask(server.mcpUrl, token, name, args);
    expect(message).toMatch(/^unknown argument (from_date|filter_no_such): /);
  });
});

it('takes a business_id in any case, and echoes it as it came', async () => {
  const { token } = await signIn(test, [own], { allowlist: [own] });
  const business_id = own.business_id.toUpperCase();
  const range = { from_date: '2024-01-01T00:00:00', to_date: '2024-01-31T23:59:59' };
  const [text] = await ask(server.mcpUrl, token, 'order_statistics', { business_id, ...range });
  expect(JSON.parse(text ?? '')).toMatchObject({ business_id, orders_count: 0 });
});

it('a permission held on another business does not count', async () => {
  const { token, account_id } = await signIn(test, [foreign]);
  await test.instance.control
    .insertInto('assignments')
    .values({ account_id, business_id: own.business_id })
    .execute();
  const [message] = await ask(server.mcpUrl, token, 'order_statistics', { business_id: own.business_id });
  expect(message).toBe('Permission denied: this tool requires DISPLAY_ANALYTICS_DASHBOARD on this business.');
});
