import { ALGORITHM } from '../control/tokens/signing-keys.ts';
import { SCOPES } from './scopes.ts';

/** The paths below the issuer. */
export const ROUTES = {
  authorization: '/authorize',
  token: '/token',
  registration: '/register',
  revocation: '/revoke',
  introspection: '/introspect',
  jwks: '/jwks',
} as const;

export const CLIENT_AUTH_METHODS = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
] as const;

/** What a client's assertion may be signed with: nothing symmetric. */
export const CLIENT_AUTH_ALGORITHMS = ['ES256', 'RS256', 'PS256', 'EdDSA', 'Ed25519'] as const;

/** What leads a client through the sign-in (RFC 8414), with what OpenID Connect Discovery wants beside it. */
export function serverMetadata(issuer: string): object {
  const authentication = {
    auth_methods_supported: CLIENT_AUTH_METHODS,
    auth_signing_alg_values_supported: CLIENT_AUTH_ALGORITHMS,
  };
  return {
    issuer,
    authorization_endpoint: `${issuer}${ROUTES.authorization}`,
    token_endpoint: `${issuer}${ROUTES.token}`,
    registration_endpoint: `${issuer}${ROUTES.registration}`,
    revocation_endpoint: `${issuer}${ROUTES.revocation}`,
    introspection_endpoint: `${issuer}${ROUTES.introspection}`,
    jwks_uri: `${issuer}${ROUTES.jwks}`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    // A form that submits itself would need a script, and a fragment is for pages.
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    ...prefixed('token_endpoint', authentication),
    ...prefixed('revocation_endpoint', authentication),
    ...prefixed('introspection_endpoint', authentication),
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [ALGORITHM],
  };
}

function prefixed(prefix: string, fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}_${name}`, value]));
}
