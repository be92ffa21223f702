import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { InputError } from '../../errors.ts';
import { type Asker, FairQueue } from '../limits/fair-queue.ts';

/**
 * The second choice of RFC 9106, section 4, which is for servers short of memory: 64 MiB, 3 passes, 4 lanes.
 */
const COST = { memory: 65536, passes: 3, parallelism: 4, tagLength: 32 } as const;
export const LEAST_LENGTH = 12;
export const MOST_LENGTH = 1000;

/** A password that is not taken, and why. */
export class PasswordError extends InputError {
  readonly why: 'too short' | 'too long' | 'too easy';

  constructor(why: PasswordError['why'], message: string) {
    super(message);
    this.why = why;
  }
}

/**
 * Argon2id in the PHC string format.
 *
 * @param email whose password it is
 * @throws PasswordError when the password is too short, too long, or the first that somebody would guess
 */
export async function hashPassword(password: string, email: string, asker = OPERATOR): Promise<string> {
  if (password.length < LEAST_LENGTH) {
    throw new PasswordError(
      'too short',
      `the password is too short: it needs at least ${LEAST_LENGTH} characters`,
    );
  }
  if (password.length > MOST_LENGTH) {
    throw new PasswordError(
      'too long',
      `the password is too long: it may have at most ${MOST_LENGTH} characters`,
    );
  }
  if (isGuessable(password.toLowerCase(), email)) {
    throw new PasswordError(
      'too easy',
      'the password is too easy to guess: take one without your e-mail address or repetitions',
    );
  }
  const nonce = randomBytes(16);
  const tag = await derive(asker, { ...COST, message: bytesOf(password), nonce });
  const costs = `m=${COST.memory},t=${COST.passes},p=${COST.parallelism}`;
  return `$argon2id$v=19$${costs}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/**
 * The e-mail address or its first part, something short again and again, or the keys of a keyboard in a row.
 */
function isGuessable(password: string, email: string): boolean {
  const [name = ''] = email.split('@');
  const isAboutThem = password.includes(email) || (name.length >= 4 && password.replace(name, '').length < 8);
  const isRepeated = /^(.{1,10}?)\1+.{0,4}$/u.test(password);
  const isRow = ['01234567890123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'].some(
    (row) => row.includes(password.slice(0, 10)),
  );
  return isAboutThem || isRepeated || isRow || /^.{0,4}password.{0,6}$/.test(password);
}

/**
 * Whether the password is the one that was hashed. With null, for an account that is not there or has none,
 * it takes as long and is false, so that time does not tell who has an account.
 */
export async function isPassword(password: string, hash: string | null, asker = OPERATOR): Promise<boolean> {
  const { cost, nonce, tag } = parse(hash ?? NOBODY);
  if (password.length > MOST_LENGTH) return false;
  const derived = await derive(asker, { ...cost, message: bytesOf(password), nonce });
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

/** One at a time: each takes 64 MiB, so that many sign-ins at once would take the memory of the queries. */
const queue = new FairQueue({ mostOfOne: 8, mostInAll: 64 });

/** Who works on the data folder itself. */
const OPERATOR: Asker = { key: 'operator', isKnown: true };

/** @throws QueueFullError when too many wait; nothing was said about this one */
function derive(asker: Asker, parameters: Parameters<typeof argon2>[1]): Promise<Buffer> {
  return queue.run(asker, () => promisify(argon2)('argon2id', parameters));
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
