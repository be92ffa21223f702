import * as openid from 'openid-client';
import type { Identity } from '../control/people/provider-identities.ts';
import { seal, unseal } from '../control/tokens/instance-secret.ts';
import { InputError } from '../errors.ts';
import { isLoopback } from '../network/loopback.ts';
import { detailOf, failureOf, SIGN_IN_MINUTES, SignInError, type SignInFailure } from './sign-in-error.ts';

const REQUEST_TIMEOUT_SECONDS = 10;
/**
 * The provider's metadata are asked again after this many minutes: endpoints move, and a process may run for
 * months.
 */
const METADATA_MINUTES = 60;

export interface IdentityProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** Takes an e-mail as verified if the provider does not say whether it is. */
  readonly trustsEmail: boolean;
  /**
   * The address to which the provider sends people back. It comes from configuration and not from a request.
   */
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

/** Signs a person in at an OpenID Connect provider: authorization code with PKCE, by openid-client. */
export class IdentityProvider {
  /** The host of the issuer, for the button. */
  readonly name: string;
  readonly #options: IdentityProviderOptions;
  readonly #issuer: URL;
  readonly #redirectUri: string;
  #discovered: { readonly configuration: Promise<openid.Configuration>; readonly until: number } | undefined;

  /**
   * Asks the provider nothing yet, so that Storesight starts while it is down.
   *
   * @throws InputError when the issuer cannot be one
   */
  constructor(options: IdentityProviderOptions) {
    this.#options = options;
    this.#issuer = readIssuer(options.issuer);
    this.#redirectUri = new URL(options.redirectUri).href;
    this.name = this.#issuer.host;
  }

  /**
   * Begins a sign-in: gives where to send the browser, and what it must bring back in an http-only cookie.
   *
   * @throws SignInError when nothing answers, or it is not an identity provider
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
      scope: 'openid email',
      code_challenge: await openid.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      state: attempt.state,
      nonce: attempt.nonce,
    });
    return { url: url.href, state: seal(this.#options.secret, this.#purpose, JSON.stringify(attempt)) };
  }

  /**
   * The person who came back.
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
    // This check comes first, even before an error in the URL: links that others made up end here.
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
      return { identity: await this.#readIdentity(configuration, tokens), returnTo: attempt.returnTo };
    } catch (error) {
      throw this.#error(failureOf(error), error);
    }
  }

  /** Some providers put the e-mail in the ID token, others answer it only when asked. */
  async #readIdentity(configuration: openid.Configuration, tokens: Tokens): Promise<Identity> {
    const claims = tokens.claims();
    // The library accepts an empty subject, which would make all people without one the same person.
    if (!claims?.sub) throw new Error('the ID token names nobody', { cause: { claim: 'sub' } });
    const { iss: issuer, sub: subject } = claims;
    const isComplete = emailOf(claims) !== null && claims.email_verified !== undefined;
    const canAsk = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const asked: Claims =
      isComplete || !canAsk ? {} : await openid.fetchUserInfo(configuration, tokens.access_token, subject);
    // The address and whether it is verified must come from the same answer: one verified address says
    // nothing about another.
    const source: Claims = emailOf(asked) === null ? claims : asked;
    const { email_verified = this.#options.trustsEmail } = source;
    return { issuer, subject, email: emailOf(source), is_email_verified: email_verified === true };
  }

  /** Why a person who signed in there has no account here. */
  explainNoAccount({ email, is_email_verified }: Identity): SignInError {
    if (email === null) return this.#error('no-email');
    return this.#error(is_email_verified ? 'no-account' : 'unverified-email');
  }

  /** One request for everybody who waits; after a failure the next caller asks again. */
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
          [openid.customFetch]: fetchLittle,
          execute: [
            // TRICKY: despite its name, this is what verifies the signature of an ID token. Without it the
            // library trusts TLS alone, as the standard allows.
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

  /**
   * The purpose, which names this provider, so that a sign-in begun before the settings changed does not
   * count.
   */
  get #purpose(): string {
    return `sign-in at ${this.#options.clientId} of ${this.#issuer.href}`;
  }

  #error(failure: SignInFailure, error?: unknown): SignInError {
    return new SignInError(failure, this.name, detailOf(error));
  }
}

/** Metadata have a few KB; the keys of a large provider have some dozens. */
const MOST_BYTES = 512 * 1024;

/** Fetches an answer of limited size. The library itself would hold any size in memory, unpacked. */
async function fetchLittle(url: string, options: openid.CustomFetchOptions): Promise<Response> {
  const response = await fetch(url, options as RequestInit);
  let bytes = 0;
  const within = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES)
        controller.error(new RangeError(`the answer has more than ${MOST_BYTES} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const body = response.body?.pipeThrough(within) ?? null;
  const limited = new Response(body, response);
  // The library compares the URL with the one that it asked.
  Object.defineProperty(limited, 'url', { value: response.url });
  return limited;
}

function readIssuer(issuer: string): URL {
  const url = URL.parse(issuer);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
  // Given the address of the metadata themselves, the library would accept any issuer.
  if (url !== null && isSafe && isPlain && !url.href.includes('/.well-known/')) return url;
  throw new InputError(
    'STORESIGHT_OIDC_ISSUER does not fit: it must begin with https:// (http:// only on this machine) and be the issuer alone, without /.well-known/…, query or password; see docs/settings.md',
  );
}

/**
 * How we prove who we are: with the header that the standard makes the default, unless the provider only
 * takes the other way.
 */
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

function emailOf({ email }: Claims): string | null {
  return typeof email === 'string' && email !== '' ? email : null;
}
