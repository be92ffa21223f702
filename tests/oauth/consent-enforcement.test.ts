import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Business, PERMISSIONS } from '../../src/business/business.ts';
import { grantAccess, revokeAccess } from '../../src/control/people/accounts.ts';
import { changeAllowlist, listAppGrants, revokeGrant } from '../../src/control/tokens/grants.ts';
import { ask, message, post } from '../server/requests.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { CookieBrowser, type Page } from '../web/cookie-browser.ts';
import { App, type Authorization } from './app.ts';
import { Person } from './person.ts';

/** What a person allowed is what an app can read, at every call: with one access token from first to last. */
let test: TestInstance;
let server: TestServer;
let app: App;
let first: Business;
let second: Business;
let foreign: Business;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  app = await App.register(server.baseUrl);
  first = await test.createBusiness({ name: 'First' });
  second = await test.createBusiness({ name: 'Second' });
  foreign = await test.createBusiness({ name: 'Foreign' });
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const RANGE = { from_date: '2023-01-01T00:00:00', to_date: '2025-12-31T23:59:59' };
const NOT_LISTED = "business_id is not in this token's allowlist";
const NOT_ASSIGNED = 'account is not assigned to this business';

/** An app that a person let in, and its one access token. */
class Connected {
  readonly token: string;

  constructor(token: string) {
    this.token = token;
  }

  static async of(person: Person, businesses: 'all' | readonly Business[]): Promise<Connected> {
    const authorization = app.authorize();
    return Connected.redeem(await person.allow(authorization.url, businesses), authorization);
  }

  static async redeem(returned: URL, authorization: Authorization): Promise<Connected> {
    const { access_token = '' } = await app.redeem(returned, authorization);
    return new Connected(access_token);
  }

  get grantId(): string {
    return String(decodeJwt(this.token).gid);
  }

  async seen(): Promise<string[]> {
    const [text = '{}'] = await ask(server.mcpUrl, this.token, 'list_businesses', {});
    return JSON.parse(text).result.map(({ name }: Business) => name);
  }

  /** The error of a call for a business; null when it is answered. */
  async refusal({ business_id }: Business): Promise<string | null> {
    const [text = ''] = await ask(server.mcpUrl, this.token, 'order_statistics', { business_id, ...RANGE });
    return text.startsWith('{') ? null : text;
  }

  async status(): Promise<number> {
    return (await post(server.mcpUrl, message('tools/list'), { token: this.token })).status;
  }
}

const join = (...businesses: Business[]) => Person.join(test.instance.control, businesses);

/** Sends the consent form with any fields. */
function answer(by: CookieBrowser, consent: Page, fields: [string, string][]): Promise<Page> {
  return by.post(consent.url, new URLSearchParams(fields));
}

const ALLOW_ALL: [string, string][] = [
  ['decision', 'allow'],
  ['businesses', 'all'],
];

/** Where the browser of a person leaves for the app. */
async function leave(person: Person, answered: Page): Promise<URL> {
  const end = await person.browser.follow(answered, ({ port }) => port === '3333');
  if (end.location === null) throw new Error(`stayed at ${end.url}: ${end.text}`);
  return end.location;
}

