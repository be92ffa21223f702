import * as openid from 'openid-client';
import type { Identity } from '../control/identities.ts';
import { seal, unseal } from '../control/secret.ts';
import { InputError } from '../model/errors.ts';

/** How long a person may take at the provider. */
const SIGN_IN_MINUTES = 10;
const REQUEST_TIMEOUT_SECONDS = 10;
/** What the provider says of itself is asked anew after this: endpoints move, and a process may run for months. */
const METADATA_MINUTES = 60;

export interface IdentityProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** Where the provider sends people back to, from configuration and not from a request. */
  readonly redirectUri: string;
  readonly secret: Buffer;
}

/** What a sign-in must find again when the person comes back. */
interface Attempt {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  readonly returnTo: string;
  readonly expires_at: number;
}

/** Sign-in of a person at an OpenID Connect provider: authorization code with PKCE, by openid-client. */
export class IdentityProvider {
  /** For the button: the host of the issuer. */
  readonly name: string;
  readonly #options: IdentityProviderOptions;
  readonly #issuer: URL;
  readonly #redirectUri: string;
  #discovered: { readonly configuration: Promise<openid.Configuration>; readonly until: number } | undefined;

  /** Asks the provider nothing yet, so that Storesight starts while it is down. @throws InputError when the issuer cannot be one */
  constructor(options: IdentityProviderOptions) {
    this.#options = options;
    this.#issuer = readIssuer(options.issuer);
    this.#redirectUri = new URL(options.redirectUri).href;
    this.name = this.#issuer.host;
  }

  /**
   * Where to send the browser, and what it must bring back in an http-only cookie.
   *
   * @throws SignInError when the provider does not answer, or is none
   */
  async begin(returnTo: string): Promise<{ readonly url: string; readonly state: string }> {
    const configuration = await this.#discover();
    const attempt: Attempt = {
      verifier: openid.randomPKCECodeVerifier(),
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      returnTo,
      expires_at: Date.now() + SIGN_IN_MINUTES * 60_000,
    };
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri,
      scope: 'openid email profile',
      code_challenge: await openid.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      state: attempt.state,
      nonce: attempt.nonce,
    });
    return { url: url.href, state: seal(this.#options.secret, this.#purpose, JSON.stringify(attempt)) };
  }

  /**
   * Who came back.
   *
   * @param returnUrl only its query is read
   * @param state of the cookie
   * @throws SignInError
   */
  async finish(
    returnUrl: URL,
    state: string | undefined,
  ): Promise<{ readonly identity: Identity; readonly returnTo: string }> {
    const attempt = this.#readAttempt(state);
    // Before all else, also before what an error in the URL says: links that others made up end here.
    if (returnUrl.searchParams.get('state') !== attempt.state) throw this.#error('another-sign-in');
    const configuration = await this.#discover();
    const answer = new URL(this.#redirectUri);
    answer.search = returnUrl.search;
    try {
      const tokens = await openid.authorizationCodeGrant(configuration, answer, {
        pkceCodeVerifier: attempt.verifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
      });
      return { identity: await readIdentity(configuration, tokens), returnTo: attempt.returnTo };
    } catch (error) {
      throw this.#error(failureOf(error), error);
    }
  }

  /** Why a person who signed in there has no account here. */
  explainNoAccount({ email, is_email_verified }: Identity): SignInError {
    if (email === null) return this.#error('no-email');
    return this.#error(is_email_verified ? 'no-account' : 'unverified-email');
  }

  /** Asked once by all who wait, and again by the next one after a failure. */
  #discover(): Promise<openid.Configuration> {
    if (this.#discovered === undefined || this.#discovered.until < Date.now()) {
      const configuration = this.#askForMetadata();
      const discovered = { configuration, until: Date.now() + METADATA_MINUTES * 60_000 };
      this.#discovered = discovered;
      configuration.catch(() => {
        if (this.#discovered === discovered) this.#discovered = undefined;
      });
    }
    return this.#discovered.configuration;
  }

  async #askForMetadata(): Promise<openid.Configuration> {
    const { clientId, clientSecret } = this.#options;
    try {
      const configuration = await openid.discovery(
        this.#issuer,
        clientId,
        undefined,
        clientSecret === undefined ? openid.None() : confidentialClient(clientSecret),
        {
          timeout: REQUEST_TIMEOUT_SECONDS,
          execute: [
            // TRICKY: despite its name, this is what verifies the signature of an ID token. Without it the library
            // trusts TLS alone, as the standard allows.
            openid.enableNonRepudiationChecks,
            ...(this.#issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
          ],
        },
      );
      // Throws when the metadata lacks the endpoint.
      openid.buildAuthorizationUrl(configuration, {});
      return configuration;
    } catch (error) {
      throw this.#error(failureOf(error) === 'unavailable' ? 'unavailable' : 'no-provider', error);
    }
  }

  #readAttempt(state: string | undefined): Attempt {
    const text = unseal(this.#options.secret, this.#purpose, state ?? '');
    if (text === null) throw this.#error('not-begun');
    const attempt: Attempt = JSON.parse(text);
    if (attempt.expires_at < Date.now()) throw this.#error('expired');
    return attempt;
  }

  /** Of this provider, so that a sign-in begun before the settings changed is none. */
  get #purpose(): string {
    return `sign-in at ${this.#options.clientId} of ${this.#issuer.href}`;
  }

  #error(failure: SignInFailure, error?: unknown): SignInError {
    return new SignInError(failure, this.name, detailOf(error));
  }
}

