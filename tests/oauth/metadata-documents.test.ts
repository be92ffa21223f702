import { get } from 'node:https';
import type { LookupFunction } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { isPublic } from '../../src/network/public-addresses.ts';
import { createDocumentFetch } from '../../src/oauth/metadata-documents.ts';
import { createPublicFetch } from '../../src/oauth/public-fetch.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { App, register } from './app.ts';
import { type HttpsOrigin, openHttpsOrigin, PUBLIC_ADDRESS } from './https-origin.ts';
import { Person } from './person.ts';

/**
 * The document that a stranger names is fetched, so it must not lead to anything that only this machine can
 * reach, and must not tire this machine.
 */
let test: TestInstance;
let server: TestServer;
let origin: HttpsOrigin;
/** What names mean; another name is this machine. */
let names: Record<string, string[]>;
let asked: string[];
/** What the internet answers. */
let published: Record<string, () => Response | Promise<Response>>;
let fetched: string[];

const lookup: LookupFunction = (hostname, _options, done) => {
  asked.push(hostname);
  const addresses = names[hostname] ?? ['127.0.0.1'];
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  void setImmediate().then(() => done(null, found));
};

beforeAll(async () => {
  test = await createTestInstance();
  origin = await openHttpsOrigin(async (request, response) => {
    const url = `https://${request.headers.host}${request.url}`;
    fetched.push(url);
    const answer = (await published[url]?.()) ?? new Response(null, { status: 404 });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) {
      response.write(chunk);
      await setImmediate();
    }
    response.end();
  });
  server = await startTestServer(test, { documentFetch: createDocumentFetch(createPublicFetch(lookup)) });
});

