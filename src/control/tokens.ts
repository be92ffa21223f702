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
  const { key_id, private_jwk } = await signingKey(control, secret);
  const access_token = await new SignJWT({ gid: token.grant_id, scope: 'mcp' })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: key_id })
    .setIssuer(LOCAL_ISSUER)
    .setAudience(LOCAL_AUDIENCE)
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
  /** Seconds since the epoch. */
  readonly expires_at: number;
  readonly scopes: readonly string[];
}

/** Null when the token is not ours, was changed, is over, or is for another audience. */
export async function verifyToken(control: ControlDatabase, token: string): Promise<VerifiedToken | null> {
  const keySet = await publicKeys(control);
  try {
    const { payload } = await jwtVerify(token, keySet, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: LOCAL_ISSUER,
      audience: LOCAL_AUDIENCE,
      requiredClaims: ['exp', 'sub', 'gid'],
    });
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

/** The keys as they are now, imported only when they change. */
async function publicKeys(control: ControlDatabase): Promise<KeySet> {
  const rows = await control.selectFrom('signing_keys').select('public_jwk').orderBy('key_id').execute();
  const text = `[${rows.map((row) => row.public_jwk).join()}]`;
  const known = keySets.get(control);
  if (known?.text === text) return known.keySet;
  const keySet = createLocalJWKSet({ keys: JSON.parse(text) as JWK[] });
  keySets.set(control, { text, keySet });
  return keySet;
}

type KeySet = ReturnType<typeof createLocalJWKSet>;
const keySets = new WeakMap<ControlDatabase, { readonly text: string; readonly keySet: KeySet }>();

/** The newest key that this secret opens; a new one where there is none, as when the secret was lost. */
async function signingKey(
  control: ControlDatabase,
  secret: Buffer,
): Promise<{ key_id: string; private_jwk: JWK }> {
  const keys = await control.selectFrom('signing_keys').selectAll().orderBy('created_at', 'desc').execute();
  for (const { key_id, private_jwk_sealed } of keys) {
    const opened = unseal(secret, sealPurpose(key_id), private_jwk_sealed);
    if (opened !== null) return { key_id, private_jwk: JSON.parse(opened) };
  }
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const key_id = crypto.randomUUID();
  const private_jwk = await exportJWK(privateKey);
  await control
    .insertInto('signing_keys')
    .values({
      key_id,
      public_jwk: JSON.stringify({ ...(await exportJWK(publicKey)), kid: key_id, alg: ALGORITHM }),
      private_jwk_sealed: seal(secret, sealPurpose(key_id), JSON.stringify(private_jwk)),
      created_at: new Date().toISOString(),
      superseded_at: null,
    })
    .execute();
  return { key_id, private_jwk };
}

function sealPurpose(keyId: string): string {
  return `signing key ${keyId}`;
}
