import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listAppGrants } from '../../src/control/tokens/grants.ts';
import { publicKeys, signingKey } from '../../src/control/tokens/signing-keys.ts';
import { message, post } from '../server/requests.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { App, type TokenAnswer } from './app.ts';
import { Person } from './person.ts';

/** A token of our authorization server opens /mcp as it is, and as nothing else. */
let test: TestInstance;
let server: TestServer;
let person: Person;
let app: App;
let tokens: TokenAnswer;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  person = await Person.join(test.instance.control);
  app = await App.register(server.baseUrl);
  tokens = await connect(app, person);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

async function connect(app: App, person: Person): Promise<TokenAnswer> {
  const authorization = app.authorize();
  return app.redeem(await person.allow(authorization.url), authorization);
}

const LISTS = message('tools/list');

async function expectRefused(token: string): Promise<void> {
  const response = await post(server.mcpUrl, LISTS, { token });
  expect(response.status).toBe(401);
  expect(response.headers.get('WWW-Authenticate')).toContain('error="invalid_token"');
  expect(await response.text()).not.toContain('order_statistics');
}

interface Forgery {
  readonly header?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
}

/** The good token signed anew with the real key, but for what the forgery changes. */
async function forge({ header = {}, claims = {} }: Forgery): Promise<string> {
  const { key_id, private_jwk } = await signingKey(test.instance.control, test.instance.secret);
  const payload = { ...decodeJwt(tokens.access_token ?? ''), ...claims };
  return new SignJWT(JSON.parse(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key_id, ...header })
    .sign(await importJWK(private_jwk, 'ES256'));
}

function part(json: object): string {
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}

it('says what RFC 9068 wants, and nothing of the person', async () => {
  const claims = decodeJwt(tokens.access_token ?? '');
  expect(claims).toEqual({
    iss: server.baseUrl,
    aud: server.mcpUrl,
    sub: person.account_id,
    client_id: app.client_id,
    scope: 'mcp',
    gid: expect.any(String),
    jti: expect.any(String),
    iat: expect.any(Number),
    exp: expect.any(Number),
  });
  expect(JSON.stringify(claims)).not.toContain('@');
});

it('is taken, and so is its copy: what is refused below is refused for what it changes', async () => {
  for (const token of [tokens.access_token, await forge({})]) {
    expect((await post(server.mcpUrl, LISTS, { token })).status).toBe(200);
  }
});

const SECOND = 1000;
const now = Math.floor(Date.now() / SECOND);

it.each<[string, () => Forgery | Promise<Forgery>]>([
  ['for another server', () => ({ claims: { aud: 'https://other.example/mcp' } })],
  ['for another page of this one', () => ({ claims: { aud: `${server.mcpUrl}/other` } })],
  ['for the issuer', () => ({ claims: { aud: server.baseUrl } })],
  ['for the command line', () => ({ claims: { aud: 'urn:storesight:instance' } })],
  ['for nobody', () => ({ claims: { aud: undefined } })],
  ['of another issuer', () => ({ claims: { iss: 'https://other.example' } })],
  ['of the command line, for this URL', () => ({ claims: { iss: 'urn:storesight:command-line' } })],
  ['of no issuer', () => ({ claims: { iss: undefined } })],
  ['that is over', () => ({ claims: { exp: now - 1 } })],
  ['without an end', () => ({ claims: { exp: undefined } })],
  ['that begins later', () => ({ claims: { nbf: now + 3600 } })],
  ['without a grant', () => ({ claims: { gid: undefined } })],
  ['with a grant that never was', () => ({ claims: { gid: crypto.randomUUID() } })],
  ['with a list of grants', () => ({ claims: { gid: ['a', 'b'] } })],
  ['without an account', () => ({ claims: { sub: undefined } })],
  ['of another client', () => ({ claims: { client_id: 'another' } })],
  ['of no client', () => ({ claims: { client_id: undefined } })],
  ['of another type', () => ({ header: { typ: 'JWT' } })],
  ['of no type', () => ({ header: { typ: undefined } })],
  ['of another key', () => ({ header: { kid: 'another' } })],
  ['with what must be understood', () => ({ header: { crit: ['x'], x: 1 } })],
  [
    'with the grant of another person',
    async () => {
      const other = await Person.join(test.instance.control);
      const { access_token = '' } = await connect(app, other);
      return { claims: { gid: decodeJwt(access_token).gid } };
    },
  ],
  [
    'with the grant of another app of the same person',
    async () => {
      const { access_token = '' } = await connect(await App.register(server.baseUrl), person);
      return { claims: { gid: decodeJwt(access_token).gid } };
    },
  ],
])('is refused %s', async (_what, forgery) => {
  await expectRefused(await forge(await forgery()).catch(() => 'x.y.z'));
});

