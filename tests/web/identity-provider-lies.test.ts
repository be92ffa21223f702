import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import { describe, expect, it, vi } from 'vitest';
import { IdentityProvider } from '../../src/web/identity-provider.ts';
import type { SignInError } from '../../src/web/sign-in-error.ts';
import { CLIENT, CODE, type Lies, startLyingProvider } from './lying-provider.ts';

/** What a dishonest or broken provider, or somebody in between, may say. */

// As in a process that serves: it puts a class of its own in the place of `Response`.
getRequestListener(() => new Response());

const REDIRECT_URI = 'http://127.0.0.1:9/sign-in/provider/return';
const ANN = { subject: 'ann', email: 'ann@example.com', is_email_verified: true };

/** Signs in where the provider lies. `returned` are the parameters of the way back. */
async function signIn(lies: Lies, returned: Readonly<Record<string, string | undefined>> = {}) {
  let nonce = '';
  await using lying = await startLyingProvider(lies, () => nonce);
  const provider = new IdentityProvider({
    trustsEmail: false,
    issuer: lying.issuer,
    clientId: CLIENT.client_id,
    clientSecret: CLIENT.client_secret,
    redirectUri: REDIRECT_URI,
    secret: randomBytes(32),
  });
  try {
    const { url, state } = await provider.begin('/connections');
    const sent = new URL(url).searchParams;
    nonce = sent.get('nonce') ?? '';
    const all = { code: CODE, state: sent.get('state') ?? '', iss: lying.issuer, ...returned };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const { identity } = await provider.finish(
      new URL(`${REDIRECT_URI}?${new URLSearchParams(given)}`),
      state,
    );
    expect(identity.issuer).toBe(lying.issuer);
    return { identity, asked: lying.asked, shown: lying.shown };
  } catch (error) {
    const all = inspect(error, { depth: null, showHidden: true });
    const secrets = [CODE, nonce, CLIENT.client_secret, ...lying.said].filter((text) => text.length > 8);
    for (const secret of secrets) expect(all).not.toContain(secret);
    expect(error).toMatchObject({ name: 'SignInError' });
    const { failure, detail } = error as SignInError;
    return { failure, detail, asked: lying.asked };
  }
}

describe('an honest answer', () => {
  it('is taken, with the e-mail of the ID token', async () => {
    expect(await signIn({})).toMatchObject({
      identity: ANN,
      asked: ['/.well-known/openid-configuration', '/token', '/jwks'],
    });
  });

  it('is taken without `iss` from a provider that does not promise it', async () => {
    const metadata = { authorization_response_iss_parameter_supported: undefined };
    expect(await signIn({ metadata }, { iss: undefined })).toMatchObject({ identity: ANN });
  });
});

describe("the client's secret", () => {
  it.each([
    [undefined, 'header'],
    [['client_secret_post', 'client_secret_basic'], 'header'],
    [['client_secret_post', 'private_key_jwt'], 'form'],
    [['private_key_jwt'], 'header'],
  ])('is shown to a provider that says it takes %s in the %s', async (methods, shown) => {
    const metadata = { token_endpoint_auth_methods_supported: methods };
    expect(await signIn({ metadata })).toMatchObject({ identity: ANN, shown: [shown] });
  });
});

describe('an ID token', () => {
  const now = Math.floor(Date.now() / 1000);
  it.each<[string, Lies]>([
    ['of another issuer', { claims: { iss: 'https://login.example.com' } }],
    ['for another client', { claims: { aud: 'another' } }],
    ['for several clients, made for another', { claims: { aud: ['storesight', 'another'], azp: 'another' } }],
    ['of another sign-in', { claims: { nonce: 'another' } }],
    ['of no sign-in', { claims: { nonce: undefined } }],
    ['that is over', { claims: { exp: now - 60 } }],
    ['without an end', { claims: { exp: undefined } }],
    ['of nobody', { claims: { sub: undefined } }],
    ['of an empty subject', { claims: { sub: '' } }],
    ['signed by another key', { signed: 'by another key' }],
    ['signed by the client secret', { signed: 'by the client secret' }],
    ['that is not signed', { signed: 'not at all' }],
    ['that is missing', { tokens: { id_token: undefined } }],
    ['that is none', { tokens: { id_token: 'a.b.c' } }],
  ])('%s is refused', async (_name, lies) => {
    expect(await signIn(lies)).toMatchObject({ failure: 'unproven' });
  });

  it('is told apart in the log by what was wrong with it', async () => {
    expect(await signIn({ claims: { aud: 'another' } })).toMatchObject({
      detail: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED aud',
    });
    expect(await signIn({ claims: { sub: '' } })).toMatchObject({ detail: 'sub' });
    expect(await signIn({ token_status: 503 })).toMatchObject({
      detail: 'OAUTH_RESPONSE_IS_NOT_CONFORM http_503',
    });
  });
});

