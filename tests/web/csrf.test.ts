import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { readBusiness } from '../../src/control/businesses/businesses.ts';
import { createConnection } from '../../src/control/connections/connections.ts';
import { grantAccess } from '../../src/control/people/accounts.ts';
import { createPasswordLink } from '../../src/control/people/credentials.ts';
import { addManager, allowNewBusinesses } from '../../src/control/people/managers.ts';
import { createGrant } from '../../src/control/tokens/grants.ts';
import { App } from '../oauth/app.ts';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { stateOf } from './control-state.ts';
import type { Page } from './cookie-browser.ts';
import { type FormPost, postForm } from './form-post.ts';
import { refusingConnection } from './refusing-connection.ts';

/** What changes something is taken from our own pages alone, and never happens by following a link. */
const NEW_PASSWORD = 'another horse battery';

let test: TestInstance;
let server: TestServer;
let person: Person;
let consent: Page;
let grantId: string;
let link: string;
let store: string;
let source: string;
/** A source that lists 30 of 59 orders no more. */
let refusing: string;
let other: Person;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test, {
    identityProvider: {
      issuer: 'http://127.0.0.1:9',
      clientId: 'storesight',
      clientSecret: undefined,
      trustsEmail: false,
    },
  });
  const { control } = test.instance;
  store = (await test.createBusiness()).business_id;
  person = await Person.join(control, [(await readBusiness(control, store)) as Business]);
  await addManager(control, person.account_id, store);
  const { connection_id } = await createConnection(control, test.instance.secret, {
    ...{ business_id: store, name: 'url', vendor: 'url', settings: {}, secrets: { address: 'x' } },
    ...{ account: null, interval_s: 900 },
  });
  source = connection_id;
  refusing = await refusingConnection(test.instance, store);
  await allowNewBusinesses(control, person.account_id);
  other = await Person.join(control);
  await grantAccess(control, other.account_id, store, []);
  const app = await App.register(server.baseUrl);
  consent = await person.open(app.authorize().url);
  const grant = {
    account_id: person.account_id,
    allowlist: [],
    expires_at: new Date(Date.now() + 3_600_000),
  };
  grantId = (await createGrant(control, grant)).grant_id;
  link = (await createPasswordLink(control, person.account_id)).handle;
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

interface Form {
  readonly path: () => string;
  readonly fields: () => Record<string, string>;
  /** When our own page sends it. */
  readonly changes: boolean;
}

/** Every form there is, filled in rightly; signing out at the end. */
const FORMS: Record<string, Form> = {
  consent: {
    path: () => consent.url.pathname,
    fields: () => ({ decision: 'allow', businesses: 'all' }),
    changes: true,
  },
  'change of the stores': {
    path: () => `/connections/${grantId}`,
    fields: () => ({ businesses: 'all' }),
    changes: true,
  },
  'a new store': {
    path: () => '/stores/new',
    fields: () => ({ name: 'Shop', country: 'CZ', timezone: 'Europe/Prague', currency: 'CZK' }),
    changes: true,
  },
  'a new manager': {
    path: () => `/stores/${store}/managers`,
    fields: () => ({ account_id: other.account_id }),
    changes: true,
  },
  'a manager less': {
    path: () => `/stores/${store}/managers/remove`,
    fields: () => ({ account_id: other.account_id }),
    changes: true,
  },
  'a source': {
    path: () => `/stores/${store}/sources/new/url`,
    // Nobody answers there: our own page is told so, and nothing changes.
    fields: () => ({ secret_address: 'http://127.0.0.1:9/orders.csv' }),
    changes: false,
  },
  'another key': {
    path: () => `/stores/${store}/sources/${source}/key`,
    fields: () => ({ secret_address: 'http://127.0.0.1:9/orders.csv' }),
    changes: false,
  },
  'a source read now': {
    path: () => `/stores/${store}/sources/${source}/sync`,
    fields: () => ({}),
    changes: true,
  },
  'a source paused': {
    path: () => `/stores/${store}/sources/${source}/pause`,
    fields: () => ({}),
    changes: true,
  },
  'a source resumed': {
    path: () => `/stores/${store}/sources/${source}/resume`,
    fields: () => ({}),
    changes: true,
  },
  'answers to a source': {
    path: () => `/stores/${store}/sources/${source}/answer`,
    fields: () => ({}),
    changes: true,
  },
  'ids of a source compared': {
    path: () => `/stores/${store}/sources/${refusing}/compare`,
    fields: () => ({}),
    changes: true,
  },
  'deletions of a source confirmed': {
    path: () => `/stores/${store}/sources/${refusing}/gone`,
    fields: () => ({ kind: 'order-ids', count: '30' }),
    changes: true,
  },
  'a source less': {
    path: () => `/stores/${store}/sources/${source}/remove`,
    fields: () => ({}),
    changes: true,
  },
  disconnect: { path: () => `/connections/${grantId}/revoke`, fields: () => ({}), changes: true },
  'password by a link': {
    path: () => `/password/${link}`,
    fields: () => ({ new_password: NEW_PASSWORD, repeated_password: NEW_PASSWORD }),
    changes: true,
  },
  password: {
    path: () => '/password',
    fields: () => ({
      current_password: NEW_PASSWORD,
      new_password: NEW_PASSWORD,
      repeated_password: NEW_PASSWORD,
    }),
    changes: true,
  },
  'sign-in': {
    path: () => '/sign-in',
    fields: () => ({ email: person.email, password: NEW_PASSWORD }),
    changes: true,
  },
  'sign-in elsewhere': { path: () => '/sign-in/provider', fields: () => ({}), changes: false },
  'sign-out': { path: () => '/sign-out', fields: () => ({}), changes: true },
};

