import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { forgeToken } from '../server/forged-tokens.ts';
import { message, post } from '../server/requests.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { App } from './app.ts';
import { Person } from './person.ts';

/** How a client that knows nothing but the MCP URL comes to the endpoints, wherever the issuer is. */
const ISSUERS = [
  { name: 'one with the MCP server', baseUrl: undefined, authUrl: undefined },
  { name: 'on another host', baseUrl: 'https://mcp.example.com', authUrl: 'https://auth.example.com' },
  { name: 'with a path', baseUrl: 'https://example.com', authUrl: 'https://example.com/auth' },
];

const NAMES = ['oauth-authorization-server', 'openid-configuration'];

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

describe.each(ISSUERS)('an issuer $name', ({ baseUrl, authUrl }) => {
  let server: TestServer;
  let issuer: string;
  let prefix: string;

  beforeAll(async () => {
    server = await startTestServer(
      test,
      baseUrl === undefined || authUrl === undefined ? {} : { baseUrl, authUrl },
    );
    issuer = authUrl ?? server.listeningUrl;
    prefix = new URL(issuer).pathname.replace(/\/$/, '');
  });

  afterAll(() => server.stop());
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  /** What the internet does with requests to the server's names: they come to where it listens. */
  function stubNames(): void {
    const real = fetch;
    const names = [baseUrl, authUrl].filter((url) => url !== undefined).map((url) => new URL(url).origin);
    vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) => {
      const { origin, pathname, search } = new URL(input);
      return real(names.includes(origin) ? `${server.listeningUrl}${pathname}${search}` : input, init);
    });
  }

  it('the protected resource says where it is, at both URLs', async () => {
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
    ]) {
      const response = await fetch(`${server.listeningUrl}${path}`, {
        headers: { Origin: 'https://x.example' },
      });
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(await response.json()).toEqual({
        resource: `${baseUrl ?? server.listeningUrl}/mcp`,
        authorization_servers: [issuer],
        scopes_supported: ['mcp'],
        bearer_methods_supported: ['header'],
        resource_name: 'Storesight',
      });
    }
  });

  it('the authorization server has one document, at each URL where a client looks for it', async () => {
    for (const name of NAMES) {
      const paths = [
        `/.well-known/${name}`,
        `/.well-known/${name}${prefix}`,
        `${prefix}/.well-known/${name}`,
      ];
      for (const path of paths) {
        const response = await fetch(`${server.listeningUrl}${path}`);
        expect(response.status, path).toBe(200);
        expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
        expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
        expect(await response.json()).toMatchObject({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          registration_endpoint: `${issuer}/register`,
          revocation_endpoint: `${issuer}/revoke`,
          introspection_endpoint: `${issuer}/introspect`,
          jwks_uri: `${issuer}/jwks`,
          scopes_supported: ['mcp', 'offline_access'],
          response_types_supported: ['code'],
          response_modes_supported: ['query'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: expect.arrayContaining(['none', 'private_key_jwt']),
          authorization_response_iss_parameter_supported: true,
          client_id_metadata_document_supported: true,
        });
      }
    }
  });

  it('makes no URL of an answer out of the host that a request names', async () => {
    const { client_id } = await App.register(`${server.listeningUrl}${prefix}`);
    const { url } = new App(issuer, client_id, 'http://127.0.0.1:3333/callback').authorize();
    const paths = [
      ...NAMES.map((name) => `${prefix}/.well-known/${name}`),
      '/.well-known/oauth-protected-resource/mcp',
      '/',
      `${prefix}/connections`,
      `${prefix}/connect`,
      `${prefix}/sign-in?return_to=//evil.example/`,
      `${url.pathname}${url.search}`,
      `${prefix}/authorize?client_id=nobody`,
      '/nothing',
    ];
    for (const path of paths) {
      for (const target of [path, `http://evil.example${path}`]) {
        const answer = await rawRequest(server.listeningUrl, target, {
          Host: 'evil.example',
          'X-Forwarded-Host': 'evil.example',
          'X-Forwarded-Proto': 'gopher',
          'X-Forwarded-Port': '666',
          'X-Forwarded-Prefix': '/evil.example',
          Forwarded: 'host=evil.example;proto=gopher',
          Accept: 'text/html, application/json',
        });
        expect(answer.status, path).toBeLessThan(500);
        expect(answer.all).not.toMatch(/evil\.example|gopher|666\b/);
      }
    }
  });

  it('a person signs in, an app gets tokens and calls, and all of it stays below the issuer', async () => {
    stubNames();
    const person = await Person.join(test.instance.control);
    const { client_id } = await App.register(issuer);
    const app = new App(issuer, client_id, 'http://127.0.0.1:3333/callback');
    const authorization = app.authorize();

    const first = await person.browser.get(authorization.url);
    const cookies = first.headers.getSetCookie();
    const isSecure = issuer.startsWith('https:');
    expect(cookies.length).toBeGreaterThanOrEqual(4);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; httponly/i);
      expect(cookie).toMatch(/; samesite=lax/i);
      expect(/; secure/i.test(cookie)).toBe(isSecure);
      expect(/^__(Host|Secure)-/.test(cookie)).toBe(isSecure);
      expect(cookie).not.toMatch(/; domain=/i);
      expect(cookie).toMatch(new RegExp(`; path=${prefix}/(consent|authorize)/`));
    }

    const consent = await person.open(authorization.url);
    expect(consent.url.href).toMatch(new RegExp(`^${issuer}/consent/[\\w-]+$`));
    const session = isSecure ? '__Host-storesight_session' : 'storesight_session';
    expect(person.browser.cookie(issuer, session)).toBeDefined();
    const allowed = await person.browser.post(consent.url, { decision: 'allow', businesses: 'all' });
    expect(allowed.location?.href).toMatch(new RegExp(`^${issuer}/authorize/`));
    const returned = (await person.browser.follow(allowed, ({ port }) => port === '3333')).location;
    expect(returned?.searchParams.get('iss')).toBe(issuer);

    const tokens = await app.redeem(returned as URL, authorization);
    expect(tokens.status).toBe(200);
    const call = (token?: string) => post(`${server.listeningUrl}/mcp`, message('tools/list'), { token });
    expect((await call(tokens.access_token)).status).toBe(200);
    expect((await app.refresh(tokens.refresh_token)).status).toBe(200);
    expect((await app.post('/revoke', { token: tokens.refresh_token ?? '' })).status).toBe(200);
    expect((await call(tokens.access_token)).status).toBe(401);
  });
});

