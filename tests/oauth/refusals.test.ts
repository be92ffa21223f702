import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { App, type Authorization, register, type TokenAnswer } from './app.ts';
import { Person } from './person.ts';

/** What the endpoints refuse, and that they say so in the words of OAuth: never by an error of their own. */
let test: TestInstance;
let server: TestServer;
let person: Person;
let app: App;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  person = await Person.join(test.instance.control);
  app = await App.register(server.baseUrl);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

async function connected(changes: Record<string, string | null> = {}): Promise<TokenAnswer> {
  const authorization = app.authorize(changes);
  return app.redeem(await person.allow(authorization.url), authorization);
}

async function allowed(by = app): Promise<{ authorization: Authorization; returned: URL }> {
  const authorization = by.authorize();
  return { authorization, returned: await person.allow(authorization.url) };
}

/** Where /authorize sends the browser, or the page that it answers with. */
async function visit(url: URL): Promise<{ status: number; location: URL | null; page: string }> {
  const response = await fetch(url, { redirect: 'manual' });
  const location = response.headers.get('Location');
  return {
    status: response.status,
    location: location === null ? null : new URL(location, url),
    page: await response.text(),
  };
}

describe('an app that somebody connected is sent back with the error when it asks', () => {
  beforeAll(() => connected());

  it.each<[string, Record<string, string | null>, string]>([
    ['without a challenge', { code_challenge: null }, 'invalid_request'],
    ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with a challenge of no method', { code_challenge_method: null }, 'invalid_request'],
    ['with a challenge that is too short', { code_challenge: 'x'.repeat(42) }, 'invalid_request'],
    ['for a token', { response_type: 'token' }, 'unsupported_response_type'],
    ['for an id token', { response_type: 'id_token', nonce: 'x' }, 'unsupported_response_type'],
    ['for a code and a token', { response_type: 'code token' }, 'unsupported_response_type'],
    ['for nothing', { response_type: null }, 'invalid_request'],
    ['for an answer in a form', { response_mode: 'form_post' }, 'unsupported_response_mode'],
    ['for an answer in the fragment', { response_mode: 'fragment' }, 'unsupported_response_mode'],
    ['for an answer in a message', { response_mode: 'web_message' }, 'unsupported_response_mode'],
    ['for another server', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['for another page', { resource: 'PAGE' }, 'invalid_target'],
    ['for what is no URL', { resource: 'mcp' }, 'invalid_target'],
    ['without asking the person', { prompt: 'none' }, 'login_required'],
    ['with a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['with a request elsewhere', { request_uri: 'https://app.example/r' }, 'request_uri_not_supported'],
    ['with a registration', { registration: '{}' }, 'registration_not_supported'],
  ])('%s', async (_what, changes, error) => {
    const resource = changes.resource === 'PAGE' ? { resource: `${server.baseUrl}/sign-in` } : {};
    const { status, location } = await visit(app.authorize({ ...changes, ...resource }).url);
    expect(status).toBe(303);
    const answer = new URLSearchParams(location?.search || location?.hash.slice(1));
    expect(Object.fromEntries(answer)).toMatchObject({ error, state: 'the state', iss: server.baseUrl });
    expect(answer.has('code')).toBe(false);
  });

  it.each([
    'scope',
    'state',
    'response_type',
    'code_challenge',
    'code_challenge_method',
    'response_mode',
    'prompt',
  ])('a request with %s twice is refused', async (name) => {
    const { url } = app.authorize({ response_mode: 'query', prompt: 'consent' });
    url.searchParams.append(name, url.searchParams.get(name) ?? '');
    const { status, location } = await visit(url);
    expect(status).toBe(303);
    expect(location?.searchParams.get('error')).toBe('invalid_request');
  });
});

describe('a person is shown an error, and sent nowhere, when an app asks', () => {
  it.each<[string, Record<string, string | null>]>([
    ['unknown', { client_id: 'nobody' }],
    ['without a name', { client_id: null }],
    ['with an empty name', { client_id: '' }],
    ['with NUL in its name', { client_id: 'a\0b' }],
    ['with half a character in its name', { client_id: '\ud800' }],
    ['with a very long name', { client_id: 'x'.repeat(8000) }],
    ['with a name of JavaScript', { client_id: '__proto__' }],
    ['to be sent elsewhere', { redirect_uri: 'https://evil.example/' }],
    ['to be sent elsewhere, with NUL', { redirect_uri: 'http://127.0.0.1:3333/callback\0' }],
    ['with a script', { client_id: '<script>alert(1)</script>', state: '"><script>alert(1)</script>' }],
  ])('%s', async (_what, changes) => {
    const { status, location, page } = await visit(app.authorize(changes).url);
    expect({ status, location }).toEqual({ status: 400, location: null });
    expect(page).toContain('<!doctype html>');
    expect(page).toContain('Go back to the app');
    expect(page).not.toContain('<script');
  });

  it.each(['client_id', 'redirect_uri'])('a request with %s twice is refused', async (name) => {
    const { url } = app.authorize();
    url.searchParams.append(name, 'https://evil.example/');
    expect(await visit(url)).toMatchObject({ status: 400, location: null });
  });

  it('and the page is as safe as the others', async () => {
    const response = await fetch(app.authorize({ client_id: 'nobody' }).url);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });
});

describe('a token is for this server alone', () => {
  it('whatever way its name is written that means it', async () => {
    for (const resource of [server.mcpUrl, `${server.mcpUrl}/`]) {
      const authorization = app.authorize({ resource });
      const returned = await person.allow(authorization.url);
      const tokens = await app.redeem(returned, authorization, { resource });
      expect(tokens).toMatchObject({ status: 200, scope: 'mcp' });
      expect(await app.token(refreshing(tokens, { resource }))).toMatchObject({ status: 200 });
    }
  });

  it('and not for another, when the code is redeemed or the token refreshed', async () => {
    const { authorization, returned } = await allowed();
    const elsewhere = { resource: 'https://other.example/mcp' };
    const refused = { status: 400, error: 'invalid_target' };
    expect(await app.redeem(returned, authorization, elsewhere)).toMatchObject(refused);
    const tokens = await connected();
    expect(await app.token(refreshing(tokens, elsewhere))).toMatchObject(refused);
  });

  it('and not for two', async () => {
    const { url } = app.authorize({ resource: server.mcpUrl });
    url.searchParams.append('resource', 'https://other.example/');
    const { location } = await visit(url);
    expect(location?.searchParams.get('error')).toBe('invalid_target');
  });

  function refreshing({ refresh_token = '' }: TokenAnswer, changes: Record<string, string>) {
    return { grant_type: 'refresh_token', refresh_token, ...changes };
  }

  it('a refreshed token may do no more than was allowed, whatever scopes a client names', async () => {
    let tokens = await connected({ scope: 'mcp' });
    for (const scope of ['mcp offline_access', 'mcp admin', 'admin', 'mcp']) {
      tokens = await app.token(refreshing(tokens, { scope }));
      expect(tokens).toMatchObject({ status: 200, scope: 'mcp' });
    }
  });
});

describe('the token endpoint refuses', () => {
  const send = (body: string, headers: Record<string, string> = {}, path = '/token') =>
    fetch(`${server.baseUrl}${path}`, { method: 'POST', body, headers });
  const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

  it.each<[string, Record<string, string>]>([
    ['a password', { grant_type: 'password', username: 'x', password: 'x' }],
    ['a client by itself', { grant_type: 'client_credentials' }],
    ['an implicit grant', { grant_type: 'implicit' }],
    ['a device', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' }],
    ['a foreign assertion', { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'x' }],
    ['an exchange', { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', subject_token: 'x' }],
    ['no grant', {}],
    ['a grant of JavaScript', { grant_type: '__proto__' }],
  ])('%s', async (_what, fields) => {
    const { status, error } = await app.token(fields);
    expect({ status, error }).toEqual({
      status: 400,
      error: 'grant_type' in fields ? 'unsupported_grant_type' : 'invalid_request',
    });
  });

  it.each([
    ['code', 'authorization_code'],
    ['refresh_token', 'refresh_token'],
  ])('NUL and nonsense for %s', async (name, grant_type) => {
    for (const value of ['\0', 'a\0b', '\ud800', '__proto__', 'x'.repeat(20_000), '', '../../x']) {
      const fields = {
        grant_type,
        [name]: value,
        redirect_uri: app.redirect_uri,
        code_verifier: 'x'.repeat(43),
      };
      const { status, error } = await app.token(fields);
      expect(status).toBe(400);
      expect(['invalid_grant', 'invalid_request']).toContain(error);
    }
  });

  it.each(['/token', '/revoke', '/introspect'])(
    'a request to %s that is no form, or too large, or given twice',
    async (path) => {
      const fields = `client_id=${app.client_id}&grant_type=refresh_token&refresh_token=x&token=x`;
      const bad = [
        send('{}', { 'Content-Type': 'application/json' }, path),
        send(fields, { 'Content-Type': 'text/plain' }, path),
        send(fields, { 'Content-Type': 'multipart/form-data; boundary=x' }, path),
        send('', FORM, path),
        send(`${fields}&client_id=${app.client_id}`, FORM, path),
        send(`${fields}&token=x&refresh_token=x`, FORM, path),
        send(`${fields}&x=${'x'.repeat(100_000)}`, FORM, path),
        send(`client_id=a%00b&token=x&grant_type=refresh_token`, FORM, path),
        send(`client_id=__proto__&token=x&grant_type=refresh_token`, FORM, path),
        send(`client_id=%ED%A0%80&token=x&grant_type=refresh_token`, FORM, path),
      ];
      for (const answer of await Promise.all(bad)) {
        expect([400, 401]).toContain(answer.status);
        expect(await answer.json()).toMatchObject({
          error: expect.stringMatching(/^invalid_(request|client)$/),
        });
      }
    },
  );

  it('methods that are not its own', async () => {
    for (const path of ['/token', '/register', '/revoke', '/introspect']) {
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD']) {
        const { status } = await fetch(`${server.baseUrl}${path}`, { method });
        expect([404, 405]).toContain(status);
      }
    }
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, headers } = await fetch(app.authorize().url, { method, redirect: 'manual' });
      expect([404, 405]).toContain(status);
      expect(headers.getSetCookie()).toEqual([]);
    }
  });

  it('a code in the URL', async () => {
    const { authorization, returned } = await allowed();
    const fields = {
      client_id: app.client_id,
      grant_type: 'authorization_code',
      code: returned.searchParams.get('code') ?? '',
      redirect_uri: app.redirect_uri,
      code_verifier: authorization.verifier,
    };
    expect((await send('', FORM, `/token?${new URLSearchParams(fields)}`)).status).toBe(400);
    expect(await app.redeem(returned, authorization)).toMatchObject({ status: 200 });
  });
});

describe('a client with a secret', () => {
  const METHODS = ['client_secret_post', 'client_secret_basic'];
  const ASKED = { grant_type: 'refresh_token', refresh_token: 'x' };
  const REFUSED = { status: 401, error: 'invalid_client' };

  async function confidential(token_endpoint_auth_method: string) {
    const { body } = await register(server.baseUrl, {
      redirect_uris: [app.redirect_uri],
      token_endpoint_auth_method,
    });
    return new App(server.baseUrl, String(body.client_id), app.redirect_uri, String(body.client_secret));
  }

  it.each(METHODS)(
    'gets tokens by either way when it registered %s, and by no wrong secret',
    async (method) => {
      const [own, other] = [await confidential(method), await confidential(method)];
      const { authorization, returned } = await allowed(own);
      const secrets = [null, '', 'x', other.secret, `${own.secret}x`, own.secret.slice(1)];
      for (const client_secret of secrets) {
        expect(await own.redeem(returned, authorization, { client_secret })).toMatchObject(REFUSED);
      }
      for (const secret of ['x', other.secret]) {
        expect(await basic(own.client_id, secret)).toMatchObject(REFUSED);
      }
      expect((await basic(other.client_id, other.secret, { client_id: own.client_id })).status).toBe(400);
      expect((await basic(own.client_id, own.secret, { client_secret: own.secret })).status).toBe(400);
      // What is left is not the client's fault any more.
      expect(await basic(own.client_id, own.secret)).toMatchObject({ status: 400, error: 'invalid_grant' });
      expect(await own.redeem(returned, authorization, { client_secret: own.secret })).toMatchObject({
        status: 200,
      });
    },
  );

  it('proves a code by its challenge all the same', async () => {
    const own = await confidential('client_secret_post');
    const { authorization, returned } = await allowed(own);
    const changes = { client_secret: own.secret, code_verifier: null };
    expect(await own.redeem(returned, authorization, changes)).toMatchObject({ status: 400 });
    const { location } = await visit(
      own.authorize({ code_challenge: null, code_challenge_method: null }).url,
    );
    expect(location?.searchParams.get('error')).toBe('invalid_request');
  });

  it('is nobody without it at the other endpoints', async () => {
    const own = await confidential('client_secret_post');
    for (const path of ['/revoke', '/introspect']) {
      expect((await own.post(path, { token: 'x' })).status).toBe(401);
      expect((await own.post(path, { token: 'x', client_secret: own.secret })).status).toBe(200);
    }
  });

  it('is refused in words that a client of HTTP understands', async () => {
    const response = await sendBasic(app.client_id, 'x');
    expect(response.headers.get('WWW-Authenticate')).toMatch(/^Basic realm=/);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  });

  it('and a client without one is not known by a secret', async () => {
    expect(await app.token({ ...ASKED, client_secret: 'x' })).toMatchObject(REFUSED);
    expect(await basic(app.client_id, 'x')).toMatchObject(REFUSED);
  });

  it.each(['Basic', 'Basic !', 'Basic eA==', 'Basic Og==', 'Bearer x', 'Basic a b', 'Basic JTAwOng='])(
    'does not prove itself with %j',
    async (Authorization) => {
      const response = await fetch(`${server.baseUrl}/token`, {
        method: 'POST',
        headers: { Authorization },
        body: new URLSearchParams(ASKED),
      });
      expect([400, 401]).toContain(response.status);
    },
  );

  const sendBasic = (client_id: string, secret: string, fields: Record<string, string> = {}) =>
    fetch(`${server.baseUrl}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ ...ASKED, ...fields }),
    });

  async function basic(...given: Parameters<typeof sendBasic>): Promise<TokenAnswer> {
    const response = await sendBasic(...given);
    return { status: response.status, ...((await response.json()) as object) };
  }
});

it('NUL is nothing that a person can be asked for', async () => {
  for (const path of [
    '/authorize/%00',
    '/consent/%00',
    '/password/%00',
    '/connections/%00',
    '/sign-in?return_to=%00',
  ]) {
    const { status } = await fetch(`${server.baseUrl}${path}`, { redirect: 'manual' });
    expect(status).toBeLessThan(500);
    expect((await person.browser.get(`${server.baseUrl}${path}`)).status).toBeLessThan(500);
  }
  const fields = { email: 'a\0@example.com', password: 'x\0' };
  expect((await person.browser.post(`${server.baseUrl}/sign-in`, fields)).status).toBe(401);
});

it('a request that ends halfway harms nobody', async () => {
  for (const path of ['/token', '/register']) {
    const { hostname, port } = new URL(server.baseUrl);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '1000' };
    const half = request({ hostname, port, path, method: 'POST', headers, agent: false });
    half.on('error', () => {});
    half.write('client_id=');
    await new Promise((resolve) => setTimeout(resolve, 50));
    half.destroy();
  }
  const { hostname, port } = new URL(server.baseUrl);
  const { promise, resolve } = Promise.withResolvers<string>();
  request({ hostname, port, path: '/healthz' }, (answer) => resolve(text(answer))).end();
  expect(await promise).toContain('ok');
});
