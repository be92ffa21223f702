import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { App, register } from './app.ts';
import { Person } from './person.ts';

/**
 * A browser is sent to an address that the app registered, and to no other; and before its person has
 * answered only to an app that somebody connected before. Storesight is no open redirector.
 */
const REGISTERED = [
  'https://app.example/cb',
  'https://app.example/cb?tenant=a%20b',
  'https://app.example:8443/Path/',
  'http://127.0.0.1/callback',
  'http://localhost:3000/callback',
  'http://[::1]:7/x?y=1',
  'com.example.app:/cb',
  'cursor://anysphere.cursor-mcp/cb',
];
let test: TestInstance;
let server: TestServer;
let person: Person;
/** Somebody connected it. */
let app: App;
/** Nobody did. */
let stranger: App;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  const { status, body } = await register(server.baseUrl, { redirect_uris: REGISTERED });
  expect(status).toBe(201);
  app = new App(server.baseUrl, String(body.client_id), '');
  stranger = await App.register(server.baseUrl, 'https://stranger.example/cb');
  person = await Person.join(test.instance.control);
  await person.allow(app.authorize({ redirect_uri: REGISTERED[0] ?? '' }).url);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

/** Where an error would send the browser: it needs nobody to sign in. */
async function sentTo(redirect_uri: string, changes: Record<string, string | null> = {}) {
  const { url } = app.authorize({ redirect_uri, prompt: 'none', ...changes });
  const response = await fetch(url, { redirect: 'manual' });
  await response.text();
  return { status: response.status, location: response.headers.get('Location') };
}

/** Ours, written without theirs: the same text, or on the device the same text but for the port. */
function isRegistered(uri: string): boolean {
  if (REGISTERED.includes(uri)) return true;
  const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d*)?([/?].*)?$/.exec(uri);
  if (loopback === null || !URL.canParse(uri)) return false;
  return REGISTERED.map((known) =>
    /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d*)?([/?].*)?$/.exec(known),
  ).some((known) => known?.[1] === loopback[1] && (known?.[3] ?? '') === (loopback[3] ?? ''));
}

const ERRORS: Record<string, string | null>[] = [
  {},
  { response_type: 'token' },
  { response_mode: 'form_post' },
  { response_mode: 'fragment' },
  { code_challenge: null },
  { resource: 'https://other.example/' },
  { request: 'x.y.z' },
  { scope: '\u0001' },
];

const EDITS: ((uri: string, text: string) => string)[] = [
  (uri) => uri,
  (uri, text) => `${uri}${text}`,
  (uri, text) => `${text}${uri}`,
  (uri, text) => uri.replace('://', `://${text}@`),
  (uri, text) => uri.replace('://', `://${text}.`),
  (uri, text) => uri.replace(/(:\/\/[^/?]+)/, `$1.${text}`),
  (uri, text) => uri.replace(/(:\/\/[^/?]+)/, `$1@${text}`),
  (uri, text) => uri.replace(/(:\/\/[^/?]+)/, `$1\\@${text}`),
  (uri) => uri.replace(/(:\/\/[^/?:]+)/, '$1.'),
  (uri) => `${uri}/`,
  (uri) => uri.replace(/\/$/, ''),
  (uri) => uri.toUpperCase(),
  (uri) => uri.replace('/c', '/%63'),
  (uri) => uri.replace('/c', '/./c'),
  (uri) => uri.replace('/c', '/x/../c'),
  (uri) => uri.replace('/c', '//c'),
  (uri) => uri.replace('localhost', '127.0.0.1'),
  (uri) => uri.replace('127.0.0.1', 'localhost'),
  (uri) => uri.replace('127.0.0.1', '127.1'),
  (uri) => uri.replace('127.0.0.1', '2130706433'),
  (uri) => uri.replace('[::1]', '[0:0:0:0:0:0:0:1]'),
  (uri) => uri.replace(/^http:/, 'https:'),
  (uri) => uri.replace(/^https:/, 'http:'),
  (uri) => uri.replace(/^https?:/, ''),
  (uri, text) => uri.replace(/:\/\/([^/?:]+|\[::1\])(:\d+)?/, `://$1:${text.length * 911}`),
  (uri) => uri.replace(/:\/\/([^/?:]+|\[::1\])(:\d+)?/, '://$1:'),
  (uri) => uri.replace(/:\/\/([^/?:]+|\[::1\])(:\d+)?/, '://$1:99999'),
  (uri) => `${uri}#fragment`,
  (uri) => `${uri}?code=x`,
  (uri) => ` ${uri}`,
  (uri) => `${uri}\t`,
  (uri) => uri.replace('p', '\n'),
];