it('is refused when somebody else signed it, whatever key it brings or points to', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const [own] = await publicKeys(test.instance.control);
  const headers = [
    {},
    { kid: own?.kid },
    { kid: own?.kid, jwk },
    { jwk },
    { jku: 'https://evil.example/jwks' },
    { x5u: 'https://evil.example/x5u', x5c: ['MIIB'] },
    { kid: '../../../../dev/null' },
    { kid: "' or 1=1 --" },
  ];
  for (const header of headers) {
    const token = await new SignJWT(decodeJwt(tokens.access_token ?? ''))
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...(header as object) })
      .sign(privateKey);
    await expectRefused(token);
  }
});

it('is refused unsigned, or signed with what everybody knows', async () => {
  const [, payload, signature] = (tokens.access_token ?? '').split('.');
  const [own] = await publicKeys(test.instance.control);
  for (const alg of ['none', 'None', 'NONE', 'ES256']) {
    const header = part({ alg, typ: 'at+jwt', kid: own?.kid });
    await expectRefused(`${header}.${payload}.`);
    await expectRefused(`${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`);
  }
  for (const key of [
    JSON.stringify(own),
    own?.x ?? '',
    JSON.stringify(await publicKeys(test.instance.control)),
  ]) {
    const signed = `${part({ alg: 'HS256', typ: 'at+jwt', kid: own?.kid })}.${payload}`;
    await expectRefused(`${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`);
  }
  await expectRefused(`${part({ alg: 'ES384', typ: 'at+jwt', kid: own?.kid })}.${payload}.${signature}`);
});

it('is refused from another Storesight at the same URL', async () => {
  await using elsewhere = await createTestInstance();
  const twin = await startTestServer(elsewhere, { baseUrl: server.baseUrl, authUrl: server.baseUrl });
  const foreign = await Person.join(elsewhere.instance.control);
  const { private_jwk, key_id } = await signingKey(elsewhere.instance.control, elsewhere.instance.secret);
  await twin.stop();
  const token = await new SignJWT({ ...decodeJwt(tokens.access_token ?? ''), sub: foreign.account_id })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key_id })
    .sign(await importJWK(private_jwk, 'ES256'));
  await expectRefused(token);
});

it('is nothing that a refresh token, a code or a secret could stand for', async () => {
  const returned = await person.allow(app.authorize().url);
  await expectRefused(returned.searchParams.get('code') ?? '');
  await expectRefused(tokens.refresh_token ?? '');
  await expectRefused(app.client_id);
  await expectRefused(person.browser.cookie(server.baseUrl, 'storesight_session') ?? '');
});

it('and it stands for none of them', async () => {
  expect(await app.refresh(tokens.access_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
  const code = tokens.access_token ?? '';
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: app.redirect_uri,
    code_verifier: 'x'.repeat(43),
  };
  expect(await app.token(fields)).toMatchObject({ status: 400, error: 'invalid_grant' });
});

it('is read from the header Authorization alone, and only from one', async () => {
  const token = tokens.access_token ?? '';
  const ask = (headers: string[], query = '') => {
    const { hostname, port, pathname } = new URL(server.mcpUrl);
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const body = JSON.stringify(LISTS);
    const all = [
      ...['Host', server.baseUrl.replace('http://', ''), 'Content-Type', 'application/json'],
      ...['Accept', 'application/json, text/event-stream', 'Content-Length', String(body.length)],
      ...headers,
    ];
    const sent = request(
      { hostname, port, path: `${pathname}${query}`, method: 'POST', headers: all, agent: false },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    sent.on('error', reject);
    sent.end(body);
    return promise;
  };
  expect(await ask(['Authorization', `Bearer ${token}`])).toBe(200);
  // RFC 9110: the name of a scheme has no case.
  expect(await ask(['authorization', `bearer ${token}`])).toBe(200);
  expect(await ask([], `?access_token=${token}`)).toBe(401);
  expect(await ask(['Cookie', `access_token=${token}`])).toBe(401);
  expect(await ask(['X-Authorization', `Bearer ${token}`])).toBe(401);
  expect(await ask(['Authorization', token])).toBe(401);
  expect(await ask(['Authorization', `DPoP ${token}`])).toBe(401);
  // The first of two headers alone counts, as everywhere in Node.
  expect(await ask(['Authorization', 'Bearer x', 'Authorization', `Bearer ${token}`])).toBe(401);
});

it('is shown to nobody, and given back by its refresh token', async () => {
  const other = await connect(app, person);
  const about = await app.post('/introspect', { token: other.access_token ?? '' });
  expect(await about.json()).not.toMatchObject({ active: true });
  const before = (await listAppGrants(test.instance.control, person.account_id)).length;
  await app.post('/revoke', { token: other.refresh_token ?? '' });
  expect(await listAppGrants(test.instance.control, person.account_id)).toHaveLength(before - 1);
  await expectRefused(other.access_token ?? '');
});
