import { createLocalJWKSet, decodeJwt, errors, importJWK, jwtVerify, SignJWT } from 'jose';
import type { ControlDatabase } from '../database/control-database.ts';
import { ALGORITHM, publicKeys, signingKey } from './signing-keys.ts';

const TYPE = 'at+jwt';

/** Who made a token and for what: a token is taken only when both are as one of these says. */
export interface TokenOrigin {
  readonly issuer: string;
  readonly audience: string;
}

/**
 * A token made on the command line is for the instance whose data folder made it, at whatever URL that is
 * served; its signing key belongs to no other.
 */
export const COMMAND_LINE: TokenOrigin = {
  issuer: 'urn:storesight:command-line',
  audience: 'urn:storesight:instance',
};

export interface AccessToken {
  readonly access_token: string;
  /** The moment is ISO 8601 in UTC. */
  readonly expires_at: string;
}

/**
 * Signs an access token that names a grant. Everything else about it is read from the grant at every request.
 */
export async function signToken(
  control: ControlDatabase,
  secret: Buffer,
  token: { readonly grant_id: string; readonly account_id: string; readonly expires_at: Date },
): Promise<AccessToken> {
  const { key_id, private_jwk } = await signingKey(control, secret);
  const access_token = await new SignJWT({ gid: token.grant_id, scope: 'mcp' })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: key_id })
    .setIssuer(COMMAND_LINE.issuer)
    .setAudience(COMMAND_LINE.audience)
    .setSubject(token.account_id)
    .setIssuedAt()
    .setExpirationTime(token.expires_at)
    .setJti(crypto.randomUUID())
    .sign(await importJWK(private_jwk, ALGORITHM));
  return {
    access_token,
    expires_at: new Date(Math.floor(token.expires_at.getTime() / 1000) * 1000).toISOString(),
  };
}

export interface VerifiedToken {
  readonly grant_id: string;
  readonly account_id: string;
  /** It is null for a token of the command line. */
  readonly client_id: string | null;
  /** The moment is in seconds since the epoch. */
  readonly expires_at: number;
  readonly scopes: readonly string[];
}

/** Null when the token is not ours, was changed, is over, or is of another origin. */
export async function verifyToken(
  control: ControlDatabase,
  token: string,
  origins: readonly TokenOrigin[],
): Promise<VerifiedToken | null> {
  const keySet = await keySetOf(control);
  try {
    const { iss } = decodeJwt(token);
    const origin = origins.find(({ issuer }) => issuer === iss);
    if (origin === undefined) return null;
    const { payload } = await jwtVerify(token, keySet, {
      ...origin,
      algorithms: [ALGORITHM],
      typ: TYPE,
      requiredClaims: ['exp', 'sub', 'gid'],
    });
    return {
      grant_id: String(payload.gid),
      account_id: String(payload.sub),
      client_id: typeof payload.client_id === 'string' ? payload.client_id : null,
      expires_at: Number(payload.exp),
      scopes: typeof payload.scope === 'string' ? payload.scope.split(' ') : [],
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

type KeySet = ReturnType<typeof createLocalJWKSet>;
const keySets = new WeakMap<ControlDatabase, { readonly keyIds: string; readonly keySet: KeySet }>();

/** The keys as they are now, imported only when they change. */
async function keySetOf(control: ControlDatabase): Promise<KeySet> {
  const keys = await publicKeys(control);
  const keyIds = keys.map(({ kid }) => kid).join();
  const known = keySets.get(control);
  if (known?.keyIds === keyIds) return known.keySet;
  const keySet = createLocalJWKSet({ keys });
  keySets.set(control, { keyIds, keySet });
  return keySet;
}