describe('a page of any origin', () => {
  const ORIGIN = 'https://inspector.example';
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer(test, { allowedOrigins: ['inspector.example'] });
  });

  afterAll(() => server.stop());

  it.each([
    ...NAMES.map((name) => ['GET', `/.well-known/${name}`]),
    ['GET', '/.well-known/oauth-protected-resource'],
    ['GET', '/.well-known/oauth-protected-resource/mcp'],
    ['GET', '/jwks'],
    ['POST', '/register'],
    ['POST', '/token'],
    ['POST', '/revoke'],
    ['POST', '/introspect'],
    ['POST', '/mcp'],
  ])('may ask %s %s', async (method = '', path = '') => {
    const asked = 'authorization,content-type,mcp-protocol-version';
    const response = await fetch(`${server.baseUrl}${path}`, {
      method: 'OPTIONS',
      headers: {
        Origin: ORIGIN,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': asked,
      },
    });
    expect(response.status).toBe(204);
    expect(['*', ORIGIN]).toContain(response.headers.get('Access-Control-Allow-Origin'));
    expect(response.headers.get('Access-Control-Allow-Methods')).toContain(method);
    const allowed = response.headers.get('Access-Control-Allow-Headers')?.toLowerCase().split(/, ?/);
    expect(allowed).toEqual(expect.arrayContaining(asked.split(',')));
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull();
  });

  it('can read what was wrong', async () => {
    const form = {
      method: 'POST',
      headers: { Origin: ORIGIN },
      body: new URLSearchParams({ client_id: 'x' }),
    };
    const expectReadable = (response: Response, status: number) => {
      expect(response.status).toBe(status);
      expect(['*', ORIGIN]).toContain(response.headers.get('Access-Control-Allow-Origin'));
    };
    for (const path of ['/token', '/revoke', '/introspect']) {
      expectReadable(await fetch(`${server.baseUrl}${path}`, form), 401);
    }
    const registers = (body: string) =>
      fetch(`${server.baseUrl}/register`, { method: 'POST', headers: { Origin: ORIGIN }, body });
    expectReadable(await registers('{}'), 400);
    expectReadable(await registers('no JSON'), 400);
    expectReadable(await registers(`"${'x'.repeat(40_000)}"`), 413);
    expectReadable(
      await fetch(`${server.baseUrl}/register`, {
        method: 'POST',
        headers: { Origin: ORIGIN, 'Content-Type': 'application/json' },
        body: JSON.stringify({ redirect_uris: ['https://app.example/'] }),
      }),
      201,
    );
    const refused = await post(server.mcpUrl, message('tools/list'), { headers: { Origin: ORIGIN } });
    expectReadable(refused, 401);
    expect(refused.headers.get('Access-Control-Expose-Headers')).toContain('WWW-Authenticate');
  });

  it('can read that it must wait, and how long', async () => {
    const limits = { authorize: 10, token: 10, register: 1, registerInAll: 10 };
    const limited = await startTestServer(test, { allowedOrigins: ['inspector.example'], limits });
    const registers = () =>
      fetch(`${limited.baseUrl}/register`, { method: 'POST', headers: { Origin: ORIGIN }, body: '{}' });
    expect((await registers()).status).toBe(400);
    const last = await registers();
    await limited.stop();
    expect(last.status).toBe(429);
    expect(['*', ORIGIN]).toContain(last.headers.get('Access-Control-Allow-Origin'));
    expect(Number(last.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(last.headers.get('Access-Control-Expose-Headers')).toContain('Retry-After');
  });

  it('cannot ask for the pages of a person', async () => {
    for (const path of ['/authorize', '/sign-in', '/connections', '/consent/x']) {
      const response = await fetch(`${server.baseUrl}${path}`, {
        headers: { Origin: ORIGIN },
        redirect: 'manual',
      });
      expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
    }
  });
});

