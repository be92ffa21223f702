import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPasswordLink } from '../../src/control/people/credentials.ts';
import { App } from '../oauth/app.ts';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { type FormPost, postForm } from './form-post.ts';

/**
 * Every answer of the pages tells the browser to be careful, also errors, redirects and pages that are not
 * there.
 */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

let test: TestInstance;
let server: TestServer;
let secure: TestServer;
let person: Person;
let consent: string;
let link: string;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  secure = await startTestServer(test, { authUrl: 'https://signin.example/auth' });
  const { control } = test.instance;
  person = await Person.join(control, [await test.createBusiness()]);
  const app = await App.register(server.baseUrl);
  consent = (await person.open(app.authorize().url)).url.pathname;
  link = (await createPasswordLink(control, person.account_id)).handle;
});

afterAll(async () => {
  await server.stop();
  await secure.stop();
  await test[Symbol.asyncDispose]();
});

interface Request extends FormPost {
  readonly path: string;
  readonly isStranger?: boolean;
  readonly status: number;
  readonly says?: string;
}

const LARGE = 'x'.repeat(300 * 1024);
const LARGE_FORM: FormPost = { method: 'POST', body: new URLSearchParams({ email: LARGE, password: LARGE }) };
const get = (path: string, status: number, says = '<h1>'): Request => ({ method: 'GET', path, status, says });

const ANSWERS = (): Request[] => [
  { ...get('/sign-in', 200, 'Sign in'), isStranger: true },
  { ...get('/connections', 303, ''), isStranger: true },
  get('/connections', 200, 'Connected apps'),
  get('/connections/unknown', 404, 'No such connection'),
  get('/connections/%00', 404, 'No such connection'),
  get('/connections/%E0%A4%A', 404, 'No such connection'),
  get('/connections/a/b/c', 404, 'There is no such page'),
  get('/connections/a/revoke', 404, 'There is no such page'),
  get('/connections?done=constructor', 200, 'Connected apps'),
  get('/connections?done=__proto__', 200, 'Connected apps'),
  get('/connect', 200, 'Connect an app'),
  get('/connect/more', 404, 'There is no such page'),
  get('/password', 200, 'Change your password'),
  get(`/password/${link}`, 200, 'Choose a password'),
  get('/password/unknown', 404, 'This link has expired or was already used'),
  get('/password/%00', 404, 'This link has expired or was already used'),
  get('/password/a/b', 404, 'There is no such page'),
  get(consent, 200, 'Who asks'),
  get('/consent/unknown', 400, 'This request is over'),
  get('/consent/%00', 400, 'This request is over'),
  get('/consent/', 404, 'There is no such page'),
  get('/sign-out', 404, 'There is no such page'),
  get('/sign-in/provider', 404, 'There is no such page'),
  get('/sign-in/provider/return?code=x', 404, 'There is no such page'),
  get('/authorize', 400, 'The app could not be connected'),
  { path: '/sign-in', method: 'POST', status: 401, says: 'is wrong' },
  {
    path: '/sign-in',
    method: 'POST',
    origin: 'https://evil.example',
    status: 403,
    says: 'came from elsewhere',
  },
  { path: '/sign-in', ...LARGE_FORM, status: 413, says: 'This form is too large' },
  { path: '/password', ...LARGE_FORM, status: 413, says: 'at most 256 KB' },
  { path: consent, ...LARGE_FORM, status: 413, says: 'This form is too large' },
  { path: '/connections/a/revoke', ...LARGE_FORM, status: 413, says: 'This form is too large' },
  { path: consent, method: 'POST', status: 400, says: 'Choose which stores' },
  { path: '/password', method: 'DELETE', status: 404, says: 'There is no such page' },
];

it('the security headers, and a page that a person can read', async () => {
  for (const { path, isStranger, status, says = '', ...options } of ANSWERS()) {
    const session = `storesight_session=${person.browser.cookie(server.baseUrl, 'storesight_session')}`;
    const url = `${server.baseUrl}${path}`;
    const interaction = [
      'storesight_oauth',
      'storesight_oauth.sig',
      'storesight_oauth_consent',
      'storesight_oauth_consent.sig',
    ]
      .map((name) => `; ${name}=${person.browser.cookie(url, name)}`)
      .join('');
    const cookie = isStranger ? '' : `${session}${interaction}`;
    const response =
      options.method === 'GET'
        ? await fetch(url, { headers: { Cookie: cookie }, redirect: 'manual' })
        : await postForm(url, {}, { cookie, ...options });
    const what = `${options.method} ${path}`;
    expect(response.status, what).toBe(status);
    const headers = Object.keys(HEADERS).map((name) => [name, response.headers.get(name)]);
    expect(Object.fromEntries(headers), what).toEqual(HEADERS);
    expect(response.headers.get('strict-transport-security'), what).toBeNull();
    if (status === 303) continue;
    expect(response.headers.get('content-type'), what).toMatch(/^text\/html; charset=utf-8$/i);
    expect(await response.text(), what).toContain(says);
  }
});

it('browsers that come over https are told to stay there', async () => {
  for (const path of ['/sign-in', '/connections', '/connections/a/b/c', '/authorize', '/password/unknown']) {
    const response = await fetch(`${secure.listeningUrl}/auth${path}`, { redirect: 'manual' });
    expect(response.headers.get('strict-transport-security'), path).toBe('max-age=31536000');
    expect(response.headers.get('content-security-policy'), path).toBe(HEADERS['content-security-policy']);
  }
});

it('a form without a length that goes on and on is refused as well', async () => {
  const body = new ReadableStream({
    start: (controller) => {
      for (let chunks = 0; chunks < 30; chunks += 1) controller.enqueue(Buffer.alloc(16 * 1024, 'x'));
      controller.close();
    },
  });
  const response = await fetch(`${server.baseUrl}/sign-in`, {
    method: 'POST',
    headers: { Origin: server.baseUrl, 'Content-Type': 'application/x-www-form-urlencoded' },
    body,
    duplex: 'half',
  });
  expect(response.status).toBe(413);
  expect(await response.text()).toContain('This form is too large');
});

it('the style sheet may be kept', async () => {
  const response = await fetch(`${server.baseUrl}/styles.css`);
  expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('max-age=3600');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

describe('when the database fails', () => {
  it('a page says so, names where the log has it, and tells nothing of it', async () => {
    await using broken = await createTestInstance();
    const own = await startTestServer(broken);
    await broken.instance.control.schema.dropTable('sessions').execute();
    const response = await fetch(`${own.baseUrl}/connections`, {
      headers: { Cookie: 'storesight_session=x' },
    });
    expect(response.status).toBe(500);
    expect(response.headers.get('content-security-policy')).toBe(HEADERS['content-security-policy']);
    const page = await response.text();
    expect(page).toContain('Something went wrong here');
    expect(page).not.toMatch(/sqlite|no such table|\.ts/i);
    const [reference = 'none'] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(page) ?? [];
    expect(own.logText()).toContain(reference);
    expect(own.logText()).toContain('no such table');
    await own.stop();
  });
});
