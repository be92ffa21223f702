import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TrustedProxies } from '../../src/server/client-address.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { App, register } from './app.ts';
import { Person } from './person.ts';

/** Apps register themselves, each with its own idea of the form; what could harm a person is not taken. */
let test: TestInstance;
let server: TestServer;
let person: Person;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  person = await Person.join(test.instance.control);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

/** A server with a count of registrations of its own. */
async function freshServer(options: Parameters<typeof startTestServer>[1] = {}): Promise<TestServer> {
  await server.stop();
  server = await startTestServer(test, options);
  return server;
}

async function countClients(): Promise<number> {
  return (await test.instance.control.selectFrom('oauth_clients').selectAll().execute()).length;
}

const AUTHENTICATED = 'token_endpoint_auth_method';

/** As the hosts were seen to register, or as near as is known. */
const HOSTS: Readonly<Record<string, { sent: Record<string, unknown>; given?: object }>> = {
  Claude: {
    sent: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      [AUTHENTICATED]: 'none',
      scope: 'mcp claudeai',
    },
  },
  ChatGPT: {
    sent: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      [AUTHENTICATED]: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/.well-known/jwks.json',
      application_type: 'web',
    },
    given: { [AUTHENTICATED]: 'private_key_jwt', application_type: 'web' },
  },
  Cursor: {
    sent: {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
      ],
      application_type: 'web',
      [AUTHENTICATED]: 'none',
    },
    given: { application_type: 'native' },
  },
  'VS Code': {
    sent: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://localhost/',
        'http://127.0.0.1/',
        'http://localhost:33418/',
        'http://127.0.0.1:33418/',
      ],
      scope: 'mcp user:email everything',
      application_type: 'native',
      [AUTHENTICATED]: 'none',
      a_field_of_tomorrow: { nested: true },
    },
    given: { grant_types: ['authorization_code', 'refresh_token'] },
  },
  'MCP Inspector': {
    sent: {
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      redirect_uris: ['http://localhost:6274/oauth/callback/debug'],
      scope: '',
    },
    given: { [AUTHENTICATED]: 'none' },
  },
  'a host that says null for nothing': {
    sent: {
      client_name: null,
      client_uri: null,
      logo_uri: null,
      contacts: null,
      jwks: null,
      jwks_uri: null,
      scope: null,
      grant_types: null,
      response_types: null,
      software_id: null,
      [AUTHENTICATED]: null,
      redirect_uris: ['http://[::1]:5555/cb'],
    },
  },
  'a server-side host with a secret': {
    sent: { redirect_uris: ['https://app.example/cb?tenant=1'], [AUTHENTICATED]: 'client_secret_basic' },
    given: { client_secret: expect.stringMatching(/^.{32,}$/) },
  },
};

describe.each(Object.entries(HOSTS))('%s', (_name, { sent, given = {} }) => {
  it('registers, and a person comes to the consent with each of its redirect URIs', async () => {
    const { status, body } = await register(server.baseUrl, sent);
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { redirect_uris: sent.redirect_uris, response_types: ['code'], ...given },
    });
    expect('client_secret' in body).toBe('client_secret' in given);
    for (const uri of sent.redirect_uris as string[]) {
      const app = new App(server.baseUrl, String(body.client_id), uri);
      const returned = await person.allow(app.authorize({ scope: String(sent.scope ?? 'mcp') }).url);
      expect(returned.href.split('?')[0]).toBe(new URL(uri).href.split('?')[0]);
      expect(returned.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
    }
  });
});

it.each([
  'com.example.app:/cb',
  'claude://claude.ai/mcp-auth-callback/sdk',
  'raycast://oauth?package_name=Extension',
  'warp://mcp/oauth2callback',
  'vscode://saoudrizwan.claude-dev/auth',
])('an app may ask to be answered at %s', async (uri) => {
  const { status, body } = await register(server.baseUrl, { redirect_uris: [uri] });
  expect({ status, uris: body.redirect_uris }).toEqual({ status: 201, uris: [uri] });
});

