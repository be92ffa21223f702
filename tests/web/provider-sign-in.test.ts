import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { createAccount, grantAccess } from '../../src/control/people/accounts.ts';
import { App } from '../oauth/app.ts';
import { ask } from '../server/requests.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { freePort } from '../support/free-port.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { CookieBrowser, type Page } from './cookie-browser.ts';
import { type OpenidProvider, signInThere, startOpenidProvider } from './openid-provider.ts';

/** An app is connected by a person who signs in at another provider, a process of its own. */
const CLIENT = { client_id: 'storesight', client_secret: 'of tests only' };

let test: TestInstance;
let server: TestServer;
let openid: OpenidProvider;
let shop: Business;

beforeAll(async () => {
  test = await createTestInstance();
  const port = await freePort();
  server = await startTestServer(test, {
    identityProvider: {
      issuer: `http://127.0.0.1:${port}`,
      clientId: CLIENT.client_id,
      clientSecret: CLIENT.client_secret,
      trustsEmail: false,
    },
  });
  const redirect_uri = `${server.baseUrl}/sign-in/provider/return`;
  openid = await startOpenidProvider(
    { client: { ...CLIENT, redirect_uri }, has_email_in_id_token: true },
    port,
  );
  shop = await test.createBusiness({ name: 'Shop' });
  for (const login of ['ann', 'unverified-ann']) {
    const { control } = test.instance;
    const { account_id } = await createAccount(control, { email: `${login}@example.com`, password: null });
    await grantAccess(control, account_id, shop.business_id, ['DISPLAY_ANALYTICS_DASHBOARD']);
  }
});

afterAll(async () => {
  await openid.stop();
  await server.stop();
  await test[Symbol.asyncDispose]();
});

/** From the sign-in page over the provider to where that leads. */
async function signInWith(browser: CookieBrowser, start: string | URL, login: string): Promise<Page> {
  const page = await browser.follow(await browser.get(start));
  const away = await browser.submit(page, {}, '/sign-in/provider');
  const back = await signInThere(browser, String(away.location), login);
  return browser.follow(await browser.get(back));
}

it('leads over the provider to the consent, and connects the app', async () => {
  const [browser, app] = [new CookieBrowser(), await App.register(server.baseUrl)];
  const authorization = app.authorize();
  const consent = await signInWith(browser, authorization.url, 'ann');
  expect(consent.url.pathname).toMatch(/^\/consent\//);
  expect(consent.text).toContain('ann@example.com');

  const allowed = await browser.post(consent.url, { decision: 'allow', businesses: 'all' });
  const { location } = await browser.follow(allowed, ({ origin }) => origin !== server.baseUrl);
  const { access_token = '' } = await app.redeem(location as URL, authorization);
  expect(await ask(server.mcpUrl, access_token, 'list_businesses', {})).toEqual([
    expect.stringContaining(shop.business_id),
  ]);
});

it.each([
  ['bob', 'No account here has the e-mail address'],
  ['unverified-ann', 'has not confirmed that your e-mail address is yours'],
  ['no-email-ann', 'does not say what your e-mail address is'],
])('does not let %s in, says why, and still offers the password', async (login, why) => {
  const browser = new CookieBrowser();
  const page = await signInWith(browser, `${server.baseUrl}/connections`, login);
  expect(page.status).toBe(400);
  expect(page.text).toContain(why);
  expect(page.text).toContain('name="password"');
  expect((await browser.get(`${server.baseUrl}/connections`)).location?.pathname).toBe('/sign-in');
});

it('tells the operator why, and nothing about the person', async () => {
  const log = server.logText();
  expect(log).toContain('"failure":"unverified-email"');
  for (const told of ['@example.com', 'unverified-ann', CLIENT.client_secret])
    expect(log).not.toContain(told);
});

it('takes no return that another browser began', async () => {
  const [mine, theirs] = [new CookieBrowser(), new CookieBrowser()];
  const page = await mine.follow(await mine.get(`${server.baseUrl}/connections`));
  const away = await mine.submit(page, {}, '/sign-in/provider');
  const back = await signInThere(mine, String(away.location), 'ann');
  expect(await theirs.get(back)).toMatchObject({ status: 400 });
  expect((await theirs.get(`${server.baseUrl}/connections`)).location?.pathname).toBe('/sign-in');
});
