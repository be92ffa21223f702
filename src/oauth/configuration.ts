import { type Client, type Configuration, errors } from 'oidc-provider';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { hasAccount } from '../control/people/accounts.ts';
import { keyFor } from '../control/tokens/instance-secret.ts';
import { ALGORITHM, type SigningKey } from '../control/tokens/signing-keys.ts';
import { isResource, otherResource } from './protected-resource.ts';
import { SCOPE, SCOPES } from './scopes.ts';
import { CLIENT_AUTH_ALGORITHMS, CLIENT_AUTH_METHODS, ROUTES } from './server-metadata.ts';
import { createAdapter } from './storage/adapter.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ACCESS_TOKEN_SECONDS = HOUR;
/** A connection that is not used for so long ends. */
const REFRESH_TOKEN_SECONDS = 30 * DAY;
/** A connection ends after this, however much it is used: then its person is asked again. */
export const GRANT_SECONDS = 180 * DAY;
/** How long a person may take to sign in and consent. */
const INTERACTION_SECONDS = 30 * MINUTE;

/** The page of an error. @param languages what the browser asks for, as `Accept-Language` has it */
export type RenderError = (
  languages: string | undefined,
  error: string,
  description: string | undefined,
) => Promise<string>;

export interface ConfigurationOptions {
  /** The issuer. Its URLs are made of this, and never of a request. */
  readonly issuer: string;
  readonly control: ControlDatabase;
  readonly secret: Buffer;
  readonly key: SigningKey;
  /** The MCP URL: what tokens are for. */
  readonly resource: string;
  readonly fetch: typeof globalThis.fetch;
  /** Where a person signs in and consents. */
  consentPath(uid: string): string;
  /** The page that tells a person what went wrong, where there is no app to be sent back to. */
  readonly renderError: RenderError;
}

/** What the authorization server allows and how long things last, in one place. */
export function createConfiguration(options: ConfigurationOptions): Configuration {
  const { control, secret, key, resource } = options;
  const isSecure = options.issuer.startsWith('https:');
  return {
    adapter: createAdapter(control, secret, resource),
    jwks: { keys: [{ ...key.private_jwk, kid: key.key_id, alg: ALGORITHM, use: 'sig' }] },
    routes: ROUTES,
    scopes: [...SCOPES],
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: [...CLIENT_AUTH_METHODS],
    clientDefaults: {
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: ALGORITHM,
    },
    enabledJWA: {
      idTokenSigningAlgValues: [ALGORITHM],
      clientAuthSigningAlgValues: [...CLIENT_AUTH_ALGORITHMS],
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    // No cookie counts at these endpoints, so a page of any origin may be a client.
    clientBasedCORS: () => true,
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, asked) => resourceServer(resource, asked),
      },
      registration: { enabled: true, initialAccessToken: false, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        // It stays at least as long as a person may take to consent, or it would be fetched again meanwhile.
        cacheDuration: { min: INTERACTION_SECONDS, max: DAY },
      },
      revocation: { enabled: true, allowedPolicy: isOwnToken },
      introspection: { enabled: true, allowedPolicy: isOwnToken },
    },
    fetch: options.fetch as NonNullable<Configuration['fetch']>,
    fetchResponseBodyLimits: { jwks_uri: 64 * 1024 },
    extraTokenClaims: (_context, token) => ('grantId' in token ? { gid: token.grantId } : undefined),
    // Hosts that ask for no `offline_access` still expect to stay connected.
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    // One grant for each connection: only what this very consent made.
    loadExistingGrant: async ({ oidc }) => {
      const { grantId } = oidc.result?.consent ?? {};
      if (grantId === undefined) return undefined;
      const grant = await oidc.provider.Grant.find(grantId);
      if (grant === undefined) throw new errors.AccessDenied('the connection was ended already');
      return grant;
    },
    findAccount: async (_context, accountId) => {
      const isThere = await hasAccount(control, accountId);
      return isThere ? { accountId, claims: () => ({ sub: accountId }) } : undefined;
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: MINUTE,
      Grant: GRANT_SECONDS,
      Interaction: INTERACTION_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      Session: INTERACTION_SECONDS,
    },
    cookies: {
      keys: [keyFor(secret, 'oauth cookies')],
      names: {
        session: `${isSecure ? '__Host-' : ''}storesight_oauth`,
        interaction: `${isSecure ? '__Secure-' : ''}storesight_oauth_consent`,
        resume: `${isSecure ? '__Secure-' : ''}storesight_oauth_resume`,
      },
    },
    interactions: { url: (_context, { uid }) => options.consentPath(uid) },
    renderError: async (context, out) => {
      context.type = 'html';
      context.body = await options.renderError(
        context.request.get('Accept-Language'),
        out.error,
        out.error_description,
      );
    },
  };
}

function isOwnToken(_context: unknown, client: Client, token: { readonly clientId?: string | undefined }) {
  return token.clientId === client.clientId;
}

function resourceServer(resource: string, asked: string) {
  if (!isResource(asked, resource)) throw new errors.InvalidTarget(otherResource(resource));
  return {
    scope: SCOPE,
    audience: resource,
    accessTokenFormat: 'jwt' as const,
    accessTokenTTL: ACCESS_TOKEN_SECONDS,
    jwt: { sign: { alg: ALGORITHM } },
  };
}