afterAll(async () => {
  await server.stop();
  await origin[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

beforeEach(() => {
  [names, asked, published, fetched] = [{ 'app.example': [PUBLIC_ADDRESS] }, [], {}, []];
});

afterEach(() => {
  vi.useRealTimers();
});

const CALLBACK = 'http://127.0.0.1/callback';
let documents = 0;

/** Publishes a document of a client that was never asked before. */
function publish(document: object = {}, init: ResponseInit = {}): string {
  documents += 1;
  const client_id = `https://app.example/${documents}.json`;
  const whole = { client_id, client_name: 'An app', redirect_uris: [CALLBACK], ...document };
  published[client_id] = () => Response.json(whole, init);
  return client_id;
}

/** Asks to be let in; a client that is taken comes to the sign-in. */
async function ask(client_id: string, redirect_uri = CALLBACK): Promise<{ status: number; text: string }> {
  const { url } = new App(server.baseUrl, client_id, redirect_uri).authorize();
  const response = await fetch(url, { redirect: 'manual' });
  return { status: response.status, text: await response.text() };
}

const TAKEN = { status: 303 };
const REFUSED = { status: 400 };

describe('no connection is made for a document at', () => {
  it('(the count counts: a plain request of this process to its own port 443 is seen)', async () => {
    for (const host of ['127.0.0.1', '[::1]']) {
      const before = origin.connections();
      await new Promise((resolve) => get(`https://${host}/`, { agent: false }).on('error', resolve));
      expect(origin.connections()).toBe(before + 1);
    }
  });

  it.each([
    'https://127.0.0.1/client.json',
    'https://127.0.0.2/client.json',
    'https://127.1/client.json',
    'https://2130706433/client.json',
    'https://0x7f000001/client.json',
    'https://0x7f.0.0.1/client.json',
    'https://017700000001/client.json',
    'https://0177.0.0.01/client.json',
    'https://0/client.json',
    'https://0.0.0.0/client.json',
    'https://①②⑦.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://[::]/client.json',
    'https://[::ffff:127.0.0.1]/client.json',
    'https://[::ffff:7f00:1]/client.json',
    'https://[::127.0.0.1]/client.json',
    'https://[::ffff:0:127.0.0.1]/client.json',
    'https://[64:ff9b::127.0.0.1]/client.json',
    'https://[2002:7f00:1::]/client.json',
    'https://[fe80::1]/client.json',
    'https://[fd00:ec2::254]/latest/meta-data',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/client.json',
    'https://192.168.1.1/client.json',
    'https://172.16.0.1/client.json',
    'https://100.64.0.1/client.json',
    'https://localhost/client.json',
    'https://localhost./client.json',
    'https://LOCALHOST/client.json',
    'https://x.localhost/client.json',
    'https://ip6-localhost/client.json',
    'https://private.app.example/client.json',
    'https://mixed.app.example/client.json',
    'http://127.0.0.1/client.json',
    'http://app.example/client.json',
    'https://app.example:8443/client.json',
    'https://app.example:80/client.json',
    'https://user@app.example/client.json',
    'https://user:password@127.0.0.1/client.json',
    'https://app.example@127.0.0.1/client.json',
    'https://app.example\\@127.0.0.1/client.json',
    'https://app.example/client.json#fragment',
    'https://app.example/../client.json',
    'https://app.example/%2e%2e/client.json',
    'file:///etc/passwd',
    'ftp://127.0.0.1/client.json',
    'data:application/json,{}',
  ])('%s', async (client_id) => {
    names['private.app.example'] = ['10.0.0.1'];
    names['mixed.app.example'] = [PUBLIC_ADDRESS, '127.0.0.1'];
    const before = origin.connections();
    expect(await ask(client_id)).toMatchObject(REFUSED);
    expect(origin.connections()).toBe(before);
    expect(origin.addresses).toEqual([]);
  });

  it.each([
    'http://app.example/x',
    'https://app.example:8443/x',
    'https://app.example:80/x',
    'https://user@app.example/x',
    'https://:password@app.example/x',
    'ftp://app.example/x',
  ])('%s, not even a name is looked up', async (url) => {
    await expect(createPublicFetch(lookup)(url)).rejects.toThrow('not https on its default port');
    expect(asked).toEqual([]);
  });

  it('the port where this very server listens', async () => {
    const { port } = new URL(server.baseUrl);
    const before = server.logText().length;
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      expect(await ask(`https://${host}:${port}/client.json`)).toMatchObject(REFUSED);
    }
    expect(server.logText().slice(before)).not.toContain('client.json');
  });

  it.each(['https://localhost/client.json', 'https://127.0.0.1/client.json'])(
    '%s, with the names of the system',
    async (url) => {
      const before = origin.connections();
      await expect(createPublicFetch()(url)).rejects.toThrow('not a public address');
      expect(origin.connections()).toBe(before);
    },
  );
});

it.each([
  ...['0.0.0.0', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.255.255.255', '169.254.169.254'],
  ...['172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1'],
  ...['198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1'],
  ...['255.255.255.255', '::', '::1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:a00:1', '::ffff:0:a00:1'],
  ...['64:ff9b::a00:1', '64:ff9b:1::1', '100::1', '2001::1', '2001:10::1', '2001:db8::1', '2002:a00:1::'],
  ...['3fff::1', '5f00::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1'],
  ...['', 'localhost', '127.1', '1.2.3'],
])('%j is not public', (address) => {
  expect(isPublic(address)).toBe(false);
});

it.each([
  '1.1.1.1',
  '93.184.216.34',
  '172.32.0.1',
  '100.128.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450::1',
])('%s is public', (address) => {
  expect(isPublic(address)).toBe(true);
});

describe('a name that changes its meaning', () => {
  it('is asked once, and what it meant then is what is connected to', async () => {
    const answers = [[PUBLIC_ADDRESS], ['127.0.0.1'], ['10.0.0.1']];
    const rebinding: LookupFunction = (hostname, options, done) => {
      names[hostname] = answers.shift() ?? ['127.0.0.1'];
      lookup(hostname, options, done);
    };
    const fetchDocument = createPublicFetch(rebinding);
    const client_id = publish();
    expect((await fetchDocument(client_id)).status).toBe(200);
    expect(asked).toEqual(['app.example']);
    expect(origin.addresses.splice(0)).toEqual([PUBLIC_ADDRESS]);
    const before = origin.connections();
    await expect(fetchDocument(client_id)).rejects.toThrow('not a public address');
    await expect(fetchDocument(client_id)).rejects.toThrow('not a public address');
    expect(origin.connections()).toBe(before);
  });

  it('is not followed to another place: a redirect is no document', async () => {
    const client_id = publish();
    for (const to of ['https://127.0.0.1/x', 'https://10.0.0.1/x', 'https://app.example/other', '/other']) {
      for (const status of [301, 302, 303, 307, 308]) {
        published[client_id] = () => new Response(null, { status, headers: { Location: to } });
        expect(await ask(client_id)).toMatchObject(REFUSED);
      }
    }
    expect(new Set(fetched)).toEqual(new Set([client_id]));
    expect(new Set(origin.addresses.splice(0))).toEqual(new Set([PUBLIC_ADDRESS]));
  });

  it('is not believed when its certificate is for another', async () => {
    names['other.example'] = [PUBLIC_ADDRESS];
    published['https://other.example/client.json'] = () => Response.json({});
    expect(await ask('https://other.example/client.json')).toMatchObject(REFUSED);
    expect(fetched).toEqual([]);
  });
});

describe('a document is taken', () => {
  it('and a person sees whose it is', async () => {
    const client_id = publish({ redirect_uris: ['https://app.example/cb'] });
    const person = await Person.join(test.instance.control);
    const app = new App(server.baseUrl, client_id, 'https://app.example/cb');
    const authorization = app.authorize();
    const consent = await person.open(authorization.url);
    expect(consent.text).toContain('An app');
    expect(consent.text).toContain('app.example');
    const tokens = await app.redeem(await person.allow(app.authorize().url), authorization);
    // Another authorization's verifier: the code is refused, and so nobody needs to wait for a new minute.
    expect(tokens.status).toBe(400);
    const again = app.authorize();
    expect(await app.redeem(await person.allow(again.url), again)).toMatchObject({ status: 200 });
  });

  it('fields and grant types that we do not know are ignored', async () => {
    const client_id = publish({
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code', 'tomorrow'],
      response_types: ['code', 'id_token'],
      scope: 'everything',
      logo_uri: 'http://10.0.0.1/logo',
      sector_identifier_uri: 'https://10.0.0.1/sector',
      contacts: 'nobody',
      tomorrow: {},
      client_secret: null,
    });
    expect(await ask(client_id)).toMatchObject(TAKEN);
    expect(fetched).toEqual([client_id]);
  });

  it('any port of this machine is taken, and no other port of another host', async () => {
    const client_id = publish({
      redirect_uris: ['http://127.0.0.1/cb', 'http://localhost:99/cb', 'https://app.example/cb'],
      application_type: 'web',
    });
    expect(await ask(client_id, 'http://127.0.0.1:51234/cb')).toMatchObject(TAKEN);
    expect(await ask(client_id, 'http://localhost:51234/cb')).toMatchObject(TAKEN);
    expect(await ask(client_id, 'http://[::1]:51234/cb')).toMatchObject(REFUSED);
    expect(await ask(client_id, 'http://127.0.0.1:51234/other')).toMatchObject(REFUSED);
    expect(await ask(client_id, 'https://app.example:444/cb')).toMatchObject(REFUSED);
  });

  it('once, until it is over; then as it is by then', async () => {
    const client_id = publish({}, { headers: { 'Cache-Control': 'max-age=7200' } });
    expect(await ask(client_id)).toMatchObject(TAKEN);
    published[client_id] = () =>
      Response.json({ client_id, redirect_uris: ['https://app.example/new'], client_name: 'Renamed' });
    expect(await ask(client_id)).toMatchObject(TAKEN);
    expect(fetched).toEqual([client_id]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_201_000 });
    expect(await ask(client_id)).toMatchObject(REFUSED);
    expect(await ask(client_id, 'https://app.example/new')).toMatchObject(TAKEN);
    expect(fetched).toEqual([client_id, client_id]);
  });

  it('and is fetched for a day at most, and once when many ask', async () => {
    const client_id = publish({}, { headers: { 'Cache-Control': 'max-age=99999999' } });
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(client_id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(303));
    expect(fetched).toEqual([client_id]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_401_000 });
    expect(await ask(client_id)).toMatchObject(TAKEN);
    expect(fetched).toHaveLength(2);
  });
});

describe('a document is refused that', () => {
  it.each<[string, object]>([
    ['names another client', { client_id: 'https://app.example/another' }],
    ['names none', { client_id: undefined }],
    ['has a secret', { client_secret: 'known to everybody' }],
    ['has a secret with an end', { client_secret_expires_at: 0 }],
    ['authenticates with a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['authenticates with a secret in the form', { token_endpoint_auth_method: 'client_secret_post' }],
    ['authenticates without a key', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['has no redirect URI', { redirect_uris: [] }],
    ['has a script for one', { redirect_uris: [CALLBACK, 'javascript:alert(1)'] }],
    ['has a plain one', { redirect_uris: [CALLBACK, 'http://app.example/cb'] }],
    ['has a pattern for one', { redirect_uris: [CALLBACK, 'https://*.app.example/cb'] }],
    ['has a number for a name', { client_name: 5 }],
  ])('%s', async (_what, document) => {
    const client_id = publish(document);
    expect(await ask(client_id)).toMatchObject(REFUSED);
    expect(new Set(fetched)).toEqual(new Set([client_id]));
  });

  it.each<[string, (document: object) => Response]>([
    ['is a page', () => new Response('<!doctype html><title>x</title>')],
    ['is no JSON', () => new Response('{', { headers: { 'Content-Type': 'application/json' } })],
    ['is a list', (document) => Response.json([document])],
    ['is a text', () => Response.json('text')],
    ['is null', () => Response.json(null)],
    ['is empty', () => new Response('')],
    ['is not there', (document) => Response.json(document, { status: 404 })],
    ['is there in another sense', (document) => Response.json(document, { status: 203 })],
    ['failed', (document) => Response.json(document, { status: 500 })],
    ['is too large', (document) => Response.json({ ...document, padding: 'x'.repeat(70_000) })],
  ])('%s', async (_what, answer) => {
    const client_id = publish();
    const document = await published[client_id]?.();
    const json = (await document?.json()) as object;
    published[client_id] = () => answer(json);
    expect(await ask(client_id)).toMatchObject(REFUSED);
    expect(new Set(fetched)).toEqual(new Set([client_id]));
    // What failed is not remembered.
    published[client_id] = () => Response.json(json);
    expect(await ask(client_id)).toMatchObject(TAKEN);
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ['does not begin', () => new Promise<Response>(() => {})],
    [
      'does not end',
      () => new Response(new ReadableStream({ start: (body) => body.enqueue(Buffer.from('{"client_id":')) })),
    ],
    [
      'never ends',
      () => new Response(new ReadableStream({ pull: (body) => body.enqueue(Buffer.alloc(8192, ' ')) })),
    ],
  ])('%s', async (_what, answer) => {
    const client_id = publish();
    published[client_id] = answer;
    const fetchDocument = createDocumentFetch(createPublicFetch(lookup));
    const patience = new AbortController();
    const given = expect(fetchDocument(client_id, { signal: patience.signal })).rejects.toThrow();
    await vi.waitFor(() => expect(fetched).toContain(client_id));
    patience.abort();
    await given;
    // And that much patience the server has, at most.
    const aborted = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    const before = fetched.length;
    expect(await ask(client_id)).toMatchObject(REFUSED);
    expect(aborted.mock.calls.every(([milliseconds]) => milliseconds <= 2500)).toBe(true);
    expect(aborted).toHaveBeenCalled();
    expect(fetched).toHaveLength(before);
    aborted.mockRestore();
  });

  it('stands at a name that is not answered', async () => {
    const fetchDocument = createPublicFetch(() => {});
    await expect(
      fetchDocument('https://app.example/x', { signal: AbortSignal.timeout(50) }),
    ).rejects.toThrow();
  });
});

describe('the documents that are kept for when their hosts refuse theirs', () => {
  const CLAUDE = 'https://claude.ai/oauth/mcp-oauth-client-metadata';
  const OWN_CALLBACK = 'https://claude.ai/api/mcp/auth_callback';
  const fetchWith = (live: () => Promise<Response>) => createDocumentFetch(live as typeof fetch);
  const read = async (live: () => Promise<Response>) =>
    (await (await fetchWith(live)(CLAUDE)).json()) as { redirect_uris: string[] };

  it.each<[string, () => Promise<Response>]>([
    ['it cannot be reached', () => Promise.reject(new Error('no'))],
    ['it is forbidden', async () => new Response('challenge', { status: 403 })],
    ['it is down', async () => new Response('', { status: 503 })],
  ])('stand in when %s', async (_why, live) => {
    expect(await read(live)).toMatchObject({ client_id: CLAUDE, redirect_uris: [OWN_CALLBACK] });
  });

  it('do not stand in for the live one', async () => {
    const redirect_uris = ['https://claude.ai/new'];
    const live = await read(async () => Response.json({ client_id: CLAUDE, redirect_uris }));
    expect(live.redirect_uris).toEqual(redirect_uris);
  });

  it('stand in for no other address', async () => {
    for (const other of [`${CLAUDE}/`, `${CLAUDE}?x`, CLAUDE.toUpperCase(), 'https://claude.ai.example/']) {
      await expect(fetchWith(() => Promise.reject(new Error('no')))(other)).rejects.toThrow('no');
    }
  });
});

describe('the keys of a client', () => {
  let pair: GenerateKeyPairResult;
  let person: Person;

  beforeAll(async () => {
    pair = await generateKeyPair('RS256');
    person = await Person.join(test.instance.control);
  });

  /** As ChatGPT: a client that proves itself with a key that it publishes. */
  async function connect(jwks_uri: string) {
    const { privateKey, publicKey } = pair;
    const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }];
    const { status, body } = await register(server.baseUrl, {
      redirect_uris: ['https://app.example/cb'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri,
    });
    expect(status).toBe(201);
    const app = new App(server.baseUrl, String(body.client_id), 'https://app.example/cb');
    const assert = (audience = server.baseUrl) =>
      new SignJWT({ jti: crypto.randomUUID() })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setIssuer(app.client_id)
        .setSubject(app.client_id)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime('1 minute')
        .sign(privateKey);
    const redeem = async (client_assertion: string) => {
      const authorization = app.authorize();
      return app.redeem(await person.allow(authorization.url), authorization, {
        client_assertion,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      });
    };
    return { keys, assert, redeem, app };
  }

  it('are fetched, and what proves itself with them is taken once', async () => {
    const uri = 'https://app.example/keys/1';
    const { keys, assert, redeem } = await connect(uri);
    published[uri] = () => Response.json({ keys });
    const assertion = await assert();
    expect(await redeem(assertion)).toMatchObject({ status: 200 });
    expect(fetched).toEqual([uri]);
    expect(await redeem(assertion)).toMatchObject({ status: 401, error: 'invalid_client' });
    expect(await redeem(await assert('https://other.example'))).toMatchObject({ status: 401 });
    expect(await redeem('')).toMatchObject({ status: 401 });
  });

  it.each(['https://127.0.0.1/jwks', 'https://localhost/jwks', 'https://private.app.example/jwks'])(
    'are not fetched from %s',
    async (uri) => {
      names['private.app.example'] = ['192.168.0.1'];
      const before = origin.connections();
      const { assert, redeem } = await connect(uri);
      expect((await redeem(await assert())).status).toBeGreaterThanOrEqual(400);
      expect(origin.connections()).toBe(before);
    },
  );

  it('have twenty keys at most, since whoever asks has each of them tried', async () => {
    const [few, many] = ['https://app.example/keys/4', 'https://app.example/keys/5'];
    for (const [uri, count, status] of [
      [few, 20, 200],
      [many, 21, 401],
    ] as const) {
      const { keys, assert, redeem } = await connect(uri);
      const others = Array.from({ length: count - 1 }, (_, index) => ({ ...keys[0], kid: `other ${index}` }));
      published[uri] = () => Response.json({ keys: [...keys, ...others] });
      expect((await redeem(await assert())).status).toBe(status);
    }
    const keys = Array.from({ length: 21 }, () => ({ kty: 'RSA', n: 'AQAB', e: 'AQAB' }));
    const proving = {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'RS256',
    };
    expect(await ask(publish({ ...proving, jwks: { keys } }))).toMatchObject(REFUSED);
    const uris = { redirect_uris: ['https://app.example/cb'] };
    const refused = await register(server.baseUrl, { ...uris, ...proving, jwks: { keys } });
    expect([refused.status, refused.body.error_description]).toEqual([
      400,
      'jwks has 21 keys; a client may have 20',
    ]);
    expect(await ask(publish({ ...proving, jwks: { keys: keys.slice(1) } }))).toMatchObject(TAKEN);
  });

  it('are not fetched from where their address redirects to', async () => {
    const [uri, other] = ['https://app.example/keys/2', 'https://app.example/keys/3'];
    const { keys, assert, redeem } = await connect(uri);
    published[uri] = () => new Response(null, { status: 302, headers: { Location: other } });
    published[other] = () => Response.json({ keys });
    expect((await redeem(await assert())).status).toBeGreaterThanOrEqual(400);
    expect(fetched).toEqual([uri]);
  });
});
