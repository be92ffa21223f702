import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tool } from '../../src/answers/tool.ts';
import { chartAbout } from '../../src/asking/chart-store.ts';
import type { ToolEnvironment } from '../../src/asking/run-tool.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { type Caller, operatorCaller } from '../../src/control/people/callers.ts';
import { CHART_URI } from '../../src/mcp/mcp-apps.ts';
import { listTools } from '../../src/mcp/tool-list.ts';
import { ENGLISH } from '../../src/messages/messages.ts';
import { salesFigure } from '../../src/overview/sales-figure.ts';
import { message, post } from '../server/requests.ts';
import { signIn, startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { connectV1, connectV2, type OfficialClient } from './official-clients.ts';

/**
 * Pictures in the conversation: who negotiated them is told of them, and who did not sees what it always saw.
 */

const UI = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

let test: TestInstance;
let server: TestServer;
let token: string;
let business_id: string;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  const business = await test.createBusiness({ name: 'A shop', timezone: 'Europe/Prague', currency: 'CZK' });
  business_id = business.business_id;
  await test.importFolder(business, 'tests/fixtures/hand-made-shop');
  server = await startTestServer(test);
  ({ token } = await signIn(test, [business]));
});

afterAll(async () => {
  await server?.stop();
  await test?.[Symbol.asyncDispose]();
});

const RANGE = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59', breakdown: 'month' };
const TREND = () => ({ business_id, ...RANGE });

type Extensions = Record<string, Record<string, string[]>>;
const CLIENTS: readonly [
  string,
  (fetch: typeof globalThis.fetch, extensions?: Extensions) => Promise<OfficialClient>,
][] = [
  [
    'version 1',
    (fetch, extensions) => connectV1(server.mcpUrl, token, { fetch, ...(extensions && { extensions }) }),
  ],
  [
    'version 2, 2025-11-25',
    (fetch, extensions) =>
      connectV2(server.mcpUrl, token, 'legacy', { fetch, ...(extensions && { extensions }) }),
  ],
  [
    'version 2, 2026-07-28',
    (fetch, extensions) =>
      connectV2(server.mcpUrl, token, { pin: '2026-07-28' }, { fetch, ...(extensions && { extensions }) }),
  ],
];

/** Everything that comes back, headers too. */
function recorder() {
  const seen: string[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    const response = await globalThis.fetch(url, init);
    seen.push(`${JSON.stringify([...response.headers])}\n${await response.clone().text()}`);
    return response;
  };
  return { seen, fetch: fetch as typeof globalThis.fetch };
}

