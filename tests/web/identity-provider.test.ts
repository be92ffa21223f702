import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { seal, unseal } from '../../src/control/tokens/instance-secret.ts';
import { InputError } from '../../src/errors.ts';
import { IdentityProvider, type IdentityProviderOptions } from '../../src/web/identity-provider.ts';
import type { SignInError } from '../../src/web/sign-in-error.ts';
import { CookieBrowser } from './cookie-browser.ts';
import {
  type OpenidProvider,
  type OpenidProviderOptions,
  signInThere,
  startOpenidProvider,
} from './openid-provider.ts';

/** The sign-in at a real provider, a process of its own, over HTTP. */

const CLIENT = {
  client_id: 'storesight',
  client_secret: 'of tests: only & nowhere else?',
  redirect_uri: 'http://127.0.0.1:9/sign-in/provider/return',
} as const;
const OPTIONS: OpenidProviderOptions = {
  client: CLIENT,
  has_email_in_id_token: false,
};
const SECRET = randomBytes(32);

let openid: OpenidProvider;

beforeAll(async () => {
  openid = await startOpenidProvider(OPTIONS);
});

afterAll(() => openid.stop());

afterEach(() => {
  vi.useRealTimers();
});

function createProvider(options: Partial<IdentityProviderOptions> = {}) {
  return new IdentityProvider({
    issuer: openid.issuer,
    clientId: CLIENT.client_id,
    clientSecret: CLIENT.client_secret,
    trustsEmail: false,
    redirectUri: CLIENT.redirect_uri,
    secret: SECRET,
    ...options,
  });
}

async function failureOf(attempt: Promise<unknown>): Promise<SignInError> {
  const error = await attempt.then(
    () => null,
    (reason) => reason,
  );
  expect(error).toMatchObject({ name: 'SignInError' });
  return error;
}

