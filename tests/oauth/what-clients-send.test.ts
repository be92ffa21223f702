import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { message, post } from '../server/requests.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { App, type TokenAnswer } from './app.ts';
import { Person } from './person.ts';

/**
 * What clients were seen to send, or may: more scopes than there are, other spellings of the resource, fields
 * of OpenID Connect.
 */
let test: TestInstance;
let server: TestServer;
let person: Person;
let app: App;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  person = await Person.join(test.instance.control, [await test.createBusiness()]);
  app = await App.register(server.baseUrl);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

type Changes = Readonly<Record<string, string | null>>;

async function connect(atAuthorize: Changes = {}, atToken: Changes = {}): Promise<TokenAnswer> {
  const authorization = app.authorize(atAuthorize);
  return app.redeem(await person.allow(authorization.url), authorization, atToken);
}

function refresh({ refresh_token = '' }: TokenAnswer, changes: Changes = {}): Promise<TokenAnswer> {
  return app.token({ grant_type: 'refresh_token', refresh_token, ...changes });
}

async function works({ access_token }: TokenAnswer): Promise<boolean> {
  return (await post(server.mcpUrl, message('tools/list'), { token: access_token })).status === 200;
}

const SCOPES = [
  'mcp offline_access',
  'offline_access mcp',
  'mcp mcp',
  'openid profile email mcp',
  'openid profile',
  'mcp never:heard',
  '',
  '"quoted"',
];

describe.each(SCOPES)('the scopes “%s”', (scope) => {
  it('are filtered at every endpoint alike', async () => {
    const granted = await connect({ scope }, { scope });
    expect(granted).toMatchObject({ status: 200, scope: 'mcp' });
    const refreshed = await refresh(granted, { scope });
    expect(refreshed).toMatchObject({ status: 200, scope: 'mcp' });
    expect(await works(refreshed)).toBe(true);
  });
});

describe('the resource', () => {
  const spellings = () => {
    const { host } = new URL(server.mcpUrl);
    return [
      server.mcpUrl,
      `${server.mcpUrl}/`,
      `HTTP://${host.toUpperCase()}/mcp`,
      `${server.mcpUrl}?groups=orders`,
    ];
  };

  it('is one in all its spellings, wherever a client says it', async () => {
    for (const first of spellings()) {
      for (const second of spellings()) {
        const granted = await connect({ resource: first }, { resource: second });
        expect(granted, `${first} ${second}`).toMatchObject({ status: 200 });
        const refreshed = await refresh(granted, { resource: first });
        expect(refreshed, `${first} ${second}`).toMatchObject({ status: 200 });
        expect(await works(await refresh(refreshed, { resource: second }))).toBe(true);
      }
    }
  });

  it('is refused everywhere when it is another’s, and the refusal uses nothing up', async () => {
    for (const resource of [
      'https://evil.example/mcp',
      `${server.baseUrl}/other`,
      `${server.mcpUrl}#x`,
      'mcp',
    ]) {
      const authorization = app.authorize();
      const returned = await person.allow(authorization.url);
      expect(await app.redeem(returned, authorization, { resource })).toMatchObject({
        status: 400,
        error: 'invalid_target',
        error_description: expect.stringContaining(server.mcpUrl),
      });
      const granted = await app.redeem(returned, authorization);
      expect(granted).toMatchObject({ status: 200 });
      expect(await refresh(granted, { resource })).toMatchObject({ status: 400, error: 'invalid_target' });
      const refreshed = await refresh(granted);
      expect(refreshed).toMatchObject({ status: 200 });
      expect(await refresh(refreshed)).toMatchObject({ status: 200 });
    }
  });

  it('may be named twice where both are ours', async () => {
    const granted = await connect();
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: granted.refresh_token ?? '',
      client_id: app.client_id,
    });
    body.append('resource', server.mcpUrl);
    body.append('resource', `${server.mcpUrl}/`);
    expect((await fetch(`${server.baseUrl}/token`, { method: 'POST', body })).status).toBe(200);
  });
});

it('a refused refresh uses nothing up: another client, a repeated parameter, another form of body', async () => {
  const granted = await connect();
  const { refresh_token = '' } = granted;
  const other = await App.register(server.baseUrl);
  const form = { grant_type: 'refresh_token', refresh_token, client_id: app.client_id };
  const repeated = new URLSearchParams({ ...form, scope: 'mcp' });
  repeated.append('scope', 'mcp');
  const send = (body: URLSearchParams | string, headers: Record<string, string> = {}) =>
    fetch(`${server.baseUrl}/token`, { method: 'POST', body, headers });
  const refused = [
    await other.refresh(refresh_token),
    await send(repeated),
    await send(JSON.stringify(form), { 'Content-Type': 'application/json' }),
    await send(`${new URLSearchParams(form)}&padding=${'x'.repeat(100_000)}`, {
      'Content-Type': 'application/x-www-form-urlencoded',
    }),
  ];
  for (const { status } of refused) expect([400, 413]).toContain(status);
  expect(await refresh(granted)).toMatchObject({ status: 200 });
});

it.each([
  { nonce: 'x' },
  { max_age: '3600' },
  { acr_values: 'x' },
  { claims: '{"id_token":{}}' },
  { id_token_hint: 'x' },
  { prompt: 'select_account' },
  { prompt: 'consent select_account' },
])('fields of OpenID Connect are left out with its scopes: %o', async (fields) => {
  expect(await connect({ scope: 'openid mcp', ...fields })).toMatchObject({ status: 200, scope: 'mcp' });
});