describe('a registration is refused, and nothing kept, when its redirect URI is', () => {
  it.each([
    ...[
      [
        'ftp://app.example/cb',
        'mailto:a@app.example',
        'view-source:https://app.example/',
        'ws://127.0.0.1/cb',
      ],
      ['ms-msdt:/id', 'ms-word:ofe|u|https://app.example/', 'ms-settings:privacy', 'search-ms:query=x'],
      ['shell:startup', 'ldap://app.example/x', 'jar:https://app.example/!/', 'itms-services://?action=x'],
      ['intent://app.example/#Intent;end', 'myapp:/cb', 'vscode://file/etc/passwd', 'vscode:mcp/install?x'],
      ['vscode://vscode.git/clone?url=https://app.example/', 'claude://code/new', 'warp://action/new_tab'],
      ['cursor://anysphere.cursor-deeplink/mcp/install', 'cursor://Anysphere.Cursor-Deeplink/mcp/install'],
    ].flat(),
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'about:blank',
    'blob:https://app.example/1',
    'http://app.example/cb',
    'http://localhost.evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://0.0.0.0/cb',
    'http://10.0.0.1/cb',
    'https://app.example/cb#fragment',
    'https://app.example/cb#',
    'https://*.app.example/cb',
    'https://*/cb',
    'https://claude.ai@evil.example/cb',
    'https://user:password@app.example/cb',
    'http://claude.ai@127.0.0.1/cb',
    'https:\\\\app.example\\cb',
    'https://app.example\\@evil.example/cb',
    'https://app.example/\u0000',
    'https://app.example/a b',
    'https://аpp.example/cb',
    'https://app.example/\u202ecb',
    '/cb',
    'app.example/cb',
    '',
    7,
    null,
    { toString: 1, valueOf: 1 },
    ['https://app.example/cb'],
  ])('%j', async (uri) => {
    const before = await countClients();
    for (const application_type of ['web', 'native']) {
      const { status, body } = await register(server.baseUrl, {
        redirect_uris: ['https://app.example/good', uri],
        application_type,
      });
      expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_redirect_uri' });
      expect(body.error_description).toMatch(/^redirect_uris /);
    }
    expect(await countClients()).toBe(before);
  });

  // Sixty a minute are taken from one address.
  let tried = 0;
  afterEach(async () => {
    tried += 1;
    if (tried % 25 === 0) await freshServer();
  });
});

