import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { InputError } from '../model/errors.ts';

/** The first choice of RFC 9106, section 4, for memory-constrained servers: 64 MiB, 3 passes, 4 lanes. */
const COST = { memory: 65536, passes: 3, parallelism: 4, tagLength: 32 } as const;
const LEAST_LENGTH = 12;

/** Argon2id in the PHC string format. @throws InputError when the password is too short */
export async function hashPassword(password: string): Promise<string> {
  if (password.length < LEAST_LENGTH) {
    throw new InputError(`the password is too short: it needs at least ${LEAST_LENGTH} characters`);
  }
  const nonce = randomBytes(16);
  const tag = await promisify(argon2)('argon2id', { ...COST, message: password, nonce });
  const costs = `m=${COST.memory},t=${COST.passes},p=${COST.parallelism}`;
  return `$argon2id$v=19$${costs}$${unpadded(nonce)}$${unpadded(tag)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
