import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Client, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { type GrantedClient, hasGrants } from '../control/tokens/grants.ts';
import { publicKeys, signingKey } from '../control/tokens/signing-keys.ts';
import { redirectHost } from './client-metadata.ts';
import { type ConfigurationOptions, createConfiguration } from './configuration.ts';
import { KeptDocuments } from './storage/kept-documents.ts';
import { deriveSuccessors } from './successors.ts';

export interface AuthorizationServerOptions extends Omit<ConfigurationOptions, 'key'> {
  onError(error: Error): void;
}

/** What a person is asked to allow. */
export interface ConsentRequest {
  readonly client: GrantedClient;
  /** The host of the document that says who the client is; null when it registered itself. */
  readonly metadata_host: string | null;
}

/**
 * OAuth 2.1 for MCP clients, by oidc-provider: who they are, codes, tokens. The pages and grants are ours.
 */
export class AuthorizationServer {
  readonly #options: AuthorizationServerOptions;
  readonly #issuer: URL;
  readonly #documents: KeptDocuments;
  #signing: { readonly key_id: string; readonly provider: Provider } | undefined;

  constructor(options: AuthorizationServerOptions) {
    this.#options = options;
    this.#issuer = new URL(options.issuer);
    this.#documents = new KeptDocuments(options.control, options.secret, options.onError);
  }

  /**
   * Answers a request at one of its endpoints.
   *
   * @param path below the issuer, with the query; not what the request says, whose paths may differ
   */
  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const provider = await this.#provider();
    request.url = path;
    Object.assign(request, { originalUrl: `${issuerPath(this.#options.issuer)}${path}` });
    await provider.callback()(this.#atIssuer(provider, request), response);
  }

