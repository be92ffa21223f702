// Requests whose parameters are null, missing or of another kind, over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { message, modern, post, replies } from './requests.ts';
import { signIn, startTestServer, type TestServer } from './test-server.ts';

let test: TestInstance;
let server: TestServer;
let token: string;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  server = await startTestServer(test);
  const business = await test.createBusiness({ name: 'Shop' });
  ({ token } = await signIn(test, [business]));
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const send = async (body: unknown) => replies(await post(server.mcpUrl, body, { token }));

it.each([
  ['tools/call', { name: 'list_businesses', arguments: null }],
  ['tools/call', { name: 'list_businesses' }],
  ['tools/call', { name: 'list_businesses', arguments: null, _meta: null }],
  ['tools/list', null],
  ['prompts/list', null],
  ['resources/list', null],
  ['ping', null],
  ['prompts/get', { name: 'period_review', arguments: null }],
  ['prompts/get', { name: 'period_review', arguments: { business_id: null } }],
  [
    'completion/complete',
    {
      ...{ ref: { type: 'ref/prompt', name: 'period_review' }, argument: { name: 'business_id', value: '' } },
      context: null,
    },
  ],
])('%s with %j is answered', async (method, params) => {
  const [reply] = await send({ jsonrpc: '2.0', id: 7, method, params });
  expect(reply, JSON.stringify(reply)).toMatchObject({ id: 7, result: {} });
  expect(reply?.result?.isError).not.toBe(true);
});

describe.each([
  ['initialize', {}, 'initialize: params.protocolVersion must be a text'],
  [
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: 'all', clientInfo: { name: 'x', version: '1' } },
    'initialize: params.capabilities must be an object',
  ],
  [
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x' } },
    'initialize: params.clientInfo.version must be a text',
  ],
  ['prompts/get', {}, 'prompts/get: params.name must be a text'],
  [
    'prompts/get',
    { name: 'period_review', arguments: { business_id: 7 } },
    'prompts/get: params.arguments.business_id must be a text',
  ],
  [
    'prompts/get',
    { name: 'period_review', arguments: [] },
    'prompts/get: params.arguments must be an object',
  ],
  ['completion/complete', {}, 'completion/complete: params.ref must be {"type": "ref/prompt", "name": …}'],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'period_review' }, argument: { name: 'business_id' } },
    'completion/complete: params.argument.value must be a text',
  ],
  ['resources/read', { uri: 7 }, 'resources/read: params.uri must be a text'],
  [
    'tools/call',
    { name: 'list_businesses', arguments: 'all' },
    'tools/call: params.arguments must be an object',
  ],
  ['tools/call', { arguments: {} }, 'tools/call: params.name must be a text'],
] as const)('%s with %j', (method, params, said) => {
  it('is refused as the protocol says, in words that name what is wrong', async () => {
    const [reply] = await send({ jsonrpc: '2.0', id: 'seven', method, params });
    expect(reply).toEqual({ jsonrpc: '2.0', id: 'seven', error: { code: -32602, message: said } });
  });

  if (method === 'prompts/get' || method === 'completion/complete')
    it('is so in the newest revision too', async () => {
      const sent = modern(message(method, params, 8));
      const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method };
      const named = 'name' in params ? { 'Mcp-Name': params.name } : {};
      const [reply] = await replies(
        await post(server.mcpUrl, sent, { token, headers: { ...headers, ...named } }),
      );
      expect(reply?.error?.code).toBe(-32602);
      expect(reply?.error?.message).not.toMatch(/invalid_type|Invalid input/);
    });
});

it.each([
  [
    'initialize',
    {
      ...{ protocolVersion: '2025-11-25', clientInfo: { name: 'a', version: '1' } },
      capabilities: { experimental: { a: 1 } },
    },
  ],
  ['tools/list', { cursor: 1 }],
  ['resources/list', { cursor: 1 }],
  ['resources/templates/list', { cursor: 1 }],
  ['prompts/list', { cursor: 1 }],
])('%s with %j is told what is wrong, in our words', async (method, params) => {
  const [reply] = await send(message(method, params));
  expect(reply).toMatchObject({
    id: 1,
    error: { code: -32602, message: expect.stringMatching(/^\S+: params\.\S+ must be/) },
  });
});

it('more names than any client sends are refused before any library looks at them', async () => {
  const many = Object.fromEntries(Array.from({ length: 9800 }, (_, name) => [`k${name}`, 1]));
  const hello = { protocolVersion: '2025-11-25', clientInfo: { name: 'a', version: '1' } };
  const response = await post(
    server.mcpUrl,
    message('initialize', { ...hello, capabilities: { experimental: many } }),
    { token },
  );
  expect(response.status).toBe(400);
  const text = await response.text();
  expect(text.length).toBeLessThan(400);
  expect(JSON.parse(text)).toMatchObject({ id: 1, error: { code: -32600 } });
});
