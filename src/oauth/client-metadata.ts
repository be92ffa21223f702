import { errors } from 'oidc-provider';
import { isLoopback } from '../network/loopback.ts';
import { whatIsWrongWith } from './redirect-uris.ts';

/** What is read of a client's metadata; hosts send more, much of it in forms that a strict reader refuses. */
const READ = [
  'client_id',
  'client_name',
  'client_secret',
  'client_secret_expires_at',
  'jwks',
  'jwks_uri',
  'redirect_uris',
  'token_endpoint_auth_method',
  'token_endpoint_auth_signing_alg',
] as const;

const GRANT_TYPES = ['authorization_code', 'refresh_token'];
const LONGEST_NAME = 200;

/**
 * The metadata of a client, registered or from its document, in the form that the authorization server takes:
 * grant and response types that we do not have are left out, as RFC 7591 (2) lets a server do, and whatever
 * returns to an app on the person's device is `native`, so that its loopback port may change.
 *
 * @param metadata a JSON value from outside; what is no object is given back for the server to refuse
 * @throws errors.InvalidClientMetadata for what the server would take and we do not
 */
export function normaliseClientMetadata(metadata: unknown): unknown {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return metadata;
  const given = metadata as Readonly<Record<string, unknown>>;
  const read = Object.fromEntries(
    READ.filter((name) => given[name] !== undefined && given[name] !== null).map((name) => [
      name,
      given[name],
    ]),
  );
  const wrong = Array.isArray(read.redirect_uris) ? whatIsWrongWith(read.redirect_uris) : null;
  if (wrong !== null) throw new errors.InvalidClientMetadata(`redirect_uris ${wrong}`);
  refuseManyKeys(read.jwks);
  if (read.jwks_uri !== undefined && URL.parse(String(read.jwks_uri))?.protocol !== 'https:') {
    throw new errors.InvalidClientMetadata('jwks_uri must be an https URL');
  }
  return {
    token_endpoint_auth_method: 'none',
    ...read,
    client_name: typeof read.client_name === 'string' ? readName(read.client_name) : read.client_name,
    application_type: given.application_type === 'web' && areHosted(given.redirect_uris) ? 'web' : 'native',
    grant_types: readGrantTypes(given.grant_types),
    response_types: ['code'],
  };
}

/**
 * The most keys of a client. Its proof is tried with each key that might be meant, for any caller; a client
 * needs a new key beside the old one.
 */
const MOST_KEYS = 20;

/** @throws errors.InvalidClientMetadata for a key set with more keys than anybody needs */
export function refuseManyKeys(keySet: unknown): void {
  if (typeof keySet !== 'object' || keySet === null || !('keys' in keySet)) return;
  if (Array.isArray(keySet.keys) && keySet.keys.length > MOST_KEYS)
    throw new errors.InvalidClientMetadata(
      `jwks has ${keySet.keys.length} keys; a client may have ${MOST_KEYS}`,
    );
}

/**
 * The name without characters that cannot be shown or kept, or that change the direction of the text around
 * them. It is undefined when nothing is left.
 */
function readName(name: string): string | undefined {
  const shown = name.replace(/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return [...shown].slice(0, LONGEST_NAME).join('') || undefined;
}

function readGrantTypes(given: unknown): string[] {
  const asked = Array.isArray(given) ? given : GRANT_TYPES;
  return GRANT_TYPES.filter((type) => type === 'authorization_code' || asked.includes(type));
}

function areHosted(redirectUris: unknown): boolean {
  return (
    Array.isArray(redirectUris) &&
    redirectUris.every((uri) => {
      const url = URL.parse(uri);
      return url?.protocol === 'https:' && !isLoopback(url.hostname);
    })
  );
}

/** Where a person is sent after the consent: a host, or the scheme of an app on the device. */
export function redirectHost(redirectUri: string): string | null {
  const url = URL.parse(redirectUri);
  if (url === null) return null;
  return /^https?:$/.test(url.protocol) ? url.host : url.protocol;
}
