import { randomBytes } from 'node:crypto';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rotateSigningKey } from '../../src/control/tokens/signing-keys.ts';
import { message, post } from '../server/requests.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { App, type TokenAnswer } from './app.ts';
import { Person } from './person.ts';

/** The key that signs can be changed while apps are connected, and taken away when it is known to others. */
let test: TestInstance;
let server: TestServer;
let otherServer: TestServer;
let person: Person;
let app: App;

beforeEach(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  otherServer = await startTestServer(test, { baseUrl: server.baseUrl, authUrl: server.baseUrl });
  person = await Person.join(test.instance.control);
  app = await App.register(server.baseUrl);
});

afterEach(async () => {
  await server.stop();
  await otherServer.stop();
  await test[Symbol.asyncDispose]();
});

function rotate(revokeOlder = false): Promise<{ readonly key_id: string }> {
  return rotateSigningKey(test.instance.control, test.instance.secret, { revokeOlder });
}

async function connect(): Promise<TokenAnswer> {
  const authorization = app.authorize();
  return app.redeem(await person.allow(authorization.url), authorization);
}

async function isTaken({ access_token: token }: TokenAnswer, at = server): Promise<boolean> {
  return (await post(`${at.listeningUrl}/mcp`, message('tools/list'), { token })).status === 200;
}

async function publicKeys(at = server): Promise<JSONWebKeySet> {
  return (await fetch(`${at.listeningUrl}/jwks`)).json() as Promise<JSONWebKeySet>;
}

function keyOf({ access_token = '' }: TokenAnswer): string | undefined {
  return decodeProtectedHeader(access_token).kid;
}

it('publishes what verifies a token, and nothing that signs one', async () => {
  const { access_token = '' } = await connect();
  const keys = await publicKeys();
  const { payload } = await jwtVerify(access_token, createLocalJWKSet(keys), {
    issuer: server.baseUrl,
    audience: server.mcpUrl,
    typ: 'at+jwt',
  });
  expect(payload.sub).toBe(person.account_id);
  for (const key of keys.keys) {
    expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  }
});

it('goes on with a new key: nothing that was begun or given before is lost, in any process', async () => {
  const before = await connect();
  const begun = app.authorize();
  const consent = await person.open(begun.url);
  const redeemedLater = app.authorize();
  const code = await person.allow(redeemedLater.url);

  const { key_id } = await rotate();

  expect(await isTaken(before)).toBe(true);
  expect(await isTaken(before, otherServer)).toBe(true);
  for (const at of [server, otherServer]) {
    const kids = (await publicKeys(at)).keys.map(({ kid }) => kid);
    expect(kids.toSorted()).toEqual([key_id, keyOf(before)].toSorted());
  }
  const redeemed = await app.redeem(code, redeemedLater);
  const allowed = await person.browser.post(consent.url, { decision: 'allow', businesses: 'all' });
  const end = await person.browser.follow(allowed, ({ port }) => port === '3333');
  const finished = await app.redeem(end.location as URL, begun);
  const refreshed = await app.refresh(before.refresh_token);
  const elsewhere = await new App(otherServer.listeningUrl, app.client_id, app.redirect_uri).refresh(
    refreshed.refresh_token,
  );
  for (const tokens of [redeemed, finished, refreshed, elsewhere]) {
    expect(tokens.status).toBe(200);
    expect(keyOf(tokens)).toBe(key_id);
    expect(await isTaken(tokens)).toBe(true);
    expect(await isTaken(tokens, otherServer)).toBe(true);
  }
});

it('is rotated under load without one failure', async () => {
  let { refresh_token } = await connect();
  let isOver = false;
  const refreshing = (async () => {
    const keys = new Set<string | undefined>();
    while (!isOver) {
      const tokens = await app.refresh(refresh_token);
      expect(tokens.status).toBe(200);
      expect(await isTaken(tokens, otherServer)).toBe(true);
      keys.add(keyOf(tokens));
      refresh_token = tokens.refresh_token;
    }
    return keys.size;
  })();
  for (let rotation = 0; rotation < 5; rotation += 1) {
    await rotate();
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  isOver = true;
  expect(await refreshing).toBeGreaterThan(2);
});

it('revokes the tokens of older keys at once, and apps go on with their refresh tokens', async () => {
  const before = await connect();
  const { key_id } = await rotate(true);
  expect(await isTaken(before)).toBe(false);
  expect(await isTaken(before, otherServer)).toBe(false);
  expect((await publicKeys()).keys.map(({ kid }) => kid)).toEqual([key_id]);
  const refreshed = await app.refresh(before.refresh_token);
  expect(keyOf(refreshed)).toBe(key_id);
  expect(await isTaken(refreshed)).toBe(true);
});

it('keeps the private half sealed, and of an older key not at all', async () => {
  const { key_id } = await rotate();
  const rows = await test.instance.control.selectFrom('signing_keys').selectAll().execute();
  expect(rows.length).toBeGreaterThan(1);
  for (const { key_id: id, private_jwk_sealed, public_jwk } of rows) {
    expect(private_jwk_sealed === '').toBe(id !== key_id);
    expect(private_jwk_sealed).not.toMatch(/"d"|\{/);
    expect(Buffer.from(private_jwk_sealed, 'base64url').toString('latin1')).not.toContain('"d"');
    expect(JSON.parse(public_jwk)).not.toHaveProperty('d');
  }
});

it('makes a new key after the secret is lost; people connect anew, and what was signed before still verifies', async () => {
  const before = await connect();
  const lost = { ...test.instance, secret: randomBytes(32) };
  const later = await startTestServer({ ...test, instance: lost } as TestInstance);
  expect(await isTaken(before, server)).toBe(true);
  // Its clients, sessions of the sign-in and refresh tokens were sealed with it.
  const gone = new App(later.baseUrl, app.client_id, app.redirect_uri);
  expect(await gone.refresh(before.refresh_token)).toMatchObject({ status: 401, error: 'invalid_client' });
  const anew = await App.register(later.baseUrl);
  const authorization = anew.authorize();
  const again = await Person.join(test.instance.control);
  const tokens = await anew.redeem(await again.allow(authorization.url), authorization);
  expect(tokens.status).toBe(200);
  expect(keyOf(tokens)).not.toBe(keyOf(before));
  expect((await post(later.mcpUrl, message('tools/list'), { token: tokens.access_token })).status).toBe(200);
  await later.stop();
});
