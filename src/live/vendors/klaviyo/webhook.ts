import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Webhook } from '../../vendor.ts';
import { jsonOf } from '../signature.ts';

/**
 * A request that was sent longer ago is a copy of one that came before: Klaviyo stamps each request anew when
 * it sends it.
 */
const MOST_HOURS = 24;

/** Klaviyo signs the body and then the moment that stands in a header of its own, in hexadecimal digits. */
export const webhook: Webhook = {
  secret: 'webhookSecret',
  signedBy: 'klaviyo-signature',
  // Events of some minutes in one request.
  mostBytes: () => 2 * 2 ** 20,
  read: (headers, body, secret) => {
    const [signature, timestamp] = [headers.get('klaviyo-signature'), headers.get('klaviyo-timestamp')];
    if (signature === null || timestamp === null || secret === '') return null;
    const expected = createHmac('sha256', secret).update(body).update(timestamp).digest();
    const given = Buffer.from(signature, 'hex');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    if (isOld(timestamp)) return null;
    // A longer one says something, and need not be parsed to know that.
    return body.byteLength < 64 && Object.keys(jsonOf(body)).length === 0
      ? { kind: 'nothing' }
      : { kind: 'changed', stream: 'events' };
  },
};

/**
 * Whether a moment is surely another time than now. Klaviyo does not say how it writes moments: one that
 * cannot be read is not refused, since it is signed, and all that follows from it is that events are read
 * soon.
 */
function isOld(timestamp: string): boolean {
  const number = Number(timestamp);
  const sent = Number.isFinite(number) ? (number < 1e11 ? 1000 * number : number) : Date.parse(timestamp);
  return Math.abs(Date.now() - sent) > MOST_HOURS * 3600_000;
}