it('HEAD finds the documents, and begins nothing elsewhere', async () => {
  const server = await startTestServer(test);
  const { url } = (await App.register(server.baseUrl)).authorize();
  const head = (path: string | URL) =>
    fetch(new URL(path, server.baseUrl), { method: 'HEAD', redirect: 'manual' });
  for (const name of NAMES) expect((await head(`/.well-known/${name}`)).status).toBe(200);
  expect((await head('/jwks')).status).toBe(200);
  const response = await head(url);
  expect(response.status).toBe(405);
  expect(response.headers.getSetCookie()).toEqual([]);
  await server.stop();
});

it('a client without a token is told where to get one, and a client with too little what is missing', async () => {
  const server = await startTestServer(test);
  const metadata = `${server.baseUrl}/.well-known/oauth-protected-resource/mcp`;
  const challenge = async (token?: string) => {
    const response = await post(server.mcpUrl, message('tools/list'), { token });
    return [response.status, response.headers.get('WWW-Authenticate')];
  };
  const described = 'error_description="[^"]+"';
  const where = `scope="mcp", resource_metadata="${metadata}"`;
  expect(await challenge()).toEqual([
    401,
    expect.stringMatching(new RegExp(`^Bearer error="invalid_token", ${described}, ${where}$`)),
  ]);
  const person = await Person.join(test.instance.control);
  const token = await forgeToken(test.instance, person.account_id, { claims: { scope: 'offline_access' } });
  expect(await challenge(token)).toEqual([
    403,
    expect.stringMatching(new RegExp(`^Bearer error="insufficient_scope", ${described}, ${where}$`)),
  ]);
  await server.stop();
});

/** As `fetch` never would: with any Host, and any target of the request. */
async function rawRequest(url: string, path: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request({ hostname, port, path, headers, agent: false }, resolve).once('error', reject).end();
  const answer = await promise;
  return {
    status: answer.statusCode ?? 0,
    all: `${answer.rawHeaders.join('\n')}\n${await text(answer)}`,
  };
}
