import { generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose';
import { createGrant } from '../../src/control/tokens/grants.ts';
import { unseal } from '../../src/control/tokens/instance-secret.ts';
import { COMMAND_LINE } from '../../src/control/tokens/signed-tokens.ts';
import type { Instance } from '../../src/server/instance.ts';

export interface Forgery {
  readonly header?: { alg?: string; typ?: string; kid?: string };
  readonly claims?: JWTPayload;
  /** Leaves a claim out. */
  readonly without?: string;
  /** Signs with a key that is not the instance's. */
  readonly withOtherKey?: boolean;
}

/** A token like the instance's own, but for what the forgery changes; its grant is a real one. */
export async function forgeToken(
  instance: Instance,
  account_id: string,
  { header = {}, claims = {}, without, withOtherKey = false }: Forgery = {},
): Promise<string> {
  const expires_at = new Date(Date.now() + 600_000);
  const grant = await createGrant(instance.control, { account_id, allowlist: null, expires_at });
  const seconds = Math.floor(Date.now() / 1000);
  const payload: JWTPayload = {
    gid: grant.grant_id,
    scope: 'mcp',
    iss: COMMAND_LINE.issuer,
    aud: COMMAND_LINE.audience,
    sub: account_id,
    iat: seconds,
    exp: seconds + 600,
    ...claims,
  };
  if (without !== undefined) delete payload[without];
  const { kid, key } = await signingKey(instance);
  const signer = new SignJWT(payload).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...header });
  return signer.sign(withOtherKey ? (await generateKeyPair('ES256')).privateKey : key);
}

async function signingKey({ control, secret }: Instance) {
  const { key_id, private_jwk_sealed } = await control
    .selectFrom('signing_keys')
    .selectAll()
    .executeTakeFirstOrThrow();
  const jwk = JSON.parse(unseal(secret, `signing key ${key_id}`, private_jwk_sealed) ?? '');
  return { kid: key_id, key: await importJWK(jwk, 'ES256') };
}

/** A token whose header says that it needs no signature. */
export function unsignedToken(token: string): string {
  const [, payload] = token.split('.');
  return `${encoded({ alg: 'none', typ: 'at+jwt' })}.${payload}.`;
}

/** The claims of a token, changed, under its old signature. */
export function tamperedToken(token: string, claims: JWTPayload): string {
  const [header, payload, signature] = token.split('.');
  const own = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
  return `${header}.${encoded({ ...own, ...claims })}.${signature}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
