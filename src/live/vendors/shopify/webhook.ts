import { z } from 'zod';
import type { NamedPerson, Notice, Webhook } from '../../vendor.ts';
import { isSigned, jsonOf } from '../signature.ts';

const ID = z.union([z.number(), z.string()]).transform(String);

const PERSON = z.object({
  customer: z
    .object({ id: ID.nullish(), email: z.string().nullish(), phone: z.string().nullish() })
    .nullish(),
  orders_to_redact: z.array(ID).optional(),
});

/** By topic, the stream that has something new. */
const STREAMS: Readonly<Record<string, string>> = {
  'orders/create': 'orders',
  'orders/updated': 'orders',
  'orders/paid': 'orders',
  'orders/cancelled': 'orders',
  'orders/fulfilled': 'orders',
  'orders/edited': 'orders',
  'refunds/create': 'orders',
  'products/create': 'products',
  'products/update': 'products',
  'customers/create': 'customers',
  'customers/update': 'customers',
};

export const webhook: Webhook = {
  // Of an app in the Dev Dashboard it signs too; of one that was made in the admin its own secret does.
  secret: 'clientSecret',
  read: (headers, body, secret, { shop }) => {
    if (!isSigned(headers.get('x-shopify-hmac-sha256'), body, secret)) return null;
    const topic = headers.get('x-shopify-topic') ?? '';
    const said = jsonOf(body);
    // An app signs for every shop that has it with the same secret. What deletes must say whose it is in what is signed.
    const about = PRIVACY.has(topic) ? said.shop_domain : headers.get('x-shopify-shop-domain');
    const isOurs =
      typeof about === 'string' && shop !== undefined && about.toLowerCase() === shop.toLowerCase();
    return isOurs && !isOfOtherTopic(topic, said) ? noticeOf(topic, said) : { kind: 'nothing' };
  },
};

/**
 * The topic is not signed: whoever has one body with its signature could send it as another. What was deleted is told by its id, without
 * the time of its making that every other body of an order or a customer has; and a shop's end names no customer.
 */
function isOfOtherTopic(topic: string, body: Readonly<Record<string, unknown>>): boolean {
  if (topic === 'orders/delete' || topic === 'customers/delete') return 'created_at' in body;
  return topic === 'shop/redact' && 'customer' in body;
}

/** The three that Shopify asks every app to carry out. */
const PRIVACY = new Set(['customers/redact', 'customers/data_request', 'shop/redact']);

function noticeOf(topic: string, body: Readonly<Record<string, unknown>>): Notice {
  const id = ID.safeParse(body.id).data;
  if (topic === 'orders/delete' && id !== undefined)
    return { kind: 'gone', gone: { table: 'orders', key: { order_id: id } } };
  if (topic === 'customers/delete' && id !== undefined)
    return { kind: 'gone', gone: { table: 'profiles', key: { profile_id: id } } };
  if (topic === 'shop/redact') return { kind: 'forget_all' };
  const { customer, orders_to_redact: orders = [] } = PERSON.safeParse(body).data ?? {};
  const person: NamedPerson = {
    customerId: customer?.id ?? null,
    email: customer?.email || null,
    phone: customer?.phone || null,
  };
  if (topic === 'customers/redact') return { kind: 'forget', person, orders };
  if (topic === 'customers/data_request') return { kind: 'asked', person };
  const stream = STREAMS[topic];
  return stream === undefined ? { kind: 'nothing' } : { kind: 'changed', stream };
}
