import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { InputError } from '../model/errors.ts';

/** The first choice of RFC 9106, section 4, for memory-constrained servers: 64 MiB, 3 passes, 4 lanes. */
const COST = { memory: 65536, passes: 3, parallelism: 4, tagLength: 32 } as const;
const LEAST_LENGTH = 12;
const MOST_LENGTH = 1000;

/** Argon2id in the PHC string format. @throws InputError when the password is too short or too long */
export async function hashPassword(password: string): Promise<string> {
  if (password.length < LEAST_LENGTH) {
    throw new InputError(`the password is too short: it needs at least ${LEAST_LENGTH} characters`);
  }
  if (password.length > MOST_LENGTH) {
    throw new InputError(`the password is too long: it may have at most ${MOST_LENGTH} characters`);
  }
  const nonce = randomBytes(16);
  const tag = await derive({ ...COST, message: bytesOf(password), nonce });
  const costs = `m=${COST.memory},t=${COST.passes},p=${COST.parallelism}`;
  return `$argon2id$v=19$${costs}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/**
 * Whether the password is the one that was hashed. With null, for an account that is not there or has none, it takes
 * as long and is false, so that time does not tell who has an account.
 */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const { cost, nonce, tag } = parse(hash ?? NOBODY);
  if (password.length > MOST_LENGTH) return false;
  const derived = await derive({ ...cost, message: bytesOf(password), nonce });
  return timingSafeEqual(derived, tag) && hash !== null;
}

const NOBODY = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

function parse(hash: string) {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (match === null) throw new Error('a password hash in the control database is damaged');
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  const [nonce, tag] = match.slice(4).map((part) => Buffer.from(part, 'base64')) as [Buffer, Buffer];
  return { cost: { memory, passes, parallelism, tagLength: tag.length }, nonce, tag };
}

/** One form for each text: keyboards compose accented letters in two ways. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'), 'utf8');
}

let last: Promise<unknown> = Promise.resolve();

/** One at a time: each takes 64 MiB, so that many sign-ins at once would take the memory of the queries. */
function derive(parameters: Parameters<typeof argon2>[1]): Promise<Buffer> {
  const derived = last.then(() => promisify(argon2)('argon2id', parameters));
  last = derived.catch(() => {});
  return derived;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
