import { createHmac } from 'node:crypto';

/**
 * The key by which personal data of one business is hashed: of two businesses, or instances, nothing can be
 * joined.
 */
export type HashKey = Buffer & { readonly isHashKey?: never };

export function hashKey(secret: Buffer, businessId: string): HashKey {
  return createHmac('sha256', secret).update(`personal data of ${businessId}`).digest();
}

/** The first 128 bits of HMAC-SHA-256 (RFC 2104) in hexadecimal. */
export function keyedHash(key: HashKey, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
}

/** The same in DuckDB's SQL, of a column or an expression. */
export function keyedHashSql(key: HashKey, text: string): string {
  const [inner, outer] = [padded(key, 0x36), padded(key, 0x5c)];
  return `left(sha256(${blob(outer)} || unhex(sha256(${blob(inner)} || encode(${text})))), 32)`;
}

/** The keys of RFC 2104 for one who puts the hash together. */
function padded(key: HashKey, byte: number): Uint8Array {
  const block = Buffer.alloc(64);
  key.copy(block);
  return block.map((value) => value ^ byte);
}

function blob(bytes: Uint8Array): string {
  return `'${[...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'::blob`;
}
