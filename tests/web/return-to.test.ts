import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { cookieOf, postForm } from './form-post.ts';

/** A link to the sign-in page leads to one of our own pages, whatever it says. */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

describe.each([
  ['at the root', ''],
  ['below a path', '/auth'],
])('%s', (_name, prefix) => {
  let server: TestServer;
  let person: Person;
  let cookie: string;

  beforeAll(async () => {
    server = await startTestServer(test, prefix === '' ? {} : { authUrl: `https://signin.example${prefix}` });
    person = await Person.join(test.instance.control);
    cookie = cookieOf(await signIn(''), prefix === '' ? 'storesight_session' : '__Host-storesight_session');
  });

  afterAll(() => server.stop());

  const origin = () => (prefix === '' ? server.listeningUrl : 'https://signin.example');
  const at = (path: string) => `${server.listeningUrl}${prefix}${path}`;

  function signIn(return_to: string): Promise<Response> {
    const { email, password } = person;
    return postForm(at('/sign-in'), { email, password, return_to }, { origin: origin() });
  }

  /** Where somebody is led who is signed in already, which is decided alike. */
  async function ledTo(returnTo: string): Promise<string | null> {
    const url = `${at('/sign-in')}?return_to=${encodeURIComponent(returnTo)}`;
    const response = await fetch(url, { headers: { Cookie: cookie }, redirect: 'manual' });
    expect(response.status).toBe(303);
    return response.headers.get('Location');
  }

  /** Whether it is one of the pages that a person can begin at. */
  const isPage = (path: string | null) =>
    new RegExp(
      `^${prefix}/(connections(/[\\w-]+)?|stores(/[\\w-]+(/(managers|(uploads|imports)/[\\w-]+))?)?|connect|password|consent/[\\w-]+)$`,
    ).test(path ?? '');

  it.each([
    '/connections',
    '/connections/a1-b2',
    '/stores',
    '/stores/new',
    '/stores/a1-b2',
    '/stores/a1-b2/managers',
    '/stores/a1-b2/uploads/c3/map',
    '/stores/a1-b2/imports/c3/serve',
    '/stores/a1-b2/sources/c3/gone',
    '/connect',
    '/password',
    '/consent/Xy_z-1',
  ])('%s is a page to return to', async (path) => {
    expect(await ledTo(`${prefix}${path}`)).toBe(`${prefix}${path}`);
    expect(await ledTo(`${origin()}${prefix}${path}?a=b#c`)).toBe(`${prefix}${path}`);
  });

  it('signing in and signing out lead only to our own pages', async () => {
    const page = `${prefix}/consent/abc`;
    const out = (return_to: string) => postForm(at('/sign-out'), { return_to }, { origin: origin() });
    expect((await signIn(page)).headers.get('Location')).toBe(page);
    expect((await signIn('//evil.example')).headers.get('Location')).toBe(`${prefix}/stores`);
    expect((await out(page)).headers.get('Location')).toBe(
      `${prefix}/sign-in?return_to=${encodeURIComponent(page)}`,
    );
    expect((await out('https://evil.example/')).headers.get('Location')).toBe(
      `${prefix}/sign-in?return_to=${encodeURIComponent(`${prefix}/stores`)}`,
    );
  });

  it.each([
    '//evil.example',
    '///evil.example/connections',
    '/\\evil.example/connections',
    '\\\\evil.example/connections',
    'https://evil.example/connections',
    'https://evil.example/connect',
    'https://evil.example/auth/connect',
    '//evil.example/auth/connect',
    '/\\\\evil.example/connect',
    'https:evil.example',
    'http://signin.example/auth/connections',
    'https://signin.example@evil.example/connections',
    'https://signin.example.evil.example/auth/connections',
    'javascript:alert(1)//connections',
    'data:text/html,/connections',
    'blob:https://signin.example/auth/connections',
    '\t//evil.example',
    '/%2Fevil.example',
    '/connectionsevil',
    '/connect-evil',
    '/connections/../sign-out',
    '/consent/../x',
    '/consent/%2e%2e/x',
    '/consent/..%2Fx',
    '/consent/',
    '/consent//evil.example',
    '/consent/a/b',
    '/password/a-link-of-somebody-else',
    '/stores/a1-b2/overview.csv',
    '/stores/a1-b2/overviewXcsv',
    '/stores/a1-b2/uploads/c3/remove',
    '/sign-in',
    '/styles.css',
    '/connections/a/revoke',
    '/mcp',
    '/authorize?client_id=x',
    '',
    '\0',
  ])('%j is none', async (path) => {
    expect(await ledTo(path)).toBe(`${prefix}/stores`);
    expect(await ledTo(`${prefix}${path}`)).toBe(`${prefix}/stores`);
  });

  it('and nothing else that anybody can think of', async () => {
    const part = fc.constantFrom(
      ...[
        '/',
        '//',
        '\\',
        '.',
        '..',
        ':',
        '@',
        '?',
        '#',
        '%2f',
        '%5c',
        '%00',
        '\t',
        '\n',
        ' ',
        'https:',
        'javascript:',
      ],
      ...[
        'evil.example',
        'signin.example',
        '/auth',
        '/connections',
        '/connect',
        '/consent/',
        '/password',
        'a',
        '\u2028',
      ],
    );
    const text = fc.oneof(
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
      fc.webUrl(),
      fc.string({ unit: 'binary' }).map((any) => any.toWellFormed()),
    );
    await fc.assert(
      fc.asyncProperty(text, async (asked) => {
        expect(isPage(await ledTo(asked))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});