/** What a person is told: what happened and what to do next. */
const MESSAGES = {
  unavailable: (name: string) =>
    `${name} does not answer. Try again in a few minutes, or sign in with a password.`,
  'no-provider': (name: string) =>
    `${name} does not answer as an OpenID Connect provider. Sign in with a password, and tell whoever runs this Storesight to check STORESIGHT_OIDC_ISSUER.`,
  'client-refused': (name: string) =>
    `${name} does not accept this Storesight. Sign in with a password, and tell whoever runs it to check STORESIGHT_OIDC_CLIENT_ID and STORESIGHT_OIDC_CLIENT_SECRET.`,
  cancelled: (name: string) =>
    `${name} did not sign you in: you cancelled, or it does not let you in here. Try again, or ask whoever runs this Storesight.`,
  'not-begun': () =>
    'This browser has no sign-in under way, or has finished it. Begin again; if that does not help, allow cookies for this page.',
  expired: () => `The sign-in took longer than ${SIGN_IN_MINUTES} minutes. Begin again.`,
  'another-sign-in': () =>
    'You have begun another sign-in since this one. Finish that one, or begin again here.',
  used: () => 'This sign-in was used already, or took too long. Begin again.',
  unproven: (name: string) =>
    `What ${name} said about you could not be confirmed. Begin again; if that does not help, tell whoever runs this Storesight.`,
  'no-email': (name: string) =>
    `${name} does not say what your e-mail address is, so your account was not found. Let it share the address, or ask whoever runs this Storesight.`,
  'unverified-email': (name: string) =>
    `${name} has not confirmed that your e-mail address is yours. Confirm it there and begin again.`,
  'no-account': (name: string) =>
    `No account here has the e-mail address that ${name} knows you by, or another sign-in there has it already. Ask whoever runs this Storesight.`,
} as const;

export type SignInFailure = keyof typeof MESSAGES;

/**
 * A sign-in at the provider that did not work. Its message is for the person, and it holds no token, code or e-mail.
 * TRICKY: it has no `cause`, since the library's errors carry whole responses.
 */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly failure: SignInFailure;
  /** For the log: codes of the errors beneath; empty when there are none. */
  readonly detail: string;

  constructor(failure: SignInFailure, providerName: string, detail: string) {
    super(MESSAGES[failure](providerName));
    this.failure = failure;
    this.detail = detail;
  }
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

