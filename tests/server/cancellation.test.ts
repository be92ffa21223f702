import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { ALL_GROUPS } from '../../src/business/tool-groups.ts';
import { WindowCounts } from '../../src/control/limits/window-counts.ts';
import { operatorCaller } from '../../src/control/people/callers.ts';
import { createMcpServer } from '../../src/mcp/mcp-server.ts';
import { createLog } from '../../src/server/log.ts';
import { McpEndpoint } from '../../src/server/mcp-endpoint.ts';
import { Metrics } from '../../src/server/metrics.ts';
import { connectV1, connectV2, type OfficialClient, openV1, openV2 } from '../mcp/official-clients.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { NEVER, replaceTimers } from '../support/timers.ts';
import { message, post, postModern, replies, toolCall } from './requests.ts';
import { signIn, startTestServer } from './test-server.ts';
import { SlowWarehouse } from './warehouse-doubles.ts';

let test: TestInstance;
let business: Business;
let token: string;

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness();
  ({ token } = await signIn(test, [business]));
});

afterAll(() => test[Symbol.asyncDispose]());

const TOOL = 'order_statistics';

/** After which a server that stops cuts off what is left; a stop that needs that would never end here. */
const STOP_MS = 4000;

function args() {
  const range = { from_date: '2024-01-01T00:00:00', to_date: '2024-01-31T23:59:59' };
  return { business_id: business.business_id, ...range };
}

function call() {
  return toolCall(TOOL, args());
}

describe.each([
  ['the newest revision', postModern],
  ['an older revision', post],
])('cancellation over %s', (_name, send) => {
  it('a client that goes away ends its query, which is no failure', async () => {
    const slow = new SlowWarehouse(test);
    const server = await startTestServer(test, { environment: slow.environment });
    const client = new AbortController();
    const gone = send(server.mcpUrl, call(), { token, signal: client.signal }).then((response) =>
      response.text(),
    );
    const failed = expect(gone).rejects.toThrow();
    await slow.asked;
    client.abort();
    await failed;
    await slow.cancelled;
    await vi.waitFor(() => expect(server.logText()).toContain('tool call cancelled'));
    expect(server.logText()).not.toContain('tool call failed');
    await server.stop();
  });

  it('a call under way ends before the server stops, which takes no new ones', async () => {
    const slow = new SlowWarehouse(test);
    const server = await startTestServer(test, { environment: slow.environment });
    const answer = send(server.mcpUrl, call(), { token }).then(replies);
    await slow.asked;
    using _patient = replaceTimers(STOP_MS, NEVER);
    const stopped = server.stop();
    await expect(fetch(server.mcpUrl)).rejects.toThrow();
    slow.finish();
    const [reply] = await answer;
    expect(reply?.result?.structuredContent).toMatchObject({ orders_count: 0 });
    await stopped;
  });
});

it('nothing is asked for a client that goes away while its request is read', async () => {
  const mcpServer = vi.fn();
  const authUrl = 'http://localhost';
  const endpoint = new McpEndpoint(new URL('/mcp', authUrl), {
    ...{
      control: test.instance.control,
      mcpServer,
      groups: ALL_GROUPS,
      extensions: [],
      log: createLog({ LOG_LEVEL: 'silent' }),
    },
    door: { recognise: () => {} },
    ...{
      metrics: new Metrics(),
      authUrl,
      messages: new WindowCounts(100, { minutes: 1 }),
      maxRequestBytes: 10_000,
    },
  });
  const gone = new ServerResponse(new IncomingMessage(new Socket()));
  const pull = (stream: ReadableStreamDefaultController) => {
    gone.emit('close');
    stream.enqueue(Buffer.from(JSON.stringify(call())));
    stream.close();
  };
  const body = new ReadableStream({ pull }, { highWaterMark: 0 });
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const request = new Request(`${authUrl}/mcp`, { method: 'POST', headers, body, duplex: 'half' });
  expect((await endpoint.answer(request, gone)).status).toBe(499);
  expect(mcpServer).not.toHaveBeenCalled();
  await endpoint.close();
});

/** An official client that asks, and then does not want to know any more. */
async function takeBack(client: OfficialClient, slow: SlowWarehouse): Promise<void> {
  const stop = new AbortController();
  const refused = expect(client.callTool(TOOL, args(), { signal: stop.signal })).rejects.toThrow();
  await slow.asked;
  stop.abort();
  await refused;
}

it('an official client of the newest revision that takes a call back ends its query', async () => {
  const slow = new SlowWarehouse(test);
  const server = await startTestServer(test, { environment: slow.environment });
  const client = await connectV2(server.mcpUrl, token, 'auto');
  await takeBack(client, slow);
  await slow.cancelled;
  await client.close();
  await server.stop();
});

// There are no sessions, so nothing tells which of an account's requests an older client means by its number.
it.each([
  ['v1', connectV1],
  ['v2', (url: string) => connectV2(url, token, 'legacy')],
])(
  'an official client of an older revision, %s, ends its query with its connection',
  async (_name, connect) => {
    const slow = new SlowWarehouse(test);
    const server = await startTestServer(test, { environment: slow.environment });
    const client = await connect(server.mcpUrl, token);
    await takeBack(client, slow);
    await client.close();
    await slow.cancelled;
    await server.stop();
  },
);

it.each([
  ['v1', openV1],
  ['v2 of an older revision', (transport: InMemoryTransport) => openV2(transport, 'legacy')],
  ['v2', (transport: InMemoryTransport) => openV2(transport, 'auto')],
])('the official client %s ends over stdio the query of a call that it takes back', async (_name, open) => {
  const slow = new SlowWarehouse(test);
  const [theirs, ours] = InMemoryTransport.createLinkedPair();
  const caller = operatorCaller(test.instance.control);
  const log = createLog({ LOG_LEVEL: 'silent' });
  const served = serveStdio(() => createMcpServer(slow.environment, caller, log), { transport: ours });
  const client = await open(theirs);
  await takeBack(client, slow);
  await slow.cancelled;
  await client.close();
  await served.close();
});

it('a client that listens for changes is told at once that there are none to come', async () => {
  const server = await startTestServer(test);
  const listening = message('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const [acknowledged, ended] = await replies(await postModern(server.mcpUrl, listening, { token }));
  expect(acknowledged).toMatchObject({ params: { notifications: {} } });
  expect(ended).toMatchObject({ id: 1, result: { resultType: 'complete' } });
  await server.stop();
});

it('connections that clients keep open do not hold up the stop', async () => {
  const server = await startTestServer(test);
  await (await fetch(new URL('/healthz', server.mcpUrl))).text();
  using patient = replaceTimers(STOP_MS, NEVER);
  await server.stop();
  expect(patient.mock.calls.map(([, delay]) => delay)).toContain(STOP_MS);
});