describe('a change takes effect with the same token', () => {
  it('an app sees what was chosen, and what is chosen later, from the next call on', async () => {
    const connected = await Connected.of(await join(first, second), [first]);
    expect(await connected.seen()).toEqual(['First']);
    expect(await connected.refusal(first)).toBeNull();
    expect(await connected.refusal(second)).toBe(NOT_LISTED);
    await changeAllowlist(test.instance.control, connected.grantId, [second.business_id]);
    expect(await connected.seen()).toEqual(['Second']);
    expect(await connected.refusal(first)).toBe(NOT_LISTED);
    expect(await connected.refusal(second)).toBeNull();
    await changeAllowlist(test.instance.control, connected.grantId, null);
    expect(await connected.seen()).toEqual(['First', 'Second']);
    await changeAllowlist(test.instance.control, connected.grantId, []);
    expect(await connected.seen()).toEqual([]);
  });

  it('"all" means later businesses too, and a list does not', async () => {
    const person = await join(first);
    const [all, list] = [await Connected.of(person, 'all'), await Connected.of(person, [first])];
    const later = await test.createBusiness({ name: 'Later' });
    expect(await all.refusal(later)).toBe(NOT_ASSIGNED);
    await grantAccess(test.instance.control, person.account_id, later.business_id, PERMISSIONS);
    expect(await all.seen()).toEqual(['First', 'Later']);
    expect(await all.refusal(later)).toBeNull();
    expect(await list.seen()).toEqual(['First']);
    expect(await list.refusal(later)).toBe(NOT_LISTED);
  });

  it('a lost permission and a lost assignment are lost at once', async () => {
    const person = await join(first, second);
    const connected = await Connected.of(person, 'all');
    expect(await connected.refusal(first)).toBeNull();
    await revokeAccess(test.instance.control, person.account_id, first.business_id);
    await grantAccess(test.instance.control, person.account_id, first.business_id, ['LIST_PRODUCT']);
    expect(await connected.refusal(first)).toMatch(/^Permission denied/);
    await revokeAccess(test.instance.control, person.account_id, first.business_id);
    expect(await connected.refusal(first)).toBe(NOT_ASSIGNED);
    expect(await connected.seen()).toEqual(['Second']);
  });

  it('a revoked connection is answered 401, and another of the same person goes on', async () => {
    const person = await join(first);
    const [cut, kept] = [await Connected.of(person, 'all'), await Connected.of(person, 'all')];
    await revokeGrant(test.instance.control, cut.grantId);
    expect([await cut.status(), await kept.status()]).toEqual([401, 200]);
  });

  it('a deleted account is answered 401', async () => {
    const person = await join(first);
    const connected = await Connected.of(person, 'all');
    await test.instance.control.deleteFrom('accounts').where('account_id', '=', person.account_id).execute();
    expect(await connected.status()).toBe(401);
  });
});

describe('a form that says more than the page', () => {
  it('gives nothing of what is not the account’s', async () => {
    const person = await join(first);
    const authorization = app.authorize();
    const consent = await person.open(authorization.url);
    const answered = await answer(person.browser, consent, [
      ['decision', 'allow'],
      ['businesses', 'chosen'],
      ['business_id', first.business_id],
      ['business_id', foreign.business_id],
      ['business_id', "' or 1=1 --"],
      ['account_id', 'another'],
    ]);
    const connected = await Connected.redeem(await leave(person, answered), authorization);
    expect(await connected.seen()).toEqual(['First']);
    expect(await connected.refusal(foreign)).toBe(NOT_LISTED);
    // It stays closed even when it becomes theirs: it was not among what they were shown.
    await grantAccess(test.instance.control, person.account_id, foreign.business_id, PERMISSIONS);
    expect(await connected.refusal(foreign)).toBe(NOT_LISTED);
  });

  it.each<[string, [string, string][]]>([
    ['nothing', [['decision', 'allow']]],
    [
      'an empty list',
      [
        ['decision', 'allow'],
        ['businesses', 'chosen'],
      ],
    ],
    [
      'a foreign list',
      [
        ['decision', 'allow'],
        ['businesses', 'chosen'],
        ['business_id', 'FOREIGN'],
      ],
    ],
    [
      'something else',
      [
        ['decision', 'allow'],
        ['businesses', 'every'],
      ],
    ],
    [
      'another button',
      [
        ['decision', 'yes'],
        ['businesses', 'all'],
      ],
    ],
    ['no button', [['businesses', 'all']]],
  ])('chooses nothing with %s', async (_what, fields) => {
    const person = await join(first);
    const consent = await person.open(app.authorize().url);
    const sent = fields.map(([name, value]): [string, string] => [
      name,
      value === 'FOREIGN' ? foreign.business_id : value,
    ]);
    const answered = await answer(person.browser, consent, sent);
    expect({ status: answered.status, location: answered.location }).toEqual({ status: 400, location: null });
    expect(await listAppGrants(test.instance.control, person.account_id)).toEqual([]);
  });
});