describe('a registration is refused, and nothing kept, that', () => {
  beforeAll(() => freshServer());

  const good = { redirect_uris: ['https://app.example/cb'] };

  it.each<[string, unknown, string, number?]>([
    ['has no redirect URI', {}, 'invalid_redirect_uri'],
    ['has an empty list of them', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['has a text for the list', { redirect_uris: 'https://app.example/cb' }, 'invalid_redirect_uri'],
    [
      'has more than twenty of them',
      { redirect_uris: Array.from({ length: 21 }, (_, index) => `https://a.example/${index}`) },
      'invalid_redirect_uri',
    ],
    [
      'has a very long one',
      { redirect_uris: [`https://a.example/${'x'.repeat(3000)}`] },
      'invalid_redirect_uri',
    ],
    ['is a list', [good], 'invalid_request'],
    ['is a text', 'x', 'invalid_request'],
    ['is null', null, 'invalid_request'],
    [
      'has more than can be kept',
      {
        redirect_uris: Array.from(
          { length: 9 },
          (_, index) => `https://a.example/${index}${'x'.repeat(500)}`,
        ),
      },
      'invalid_client_metadata',
      413,
    ],
    ['has a number for a name', { ...good, client_name: 5 }, 'invalid_client_metadata'],
    ['asks for a shared key', { ...good, [AUTHENTICATED]: 'client_secret_jwt' }, 'invalid_client_metadata'],
    [
      'has no key to prove itself',
      { ...good, [AUTHENTICATED]: 'private_key_jwt' },
      'invalid_client_metadata',
    ],
    [
      'has its keys at a plain address',
      { ...good, [AUTHENTICATED]: 'private_key_jwt', jwks_uri: 'http://app.example/jwks' },
      'invalid_client_metadata',
    ],
    [
      'has a secret key among its keys',
      {
        ...good,
        [AUTHENTICATED]: 'private_key_jwt',
        jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] },
      },
      'invalid_client_metadata',
    ],
  ])('%s', async (_what, metadata, error, refusal = 400) => {
    const before = await countClients();
    const { status, body } = await register(server.baseUrl, metadata);
    expect({ status, error: body.error }).toEqual({ status: refusal, error });
    expect(await countClients()).toBe(before);
  });

  it('is no JSON, or too large', async () => {
    const before = await countClients();
    const send = (body: RequestInit['body'], headers: Record<string, string> = {}) =>
      fetch(`${server.baseUrl}/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body,
        duplex: 'half',
      } as RequestInit);
    for (const body of ['', '{', 'redirect_uris=https://app.example/cb', '\u0000']) {
      const refused = await send(body);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ error: 'invalid_client_metadata' });
    }
    const large = JSON.stringify({ ...good, client_name: 'x'.repeat(40_000) });
    for (const body of [large, new Blob([large]).stream()]) {
      const refused = await send(body);
      expect(refused.status).toBe(413);
      expect(await refused.json()).toMatchObject({ error: 'invalid_client_metadata' });
    }
    expect(await countClients()).toBe(before);
  });
});

it('keys that mean something to JavaScript mean nothing here', async () => {
  const { status, body } = await register(
    server.baseUrl,
    JSON.parse(`{
      "redirect_uris": ["https://app.example/cb"],
      "__proto__": { "client_secret": "known", "polluted": true, "token_endpoint_auth_method": "none" },
      "constructor": { "prototype": { "polluted": true } }
    }`),
  );
  expect(status).toBe(201);
  expect(body).not.toHaveProperty('polluted');
  expect(body).not.toHaveProperty('client_secret');
  expect({}).not.toHaveProperty('polluted');
});

it('a client does not choose its own id or secret', async () => {
  const { body: first } = await register(server.baseUrl, { redirect_uris: ['https://app.example/cb'] });
  const { body: second } = await register(server.baseUrl, {
    redirect_uris: ['https://evil.example/cb'],
    client_id: first.client_id,
    client_secret: 'known',
    [AUTHENTICATED]: 'client_secret_post',
  });
  expect(second.client_id).not.toBe(first.client_id);
  expect(second.client_secret).not.toBe('known');
  const stolen = new App(server.baseUrl, String(first.client_id), 'https://evil.example/cb');
  expect((await fetch(stolen.authorize().url, { redirect: 'manual' })).status).toBe(400);
});

it.each([
  ['Evil\u0000\u0007App', 'Evil App'],
  ['\u202eevil\u202c', 'evil'],
  ['one\r\ntwo\u2028three', 'one two three'],
  ['\ud800broken', 'broken'],
  ['   ', undefined],
  ['\u0000', undefined],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
])('the name %j is kept as %j, and a person can let the app in', async (client_name, kept) => {
  const { status, body } = await register(server.baseUrl, {
    client_name,
    redirect_uris: ['https://app.example/cb'],
  });
  expect(status).toBe(201);
  expect(body.client_name).toBe(kept);
  const app = new App(server.baseUrl, String(body.client_id), 'https://app.example/cb');
  const consent = await person.open(app.authorize().url);
  expect(consent.text).not.toContain('<script>');
  expect((await person.allow(app.authorize().url)).searchParams.get('code')).not.toBeNull();
});

it('a long name is cut', async () => {
  const { body } = await register(server.baseUrl, {
    client_name: '\u{1f6d2}'.repeat(1000),
    redirect_uris: ['https://app.example/cb'],
  });
  expect(body.client_name).toBe('\u{1f6d2}'.repeat(200));
});

it('one address may register as many clients a minute as it says, and is told when to come back', async () => {
  await freshServer({ limits: { authorize: 10_000, token: 10_000, register: 60, registerInAll: 10_000 } });
  const send = () => register(server.baseUrl, { redirect_uris: ['https://app.example/cb'] });
  const statuses = (await Promise.all(Array.from({ length: 70 }, send))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  const refused = await fetch(`${server.baseUrl}/register`, { method: 'POST', body: '{}' });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
});

it('all addresses together may register so many, whatever each of them may', async () => {
  const limits = { authorize: 10_000, token: 10_000, register: 5, registerInAll: 12 };
  await freshServer({ limits, proxies: TrustedProxies.nearby() });
  const statuses: number[] = [];
  for (let index = 0; index < 21; index += 1) {
    const response = await fetch(`${server.baseUrl}/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `192.0.2.${index % 3}` },
      body: JSON.stringify({ redirect_uris: ['https://app.example/cb'] }),
    });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([...Array(12).fill(201), ...Array(9).fill(429)]);
});
