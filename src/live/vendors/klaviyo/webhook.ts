import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Webhook } from '../../vendor.ts';
import { jsonOf } from '../signature.ts';

/** Klaviyo signs the body and then the moment that stands in a header of its own, in hexadecimal digits. */
export const webhook: Webhook = {
  secret: 'webhookSecret',
  read: (headers, body, secret) => {
    const [signature, timestamp] = [headers.get('klaviyo-signature'), headers.get('klaviyo-timestamp')];
    if (signature === null || timestamp === null || secret === '') return null;
    const expected = createHmac('sha256', secret).update(body).update(timestamp).digest();
    const given = Buffer.from(signature, 'hex');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    return Object.keys(jsonOf(body)).length === 0
      ? { kind: 'nothing' }
      : { kind: 'changed', stream: 'events' };
  },
};
