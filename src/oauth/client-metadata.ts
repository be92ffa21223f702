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
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const LONGEST_NAME = 200;

/**
 * The metadata of a client, registered or from its document, in the form that the authorization server takes: grant
 * and response types that we do not have are left out, as RFC 7591 (2) lets a server do, and whatever returns to an
 * app on the person's device is `native`, so that its loopback port may change.
 *
 * @param metadata a JSON value from outside; what is no object is given back for the server to refuse
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
  if (typeof read.client_name === 'string') read.client_name = read.client_name.slice(0, LONGEST_NAME);
  return {
    ...read,
    application_type: given.application_type === 'web' && areHosted(given.redirect_uris) ? 'web' : 'native',
    grant_types: readGrantTypes(given.grant_types),
    response_types: ['code'],
  };
}

function readGrantTypes(given: unknown): string[] {
  const asked = Array.isArray(given) ? given : GRANT_TYPES;
  return GRANT_TYPES.filter((type) => type === 'authorization_code' || asked.includes(type));
}

function areHosted(redirectUris: unknown): boolean {
  return (
    Array.isArray(redirectUris) &&
    redirectUris.every((uri) => {
      const url = URL.parse(String(uri));
      return url?.protocol === 'https:' && !LOOPBACK_HOSTS.includes(url.hostname);
    })
  );
}

/** Where a person is sent after the consent: a host, or the scheme of an app on the device. */
export function redirectHost(redirectUri: string): string | null {
  const url = URL.parse(redirectUri);
  if (url === null) return null;
  return /^https?:$/.test(url.protocol) ? url.host : url.protocol;
}