describe.each(CLIENTS)('a client of %s', (_name, connect) => {
  it('that shows pictures is told which tools have one, and what to say of the store', async () => {
    const { seen, fetch } = recorder();
    const client = await connect(fetch, UI);
    const listed = await client.listTools();
    const pictured = listed.filter(({ _meta }) => _meta?.ui !== undefined);
    expect(pictured.map(({ name }) => name)).toEqual(
      CATALOGUE.filter(({ chart }) => chart !== undefined).map(({ name }) => name),
    );
    for (const { _meta } of pictured) expect(_meta?.ui).toEqual({ resourceUri: CHART_URI });
    // What is said to Claude Code stays beside it.
    expect(listed.find(({ name }) => name === 'order_statistics_trend')?._meta).toEqual({
      ui: { resourceUri: CHART_URI },
      'anthropic/maxResultSizeChars': 100_000,
    });
    const about = { name: 'A shop', currency: 'CZK', timezone: 'Europe/Prague', locale: 'en-GB' };
    const answer = await client.callTool('order_statistics_trend', TREND());
    expect(answer._meta?.['storesight/chart']).toMatchObject({ tool: 'order_statistics_trend', ...about });
    expect(await client.readResource(CHART_URI)).toMatchObject({
      uri: CHART_URI,
      mimeType: 'text/html;profile=mcp-app',
      text: expect.stringMatching(/^<!doctype html>/),
    });
    // Answers without a picture say nothing of one, and errors neither.
    const plain = await client.callTool('order_statistics', {
      business_id,
      from_date: RANGE.from_date,
      to_date: RANGE.to_date,
    });
    expect(plain._meta?.['storesight/chart']).toBeUndefined();
    const refused = await client.callTool('order_statistics_trend', { ...TREND(), breakdown: 'year' });
    expect(refused).toMatchObject({ isError: true });
    expect(refused._meta?.['storesight/chart']).toBeUndefined();
    expect(client.errors.filter(({ message: text }) => !/405/.test(text))).toEqual([]);
    expect(seen.join('')).not.toContain('resource_link');
    await client.close();
  });

  it.each([
    ['nothing', undefined],
    ['other extensions', { 'io.modelcontextprotocol/other': { mimeTypes: ['text/html;profile=mcp-app'] } }],
    ['pages of another type', { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html'] } }],
  ] as const)('sees nothing of them when it tells of %s', async (_told, extensions) => {
    const { seen, fetch } = recorder();
    const client = await connect(fetch, extensions as unknown as Extensions | undefined);
    await client.listTools();
    const answer = await client.callTool('order_statistics_trend', TREND());
    await client.listResources();
    expect(answer._meta?.['storesight/chart']).toBeUndefined();
    const all = seen.join('\n');
    for (const trace of ['storesight/chart', 'ui://', 'resourceUri', 'mcp-app', 'mcp-session-id']) {
      expect(all.toLowerCase()).not.toContain(trace.toLowerCase());
    }
    // The list is to the byte the one that is made without knowing of pictures.
    expect(all).toContain(`"tools":${JSON.stringify(listTools(CATALOGUE))}`);
    await client.close();
  });
});

it('a session says only that pictures are shown: another server answers it too, and no token is spared', async () => {
  const headers = { 'Mcp-Session-Id': 'pictures-of-somebody-else' };
  const list = await post(server.mcpUrl, message('tools/list'), { token, headers });
  expect(await list.text()).toContain(CHART_URI);
  expect((await post(server.mcpUrl, message('tools/list'), { headers })).status).toBe(401);
  const other = await post(server.mcpUrl, message('tools/list'), {
    token,
    headers: { 'Mcp-Session-Id': 'mine' },
  });
  expect(await other.text()).not.toContain(CHART_URI);
});

it('a browser may read and send such a session, and hears of it only when it asks', async () => {
  const preflight = async (asked: string) => {
    const headers = {
      Origin: 'http://localhost',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': asked,
    };
    const { headers: told } = await fetch(server.mcpUrl, { method: 'OPTIONS', headers });
    return told.get('Access-Control-Allow-Headers')?.toLowerCase().split(',') ?? [];
  };
  expect(await preflight('content-type,mcp-session-id')).toContain('mcp-session-id');
  expect(await preflight('content-type')).not.toContain('mcp-session-id');
  const handshake = (extensions: object) =>
    message('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { extensions },
      clientInfo: { name: 'a page', version: '1' },
    });
  const headers = { Origin: 'http://localhost' };
  const shown = await post(server.mcpUrl, handshake(UI), { token, headers });
  expect(shown.headers.get('Mcp-Session-Id')).toMatch(/^pictures-[0-9a-f-]{36}$/);
  expect(shown.headers.get('Access-Control-Expose-Headers')).toContain('Mcp-Session-Id');
  const other = await post(server.mcpUrl, handshake({}), { token, headers });
  expect(other.headers.get('Access-Control-Expose-Headers')).toBe('WWW-Authenticate,Retry-After');
});

it('a call with the business_id in capitals gets its picture', async () => {
  const answered = await post(
    server.mcpUrl,
    message('tools/call', {
      name: 'order_statistics_trend',
      arguments: { ...TREND(), business_id: business_id.toUpperCase() },
    }),
    { token, headers: { 'Mcp-Session-Id': 'pictures-of-somebody-else' } },
  );
  const text = await answered.text();
  expect(text).toContain('"storesight/chart"');
  expect(text).toContain('A shop');
});

describe('another snapshot that is served meanwhile', () => {
  /** Each time that somebody asks, another one is served. */
  function changing() {
    let asked = 0;
    const findServed = async (id: string) => {
      const served = await test.environment.findServed(id);
      asked += 1;
      if (served === null) return null;
      return { ...served, facts: { ...served.facts, orders_until: `2024-0${asked}-20T12:00:00Z` } };
    };
    return { environment: { ...test.environment, findServed }, times: () => asked };
  }

  it('is not what a picture says of an answer', async () => {
    const { environment, times } = changing();
    const changed = await startTestServer(test, { environment });
    const client = await connectV2(changed.mcpUrl, token, { pin: '2026-07-28' }, { extensions: UI });
    const { _meta } = await client.callTool('order_statistics_trend', TREND());
    expect(_meta?.['storesight/chart']).toMatchObject({ data_until: '2024-01-20T12:00:00Z' });
    expect(times()).toBe(1);
    await client.callTool('order_statistics_trend', TREND());
    expect(times()).toBe(2);
    await client.close();
    await changed.stop();
  });

  it('is not mixed into the sales of a store', async () => {
    const { environment, times } = changing();
    const operator = operatorCaller(test.instance.control);
    const [business] = await operator.businesses();
    const told = business && (await salesFigure(environment, operator, business, ENGLISH));
    expect(told?.figure.notes.join()).toContain('20 Jan 2024');
    expect(times()).toBe(1);
  });
});

it('an answer that is made is given though nothing can be said of the store for its picture', async () => {
  const failing = () => Promise.reject(new Error('the control database is away'));
  const told: unknown[] = [];
  const about = await chartAbout(
    { findServed: failing } as unknown as ToolEnvironment,
    { businesses: failing } as unknown as Caller,
    CATALOGUE.find(({ name }) => name === 'order_statistics_trend') as Tool,
    TREND(),
    { warn: (...parts: unknown[]) => told.push(parts) },
  );
  expect(about).toBeNull();
  expect(JSON.stringify(told)).toContain('order_statistics_trend');
});

it('has no anyOf in the schemas of tools with a picture', () => {
  for (const tool of listTools(CATALOGUE.filter(({ chart }) => chart !== undefined))) {
    expect(JSON.stringify(tool)).not.toMatch(/"(anyOf|oneOf|allOf|\$ref)"/);
  }
});
