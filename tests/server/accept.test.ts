import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { message, type PostOptions, post, postModern, replies, toolCall } from './requests.ts';
import { signIn, startTestServer, type TestServer } from './test-server.ts';

/** What is answered to which `Accept` (RFC 9110, 12.5.1), in both kinds of revisions. */
let test: TestInstance;
let server: TestServer;
let token: string;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  ({ token } = await signIn(test, []));
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const JSON_TYPE = 'application/json';
const STREAM = 'text/event-stream';

/** The header, and the type of the answer; null when neither is taken. */
const ACCEPTED: readonly (readonly [string, string | null])[] = [
  ['application/json, text/event-stream', JSON_TYPE],
  ['text/event-stream, application/json', JSON_TYPE],
  ['*/*', JSON_TYPE],
  ['', JSON_TYPE],
  [' , ', JSON_TYPE],
  ['application/*, text/*', JSON_TYPE],
  ['application/json', JSON_TYPE],
  ['APPLICATION/JSON;charset=utf-8', JSON_TYPE],
  ['application/*', JSON_TYPE],
  ['text/html, */*;q=0.8', JSON_TYPE],
  ['text/event-stream;q=0, */*', JSON_TYPE],
  ['application/json;q=0.2, text/event-stream;q=0', JSON_TYPE],
  ['text/event-stream', STREAM],
  ['text/*', STREAM],
  ['application/json;q=0, */*', STREAM],
  ['application/json;q=0.1, text/event-stream', STREAM],
  ['application/json; q=0.000, text/event-stream; q=0.001', STREAM],
  ['application/*;q=0.3, text/event-stream;q=0.9', STREAM],
  ['text/html', null],
  ['application/xml, image/*', null],
  ['*/*;q=0', null],
  ['application/json;q=0', null],
];

const SENT: readonly (readonly [string, typeof post])[] = [
  ['an older revision', post],
  [
    'the newest revision',
    (url, sent, options) => postModern(url, sent as ReturnType<typeof message>, options),
  ],
];

describe.each(SENT)('the header Accept of %s', (_revision, send) => {
  it.each(ACCEPTED)('“%s” is answered as %s', async (Accept, type) => {
    const response = await send(server.mcpUrl, message('tools/list'), { token, headers: { Accept } });
    if (type === null) {
      expect(response.status).toBe(406);
      const { error } = (await response.json()) as { error: { message: string } };
      expect(error.message).toMatch(/application\/json.*text\/event-stream/);
      return;
    }
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toMatch(new RegExp(`^${type}(;|$)`));
    const [reply] = await replies(response);
    expect(reply?.result?.tools.length).toBeGreaterThan(10);
  });

  it('no header at all is answered as JSON', async () => {
    const headers: Record<string, string> = { 'Content-Type': JSON_TYPE, Authorization: `Bearer ${token}` };
    const sent = message('ping');
    const { status, type } = await withoutAccept(server.mcpUrl, headers, JSON.stringify(sent));
    expect({ status, type }).toEqual({ status: 200, type: JSON_TYPE });
  });
});

/** `fetch` always sends one. */
async function withoutAccept(url: string, headers: Record<string, string>, body: string) {
  const { request } = await import('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<{
    status?: number | undefined;
    type?: string | undefined;
  }>();
  request(url, { method: 'POST', headers }, (response) => {
    resolve({ status: response.statusCode, type: response.headers['content-type'] });
    response.resume();
  })
    .on('error', reject)
    .end(body);
  return promise;
}

describe.each([JSON_TYPE, STREAM])('an answer as %s', (Accept) => {
  const options = (): PostOptions => ({ token, headers: { Accept } });

  it('a batch is answered whole', async () => {
    const sent = [message('ping', {}, 1), toolCall('list_businesses', {}), message('ping', {}, 3)];
    const response = await post(
      server.mcpUrl,
      JSON.stringify(sent.map((one, index) => ({ ...one, id: index }))),
      options(),
    );
    expect(response.status).toBe(200);
    const answered = await replies(response);
    expect(answered.map(({ id }) => id).sort()).toEqual([0, 1, 2]);
  });

  it('a notification is taken without an answer', async () => {
    const sent = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const response = await post(server.mcpUrl, sent, options());
    expect(response.status).toBe(202);
    expect(await response.text()).toBe('');
  });

  it('an error is told', async () => {
    const [reply] = await replies(await post(server.mcpUrl, toolCall('no_such_tool', {}), options()));
    expect(reply?.error).toMatchObject({ code: -32602 });
  });
});

it.each([
  ['application/json, text/event-stream', STREAM],
  ['application/json', JSON_TYPE],
])('a client that asks an older revision for progress, and accepts “%s”, gets %s', async (Accept, type) => {
  const sent = message('tools/list', { _meta: { progressToken: 1 } });
  const response = await post(server.mcpUrl, sent, { token, headers: { Accept } });
  expect(response.headers.get('Content-Type')).toContain(type);
  expect((await replies(response))[0]?.result?.tools.length).toBeGreaterThan(10);
});

describe('other methods', () => {
  it.each([
    ['GET', /no stream.*POST/],
    ['DELETE', /no session.*POST/],
    ['PUT', /POST/],
  ])('%s is told what to do instead', async (method, told) => {
    for (const Accept of ['text/event-stream', '*/*', 'application/json']) {
      const response = await fetch(server.mcpUrl, {
        method,
        headers: { Accept, Authorization: `Bearer ${token}` },
      });
      expect(response.status).toBe(405);
      expect(response.headers.get('Allow')).toBe('POST');
      const { error } = (await response.json()) as { error: { message: string } };
      expect(error.message).toMatch(told);
    }
  });
});
