import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../errors.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { fingerprintOf, loadSecret } from '../tokens/instance-secret.ts';
import { opensSigningKeys } from '../tokens/signing-keys.ts';
import type { ControlDatabase } from './control-database.ts';

/*
 * A data folder and a control database belong together: one has the merchants' data, the other says which of
 * it is served and to whom. What both know is the folder's `secret`, of which the control database keeps the
 * fingerprint. A server that has of the data folder a copy of `secret` alone belongs to them by that.
 */

const RESTORE = 'Restore both from the same backup';
const ADOPT =
  'or, if they shall go together from now on, say so with `storesight instance adopt`, which tells what that means';

/** @throws InputError when the folder holds merchants' data, and the SQLite file that knows them is gone */
export function refuseMissingControl(data: DataFolder): void {
  if (existsSync(data.control)) return;
  const held = businessesIn(data);
  if (held.length === 0) return;
  throw new InputError(
    `${data.control} is missing, and ${data.root} holds the data of ${count(held)}. ${RESTORE}, ${ADOPT}`,
  );
}

/**
 * The instance's secret. The first start makes one and writes its fingerprint into the control database.
 *
 * @throws InputError when the data folder and the control database do not belong together
 */
export async function openSecret(control: ControlDatabase, data: DataFolder): Promise<Buffer> {
  const known = await readFingerprint(control);
  if (!existsSync(data.secret) && (known !== null || businessesIn(data).length > 0)) {
    throw new InputError(
      `${data.secret} is missing, without which the control database and the data folder are of no use to each other. ` +
        `Copy it from the data folder that it was in, or from a backup, ${ADOPT}`,
    );
  }
  const secret = readSecret(data);
  const fingerprint = fingerprintOf(secret);
  if (known === fingerprint) return secret;
  if (known !== null || !(await opensSigningKeys(control, secret))) {
    throw new InputError(
      `the data folder ${data.root} and the control database are of different instances: ${data.secret} is not the ` +
        `secret that the control database was used with. ${RESTORE}, or give this folder a copy of that secret, ${ADOPT}`,
    );
  }
  // The version kept no fingerprint, or the folder is new.
  const held = businessesIn(data);
  if (held.length > 0 && (await isWithoutBusinesses(control))) {
    throw new InputError(
      `the control database knows no business, and the data folder ${data.root} holds the data of ${count(held)}. ` +
        `${RESTORE}, ${ADOPT}`,
    );
  }
  await control
    .insertInto('instances')
    .values(instanceOf(fingerprint))
    // If several first starts meet, the secret of the first one stays.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return openSecret(control, data);
}

/**
 * The folder's secret, a new one if it has none, which the control database takes for its own from now on.
 */
export async function adoptSecret(control: ControlDatabase, data: DataFolder): Promise<Buffer> {
  const secret = readSecret(data);
  const instance = instanceOf(fingerprintOf(secret));
  await control
    .insertInto('instances')
    .values(instance)
    .onConflict((conflict) => conflict.column('instance_number').doUpdateSet(instance))
    .execute();
  return secret;
}

function instanceOf(secret_fingerprint: string) {
  return { instance_number: 1, secret_fingerprint, created_at: new Date().toISOString() } as const;
}

async function readFingerprint(control: ControlDatabase): Promise<string | null> {
  const row = await control.selectFrom('instances').select('secret_fingerprint').executeTakeFirst();
  return row?.secret_fingerprint ?? null;
}

async function isWithoutBusinesses(control: ControlDatabase): Promise<boolean> {
  return (
    (await control.selectFrom('businesses').select('business_id').limit(1).executeTakeFirst()) === undefined
  );
}

/** The businesses of which the folder holds a snapshot. */
export function businessesIn(data: DataFolder): string[] {
  if (!existsSync(data.businesses)) return [];
  return readdirSync(data.businesses).filter((id) => {
    const snapshots = join(data.businesses, id, 'snapshots');
    return existsSync(snapshots) && readdirSync(snapshots).length > 0;
  });
}

function count({ length }: readonly string[]): string {
  return length === 1 ? 'a business' : `${length} businesses`;
}

/** @throws InputError when the data folder cannot be made or written */
function readSecret(data: DataFolder): Buffer {
  try {
    return loadSecret(data.secret);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EEXIST', 'ENOTDIR', 'EPERM', 'EROFS', 'ENOSPC', 'ENOENT'].includes(code ?? ''))
      throw error;
    throw new InputError(
      `the data folder ${data.root} cannot be written (${code}); choose another with STORESIGHT_DATA`,
    );
  }
}
