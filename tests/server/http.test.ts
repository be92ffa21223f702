import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { message, post, postModern, replies, toolCall } from './requests.ts';
import { signIn, startTestServer, type TestServer } from './test-server.ts';

let test: TestInstance;
let server: TestServer;
let token: string;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test, { allowedOrigins: ['app.example.com'], maxRequestBytes: 10_000 });
  ({ token } = await signIn(test, []));
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const LISTS = message('tools/list');

function url(path: string): string {
  return new URL(path, server.mcpUrl).href;
}

describe('the metadata of the protected resource', () => {
  it.each(['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])(
    'stands at %s for any web page',
    async (path) => {
      const response = await fetch(url(path), { headers: { Origin: 'https://anywhere.example' } });
      expect(response.status).toBe(200);
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(await response.json()).toEqual({
        resource: server.mcpUrl,
        authorization_servers: [new URL(server.mcpUrl).origin],
        scopes_supported: ['mcp'],
        bearer_methods_supported: ['header'],
        resource_name: 'Storesight',
      });
      const preflight = await fetch(url(path), {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://anywhere.example',
          'Access-Control-Request-Headers': 'mcp-protocol-version',
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe('mcp-protocol-version');
    },
  );

  it('names the configured URLs, whatever Host the request has', async () => {
    await using other = await createTestInstance();
    const configured = await startTestServer(other, {
      baseUrl: 'https://analytics.example.com',
      authUrl: 'https://login.example.com',
    });
    const port = new URL(configured.mcpUrl).port;
    const metadata = await send(port, {
      method: 'GET',
      path: '/.well-known/oauth-protected-resource/mcp',
      headers: { Host: 'evil.example' },
    });
    expect(JSON.parse(metadata.body)).toMatchObject({
      resource: 'https://analytics.example.com/mcp',
      authorization_servers: ['https://login.example.com'],
    });
    const refused = await send(port, { headers: { Host: 'analytics.example.com' } });
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain(
      'resource_metadata="https://analytics.example.com/.well-known/oauth-protected-resource/mcp"',
    );
    await configured.stop();
  });
});

/** A request whose Host header is ours to choose, as `fetch` would not let us. */
async function send(
  port: string,
  options: { method?: string; path?: string; headers: Record<string, string> },
): Promise<{ status: number | undefined; headers: Record<string, unknown>; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof send>>>();
  request({ host: '127.0.0.1', port, method: 'POST', path: '/mcp', ...options }, async (response) => {
    resolve({ status: response.statusCode, headers: response.headers, body: await text(response) });
  })
    .on('error', reject)
    .end();
  return promise;
}

describe('the Host header', () => {
  const port = () => new URL(server.mcpUrl).port;

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:8787', '127.0.0.2'])(
    '%s is refused before the token is looked at',
    async (Host) => {
      const { status, headers } = await send(port(), { headers: { Host, Authorization: `Bearer ${token}` } });
      expect(status).toBe(403);
      expect(headers['www-authenticate']).toBeUndefined();
    },
  );

  it.each(['host.docker.internal', 'host.docker.internal:8787', 'storesight'])(
    '%s is told which setting takes it, and taken with that setting',
    async (Host) => {
      const refused = await send(port(), { headers: { Host } });
      expect(refused.status).toBe(403);
      const { message: told } = JSON.parse(refused.body).error;
      expect(told).toContain(Host.replace(/:.*/, ''));
      expect(told).toContain('STORESIGHT_ALLOWED_HOSTS');
      await using other = await createTestInstance();
      const open = await startTestServer(other, { allowedHosts: ['host.docker.internal', 'storesight'] });
      const at = new URL(open.mcpUrl).port;
      expect((await send(at, { headers: { Host } })).status).toBe(401);
      // A page there may call no more than before: names of other machines are no names of pages.
      const Origin = `http://${Host}`;
      expect((await send(at, { headers: { Host, Origin } })).status).toBe(403);
      expect((await send(at, { headers: { Host: 'evil.example' } })).status).toBe(403);
      await open.stop();
    },
  );

  it('is refused when it is none', async () => {
    expect((await send(port(), { headers: { Host: 'evil.example@127.0.0.1' } })).status).toBe(400);
  });

  it.each(['localhost', '127.0.0.1:8787', '[::1]:1'])('%s is this machine', async (Host) => {
    expect((await send(port(), { headers: { Host } })).status).toBe(401);
  });
});

describe('the Origin header', () => {
  it.each([
    'https://evil.example',
    'https://app.example.com.evil.example',
    'https://evil.example/app.example.com',
    'null',
    'file://',
    'chrome-extension://abcdef',
  ])('%s is refused', async (Origin) => {
    const response = await post(server.mcpUrl, LISTS, { token, headers: { Origin } });
    expect(response.status).toBe(403);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
    expect(await response.text()).toContain('STORESIGHT_ALLOWED_ORIGINS');
  });

  it.each(['https://app.example.com', 'http://localhost:6274'])(
    '%s is allowed, and may read the answer',
    async (Origin) => {
      const response = await post(server.mcpUrl, LISTS, { token, headers: { Origin } });
      expect(response.status).toBe(200);
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe(Origin);
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull();
      expect(response.headers.get('Vary')).toContain('Origin');
      await response.text();
    },
  );

  it('may read how to sign in, and how long to wait', async () => {
    const response = await post(server.mcpUrl, LISTS, { headers: { Origin: 'https://app.example.com' } });
    expect(response.status).toBe(401);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example.com');
    expect(response.headers.get('Access-Control-Expose-Headers')).toMatch(/WWW-Authenticate.*Retry-After/);
  });

  it('is asked for by browsers without a token', async () => {
    const preflight = (Origin: string) =>
      fetch(server.mcpUrl, {
        method: 'OPTIONS',
        headers: { Origin, 'Access-Control-Request-Method': 'POST' },
      });
    const allowed = await preflight('https://app.example.com');
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example.com');
    expect(allowed.headers.get('Access-Control-Allow-Methods')).toBe('POST');
    expect(allowed.headers.get('Access-Control-Allow-Headers')?.toLowerCase().split(',')).toEqual([
      'authorization',
      'content-type',
      'accept',
      'mcp-protocol-version',
      'mcp-method',
      'mcp-name',
    ]);
    expect((await preflight('https://evil.example')).status).toBe(403);
  });
});

describe('a request', () => {
  it.each(['GET', 'DELETE', 'PUT'])('is refused after authentication when it comes by %s', async (method) => {
    const headers = { Accept: 'text/event-stream' };
    expect((await fetch(server.mcpUrl, { method, headers })).status).toBe(401);
    const authenticated = { ...headers, Authorization: `Bearer ${token}` };
    const response = await fetch(server.mcpUrl, { method, headers: authenticated });
    expect(response.status).toBe(405);
    expect(response.headers.get('Allow')).toBe('POST');
  });

  it('whose UTF-8 is damaged is refused, and not read with another character', async () => {
    const [head = '', tail = ''] = JSON.stringify(toolCall('list_businesses', { x: '|' })).split('|');
    const body = Buffer.concat([Buffer.from(head), Buffer.from([0xc3]), Buffer.from(tail)]);
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const response = await fetch(server.mcpUrl, { method: 'POST', headers, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32700 } });
  });

  it('that is too large is refused, whether it says its length or not', async () => {
    const body = JSON.stringify(toolCall('list_businesses', { padding: 'x'.repeat(20_000) }));
    expect((await post(server.mcpUrl, body, { token })).status).toBe(413);
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Transfer-Encoding': 'chunked',
    };
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    request(server.mcpUrl, { method: 'POST', headers }, (response) => resolve(response.statusCode))
      .on('error', reject)
      .end(body);
    expect(await promise).toBe(413);
  });

  it('that is too large but without a token is refused for the token', async () => {
    expect((await post(server.mcpUrl, 'x'.repeat(20_000))).status).toBe(401);
  });

  it.each([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['half a JSON', '{"jsonrpc":"2.0"'],
    ['a text', '"hello"'],
    ['null', 'null'],
    ['an empty list', '[]'],
    ['no JSON-RPC', '{"hello":1}'],
    ['deeply nested', `${'['.repeat(4000)}${']'.repeat(4000)}`],
  ])('that is %s is a client error', async (_name, body) => {
    const response = await post(server.mcpUrl, body, { token });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
  });

  it('that is not called JSON is refused', async () => {
    const response = await post(server.mcpUrl, LISTS, { token, headers: { 'Content-Type': 'text/plain' } });
    expect(response.status).toBe(415);
  });

  it('is answered with arguments of 80 lists within each other, and refused by its id with 4000', async () => {
    const ask = async (depth: number) => {
      const nested = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_businesses","arguments":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}}`;
      return (await replies(await post(server.mcpUrl, nested, { token })))[0];
    };
    expect((await ask(80))?.result?.structuredContent?.notes).toEqual([
      expect.stringContaining('Ignored: "a"'),
    ]);
    expect(await ask(4000)).toMatchObject({ id: 1, error: { code: -32600 } });
  });

  it('is answered as any other when arguments are named like the parts of an object', async () => {
    const sent = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_businesses","arguments":{"constructor":1}}}`;
    const [reply] = await replies(await post(server.mcpUrl, sent, { token }));
    expect(reply?.result?.structuredContent?.notes).toEqual([
      expect.stringContaining('Ignored: "constructor"'),
    ]);
  });

  it('finds no tool that is named like a part of an object', async () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      const [reply] = await replies(await post(server.mcpUrl, toolCall(name, {}), { token }));
      expect(reply?.error).toMatchObject({ code: -32602, message: `Unknown tool: ${name}` });
    }
  });

  it('gets a short answer for a tool with an endless name', async () => {
    const [reply] = await replies(await post(server.mcpUrl, toolCall('x'.repeat(9000), {}), { token }));
    expect(reply?.error?.message.length).toBeLessThan(1100);
  });

  it('whose header and body name different methods is refused', async () => {
    const headers = { 'Mcp-Method': 'tools/call' };
    const response = await postModern(server.mcpUrl, LISTS, { token, headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32020 } });
  });

  it('is refused when its method is unknown', async () => {
    const response = await postModern(server.mcpUrl, message('tools/delete'), { token });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: -32601 } });
  });
});

it('says how it is', async () => {
  const response = await fetch(url('/healthz'));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: 'ok' });
});

it.each(['/', '/mcp//', '/MCP', '/mcp/x', '/admin', '/..%2fcontrol.sqlite', '/.env'])(
  'has nothing at %s',
  async (path) => {
    const response = await fetch(url(path), {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: expect.stringContaining(server.mcpUrl) });
  },
);

it('forbids browsers to guess types, in every answer', async () => {
  const responses = await Promise.all([
    fetch(url('/healthz')),
    fetch(url('/nothing')),
    fetch(url('/.well-known/oauth-protected-resource')),
    post(server.mcpUrl, LISTS),
    post(server.mcpUrl, LISTS, { token }),
    post(server.mcpUrl, 'no JSON', { token }),
    post(server.mcpUrl, LISTS, { token, headers: { Origin: 'https://evil.example' } }),
    postModern(server.mcpUrl, LISTS, { token }),
  ]);
  for (const response of responses) expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
});
