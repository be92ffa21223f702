/**
 * A process of its own: an ordinary OpenID Connect provider, whose sign-in page takes any name. What a name
 * begins with says what the provider knows of the person. It ends with its input.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import type { OpenidProviderOptions } from './openid-provider.ts';

const options: OpenidProviderOptions & { readonly port: number } = JSON.parse(process.argv[2] ?? '{}');
const server = createServer().listen(options.port, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { client } = options;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: client.client_id,
      client_secret: client.client_secret,
      redirect_uris: [client.redirect_uri],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  // By default the claims of scopes are told only where they are asked for, as the standard has it.
  conformIdTokenClaims: !options.has_email_in_id_token,
  findAccount: (_context, login) => ({
    accountId: login,
    claims: () => ({ sub: login, ...claimsOf(login) }),
  }),
  pkce: { required: () => true },
  features: { devInteractions: { enabled: true } },
  cookies: { keys: [randomBytes(32).toString('hex')] },
  jwks: { keys: [newKey()] },
  ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Interaction: 600, Grant: 600, Session: 600 },
});
server.on('request', provider.callback());
process.stdin.resume().on('end', () => process.exit());
process.stdout.write(`${issuer}\n`);

function claimsOf(login: string) {
  if (login.startsWith('no-email-')) return { name: login };
  const email = `${login}@example.com`;
  if (login.startsWith('unsaid-')) return { name: login, email };
  return { name: login, email, email_verified: !login.startsWith('unverified-') };
}

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    ...privateKey.export({ format: 'jwk' }),
    kid: randomBytes(8).toString('hex'),
    alg: 'RS256',
    use: 'sig',
  };
}
