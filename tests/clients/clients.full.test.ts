import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { App, type TokenAnswer } from '../oauth/app.ts';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { PACKAGES } from './all-packages.ts';
import type { Called, ClientPackage, ConnectedClient } from './client-package.ts';
import { type Installed, install } from './install.ts';
import { expectTable, outcome } from './table.ts';

/**
 * Clients from the registry, as they are, against a server over real HTTP. What came out is docs/clients.md.
 */
const SHOP = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));
const TABLE = fileURLToPath(new URL('../../docs/clients.md', import.meta.url));
const CALLS_AT_ONCE = 5;
const CLIENT_MS = 120_000;
const INSTALL_MS = 330_000;

let test: TestInstance;
let server: TestServer;
let business: Business;
let app: App;
let connected: TokenAnswer;
let person: Person;

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness({ name: 'Shop', timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importFolder(business, SHOP);
  server = await startTestServer(test);
  person = await Person.join(test.instance.control, [business]);
  app = await App.register(server.baseUrl);
  connected = await connect();
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

async function connect(): Promise<TokenAnswer> {
  const authorization = app.authorize();
  return app.redeem(await person.allow(authorization.url), authorization);
}

const range = { from_date: '2024-01-01T00:00:00', to_date: '2024-03-31T23:59:59' };
const CHECKS: Readonly<Record<string, (client: ConnectedClient) => Promise<unknown>>> = {
  'list of tools': async (client) => {
    expect((await client.listTools()).length).toBeGreaterThan(50);
  },
  'trend of local dates': async (client) => {
    const { isError, text } = await ask(client, 'order_statistics_trend', { ...range, breakdown: 'month' });
    expectAnswer({ isError, text }, '2024-03');
  },
  'filters that are null': async (client) => {
    const { isError, text } = await ask(client, 'product_statistics_trend', {
      ...range,
      external_product_ids: ['P1'],
      breakdown: 'month',
      fields: null,
    });
    expectAnswer({ isError, text });
  },
  'an error': async (client) => {
    const { isError, text } = await ask(client, 'order_statistics_trend', { ...range, breakdown: 'century' });
    if (!isError) throw new Error('it was no error');
    expect(text).toContain('breakdown');
  },
  'a long answer': async (client) => {
    const long = { from_date: '2022-01-01T00:00:00', to_date: '2024-12-31T23:59:59', breakdown: 'day' };
    const { isError, text } = await ask(client, 'order_statistics_trend', long);
    expectAnswer({ isError, text }, '2024-12-31');
    expect(text.length).toBeGreaterThan(80_000);
  },
};

function expectAnswer({ isError, text }: Called, part = ''): void {
  if (isError) throw new Error(text);
  expect(text).toContain(part);
}

function ask(client: ConnectedClient, tool: string, args: object) {
  return client.callTool(tool, { business_id: business.business_id, ...args });
}

/** What official clients keep for themselves: here a connection whose access token is over. */
function expiredConnection({ refresh_token = '' }: TokenAnswer) {
  let tokens: object = { access_token: 'over', token_type: 'Bearer', refresh_token };
  const signsIn: string[] = [];
  const provider = {
    redirectUrl: app.redirect_uri,
    clientMetadata: { redirect_uris: [app.redirect_uri], client_name: 'An app' },
    clientInformation: () => ({ client_id: app.client_id, redirect_uris: [app.redirect_uri] }),
    authorizationServerInformation: () => ({
      issuer: server.baseUrl,
      authorizationServerUrl: server.baseUrl,
      tokenEndpoint: `${server.baseUrl}/token`,
    }),
    tokens: () => tokens,
    saveTokens: (saved: object) => {
      tokens = saved;
    },
    redirectToAuthorization: (url: URL) => {
      signsIn.push(url.href);
    },
    saveCodeVerifier: () => {},
    codeVerifier: () => 'x'.repeat(43),
    invalidateCredentials: (what: string) => {
      signsIn.push(what);
    },
  };
  return {
    provider,
    signsIn,
    expire: () => {
      tokens = { ...tokens, access_token: 'over' };
    },
  };
}

const results = new Map<string, string[]>();
const AFTER_EXPIRY = `${CALLS_AT_ONCE} calls at once after expiry`;

function titleOf({ name, version }: ClientPackage): string {
  return `${name} ${version}`;
}

describe.each(PACKAGES)('$name $version', (pack: ClientPackage) => {
  let installed: Installed | string = 'it was not tried';
  const row: string[] = [];

  beforeAll(async () => {
    installed = await install(pack);
    if (typeof installed === 'string') console.warn(`skipped: ${installed}`);
  }, INSTALL_MS);

  afterAll(async () => {
    if (typeof installed !== 'string') await installed[Symbol.asyncDispose]();
  });

  it(
    'does all of it',
    async ({ skip }) => {
      if (typeof installed === 'string') return skip(installed);
      const token = connected.access_token ?? '';
      const client = await pack.connect({ url: server.mcpUrl, token, provider: {}, ...installed });
      try {
        for (const check of Object.values(CHECKS)) row.push(await outcome(() => check(client)));
      } finally {
        await client.close();
      }
    },
    CLIENT_MS,
  );

  it(
    'stays connected when several calls find the access token over',
    async ({ skip }) => {
      if (typeof installed === 'string') return skip(installed);
      const place = installed;
      row.push(
        pack.cannotRefresh === undefined
          ? await outcome(() => keepsConnection(place))
          : `not tried: ${pack.cannotRefresh}`,
      );
      results.set(titleOf(pack), row);
    },
    CLIENT_MS,
  );

  async function keepsConnection(place: Installed): Promise<void> {
    const { provider, signsIn, expire } = expiredConnection(await connect());
    const client = await pack.connect({ url: server.mcpUrl, token: null, provider, ...place });
    try {
      expire();
      const called = await Promise.all(
        Array.from({ length: CALLS_AT_ONCE }, () => client.callTool('list_businesses', {})),
      );
      for (const { isError, text } of called) expectAnswer({ isError, text }, 'Shop');
      expect(signsIn).toEqual([]);
    } finally {
      await client.close();
    }
  }
});

it('and the table says so', async () => {
  await expectTable(
    TABLE,
    ABOUT,
    ['client', ...Object.keys(CHECKS), AFTER_EXPIRY],
    PACKAGES.map(titleOf),
    results,
  );
});

const ABOUT = `# Clients that were tried

\`npm run test:full -- tests/clients\` installs these client libraries from the registry, each in a folder of its own, and
runs them against a server over HTTP. It writes this page with \`-- -u\`, and fails when it would say something else. Each
client is one small file in \`tests/clients/packages\`. Whole programs with a model are in [hosts.md](hosts.md).
`;
