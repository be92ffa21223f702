import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { InputError } from '../../errors.ts';
import { makeFolder } from '../data-folder/make-folder.ts';

const LENGTH = 32;

/**
 * The instance's secret: 32 random bytes in a file that only its owner reads. It seals the signing keys and
 * keys the hashes of personal data, so losing it means that people must sign in again and that data must be
 * imported anew.
 */
export function loadSecret(file: string): Buffer {
  makeFolder(dirname(file));
  const fresh = `${file}.${process.pid}`;
  try {
    return readSecret(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  // Two first starts at once must end with one secret: a link, unlike a rename, never replaces.
  writeFileSync(fresh, randomBytes(LENGTH), { mode: 0o600, flush: true });
  try {
    linkSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(fresh);
  }
  return readSecret(file);
}

/** A key from a file that lost its content would be one that everybody knows. */
function readSecret(file: string): Buffer {
  const secret = readFileSync(file);
  if (secret.length !== LENGTH) throw new InputError(`${file} is damaged; restore it from a backup`);
  return secret;
}

/** AES-256-GCM under a key derived for one purpose: nonce, tag and ciphertext in base64url. */
export function seal(secret: Buffer, purpose: string, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Null when it was sealed with another secret or for another purpose, or was changed. */
export function unseal(secret: Buffer, purpose: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', deriveKey(secret, purpose), bytes.subarray(0, 12), {
      authTagLength: 16,
    });
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}

/** A key for one purpose, as hex: to sign cookies, say. */
export function keyFor(secret: Buffer, purpose: string): string {
  return deriveKey(secret, purpose).toString('hex');
}

/** A fingerprint by which two secrets are known to be the same, and from which neither can be told. */
export function fingerprintOf(secret: Buffer): string {
  return keyFor(secret, 'fingerprint').slice(0, 32);
}

/** What is handed out, such as a session or a one-time link: 256 random bits. Only its hash is kept. */
export function newHandle(): string {
  return randomBytes(32).toString('base64url');
}

export function hashHandle(handle: string): string {
  return createHash('sha256').update(handle).digest('base64url');
}
