import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { base64url, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** What the provider says instead of the truth. */
export interface Lies {
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Instead of the metadata; null never answers. */
  readonly metadata_status?: number | null;
  /** Instead of claims of the ID token; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly signed?: 'by another key' | 'by the client secret' | 'not at all';
  /** Instead of members of the answer at the token endpoint. */
  readonly tokens?: Readonly<Record<string, unknown>>;
  readonly token_status?: number | null;
  /** The answer at the token endpoint has no end. */
  readonly are_tokens_endless?: boolean;
  readonly userinfo?: Readonly<Record<string, unknown>>;
  readonly userinfo_status?: number;
}

/**
 * A provider that says what no honest one would. The browser never goes there: the test makes up its way
 * back.
 */
export interface LyingProvider extends AsyncDisposable {
  readonly issuer: string;
  /** The part of what it says that must not be in an error. */
  readonly said: readonly string[];
  /** Paths that were asked for. */
  readonly asked: readonly string[];
  /** How the client showed its secret. */
  readonly shown: readonly string[];
}

export const CLIENT = { client_id: 'storesight', client_secret: 'the secret of the client' } as const;
export const CODE = 'the-code-of-the-lying-provider';

/** @param nonce gives the one of the sign-in that is under way */
export async function startLyingProvider(lies: Lies, nonce: () => string): Promise<LyingProvider> {
  const [key, anotherKey] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')];
  const said: string[] = [];
  const asked: string[] = [];
  const shown: string[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    asked.push(String(request.url));
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return send(response, lies.metadata_status, { ...metadata(), ...lies.metadata });
      case '/jwks':
        return send(response, 200, {
          keys: [{ ...(await exportJWK(key.publicKey)), kid: 'key', alg: 'ES256' }],
        });
      case '/token': {
        // So that a leak of what the client sent would be noticed too.
        const form = new URLSearchParams(await text(request));
        said.push(form.get('code_verifier') ?? '');
        if (request.headers.authorization?.startsWith('Basic ')) shown.push('header');
        if (form.get('client_secret') === CLIENT.client_secret) shown.push('form');
        const tokens = { access_token: 'the-access-token', token_type: 'Bearer', id_token: await idToken() };
        if (lies.are_tokens_endless) {
          response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
          return;
        }
        return send(response, lies.token_status, { ...tokens, ...lies.tokens });
      }
      default:
        return send(response, lies.userinfo_status, { sub: 'ann', ...lies.userinfo });
    }
  }

  function send(response: ServerResponse, status: number | null = 200, body: object): void {
    if (status === null) return;
    // The code of an error is no secret, and belongs into the log.
    const { error: _code, ...rest } = body as Record<string, unknown>;
    said.push(
      ...Object.values(rest)
        .map(String)
        .filter((value) => !URL.canParse(value)),
    );
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }

  function metadata() {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  async function idToken(): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const truth = { iss: issuer, sub: 'ann', aud: CLIENT.client_id, iat: now, exp: now + 60, nonce: nonce() };
    const email = { email: 'ann@example.com', email_verified: true };
    const claims = { ...truth, ...email, ...lies.claims } as JWTPayload;
    if (lies.signed === 'not at all') return `${encode({ alg: 'none' })}.${encode(claims)}.`;
    if (lies.signed === 'by the client secret') {
      const secret = new TextEncoder().encode(CLIENT.client_secret.padEnd(32));
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret);
    }
    const signer = lies.signed === 'by another key' ? anotherKey : key;
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'key' }).sign(signer.privateKey);
  }

  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    said,
    asked,
    shown,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function encode(value: object): string {
  return base64url.encode(JSON.stringify(value));
}