describe('a sign-in', () => {
  it('tells who the person is and where they were going', async () => {
    const provider = createProvider();
    const { url, state } = await provider.begin('/consent/1');
    const back = await signInThere(new CookieBrowser(), url, 'ann');
    expect(await provider.finish(back, state)).toEqual({
      identity: { issuer: openid.issuer, subject: 'ann', email: 'ann@example.com', is_email_verified: true },
      returnTo: '/consent/1',
    });
  });

  it('asks for what it needs, with a challenge, and tells the browser no secret', async () => {
    const { url, state } = await createProvider().begin('/');
    const sent = Object.fromEntries(new URL(url).searchParams);
    expect(sent).toMatchObject({
      client_id: 'storesight',
      redirect_uri: CLIENT.redirect_uri,
      response_type: 'code',
      scope: 'openid email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(Object.keys(sent)).toHaveLength(8);
    // In the cookie they are sealed.
    for (const value of [sent.state, sent.nonce, 'verifier']) expect(state).not.toContain(value);
    expect(state.length).toBeLessThan(1000);
  });

  it('is new each time', async () => {
    const provider = createProvider();
    const urls = [await provider.begin('/'), await provider.begin('/')].map(({ url }) => new URL(url));
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(new Set(urls.map(({ searchParams }) => searchParams.get(name))).size).toBe(2);
    }
  });

  it('goes through when the host of the way back is another, as behind a proxy', async () => {
    const provider = createProvider();
    const { url, state } = await provider.begin('/');
    const { search } = await signInThere(new CookieBrowser(), url, 'ann');
    const seen = new URL(`http://internal:8787/elsewhere${search}`);
    expect(await provider.finish(seen, state)).toMatchObject({ identity: { subject: 'ann' } });
  });

  it('is the same person when the browser is signed in there already', async () => {
    const [provider, browser] = [createProvider(), new CookieBrowser()];
    for (const _time of [1, 2]) {
      const { url, state } = await provider.begin('/');
      const back = await signInThere(browser, url, 'ann');
      expect(await provider.finish(back, state)).toMatchObject({ identity: { subject: 'ann' } });
    }
  });

  it.each([
    ['unverified-ann', { email: 'unverified-ann@example.com', is_email_verified: false }, 'unverified-email'],
    ['no-email-ann', { email: null, is_email_verified: false }, 'no-email'],
    ['bob', { email: 'bob@example.com', is_email_verified: true }, 'no-account'],
  ])('the sign-in of %s says what is known about the e-mail', async (login, expected, failure) => {
    const provider = createProvider();
    const { url, state } = await provider.begin('/');
    const { identity } = await provider.finish(await signInThere(new CookieBrowser(), url, login), state);
    expect(identity).toEqual({ issuer: openid.issuer, subject: login, ...expected });
    const error = provider.explainNoAccount(identity);
    expect(error.failure).toBe(failure);
    expect(error.message).not.toContain('@');
  });

  it.each([
    ['unsaid-ann', false, false],
    ['unsaid-ann', true, true],
    ['unverified-ann', true, false],
  ])(
    'the e-mail of %s, with trust in e-mails %s, is verified: %s',
    async (login, trustsEmail, is_email_verified) => {
      const provider = createProvider({ trustsEmail });
      const { url, state } = await provider.begin('/');
      const { identity } = await provider.finish(await signInThere(new CookieBrowser(), url, login), state);
      expect(identity).toMatchObject({ email: `${login}@example.com`, is_email_verified });
    },
  );

  it('works at a provider that tells the e-mail in the ID token', async () => {
    await using other = await startOpenidProvider({ ...OPTIONS, has_email_in_id_token: true });
    const provider = createProvider({ issuer: other.issuer });
    const { url, state } = await provider.begin('/');
    const back = await signInThere(new CookieBrowser(), url, 'ann');
    expect(await provider.finish(back, state)).toMatchObject({
      identity: { email: 'ann@example.com', is_email_verified: true },
    });
  });
});

describe('a sign-in is refused', () => {
  it('that the person cancels', async () => {
    const [provider, browser] = [createProvider(), new CookieBrowser()];
    const { url, state } = await provider.begin('/');
    const page = await browser.follow(await browser.get(url));
    const [abort = ''] = page.text.match(/\/interaction\/[\w-]+\/abort/) ?? [];
    const isBack = ({ href }: URL) => href.startsWith(CLIENT.redirect_uri);
    const { location } = await browser.follow(await browser.get(new URL(abort, page.url)), isBack);
    const error = await failureOf(provider.finish(location as URL, state));
    expect(error).toMatchObject({
      failure: 'cancelled',
      message: `${provider.name} did not sign you in: you cancelled, or it does not let you in here. Try again, or ask whoever runs this Storesight.`,
      detail: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR access_denied',
    });
  });

  it('whose way back was used already', async () => {
    const provider = createProvider();
    const { url, state } = await provider.begin('/');
    const back = await signInThere(new CookieBrowser(), url, 'ann');
    await provider.finish(back, state);
    expect(await failureOf(provider.finish(back, state))).toMatchObject({
      failure: 'used',
      message: 'This sign-in was used already, or took too long. Begin again.',
    });
  });

  it('a sign-in is refused once another one has begun', async () => {
    const provider = createProvider();
    const { url } = await provider.begin('/');
    const later = await provider.begin('/');
    const back = await signInThere(new CookieBrowser(), url, 'ann');
    expect(await failureOf(provider.finish(back, later.state))).toMatchObject({ failure: 'another-sign-in' });
  });

  it("a link that somebody else made with their own code and the victim's state is refused", async () => {
    const provider = createProvider();
    const [theirs, victim] = [await provider.begin('/'), await provider.begin('/')];
    const back = await signInThere(new CookieBrowser(), theirs.url, 'mallory');
    back.searchParams.set('state', new URL(victim.url).searchParams.get('state') ?? '');
    // The challenge is of another verifier.
    expect(await failureOf(provider.finish(back, victim.state))).toMatchObject({ failure: 'used' });
  });

  it('a nonce that was changed on the way there is refused', async () => {
    const provider = createProvider();
    const { url, state } = await provider.begin('/');
    const changed = new URL(url);
    changed.searchParams.set('nonce', 'another');
    const back = await signInThere(new CookieBrowser(), changed.href, 'ann');
    expect(await failureOf(provider.finish(back, state))).toMatchObject({
      failure: 'unproven',
      detail: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED nonce',
    });
  });

  it('an answer that names another issuer is refused', async () => {
    const provider = createProvider();
    const { url, state } = await provider.begin('/');
    const back = await signInThere(new CookieBrowser(), url, 'ann');
    expect(back.searchParams.get('iss')).toBe(openid.issuer);
    back.searchParams.set('iss', 'https://login.example.com');
    expect(await failureOf(provider.finish(back, state))).toMatchObject({ failure: 'unproven' });
  });

  it('a sign-in that took more than ten minutes is refused', async () => {
    const provider = createProvider();
    const { url, state } = await provider.begin('/');
    const back = await signInThere(new CookieBrowser(), url, 'ann');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 + 1 });
    expect(await failureOf(provider.finish(back, state))).toMatchObject({
      failure: 'expired',
      message: 'The sign-in took longer than 10 minutes. Begin again.',
    });
  });

  it('a sign-in without our cookie is refused', async () => {
    const provider = createProvider();
    const { url, state } = await provider.begin('/');
    const { searchParams } = new URL(url);
    const back = new URL(`${CLIENT.redirect_uri}?code=1&state=${searchParams.get('state')}`);
    const purpose = `sign-in at storesight of ${openid.issuer}/`;
    const text = unseal(SECRET, purpose, state) ?? '';
    // Else the ones below would be refused for a purpose that is wrong here.
    expect(JSON.parse(text)).toMatchObject({ state: searchParams.get('state'), returnTo: '/' });
    const middle = Math.floor(state.length / 2);
    const changed = `${state.slice(0, middle)}${state[middle] === 'A' ? 'B' : 'A'}${state.slice(middle + 1)}`;
    const cookies = [
      undefined,
      '',
      'nonsense',
      changed,
      state.slice(0, -4),
      text,
      seal(randomBytes(32), purpose, text),
      seal(SECRET, 'sign-in', text),
      (await createProvider({ clientId: 'another' }).begin('/')).state,
    ];
    for (const cookie of cookies) {
      expect(await failureOf(provider.finish(back, cookie))).toMatchObject({
        failure: 'not-begun',
        message:
          'This browser has no sign-in under way, or has finished it. Begin again; if that does not help, allow cookies for this page.',
      });
    }
  });

  it.each([
    ['a wrong secret', 'wrong'],
    ['no secret', undefined],
  ])('our request with %s is refused', async (_name, clientSecret) => {
    const provider = new IdentityProvider({
      trustsEmail: false,
      issuer: openid.issuer,
      clientId: CLIENT.client_id,
      clientSecret,
      redirectUri: CLIENT.redirect_uri,
      secret: SECRET,
    });
    const { url, state } = await provider.begin('/');
    const back = await signInThere(new CookieBrowser(), url, 'ann');
    expect(await failureOf(provider.finish(back, state))).toMatchObject({
      failure: 'client-refused',
      message: `${provider.name} does not accept this Storesight. Sign in with a password, and tell whoever runs it to check STORESIGHT_OIDC_CLIENT_ID and STORESIGHT_OIDC_CLIENT_SECRET.`,
    });
  });
});

