// What a collector of OpenTelemetry gets of calls, and that it holds up nobody.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../src/server/log.ts';
import { serve } from '../../src/server/serve.ts';
import { readSettings } from '../../src/server/settings.ts';
import { TraceExporter } from '../../src/server/trace-exporter.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { post, replies, toolCall } from './requests.ts';
import { signIn } from './test-server.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

// biome-ignore lint/suspicious/noExplicitAny: a document of OTLP.
type Document = any;

const received: { url: string | undefined; document: Document }[] = [];
let status = 200;
const collector = createServer(async (request, response) => {
  received.push({ url: request.url, document: await json(request) });
  response.writeHead(status).end('{}');
});
let test: TestInstance;
let address: string;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  address = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});

beforeEach(() => {
  received.length = 0;
  status = 200;
});

afterAll(async () => {
  collector.close();
  await test[Symbol.asyncDispose]();
});

const spansOf = ({ document }: { document: Document }) => document.resourceSpans[0].scopeSpans[0].spans;
const silent = createLog({ LOG_LEVEL: 'silent' });

it('a trace has one span for each call, in the trace of the client, without what was asked and by whom', async () => {
  const environment = { PORT: '0', LOG_LEVEL: 'silent', DATA: test.settings.DATA, OTLP_URL: address };
  const settings = readSettings(
    Object.fromEntries(Object.entries(environment).map(([name, value]) => [`STORESIGHT_${name}`, value])),
  );
  const business = await test.createBusiness({ name: 'Secret shop' });
  const { token, account_id, email } = await signIn(test, [business]);
  const server = await serve(test.instance, { settings, log: silent, isBehindProxy: false });
  const call = async (tool: string, args: object, traceparent?: string) => {
    const { params, ...rest } = toolCall(tool, args);
    const traced = { ...rest, params: { ...params, ...(traceparent && { _meta: { traceparent } }) } };
    return (await replies(await post(server.mcpUrl, traced, { token })))[0]?.result;
  };
  await call('list_businesses', {}, `00-${TRACE}-${PARENT}-01`);
  await call('list_businesses', {}, `00-${TRACE}-${PARENT}-00`);
  const refused = await call('order_statistics', { business_id: business.business_id, from_date: 'never' });
  expect(refused?.isError).toBe(true);
  const before = Date.now();
  await server.stop();

  expect(received.map(({ url }) => url)).toEqual(['/v1/traces']);
  const spans = received.flatMap(spansOf);
  expect(spans.map(({ name }) => name)).toEqual([
    'tools/call list_businesses',
    'tools/call order_statistics',
  ]);
  const [first, second] = spans;
  expect(first).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: 2, status: {} });
  expect(first.spanId).toMatch(/^[0-9a-f]{16}$/);
  expect(second.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(second).not.toHaveProperty('parentSpanId');
  for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
    expect(Number(startTimeUnixNano)).toBeLessThanOrEqual(Number(endTimeUnixNano));
    expect(before - Number(endTimeUnixNano) / 1e6).toBeLessThan(60_000);
  }
  expect(second.attributes).toContainEqual({
    key: 'storesight.outcome',
    value: { stringValue: 'invalid arguments' },
  });
  const sent = JSON.stringify(received);
  for (const secret of [business.business_id, 'Secret shop', account_id, email, 'never'])
    expect(sent).not.toContain(secret);
});

it('leaves out what the collector does not take, and goes on', async () => {
  const exporter = new TraceExporter(address, silent);
  const call = { tool: 'list_businesses', outcome: 'timeout', seconds: 1, trace: null } as const;
  status = 500;
  exporter.observeCall(call);
  await exporter.stop();
  status = 200;
  await exporter.stop();
  expect(received).toHaveLength(1);
  for (let count = 0; count < 5000; count += 1) exporter.observeCall(call);
  await exporter.stop();
  const [, last] = received as [Document, Document];
  expect(spansOf(last)).toHaveLength(4096);
  expect(spansOf(last)[0].status).toEqual({ code: 2 });
});

it('nobody waits for a collector that is not there', async () => {
  const exporter = new TraceExporter('http://127.0.0.1:1', silent);
  exporter.observeCall({ tool: 'list_businesses', outcome: 'answered', seconds: 1, trace: null });
  await exporter.stop();
  expect(received).toEqual([]);
});
