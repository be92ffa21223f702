import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_GROUPS, readGroups, TOOL_GROUPS } from '../../src/business/tool-groups.ts';
import { CATALOGUE, toolsOfExtensions } from '../../src/catalogue.ts';
import { instructionsOf } from '../../src/mcp/instructions.ts';
import { listTools } from '../../src/mcp/tool-list.ts';
import { emptyStore } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { message, post, replies, toolCall } from './requests.ts';
import { signIn, startTestServer, type TestServer } from './test-server.ts';

const INSIGHTS = toolsOfExtensions(['insights']);

let test: TestInstance;
let server: TestServer;
let token: string;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  server = await startTestServer(test);
  ({ token } = await signIn(test, []));
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

async function answer(query: string, method: string, params: Record<string, unknown> = {}, to = server) {
  const [reply] = await replies(await post(`${to.mcpUrl}${query}`, message(method, params), { token }));
  return (reply as unknown as { result: Record<string, unknown> }).result;
}

const HANDSHAKE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

const names = (tools: unknown) => (tools as { name: string }[]).map(({ name }) => name);

describe('the server without an extension is that of the contract', () => {
  it.each(['', '?extensions=', '?groups='])('its tools are the 55, letter for letter: %s', async (query) => {
    const { tools } = await answer(query, 'tools/list');
    expect(JSON.stringify(tools)).toBe(JSON.stringify(listTools(CATALOGUE)));
    expect(names(tools)).toHaveLength(55);
  });

  it('so are its instructions', async () => {
    const { instructions } = await answer('', 'initialize', HANDSHAKE);
    expect(instructions).toBe(instructionsOf(ALL_GROUPS));
    expect(instructions).not.toMatch(/insights|query_metrics/i);
  });

  it('resources and prompts are the same with it and without, but for its own prompts behind them', async () => {
    expect(await answer('?extensions=insights', 'resources/list')).toEqual(
      await answer('', 'resources/list'),
    );
    const [all, own] = [
      await answer('?extensions=insights', 'prompts/list'),
      await answer('', 'prompts/list'),
    ];
    expect(JSON.stringify((all.prompts as object[]).slice(0, 8))).toBe(JSON.stringify(own.prompts));
    expect((all.prompts as { name: string }[]).slice(8).map(({ name }) => name)).toEqual([
      'why',
      'board_report',
      'month_in_profit',
      'weekly_watch',
    ]);
    const [refused] = await replies(
      await post(server.mcpUrl, message('prompts/get', { name: 'why' }), { token }),
    );
    expect(refused).toMatchObject({ error: { code: -32602, message: 'Unknown prompt: why' } });
    expect((await answer('', 'resources/list')).resources).toHaveLength(5);
    expect((await answer('', 'prompts/list')).prompts).toHaveLength(8);
    for (const { uri } of (await answer('', 'resources/list')).resources as { uri: string }[]) {
      const read = await answer('', 'resources/read', { uri });
      expect(await answer('?extensions=insights', 'resources/read', { uri })).toEqual(read);
      expect(JSON.stringify(read)).not.toContain('query_metrics');
    }
  });

  it('its tools do not exist', async () => {
    const [reply] = await replies(
      await post(server.mcpUrl, toolCall('query_metrics', { business_ids: [] }), { token }),
    );
    expect(reply).toMatchObject({ error: { code: -32602, message: 'Unknown tool: query_metrics' } });
  });
});

