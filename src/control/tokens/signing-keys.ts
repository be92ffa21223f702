import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { ControlDatabase } from '../database/control-database.ts';
import { seal, unseal } from './instance-secret.ts';

export const ALGORITHM = 'ES256' as const;

export interface SigningKey {
  readonly key_id: string;
  readonly private_jwk: JWK;
}

/**
 * The key that signs now; a new one where this secret opens none, as at the first start or when it was lost.
 */
export async function signingKey(control: ControlDatabase, secret: Buffer): Promise<SigningKey> {
  const keys = await control
    .selectFrom('signing_keys')
    .select(['key_id', 'private_jwk_sealed'])
    .where('superseded_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('key_id')
    .execute();
  for (const { key_id, private_jwk_sealed } of keys) {
    const opened = unseal(secret, sealPurpose(key_id), private_jwk_sealed);
    if (opened !== null) return { key_id, private_jwk: JSON.parse(opened) };
  }
  return addKey(control, secret);
}

/** Says whether this secret sealed one of the keys that sign now; true where there is none yet. */
export async function opensSigningKeys(control: ControlDatabase, secret: Buffer): Promise<boolean> {
  const keys = await control
    .selectFrom('signing_keys')
    .select(['key_id', 'private_jwk_sealed'])
    .where('superseded_at', 'is', null)
    .execute();
  return (
    keys.length === 0 ||
    keys.some(
      ({ key_id, private_jwk_sealed }) => unseal(secret, sealPurpose(key_id), private_jwk_sealed) !== null,
    )
  );
}

/**
 * A new key signs from now on, in every process. The older ones lose their private half and still verify what
 * they signed; with `revokeOlder` they are forgotten, and what they signed is void.
 */
export async function rotateSigningKey(
  control: ControlDatabase,
  secret: Buffer,
  { revokeOlder }: { readonly revokeOlder: boolean },
): Promise<{ readonly key_id: string }> {
  return control.transaction().execute(async (transaction) => {
    if (revokeOlder) {
      await transaction.deleteFrom('signing_keys').execute();
      // Apps get new tokens by themselves; those of the command line were all that their grants had.
      await transaction
        .updateTable('grants')
        .set({ revoked_at: new Date().toISOString() })
        .where('client_id', 'is', null)
        .where('revoked_at', 'is', null)
        .execute();
    }
    await transaction
      .updateTable('signing_keys')
      .set({ private_jwk_sealed: '', superseded_at: new Date().toISOString() })
      .where('superseded_at', 'is', null)
      .execute();
    const { key_id } = await addKey(transaction, secret);
    return { key_id };
  });
}

/** What verifies our tokens, as JSON Web Keys: the key that signs and those before it. */
export async function publicKeys(control: ControlDatabase): Promise<JWK[]> {
  const rows = await control.selectFrom('signing_keys').select('public_jwk').orderBy('key_id').execute();
  return rows.map((row) => JSON.parse(row.public_jwk));
}

async function addKey(control: ControlDatabase, secret: Buffer): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const key_id = crypto.randomUUID();
  const private_jwk = await exportJWK(privateKey);
  await control
    .insertInto('signing_keys')
    .values({
      key_id,
      public_jwk: JSON.stringify({
        ...(await exportJWK(publicKey)),
        kid: key_id,
        alg: ALGORITHM,
        use: 'sig',
      }),
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
