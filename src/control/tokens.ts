import {
  createLocalJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import type { ControlDatabase } from './database.ts';
import { seal, unseal } from './secret.ts';

const ALGORITHM = 'ES256';
const TYPE = 'at+jwt';

/**
 * Issuer and audience of a token made on the command line. Such a token is for the instance whose data folder made
 * it, at whatever URL that is served; its signing key belongs to no other.
 */
export const LOCAL_ISSUER = 'urn:storesight:command-line';
export const LOCAL_AUDIENCE = 'urn:storesight:instance';

export interface AccessToken {
  readonly access_token: string;
  /** ISO 8601 in UTC. */
  readonly expires_at: string;
}

/** Signs an access token that names a grant. Everything else about it is read from the grant at every request. */
export async function signToken(
  control: ControlDatabase,
  secret: Buffer,
  token: { readonly grant_id: string; readonly account_id: string; readonly expires_at: Date },
): Promise<AccessToken> {
  const key = await signingKey(control, secret);
  const access_token = await new SignJWT({ gid: token.grant_id, scope: 'mcp' })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: key.key_id })
    .setIssuer(LOCAL_ISSUER)
    .setAudience(LOCAL_AUDIENCE)
    .setSubject(token.account_id)
    .setIssuedAt()
    .setExpirationTime(token.expires_at)
    .setJti(crypto.randomUUID())
    .sign(
      await importJWK(JSON.parse(unseal(secret, sealPurpose(key.key_id), key.private_jwk_sealed)), ALGORITHM),
    );
  return {
    access_token,
    expires_at: new Date(Math.floor(token.expires_at.getTime() / 1000) * 1000).toISOString(),
  };
}

export interface VerifiedToken {
  readonly grant_id: string;
  readonly account_id: string;
  /** Seconds since the epoch. */
  readonly expires_at: number;
  readonly scopes: readonly string[];
}

/** Null when the token is not ours, was changed, is over, or is for another audience. */
export async function verifyToken(control: ControlDatabase, token: string): Promise<VerifiedToken | null> {
  const keys = await control.selectFrom('signing_keys').select('public_jwk').execute();
  try {
    const { payload } = await jwtVerify(
      token,
      createLocalJWKSet({ keys: keys.map((key) => JSON.parse(key.public_jwk) as JWK) }),
      {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: LOCAL_ISSUER,
        audience: LOCAL_AUDIENCE,
        requiredClaims: ['exp', 'sub', 'gid'],
      },
    );
    return {
      grant_id: String(payload.gid),
      account_id: String(payload.sub),
      expires_at: Number(payload.exp),
      scopes: typeof payload.scope === 'string' ? payload.scope.split(' ') : [],
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

async function signingKey(control: ControlDatabase, secret: Buffer) {
  const newest = () =>
    control.selectFrom('signing_keys').selectAll().orderBy('created_at', 'desc').limit(1).executeTakeFirst();
  const existing = await newest();
  if (existing !== undefined) return existing;
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const key_id = crypto.randomUUID();
  const key = {
    key_id,
    public_jwk: JSON.stringify({ ...(await exportJWK(publicKey)), kid: key_id, alg: ALGORITHM }),
    private_jwk_sealed: seal(secret, sealPurpose(key_id), JSON.stringify(await exportJWK(privateKey))),
    created_at: new Date().toISOString(),
  };
  await control.insertInto('signing_keys').values(key).execute();
  return key;
}

function sealPurpose(keyId: string): string {
  return `signing key ${keyId}`;
}