describe('the way back', () => {
  it('an answer from another issuer is refused before the code is sent anywhere', async () => {
    expect(await signIn({}, { iss: 'https://login.example.com' })).toMatchObject({
      failure: 'unproven',
      asked: ['/.well-known/openid-configuration'],
    });
  });

  it('that lacks the issuer is refused when the provider promises it', async () => {
    expect(await signIn({}, { iss: undefined })).toMatchObject({ failure: 'unproven' });
  });

  it.each([
    ['access_denied', 'cancelled'],
    ['server_error', 'unavailable'],
    ['temporarily_unavailable', 'unavailable'],
    ['unauthorized_client', 'client-refused'],
    ['login_required', 'unproven'],
    ['constructor', 'unproven'],
    [`${CODE} in an error`, 'unproven'],
  ])('the error %s is understood', async (error, failure) => {
    expect(await signIn({}, { code: undefined, error, error_description: CODE })).toMatchObject({ failure });
  });

  it('an empty answer is refused', async () => {
    expect(await signIn({}, { code: undefined })).toMatchObject({ failure: 'unproven' });
  });
});

describe('the e-mail', () => {
  it.each<[string, Lies, object]>([
    ['that is verified only as a text', { claims: { email_verified: 'true' } }, { is_email_verified: false }],
    ['of which it is not said', { claims: { email_verified: undefined } }, { is_email_verified: false }],
    ['that is no text', { claims: { email: ['ann@example.com'] } }, { email: null }],
    ['that is empty', { claims: { email: '' } }, { email: null }],
    [
      'that is asked for',
      { claims: { email: undefined }, userinfo: { email: 'a@b', email_verified: true } },
      { email: 'a@b', is_email_verified: true },
    ],
    [
      'that is asked for, where only the one of the token is verified',
      { claims: { email: undefined, email_verified: true }, userinfo: { email: 'a@b' } },
      { email: 'a@b', is_email_verified: false },
    ],
    [
      'that cannot be asked for',
      { claims: { email: undefined }, metadata: { userinfo_endpoint: undefined } },
      { email: null },
    ],
  ])('%s', async (_name, lies, expected) => {
    expect(await signIn(lies)).toMatchObject({ identity: { subject: 'ann', ...expected } });
  });

  it('the e-mail of somebody else is refused', async () => {
    const lies = {
      claims: { email: undefined },
      userinfo: { sub: 'bob', email: 'b@b', email_verified: true },
    };
    expect(await signIn(lies)).toMatchObject({ failure: 'unproven' });
  });
});

describe('a provider', () => {
  it.each<[string, Lies, string]>([
    ['whose metadata is of another', { metadata: { issuer: 'https://login.example.com' } }, 'no-provider'],
    ['without metadata', { metadata_status: 404 }, 'no-provider'],
    ['without a sign-in page', { metadata: { authorization_endpoint: undefined } }, 'no-provider'],
    ['that fails at once', { metadata_status: 503 }, 'unavailable'],
    ['that fails later', { token_status: 502 }, 'unavailable'],
    ['that is asked too often', { token_status: 429 }, 'unavailable'],
    ['that refuses without a reason', { token_status: 400 }, 'unproven'],
    [
      'that does not know the client',
      { token_status: 400, tokens: { error: 'invalid_client' } },
      'client-refused',
    ],
    ['that does not know the code', { token_status: 400, tokens: { error: 'invalid_grant' } }, 'used'],
    ['that does not tell the e-mail', { claims: { email: undefined }, userinfo_status: 500 }, 'unavailable'],
    ['without keys', { metadata: { jwks_uri: undefined } }, 'unproven'],
  ])('%s', async (_name, lies, failure) => {
    expect(await signIn(lies)).toMatchObject({ failure });
  });

  it.each<[string, Lies, string]>([
    ['its metadata', { metadata_status: null }, 'OAUTH_TIMEOUT'],
    ['its tokens', { token_status: null }, 'OAUTH_TIMEOUT'],
    ['the rest of its tokens', { are_tokens_endless: true }, 'OAUTH_PARSE_ERROR'],
  ])('that keeps %s to itself is not waited for', async (_name, lies, detail) => {
    // As much patience as it has, a hundred times as fast.
    const { timeout } = AbortSignal;
    using patience = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => timeout.call(AbortSignal, ms / 100));
    expect(await signIn(lies)).toMatchObject({ failure: 'unavailable', detail });
    expect(new Set(patience.mock.calls.flat())).toEqual(new Set([10_000]));
  });
});