  /** Null when the request for consent is over, or began in another browser. */
  async findConsentRequest(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<ConsentRequest | null> {
    const provider = await this.#provider();
    const interaction = await provider
      .interactionDetails(this.#atIssuer(provider, request), response)
      .catch(ignoreMissing);
    return interaction === null ? null : this.#consentRequest(provider, interaction.params);
  }

  /** Who asks, for the sign-in page before the consent; null when the request is over. */
  async peekConsentRequest(uid: string): Promise<ConsentRequest | null> {
    const provider = await this.#provider();
    const interaction = await provider.Interaction.find(uid);
    return interaction === undefined ? null : this.#consentRequest(provider, interaction.params);
  }

  async #consentRequest(
    provider: Provider,
    params: Readonly<Record<string, unknown>>,
  ): Promise<ConsentRequest | null> {
    const client = await provider.Client.find(String(params.client_id)).catch(ignoreUnreadable);
    if (client === undefined) return null;
    return {
      client: {
        client_id: client.clientId,
        client_name: client.clientName ?? null,
        redirect_host: redirectHost(String(params.redirect_uri)),
      },
      metadata_host: metadataHost(client),
    };
  }

  /** Ends the request with a grant, or with null for a refusal. Gives the URL where the browser goes on. */
  async answerConsentRequest(
    request: IncomingMessage,
    response: ServerResponse,
    grant: { readonly grant_id: string; readonly account_id: string } | null,
  ): Promise<string> {
    const provider = await this.#provider();
    const { params } = await provider.interactionDetails(this.#atIssuer(provider, request), response);
    if (grant !== null) await this.#keepDocument(provider, String(params.client_id));
    return provider.interactionResult(
      request,
      response,
      grant === null
        ? { error: 'access_denied', error_description: 'the person did not allow it' }
        : {
            login: { accountId: grant.account_id, remember: false },
            consent: { grantId: grant.grant_id },
          },
      { mergeWithLastSubmission: false },
    );
  }

  async #keepDocument(provider: Provider, clientId: string): Promise<void> {
    const client = await provider.Client.find(clientId);
    if (client !== undefined && metadataHost(client) !== null) {
      await this.#documents.keep(clientId, client.metadata());
    }
  }

  /** The public keys that verify our access tokens. */
  async jwks(): Promise<object> {
    await this.#provider();
    return { keys: await publicKeys(this.#options.control) };
  }

  /**
   * The provider that signs with the key as it is now: after a rotation a new one takes over, with no pause.
   */
  async #provider(): Promise<Provider> {
    const key = await signingKey(this.#options.control, this.#options.secret);
    if (this.#signing?.key_id !== key.key_id) {
      const provider = new Provider(
        this.#options.issuer,
        createConfiguration({
          ...this.#options,
          fetch: this.#documents.standingIn(this.#options.fetch),
          key,
        }),
      );
      provider.proxy = true;
      deriveSuccessors(provider, this.#options.secret);
      provider.on('server_error', (_context, error) => this.#options.onError(error));
      // The provider would write to where no log is read.
      provider.onerror = this.#options.onError;
      provider.use((context, next) => this.#keepFromStrangers(context as KoaContextWithOIDC, next));
      provider.on('authorization.success', (context) => this.#forgetSession(context));
      this.#signing = { key_id: key.key_id, provider };
    }
    return this.#signing.provider;
  }

  /**
   * A browser leaves for an app after its person has answered; without that, as for `prompt=none` or an
   * error, only for an app that somebody connected before. Anybody can register one, and a link that begins
   * with the name of this server would send its reader on to theirs.
   */
  async #keepFromStrangers(context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
    await next();
    const location = context.response.get('Location');
    const to = location === '' ? null : URL.parse(location, this.#options.issuer);
    if (to === null || to.origin === this.#issuer.origin) return;
    const { client, entities } = context.oidc;
    if (entities.Interaction?.result !== undefined) return;
    if (client !== undefined && (await hasGrants(this.#options.control, client.clientId))) return;
    const told = new URLSearchParams(to.search || to.hash.slice(1));
    context.remove('Location');
    context.status = 400;
    context.type = 'html';
    context.body = await this.#options.renderError(
      context.request.get('Accept-Language'),
      told.get('error') ?? 'invalid_request',
      told.get('error_description') ?? undefined,
    );
  }

  /**
   * Our pages alone know who is signed in; the provider's session lasts no longer than one request for
   * consent.
   */
  #forgetSession({ oidc }: KoaContextWithOIDC): void {
    const { session } = oidc;
    if (session === undefined) return;
    // TRICKY: told at once, or the provider saves the session while it is being destroyed.
    Object.assign(session, { destroyed: true });
    session.destroy().catch(this.#options.onError);
  }

  /**
   * The provider makes URLs and decides about secure cookies from these headers: it gets them from the
   * issuer.
   */
  #atIssuer(provider: Provider, request: IncomingMessage): IncomingMessage {
    const { headers } = request;
    headers.host = this.#issuer.host;
    headers['x-forwarded-proto'] = this.#issuer.protocol.replace(':', '');
    delete headers['x-forwarded-host'];
    headers.cookie = withoutCookie(headers.cookie, provider.cookieName('session'));
    return request;
  }
}

/** A session that a failure left behind would stand in the way of the next account in this browser. */
function withoutCookie(cookies = '', name: string): string {
  const isOther = (cookie: string) => ![name, `${name}.sig`].includes(cookie.split('=')[0]?.trim() ?? '');
  return cookies.split(';').filter(isOther).join(';');
}

function ignoreMissing(error: unknown): null {
  if (error instanceof errors.SessionNotFound) return null;
  throw error;
}

/** A client whose document cannot be read any more. */
function ignoreUnreadable(error: unknown): undefined {
  if (error instanceof errors.OIDCProviderError) return undefined;
  throw error;
}

function metadataHost(client: Client): string | null {
  return 'clientIdMetadataDocument' in client ? new URL(client.clientId).host : null;
}

/** The path of an issuer, empty when it is a whole host. */
export function issuerPath(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/$/, '');
}
