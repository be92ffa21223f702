import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { forgeToken, tamperedToken, unsignedToken } from './forged-tokens.ts';
import { message, post, postModern, replies } from './requests.ts';
import { signIn, startTestServer, type TestServer } from './test-server.ts';

let test: TestInstance;
let server: TestServer;
let business: Business;
let account: { account_id: string; token: string };
let other: { account_id: string; token: string };

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness();
  server = await startTestServer(test);
  account = await signIn(test, [business]);
  other = await signIn(test, []);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const LISTS = message('tools/list');

function metadataUrl(): string {
  return server.mcpUrl.replace('/mcp', '/.well-known/oauth-protected-resource/mcp');
}

async function expectChallenge(response: Response, status: number, error: string): Promise<void> {
  expect(response.status).toBe(status);
  const challenge = response.headers.get('WWW-Authenticate');
  expect(challenge).toMatch(/^Bearer /);
  expect(challenge).toContain(`error="${error}"`);
  expect(challenge).toContain(`resource_metadata="${metadataUrl()}"`);
  expect(challenge).toContain('scope="mcp"');
  expect(await response.text()).not.toContain('order_statistics');
}

it('a good token, forged from nothing but the real key, is accepted: the forgeries below fail by what they change', async () => {
  const token = await forgeToken(test.instance, account.account_id);
  const [reply] = await replies(await post(server.mcpUrl, LISTS, { token }));
  expect(reply?.result?.tools.length).toBeGreaterThan(1);
});

describe('401 with the way to sign in for', () => {
  it.each([
    ['tools/list', LISTS],
    ['tools/call', message('tools/call', { name: 'list_businesses', arguments: {} })],
    ['resources/list', message('resources/list')],
    ['prompts/list', message('prompts/list')],
    ['ping', message('ping')],
    ['an unknown method', message('no/such')],
  ])('%s without a token', async (_name, sent) => {
    await expectChallenge(await post(server.mcpUrl, sent), 401, 'invalid_token');
    await expectChallenge(await postModern(server.mcpUrl, sent), 401, 'invalid_token');
  });

  it('server/discover without a token', async () => {
    await expectChallenge(await postModern(server.mcpUrl, message('server/discover')), 401, 'invalid_token');
  });

  it('a token in the URL', async () => {
    await expectChallenge(
      await post(`${server.mcpUrl}?access_token=${account.token}`, LISTS),
      401,
      'invalid_token',
    );
  });

  it.each([
    ['another scheme', () => `Basic ${account.token}`],
    ['no token', () => 'Bearer '],
    ['garbage', () => 'Bearer garbage'],
    ['garbage with dots', () => 'Bearer a.b.c'],
    ['empty parts', () => 'Bearer ..'],
    ['a long garbage', () => `Bearer ${'x'.repeat(8000)}`],
    ['a token and more', () => `Bearer ${account.token}x`],
    ['half a token', () => `Bearer ${account.token.slice(0, -20)}`],
  ])('the header %s', async (_name, header) => {
    const response = await post(server.mcpUrl, LISTS, { headers: { Authorization: header() } });
    await expectChallenge(response, 401, 'invalid_token');
  });

  it.each<[string, () => Promise<string>]>([
    ['a token of another key', () => forgeToken(test.instance, account.account_id, { withOtherKey: true })],
    [
      'a token of a key that is not there',
      () => forgeToken(test.instance, account.account_id, { header: { kid: 'other' } }),
    ],
    [
      'a token for another audience',
      () => forgeToken(test.instance, account.account_id, { claims: { aud: 'https://other.example/mcp' } }),
    ],
    [
      'a token of another issuer',
      () => forgeToken(test.instance, account.account_id, { claims: { iss: 'https://other.example' } }),
    ],
    [
      'a token of another type',
      () => forgeToken(test.instance, account.account_id, { header: { typ: 'JWT' } }),
    ],
    [
      'an expired token',
      () => forgeToken(test.instance, account.account_id, { claims: { exp: 1_700_000_000 } }),
    ],
    [
      'a token that is not valid yet',
      () => forgeToken(test.instance, account.account_id, { claims: { nbf: 4_000_000_000 } }),
    ],
    ['a token without an end', () => forgeToken(test.instance, account.account_id, { without: 'exp' })],
    ['a token without a grant', () => forgeToken(test.instance, account.account_id, { without: 'gid' })],
    ['a token without an account', () => forgeToken(test.instance, account.account_id, { without: 'sub' })],
    [
      'a token with the grant of another account',
      () => forgeToken(test.instance, account.account_id, { claims: { sub: other.account_id } }),
    ],
    [
      'a token with a grant that does not exist',
      () => forgeToken(test.instance, account.account_id, { claims: { gid: crypto.randomUUID() } }),
    ],
    ['an unsigned token', async () => unsignedToken(account.token)],
    ['a changed token', async () => tamperedToken(account.token, { sub: other.account_id })],
    ['a prolonged token', async () => tamperedToken(account.token, { exp: 4_000_000_000 })],
  ])('%s', async (_name, forge) => {
    await expectChallenge(await post(server.mcpUrl, LISTS, { token: await forge() }), 401, 'invalid_token');
  });
});

it('403 with the scope that is missing', async () => {
  for (const forgery of [{ claims: { scope: 'openid mcp2' } }, { without: 'scope' }]) {
    const token = await forgeToken(test.instance, account.account_id, forgery);
    await expectChallenge(await post(server.mcpUrl, LISTS, { token }), 403, 'insufficient_scope');
  }
});

describe('a token that was good is refused at once when', () => {
  async function expectLost(token: string, lose: () => Promise<unknown>): Promise<void> {
    expect((await post(server.mcpUrl, LISTS, { token })).status).toBe(200);
    await lose();
    await expectChallenge(await post(server.mcpUrl, LISTS, { token }), 401, 'invalid_token');
  }

  it('its grant is revoked', async () => {
    const { account_id, token } = await signIn(test, [business]);
    await expectLost(token, () =>
      test.instance.control
        .updateTable('grants')
        .set({ revoked_at: new Date().toISOString() })
        .where('account_id', '=', account_id)
        .execute(),
    );
  });

  it('its grant ends before the token', async () => {
    const { account_id, token } = await signIn(test, [business]);
    await expectLost(token, () =>
      test.instance.control
        .updateTable('grants')
        .set({ expires_at: new Date(Date.now() - 1).toISOString() })
        .where('account_id', '=', account_id)
        .execute(),
    );
  });

  it('its account is deleted', async () => {
    const { account_id, token } = await signIn(test, [business]);
    await expectLost(token, () =>
      test.instance.control.deleteFrom('accounts').where('account_id', '=', account_id).execute(),
    );
  });
});

it('a token of one instance is nothing to another', async () => {
  await using elsewhere = await createTestInstance();
  const foreign = await signIn(elsewhere, []);
  await expectChallenge(await post(server.mcpUrl, LISTS, { token: foreign.token }), 401, 'invalid_token');
});

it('a call is answered while the control database cannot be written, as on a full disk', async () => {
  const own = await startTestServer(test);
  await sql`pragma query_only = on`.execute(test.instance.control);
  try {
    const [reply] = await replies(await post(own.mcpUrl, LISTS, { token: account.token }));
    expect(reply?.result?.tools.length).toBeGreaterThan(1);
    await own.stop();
  } finally {
    await sql`pragma query_only = off`.execute(test.instance.control);
  }
  expect(own.logText()).toMatch(/"level":40.*readonly database.*when connections were last used/);
});
