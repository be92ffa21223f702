import type { Notice, Webhook } from '../../vendor.ts';
import { isSigned } from '../signature.ts';

/** The stream that has something new, by what a topic is about. */
const STREAMS: Readonly<Record<string, string>> = {
  order: 'orders',
  product: 'products',
  customer: 'customers',
};

export const webhook: Webhook = {
  secret: 'webhookSecret',
  signedBy: 'x-wc-webhook-signature',
  // An order with some hundred lines and what plugins add to it.
  mostBytes: () => 2 * 2 ** 20,
  read: (headers, body, secret) =>
    isSigned(headers.get('x-wc-webhook-signature'), body, secret)
      ? noticeOf(headers.get('x-wc-webhook-topic') ?? '')
      : null,
};

/**
 * The topic is not signed, and decides nothing but what is read. `order.deleted` says that an order went to
 * the trash, from where it may come back: the trash is read for what is true.
 */
function noticeOf(topic: string): Notice {
  const [about = ''] = topic.split('.', 1);
  const stream = Object.hasOwn(STREAMS, about) ? STREAMS[about] : undefined;
  return stream === undefined ? { kind: 'nothing' } : { kind: 'changed', stream };
}