describe('a provider that is down', () => {
  it('is asked again, and used as soon as it is up', async () => {
    const first = await startOpenidProvider(OPTIONS);
    await first.stop();
    const provider = createProvider({ issuer: first.issuer });
    const failures = await Promise.all([1, 2].map(() => failureOf(provider.begin('/'))));
    for (const failure of failures) {
      expect(failure).toMatchObject({
        failure: 'unavailable',
        message: `${provider.name} does not answer. Try again in a few minutes, or sign in with a password.`,
        detail: 'ECONNREFUSED',
      });
    }
    await using _up = await startOpenidProvider(OPTIONS, Number(new URL(first.issuer).port));
    const { url, state } = await provider.begin('/');
    const back = await signInThere(new CookieBrowser(), url, 'ann');
    expect(await provider.finish(back, state)).toMatchObject({ identity: { subject: 'ann' } });
  });

  it('a provider that stops before the person comes back is reported as down', async () => {
    const other = await startOpenidProvider(OPTIONS);
    const provider = createProvider({ issuer: other.issuer });
    const { url, state } = await provider.begin('/');
    const back = await signInThere(new CookieBrowser(), url, 'ann');
    await other.stop();
    expect(await failureOf(provider.finish(back, state))).toMatchObject({ failure: 'unavailable' });
  });

  it('has its metadata asked for once in a while, not each time', async () => {
    const other = await startOpenidProvider(OPTIONS);
    const provider = createProvider({ issuer: other.issuer });
    await provider.begin('/');
    await other.stop();
    await provider.begin('/');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 });
    expect(await failureOf(provider.begin('/'))).toMatchObject({ failure: 'unavailable' });
  });
});

describe('an issuer', () => {
  it.each([
    'https://login.example.com',
    'https://login.example.com:8443/realms/shop/',
    'http://localhost:8080',
    'http://127.0.0.1:8080/realms/shop',
    'http://[::1]:8080',
  ])('may be %s', (issuer) => {
    expect(createProvider({ issuer }).name).toBe(new URL(issuer).host);
  });

  it.each([
    'http://login.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'ftp://localhost',
    'login.example.com',
    '',
    'https://ann:password@login.example.com',
    'https://login.example.com?realm=shop',
    'https://login.example.com#shop',
    'https://login.example.com/.well-known/openid-configuration',
  ])('may not be %s', (issuer) => {
    expect(() => createProvider({ issuer })).toThrow(InputError);
    expect(() => createProvider({ issuer })).toThrow(/^STORESIGHT_OIDC_ISSUER does not fit: /);
  });
});
