import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether a header is the base64 of the body's HMAC-SHA256. The body must be as it came: its bytes are
 * signed, not what they say.
 */
export function isSigned(signature: string | null, body: Uint8Array, secret: string): boolean {
  if (signature === null || secret === '') return false;
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(signature.trim(), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Reads a body of JSON; an empty object where it says nothing. */
export function jsonOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
