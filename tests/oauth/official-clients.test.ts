import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  UnauthorizedError as UnauthorizedV2,
} from '@modelcontextprotocol/client';
import { UnauthorizedError as UnauthorizedV1 } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { type AppGrant, listAppGrants, revokeGrant } from '../../src/control/tokens/grants.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { Person } from './person.ts';

/**
 * The whole way of the official clients: 401, discovery, registration or document, consent, code, tokens,
 * refresh.
 */
const DOCUMENT = 'https://app.example/oauth/client.json';
const REDIRECT = 'http://localhost:6274/oauth/callback';
const IDENTITY = { name: 'storesight-tests', version: '1.0.0' };

let test: TestInstance;
let server: TestServer;
let shop: Business;
const documentsAsked: string[] = [];

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test, {
    documentFetch: async (url) => {
      documentsAsked.push(String(url));
      return Response.json({
        client_id: DOCUMENT,
        client_name: 'An app with a document',
        redirect_uris: ['http://localhost/oauth/callback'],
      });
    },
  });
  shop = await test.createBusiness({ name: 'Shop' });
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

/** What an app keeps for the SDK. It remembers where the SDK would send the person. */
class AppState {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { client_name: 'An official client', redirect_uris: [REDIRECT] };
  readonly clientMetadataUrl: string | undefined;
  sentTo: URL | undefined;
  #client: unknown;
  #tokens: unknown;
  #verifier = '';
  #discovered: unknown;

  constructor(clientMetadataUrl?: string) {
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  state() {
    return 'a state';
  }
  clientInformation() {
    return this.#client as never;
  }
  saveClientInformation(client: unknown) {
    this.#client = client;
  }
  tokens() {
    return this.#tokens as never;
  }
  saveTokens(tokens: unknown) {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
  saveDiscoveryState(discovered: unknown) {
    this.#discovered = discovered;
  }
  discoveryState() {
    return this.#discovered as never;
  }

  get issued() {
    return this.#tokens as { access_token: string; refresh_token: string; scope?: string };
  }

  /** As when an hour has passed. */
  spoilAccessToken() {
    this.#tokens = { ...this.issued, access_token: `${this.issued.access_token}x` };
  }
}

interface Sdk {
  readonly name: string;
  /** Throws what the SDK throws when the person must be asked first. */
  connect(
    state: AppState,
  ): Promise<{ listTools(): Promise<{ tools: readonly unknown[] }>; close(): Promise<void> }>;
  finish(state: AppState, returned: URL): Promise<void>;
  readonly unauthorized: new (message?: string) => Error;
}

const v1: Sdk = {
  name: 'v1',
  unauthorized: UnauthorizedV1,
  connect: async (state) => {
    const client = new ClientV1(IDENTITY);
    const transport = new HttpV1(new URL(server.mcpUrl), { authProvider: state as never });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    return client;
  },
  finish: (state, returned) =>
    new HttpV1(new URL(server.mcpUrl), { authProvider: state as never }).finishAuth(
      returned.searchParams.get('code') ?? '',
    ),
};

const v2 = (mode: 'legacy' | { readonly pin: string }): Sdk => ({
  name: `v2 ${typeof mode === 'string' ? mode : mode.pin}`,
  unauthorized: UnauthorizedV2,
  connect: async (state) => {
    const client = new ClientV2(IDENTITY, { versionNegotiation: { mode } });
    await client.connect(new HttpV2(new URL(server.mcpUrl), { authProvider: state as never }));
    return client;
  },
  // It checks `iss` (RFC 9207) of the whole answer.
  finish: (state, returned) =>
    new HttpV2(new URL(server.mcpUrl), { authProvider: state as never }).finishAuth(returned.searchParams),
});

describe.each([v1, v2('legacy'), v2({ pin: '2026-07-28' })])('the official client $name', (sdk) => {
  it.each([
    ['registers itself', undefined],
    ['is known by its document', DOCUMENT],
  ])('%s, signs a person in, refreshes, and is cut off', async (_how, documentUrl) => {
    const { control } = test.instance;
    const person = await Person.join(control, [shop]);
    const state = new AppState(documentUrl);
    await expect(sdk.connect(state)).rejects.toThrow(sdk.unauthorized);
    const sentTo = state.sentTo;
    if (sentTo === undefined) throw new Error('the SDK asked nobody to sign in');
    expect(sentTo.origin).toBe(new URL(server.mcpUrl).origin);
    expect(sentTo.searchParams.get('client_id') === DOCUMENT).toBe(documentUrl !== undefined);

    await sdk.finish(state, await person.allow(sentTo));
    const client = await sdk.connect(state);
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    await client.close();
    const { iss, aud, client_id, scope } = decodeJwt(state.issued.access_token);
    expect({ iss, aud, scope }).toEqual({ iss: server.baseUrl, aud: server.mcpUrl, scope: 'mcp' });
    expect(state.issued.refresh_token).toBeTypeOf('string');

    // An access token that is over is renewed without the person.
    const before = state.issued.refresh_token;
    state.sentTo = undefined;
    state.spoilAccessToken();
    const renewed = await sdk.connect(state);
    await renewed.close();
    expect(state.sentTo).toBeUndefined();
    expect(state.issued.refresh_token).not.toBe(before);

    const [connection, ...others] = await listAppGrants(control, person.account_id);
    expect(others).toEqual([]);
    expect(connection).toMatchObject({
      client_id: String(client_id),
      client_name: documentUrl === undefined ? 'An official client' : 'An app with a document',
      redirect_host: 'localhost:6274',
      allowlist: null,
      last_used_at: expect.any(String),
    } satisfies Partial<AppGrant>);

    // The app is cut off: its access token and its refresh token do nothing, so the person is asked again.
    await revokeGrant(control, connection?.grant_id ?? '');
    await expect(sdk.connect(state)).rejects.toThrow();
    expect(state.sentTo).toBeInstanceOf(URL);
  });
});

it('asked for the document of a client, and for nothing else', () => {
  expect(new Set(documentsAsked)).toEqual(new Set([DOCUMENT]));
});
