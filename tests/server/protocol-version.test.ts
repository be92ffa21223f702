import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { postModern, replies, toolCall } from './requests.ts';
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

const askWith = (headers: Record<string, string>) =>
  postModern(server.mcpUrl, toolCall('list_businesses', {}), { token, headers });

it('answers the host that sends 2026-07-28 under the header of 2025-11-25, and logs it', async () => {
  const response = await askWith({ 'MCP-Protocol-Version': '2025-11-25' });
  expect(response.status).toBe(200);
  const [reply] = await replies(response);
  expect(reply?.result?.content[0]?.text).toContain('Shop of a mistaken host');
  expect(server.logText()).toContain('mended the protocol version header');
});

it('refuses any other mismatch, as the protocol says', async () => {
  for (const headers of [
    { 'MCP-Protocol-Version': '2025-06-18' },
    { 'MCP-Protocol-Version': '2030-01-01' },
    { 'Mcp-Name': 'order_statistics' },
  ]) {
    const response = await askWith(headers as never);
    expect(response.status, JSON.stringify(headers)).toBe(400);
    expect((await replies(response))[0]?.error?.code).toBeLessThan(-32000);
  }
});