/** As the signed-in browser would send it, but for `options`. */
function send({ path, fields }: Form, options: FormPost): Promise<Response> {
  const url = `${server.baseUrl}${path()}`;
  const names = ['storesight_session', 'storesight_oauth', 'storesight_oauth_consent'];
  const cookies = names
    .flatMap((name) => [name, `${name}.sig`])
    .map((name) => `${name}=${person.browser.cookie(url, name)}`);
  return postForm(url, fields(), { cookie: cookies.join('; '), ...options });
}

const FOREIGN = (): (string | null)[] => {
  const { port } = new URL(server.baseUrl);
  return [
    null,
    'null',
    '',
    'https://evil.example',
    `https://127.0.0.1:${port}`,
    `http://localhost:${port}`,
    `http://127.0.0.1:${Number(port) + 1}`,
    `${server.baseUrl}.evil.example`,
    `${server.baseUrl}/`,
  ];
};

const TYPES: Record<string, FormPost> = {
  'as a form': {},
  'as plain text': { headers: { 'Content-Type': 'text/plain' } },
  'as JSON': { headers: { 'Content-Type': 'application/json' }, body: '{}' },
  'without a type': { body: new Blob([]) },
};

describe.each(Object.entries(FORMS))('%s', (_name, form) => {
  it('is refused when it comes from elsewhere, and changes nothing', async () => {
    const before = await stateOf(test.instance.control);
    const attempts: FormPost[] = [
      ...FOREIGN().flatMap((origin) =>
        [undefined, 'cross-site', 'same-site', 'none', 'Same-Origin'].map((site) => ({
          origin,
          headers: site === undefined ? {} : { 'Sec-Fetch-Site': site },
        })),
      ),
      ...Object.values(TYPES).map((type) => ({ origin: 'https://evil.example', ...type })),
      ...['PUT', 'PATCH', 'DELETE'].map((method) => ({ origin: 'https://evil.example', method })),
    ];
    for (const attempt of attempts) {
      const response = await send(form, attempt);
      expect(response.status, JSON.stringify(attempt)).toBe(403);
      expect(response.headers.getSetCookie()).toEqual([]);
      const page = await response.text();
      expect(page).toContain('This form came from elsewhere');
      expect(page).toContain(`Forms are taken only from pages at ${server.baseUrl}.`);
    }
    expect(await stateOf(test.instance.control)).toEqual(before);
  });

  it('is nothing that a link can do', async () => {
    const before = await stateOf(test.instance.control);
    const query = new URLSearchParams(form.fields());
    const cookie = `storesight_session=${person.browser.cookie(server.baseUrl, 'storesight_session')}`;
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      await fetch(`${server.baseUrl}${form.path()}?${query}`, {
        method,
        redirect: 'manual',
        headers: { Cookie: cookie },
      });
    }
    expect(await stateOf(test.instance.control)).toEqual(before);
  });
});

describe.sequential('the same forms from our own pages', () => {
  const changing = Object.entries(FORMS).filter(([, { changes }]) => changes);

  it.each(changing)('%s', async (_name, form) => {
    const before = await stateOf(test.instance.control);
    const response = await send(form, {});
    expect(response.status).toBe(303);
    expect(await stateOf(test.instance.control)).not.toEqual(before);
    // Some begin a new session, which ends this one.
    const [cookie] = response.headers.getSetCookie();
    if (cookie?.startsWith('storesight_session=')) {
      const page = await person.browser.get(`${server.baseUrl}/sign-in`);
      await person.browser.submit(page, { email: person.email, password: NEW_PASSWORD }, '/sign-in');
    }
  });

  it('a form is taken from a browser that says only that the page is ours', async () => {
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    const fields = { email: person.email, password: NEW_PASSWORD };
    const response = await postForm(`${server.baseUrl}/sign-in`, fields, { origin: null, headers });
    expect(response.status).toBe(303);
  });
});