function readIssuer(issuer: string): URL {
  const url = URL.parse(issuer);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
  // From the address of its metadata the library would take any issuer.
  if (url !== null && isSafe && isPlain && !url.href.includes('/.well-known/')) return url;
  throw new InputError(
    'STORESIGHT_OIDC_ISSUER does not fit: it must begin with https:// (http:// only on this machine) and be the issuer alone, without /.well-known/…, query or password; see docs/settings.md',
  );
}

/** With the header that the standard makes the default, unless the provider takes only the other way. */
function confidentialClient(clientSecret: string): openid.ClientAuth {
  const basic = openid.ClientSecretBasic(clientSecret);
  const post = openid.ClientSecretPost(clientSecret);
  return (server, client, body, headers) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const authenticate =
      !methods.includes('client_secret_basic') && methods.includes('client_secret_post') ? post : basic;
    authenticate(server, client, body, headers);
  };
}

type Tokens = Awaited<ReturnType<typeof openid.authorizationCodeGrant>>;
type Claims = Readonly<Record<string, unknown>>;

/** Some providers tell the e-mail in the ID token, others only when they are asked. */
async function readIdentity(configuration: openid.Configuration, tokens: Tokens): Promise<Identity> {
  const claims = tokens.claims();
  // The library takes an empty subject, which would be one person to all who have it.
  if (!claims?.sub) throw new Error('the ID token names nobody', { cause: { claim: 'sub' } });
  const { iss: issuer, sub: subject } = claims;
  const isComplete = emailOf(claims) !== null && claims.email_verified !== undefined;
  const canAsk = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const asked: Claims =
    isComplete || !canAsk ? {} : await openid.fetchUserInfo(configuration, tokens.access_token, subject);
  // Both from one place: that an address is verified says nothing about another one.
  const source: Claims = emailOf(asked) === null ? claims : asked;
  return { issuer, subject, email: emailOf(source), is_email_verified: source.email_verified === true };
}

function emailOf({ email }: Claims): string | null {
  return typeof email === 'string' && email !== '' ? email : null;
}

function failureOf(error: unknown): SignInFailure {
  if (error instanceof openid.AuthorizationResponseError) return FAILURES.get(error.error) ?? 'unproven';
  if (error instanceof openid.ResponseBodyError) {
    return FAILURES.get(error.error) ?? (error.status >= 500 ? 'unavailable' : 'unproven');
  }
  if (error instanceof openid.WWWAuthenticateChallengeError) {
    // Bearer is how the endpoint of the e-mail refuses a token; any other scheme asks for the client's secret.
    return error.cause.some(({ scheme }) => scheme === 'bearer') ? 'unproven' : 'client-refused';
  }
  return isOutage(error) ? 'unavailable' : 'unproven';
}

/** By the error codes of OAuth 2.0, of either endpoint. */
const FAILURES: ReadonlyMap<string, SignInFailure> = new Map([
  ['access_denied', 'cancelled'],
  ['server_error', 'unavailable'],
  ['temporarily_unavailable', 'unavailable'],
  ['invalid_client', 'client-refused'],
  ['unauthorized_client', 'client-refused'],
  ['invalid_grant', 'used'],
]);

function isOutage(error: unknown): boolean {
  const causes = causesOf(error);
  const response = causes.at(-1)?.cause;
  if (response instanceof Response) return response.status >= 500 || response.status === 429;
  // A `fetch` without an answer is a bare TypeError; those of the library have a code.
  const isUnanswered = error instanceof TypeError && !('code' in error);
  return isUnanswered || causes.some(({ name }) => name === 'TimeoutError');
}

/** Codes only: messages and causes quote what the provider sent. */
function detailOf(error: unknown): string {
  const causes = causesOf(error);
  const codes = causes.flatMap((cause) => ['code' in cause && cause.code, 'error' in cause && cause.error]);
  const last = causes.at(-1)?.cause;
  if (last instanceof Response) codes.push(`http_${last.status}`);
  else if (typeof last === 'object' && last !== null && 'claim' in last) codes.push(last.claim);
  const words = codes.filter((code) => typeof code === 'string' && /^\w{1,60}$/.test(code));
  return [...new Set(words)].join(' ');
}

/** The error, its cause, and so on while they are errors. */
function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
