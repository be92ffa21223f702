import { createHmac } from 'node:crypto';

/** The key by which personal data of one business is hashed: of two businesses, or instances, nothing can be joined. */
export type HashKey = Buffer & { readonly isHashKey?: never };

export function hashKey(secret: Buffer, businessId: string): HashKey {
  return createHmac('sha256', secret).update(`personal data of ${businessId}`).digest();
}

/** The first 128 bits of HMAC-SHA-256 (RFC 2104) in hexadecimal. */
export function keyedHash(key: HashKey, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
}

/** The two keys of RFC 2104, for those who put the hash together themselves. */
export function innerPad(key: HashKey): Uint8Array {
  return padded(key, 0x36);
}

export function outerPad(key: HashKey): Uint8Array {
  return padded(key, 0x5c);
}

function padded(key: HashKey, byte: number): Uint8Array {
  const block = Buffer.alloc(64);
  key.copy(block);
  return block.map((value) => value ^ byte);
}
