// The trace of a request is found again in the log, and nothing else that stands in its place.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { post, replies, toolCall } from './requests.ts';
import { signIn, startTestServer, type TestServer } from './test-server.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

let test: TestInstance;
let server: TestServer;
let token: string;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  server = await startTestServer(test);
  ({ token } = await signIn(test, [await test.createBusiness({ name: 'Shop' })]));
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

async function callWith(traceparent: unknown): Promise<void> {
  const call = toolCall('list_businesses', {});
  const traced = { ...call, params: { ...call.params, _meta: { traceparent } } };
  const [reply] = await replies(await post(server.mcpUrl, traced, { token }));
  expect(reply?.result?.isError).not.toBe(true);
}

it('the id of the trace stands in the line of the call', async () => {
  await callWith(`00-${TRACE}-b7ad6b7169203331-01`);
  const lines = server.logText().split('\n');
  expect(lines.find((line) => line.includes('"tool call"'))).toContain(`"trace_id":"${TRACE}"`);
});

it.each([
  `00-${TRACE}-b7ad6b7169203331-01\nforged`,
  `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  'mallory@example.com',
  7,
  { id: 'mallory' },
])('%j is no trace: it is not logged', async (traceparent) => {
  const before = server.logText().length;
  await callWith(traceparent);
  const logged = server.logText().slice(before);
  expect(logged).toContain('"tool call"');
  expect(logged).not.toContain('trace_id');
  expect(logged).not.toContain('mallory');
});