it('a refusal reaches the app, and nothing is given', async () => {
  const person = await join(first);
  const consent = await person.open(app.authorize().url);
  const fields: [string, string][] = [
    ['decision', 'deny'],
    ['businesses', 'all'],
  ];
  const end = await leave(person, await answer(person.browser, consent, fields));
  expect(Object.fromEntries(end.searchParams)).toEqual({
    error: 'access_denied',
    error_description: expect.any(String),
    state: 'the state',
    iss: server.baseUrl,
  });
  expect(await listAppGrants(test.instance.control, person.account_id)).toEqual([]);
});

describe('a consent is of one person in one browser for one request', () => {
  it('two tabs at once end each with its own app, whichever is answered first', async () => {
    const person = await join(first, second);
    const other = await App.register(server.baseUrl);
    const [one, two] = [app.authorize({ state: 'one' }), other.authorize({ state: 'two' })];
    const [firstTab, secondTab] = [await person.open(one.url), await person.open(two.url)];
    const secondAnswer = await answer(person.browser, secondTab, ALLOW_ALL);
    const firstAnswer = await answer(person.browser, firstTab, [
      ['decision', 'allow'],
      ['businesses', 'chosen'],
      ['business_id', second.business_id],
    ]);
    const [firstEnd, secondEnd] = [await leave(person, firstAnswer), await leave(person, secondAnswer)];
    expect([firstEnd, secondEnd].map((end) => end.searchParams.get('state'))).toEqual(['one', 'two']);
    expect(await (await Connected.redeem(firstEnd, one)).seen()).toEqual(['Second']);
    expect((await other.redeem(secondEnd, two)).status).toBe(200);
    const given = await listAppGrants(test.instance.control, person.account_id);
    expect(new Set(given.map(({ client_id }) => client_id))).toEqual(
      new Set([app.client_id, other.client_id]),
    );
  });

  it('another browser cannot see or answer it, also not of the same person', async () => {
    const victim = await join(first);
    const consent = await victim.open(app.authorize().url);
    const attacker = await join(second);
    await attacker.open(app.authorize().url);
    for (const stranger of [attacker.browser, new CookieBrowser()]) {
      const seen = await stranger.get(consent.url);
      const answered = await answer(stranger, consent, ALLOW_ALL);
      for (const page of [seen, answered]) {
        expect(page.location?.pathname ?? String(page.status)).toMatch(/^(400|\/sign-in)$/);
      }
    }
    expect(await listAppGrants(test.instance.control, attacker.account_id)).toEqual([]);
    expect(await listAppGrants(test.instance.control, victim.account_id)).toEqual([]);
    // The one whose it is can answer still.
    expect(
      (await leave(victim, await answer(victim.browser, consent, ALLOW_ALL))).searchParams.has('code'),
    ).toBe(true);
  });

  it('the way back to the app is open to no other browser', async () => {
    const person = await join(first);
    const consent = await person.open(app.authorize().url);
    const answered = await answer(person.browser, consent, ALLOW_ALL);
    const stolen = await new CookieBrowser().get(answered.location as URL);
    expect({ status: stolen.status, location: stolen.location }).toEqual({ status: 400, location: null });
    expect((await leave(person, answered)).searchParams.has('code')).toBe(true);
    const again = await person.browser.get(answered.location as URL);
    expect({ status: again.status, location: again.location }).toEqual({ status: 400, location: null });
  });

  it('cannot be answered again once the app has its answer', async () => {
    const person = await join(first);
    const consent = await person.open(app.authorize().url);
    await leave(person, await answer(person.browser, consent, ALLOW_ALL));
    const replayed = await answer(person.browser, consent, ALLOW_ALL);
    expect({ status: replayed.status, location: replayed.location }).toEqual({ status: 400, location: null });
    expect(replayed.text).toContain('This request is over');
    expect(await listAppGrants(test.instance.control, person.account_id)).toHaveLength(1);
  });

  it('cannot be answered by a page of another site', async () => {
    const person = await join(first);
    const consent = await person.open(app.authorize().url);
    const forged = await person.browser.post(
      consent.url,
      { decision: 'allow', businesses: 'all' },
      'https://evil.example',
    );
    expect(forged.status).toBe(403);
    expect(await listAppGrants(test.instance.control, person.account_id)).toEqual([]);
  });

  it('is for the account that is signed in when it is answered, though another began', async () => {
    const [began, ends] = [await join(first), await join(second)];
    const authorization = app.authorize();
    const consent = await began.open(authorization.url);
    // The page says whose it is, and lets them change that.
    expect(consent.text).toContain(began.email);
    await began.browser.post(`${server.baseUrl}/sign-out`, { return_to: consent.url.pathname });
    const fields = { email: ends.email, password: ends.password, return_to: consent.url.pathname };
    const signedIn = await began.browser.post(`${server.baseUrl}/sign-in`, fields);
    const page = await began.browser.follow(signedIn);
    expect(page.text).toContain(ends.email);
    expect(page.text).toContain('Second');
    expect(page.text).not.toContain('First');
    const end = await leave(began, await answer(began.browser, page, ALLOW_ALL));
    const connected = await Connected.redeem(end, authorization);
    expect(await connected.seen()).toEqual(['Second']);
    expect(decodeJwt(connected.token).sub).toBe(ends.account_id);
    expect(await listAppGrants(test.instance.control, began.account_id)).toEqual([]);

    // And the next consent in the same browser is not stuck with either.
    const next = app.authorize();
    const nextConsent = await began.browser.follow(await began.browser.get(next.url));
    const nextEnd = await leave(began, await answer(began.browser, nextConsent, ALLOW_ALL));
    expect(await (await Connected.redeem(nextEnd, next)).seen()).toEqual(['Second']);
  });

  it('is not for an account that another tab signed in while the page was open', async () => {
    const [began, ends] = [await join(first), await join(second)];
    const authorization = app.authorize();
    const consent = await began.open(authorization.url);
    await began.browser.post(`${server.baseUrl}/sign-out`, {});
    await began.browser.post(`${server.baseUrl}/sign-in`, { email: ends.email, password: ends.password });
    const shown = { decision: 'allow', businesses: 'all', account: began.email };
    const page = await began.browser.post(consent.url, shown);
    expect(page).toMatchObject({
      status: 409,
      text: expect.stringContaining('You are signed in with another account now.'),
    });
    expect(page.text).toContain('Second');
    expect(await listAppGrants(test.instance.control, ends.account_id)).toEqual([]);
    const end = await leave(began, await began.browser.post(consent.url, { ...shown, account: ends.email }));
    expect(await (await Connected.redeem(end, authorization)).seen()).toEqual(['Second']);
  });

  it('is not given when the request was cut between Allow and the way back', async () => {
    const person = await join(first);
    const consent = await person.open(app.authorize().url);
    const answered = await answer(person.browser, consent, ALLOW_ALL);
    const [grant] = await listAppGrants(test.instance.control, person.account_id);
    await revokeGrant(test.instance.control, grant?.grant_id ?? '');
    expect((await leave(person, answered)).searchParams.get('error')).toBe('access_denied');
    // Nothing of it is in the way of somebody else who signs in here.
    const other = await join(second);
    await person.browser.post(`${server.baseUrl}/sign-out`, {});
    const fields = { email: other.email, password: other.password, return_to: '/connections' };
    await person.browser.post(`${server.baseUrl}/sign-in`, fields);
    const authorization = app.authorize();
    const next = await person.browser.follow(await person.browser.get(authorization.url));
    const left = await leave(person, await answer(person.browser, next, ALLOW_ALL));
    expect(decodeJwt((await Connected.redeem(left, authorization)).token).sub).toBe(other.account_id);
  });
});
