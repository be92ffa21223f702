import { afterAll, beforeAll, expect, it } from 'vitest';
import { IDENTITY } from '../../src/mcp/server-identity.ts';
import { message, post, replies } from '../server/requests.ts';
import { signIn, startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;
let server: TestServer;
let token: string;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  server = await startTestServer(test);
  ({ token } = await signIn(test, [await test.createBusiness()]));
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

it('says who it is, with an icon that loads nothing, and that it has pages for answers', async () => {
  const clientInfo = { name: 'x', version: '1' };
  const hello = message('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const [reply] = await replies(await post(server.mcpUrl, hello, { token }));
  const { serverInfo, capabilities } = (reply?.result ?? {}) as unknown as {
    readonly serverInfo: typeof IDENTITY & { readonly websiteUrl?: string };
    readonly capabilities: object;
  };
  expect(serverInfo).toEqual({ ...IDENTITY, websiteUrl: new URL(server.mcpUrl).origin });
  expect(capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/ui': {} } });
  const [icon] = serverInfo.icons;
  const [type, svg = ''] = icon?.src.split(',') ?? [];
  expect(type).toBe('data:image/svg+xml');
  expect(decodeURIComponent(svg)).toMatch(/^<svg [^>]+>(<(rect|path) [^<>]+\/>)+<\/svg>$/);
  // Answers of the newest revision carry it each.
  expect(JSON.stringify(serverInfo).length).toBeLessThan(700);
});
