import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFixtureServer } from '../mcp/conformance/fixture-server.ts';
import { connectV2 } from '../mcp/official-clients.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { type Message, message, modern, post, replies, toolCall } from './requests.ts';
import { signIn, startTestServer, type TestServer } from './test-server.ts';

let test: TestInstance;
let server: TestServer;
let token: string;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  const business = await test.createBusiness({ name: 'Shop of a mistaken host' });
  ({ token } = await signIn(test, [business]));
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'speaks %s with who asks for it',
  async (revision) => {
    const clientInfo = { name: 'an older host', version: '1' };
    const hello = message('initialize', { protocolVersion: revision, capabilities: {}, clientInfo });
    const [welcome] = await replies(await post(server.mcpUrl, hello, { token }));
    expect(welcome?.result).toMatchObject({ protocolVersion: revision, serverInfo: { name: 'storesight' } });
    const headers = { 'MCP-Protocol-Version': revision };
    const [reply] = await replies(
      await post(server.mcpUrl, toolCall('list_businesses', {}), { token, headers }),
    );
    expect(reply?.result?.content[0]?.text).toContain('Shop of a mistaken host');
  },
);

/** A request of 2026-07-28 as the mistaken host sends it, with other headers than it has. */
const ask = (sent: Message, headers: Record<string, string> = {}, { mcpUrl } = server) =>
  post(mcpUrl, modern(sent), { token, headers: { 'MCP-Protocol-Version': '2025-11-25', ...headers } });

it('answers the host that sends 2026-07-28 under the header of 2025-11-25, and logs it', async () => {
  const response = await ask(toolCall('list_businesses', {}));
  expect(response.status).toBe(200);
  const [reply] = await replies(response);
  expect(reply?.result?.content[0]?.text).toContain('Shop of a mistaken host');
  expect(server.logText()).toContain('mended the protocol version header');
});

it('serves an official client with this mistake from its connecting on', async () => {
  const client = await connectV2(
    server.mcpUrl,
    token,
    { pin: '2026-07-28' },
    {
      fetch: (url, init) => {
        const headers = new Headers(init?.headers);
        headers.set('MCP-Protocol-Version', '2025-11-25');
        return fetch(url, { ...init, headers });
      },
    },
  );
  expect(await client.listTools()).not.toEqual([]);
  expect((await client.callTool('list_businesses', {})).structuredContent?.result).toHaveLength(1);
  await client.close();
});

it('mends what is named by a URI as what is named by a name', async () => {
  const fixtures = await startTestServer(test, { mcpServer: createFixtureServer });
  const [reply] = await replies(
    await ask(message('resources/read', { uri: 'test://static-text' }), {}, fixtures),
  );
  expect(reply).toMatchObject({ result: { contents: [{ uri: 'test://static-text' }] } });
  await fixtures.stop();
});

it('mends names that a header could not hold', async () => {
  const [reply] = await replies(await ask(toolCall('tržby\n', {})));
  expect(reply?.error).toMatchObject({ code: -32602, message: expect.stringContaining('tržby') });
});

it('refuses any other mismatch, as the protocol says', async () => {
  const version = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call' };
  for (const headers of [
    { ...version, 'MCP-Protocol-Version': '2025-06-18' },
    { ...version, 'MCP-Protocol-Version': '2030-01-01' },
    { ...version, 'Mcp-Name': 'order_statistics' },
    { 'Mcp-Name': 'order_statistics' },
    { 'Mcp-Method': 'tools/list' },
  ]) {
    const response = await ask(toolCall('list_businesses', {}), headers);
    expect(response.status, JSON.stringify(headers)).toBe(400);
    expect((await replies(response))[0]?.error?.code).toBeLessThan(-32000);
  }
});

it('refuses a method that no header could hold', async () => {
  const response = await ask(message('tržby', {}));
  expect(response.status).toBe(400);
  expect((await replies(response))[0]?.error?.code).toBe(-32020);
});