it('nobody is sent anywhere else, whatever an app asks for, also for its errors', async () => {
  const texts = fc.oneof(
    fc.constantFrom(
      'evil.example',
      'evil.example/',
      '%2f',
      '..',
      ';',
      ',',
      ':80',
      '?',
      '#',
      '%00',
      '%0d%0a',
      '@',
    ),
    fc.string({ maxLength: 6 }),
    fc.webUrl(),
  );
  const uris = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.constantFrom(...REGISTERED), fc.constantFrom(...EDITS), texts)
        .map(([uri, edit, text]) => edit(uri, text)),
    },
    { weight: 1, arbitrary: fc.webUrl({ withFragments: true, withQueryParameters: true }) },
    { weight: 1, arbitrary: fc.string() },
  );
  let [sent, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(uris, fc.constantFrom(...ERRORS), async (uri, changes) => {
      const { status, location } = await sentTo(uri, changes);
      const expected = new URLSearchParams({ uri }).get('uri')?.toWellFormed() ?? '';
      if (!isRegistered(expected)) {
        refused += 1;
        expect({ status, location, uri }).toEqual({ status: 400, location: null, uri });
        return;
      }
      sent += 1;
      const [own, end] = [new URL(expected), new URL(location ?? '')];
      expect({ status, end: withoutQuery(end) }).toEqual({ status: 303, end: withoutQuery(own) });
      // What was meant for a page, as `response_type=token`, has its errors in the fragment.
      const added = new URLSearchParams(end.hash.slice(1));
      expect([...end.searchParams.keys(), ...added.keys()]).toEqual(
        expect.arrayContaining([...own.searchParams.keys(), 'error', 'state', 'iss']),
      );
    }),
    { numRuns: 500 },
  );
  // Both kinds occurred often, or this shows nothing.
  expect(Math.min(sent, refused)).toBeGreaterThan(20);
});

it('the page of a request that cannot be answered is in the language of the browser, but for what the protocol tells', async () => {
  const { url } = stranger.authorize({ prompt: 'none' });
  const response = await fetch(url, { redirect: 'manual', headers: { 'Accept-Language': 'cs' } });
  const page = await response.text();
  expect(page).toContain('<html lang="cs">');
  expect(page).toContain('Aplikaci se nepodařilo připojit');
  expect(page).toMatch(/<span lang="en">It asked in a way that cannot be answered: /);
});

describe('an app that nobody connected', () => {
  it.each(ERRORS)('gets nobody sent to it by an error, as by %o', async (changes) => {
    const { url } = stranger.authorize({ prompt: 'none', ...changes });
    const response = await fetch(url, { redirect: 'manual' });
    expect({ status: response.status, location: response.headers.get('Location') }).toEqual({
      status: 400,
      location: null,
    });
    expect(await response.text()).toContain('The app could not be connected');
  });

  it('gets those who answer, also by a refusal', async () => {
    const denied = await person.deny(stranger.authorize().url);
    expect([denied.origin, denied.searchParams.get('error')]).toEqual([
      'https://stranger.example',
      'access_denied',
    ]);
    expect((await fetch(stranger.authorize({ prompt: 'none' }).url, { redirect: 'manual' })).status).toBe(
      400,
    );
    await person.allow(stranger.authorize().url);
    expect((await fetch(stranger.authorize({ prompt: 'none' }).url, { redirect: 'manual' })).status).toBe(
      303,
    );
  });

  it('gets nobody at all, also in an older version, when its address leads to a command', async () => {
    const { url } = stranger.authorize({ redirect_uri: 'ms-msdt:/id' });
    const response = await fetch(url, { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('redirect_uri leads to no app');
  });
});

it.each([null, ''])('a request that names no address leads nowhere: %j', async (redirect_uri) => {
  const { url } = app.authorize({ redirect_uri });
  const response = await fetch(url, { redirect: 'manual' });
  expect(response.status).toBe(400);
  expect(response.headers.get('Location')).toBeNull();
});

function withoutQuery({ href }: URL): string {
  return href.replace(/[?#].*$/, '');
}