describe('the extension insights', () => {
  it('its tools stand behind those of the contract, which are the same', async () => {
    const { tools } = await answer('?extensions=insights', 'tools/list');
    expect(JSON.stringify(tools)).toBe(JSON.stringify(listTools([...CATALOGUE, ...INSIGHTS])));
    const { instructions } = await answer('?extensions=insights', 'initialize', HANDSHAKE);
    expect(instructions).toBe(instructionsOf(ALL_GROUPS, ['insights']));
  });

  it('goes beside groups', async () => {
    const { tools } = await answer('?groups=orders&extensions=insights', 'tools/list');
    const served = CATALOGUE.filter(({ group }) =>
      readGroups('orders').some((name) => TOOL_GROUPS[name] === group),
    );
    expect(names(tools)).toEqual([...served, ...INSIGHTS].map(({ name }) => name));
  });

  it('is refused by another name, as groups are', async () => {
    const response = await post(`${server.mcpUrl}?extensions=insight`, message('tools/list'), { token });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('there is no extension insight; extensions are insights');
  });

  it('the digest of a store is a resource, as what watch answers, for who may read the store', async () => {
    const TEMPLATE = 'analytics://digest?business_id={business_id}';
    const uriOf = ({ business_id }: { business_id: string }) =>
      TEMPLATE.replace('{business_id}', business_id);
    const [own, other] = [await test.createBusiness(), await test.createBusiness()];
    const orders = Array.from({ length: 130 }, (_, day) => ({
      order_id: `o${day}`,
      email: `p${day}@example.com`,
      ordered_at: new Date(Date.UTC(2026, 0, 1 + day, 12)).toISOString(),
      total: '100',
    }));
    await test.importStore(own, { ...emptyStore({ timezone: 'UTC', primary_currency: 'EUR' }), orders });
    const mine = await signIn(test, [own]);
    const ask = async (query: string, uri: string) => {
      const request = message('resources/read', { uri });
      const [reply] = await replies(await post(`${server.mcpUrl}${query}`, request, { token: mine.token }));
      return reply as unknown as {
        result?: { contents: { text: string }[] };
        error?: { code: number; message: string };
      };
    };
    const listed = await answer('?extensions=insights', 'resources/templates/list');
    expect(listed.resourceTemplates).toMatchObject([{ uriTemplate: TEMPLATE, mimeType: 'text/markdown' }]);
    const { result } = await test.run('watch', { business_id: own.business_id });
    const read = await ask('?extensions=insights', uriOf(own));
    expect(read.result?.contents[0]?.text.replaceAll('\\', '')).toContain(
      (result as { summary: string }).summary,
    );
    const refused = await ask('?extensions=insights', uriOf(other));
    expect(refused.error?.message).toContain('account is not assigned to this business');
    expect((await answer('', 'resources/templates/list')).resourceTemplates).toEqual([]);
    expect((await ask('', uriOf(own))).error?.message).toContain('not found');
  });

  it('is on every connection where the server says so', async () => {
    const all = await startTestServer(test, { extensions: ['insights'] });
    const { tools } = await answer('', 'tools/list', {}, all);
    expect(names(tools)).toContain('query_metrics');
    await all.stop();
  });
});

describe('the extension sql', () => {
  it('is refused where the operator does not allow it', async () => {
    const response = await post(`${server.mcpUrl}?extensions=sql`, message('tools/list'), { token });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('the extension sql is not allowed on this server');
  });

  it('is on no connection that does not ask, where it is allowed', async () => {
    const allowing = await startTestServer(test, { extensions: ['sql'] });
    const { tools } = await answer('', 'tools/list', {}, allowing);
    expect(JSON.stringify(tools)).toBe(JSON.stringify(listTools(CATALOGUE)));
    expect((await answer('', 'initialize', HANDSHAKE, allowing)).instructions).toBe(
      instructionsOf(ALL_GROUPS),
    );
    const asked = await answer('?extensions=sql', 'tools/list', {}, allowing);
    expect(names(asked.tools).slice(-2)).toEqual(['query_sql', 'describe_tables']);
    await allowing.stop();
  });
});

describe('the right to ask query_metrics', () => {
  const QUESTION = { metrics: ['revenue'], from_date: '2026-01-01', to_date: '2026-01-31' };

  async function refusal(business_ids: unknown, of = token) {
    const response = await post(
      `${server.mcpUrl}?extensions=insights`,
      toolCall('query_metrics', { ...QUESTION, business_ids }),
      { token: of },
    );
    const [reply] = await replies(response);
    const { result } = reply as unknown as { result: { isError?: boolean; content: { text: string }[] } };
    expect(result.isError).toBe(true);
    return result.content[0]?.text;
  }

  it('is checked of every store before anything is asked', async () => {
    const [own, other] = [await test.createBusiness(), await test.createBusiness()];
    await test.run('list_metrics', {});
    const mine = await signIn(test, [own]);
    const less = await signIn(test, [own], { permissions: ['LIST_PRODUCT'] });
    expect(await refusal([own.business_id, other.business_id], mine.token)).toBe(
      'account is not assigned to this business',
    );
    expect(await refusal([own.business_id], less.token)).toBe(
      'Permission denied: this tool requires DISPLAY_ANALYTICS_DASHBOARD on this business.',
    );
    expect(await refusal(['no id'])).toBe('business_id is not a valid UUID');
    expect(await refusal([])).toBe('business_ids must be a list of at least one id');
    expect(await refusal(undefined)).toBe('business_ids is required');
    expect(await refusal(new Array(11).fill(own.business_id))).toBe(
      'business_ids has 11 elements; at most 10 are allowed',
    );
  });
});
