import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { rotateSigningKey } from '../../src/control/tokens/signing-keys.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { App } from './app.ts';
import { Person } from './person.ts';

/**
 * A connection goes on while its app's web site, and with it the document that describes the app, is down.
 */
const DOCUMENT = 'https://app.example/client.json';
const REDIRECT = 'http://127.0.0.1/callback';

let test: TestInstance;
let server: TestServer;
let site: { readonly name: string; readonly redirect: string } | 'down' | 'broken' = 'down';

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test, {
    documentFetch: async () => {
      if (site === 'down') throw new Error('no answer');
      if (site === 'broken') return new Response('', { status: 503 });
      return Response.json({ client_id: DOCUMENT, client_name: site.name, redirect_uris: [site.redirect] });
    },
  });
});

afterAll(async () => {
  vi.useRealTimers();
  await server.stop();
  await test[Symbol.asyncDispose]();
});

/** The provider forgets the documents that it has in memory, as after a restart. */
function forget() {
  return rotateSigningKey(test.instance.control, test.instance.secret, { revokeOlder: false });
}

it('is refreshed from the document as it was, and from a new one when there is one', async () => {
  const person = await Person.join(test.instance.control);
  const app = new App(server.baseUrl, DOCUMENT, 'http://127.0.0.1:5000/callback');
  site = { name: 'An app', redirect: REDIRECT };
  const authorization = app.authorize();
  let tokens = await app.redeem(await person.allow(authorization.url), authorization);
  for (site of ['down', 'broken'] as const) {
    await forget();
    tokens = await app.refresh(tokens.refresh_token);
    expect(tokens).toMatchObject({ status: 200 });
  }
  // A person can even connect it again, and sees who asks.
  await forget();
  expect((await person.open(app.authorize().url)).text).toContain('An app');

  site = { name: 'Renamed', redirect: REDIRECT };
  await forget();
  expect((await person.open(app.authorize().url)).text).toContain('Renamed');
  site = 'down';
  await forget();
  expect((await person.open(app.authorize().url)).text).toContain('Renamed');
});

it('an app that nobody connected leaves nothing', async () => {
  await test.instance.control.deleteFrom('oauth_clients').execute();
  site = { name: 'An app', redirect: REDIRECT };
  await forget();
  const person = await Person.join(test.instance.control);
  const app = new App(server.baseUrl, DOCUMENT, 'http://127.0.0.1:5000/callback');
  await person.deny(app.authorize().url);
  expect(await test.instance.control.selectFrom('oauth_clients').selectAll().execute()).toEqual([]);
  site = 'down';
  await forget();
  const response = await fetch(app.authorize().url, { redirect: 'manual' });
  expect({ status: response.status, location: response.headers.get('location') }).toEqual({
    status: 400,
    location: null,
  });
});
