import { z } from 'zod';
import type { NamedPerson, Notice, Webhook } from '../../vendor.ts';
import { isSigned, jsonOf } from '../signature.ts';

const ID = z.union([z.number(), z.string()]).transform(String);

/**
 * All of them, or nothing: anybody with the secret of a shop could write a list of a million, and each wrong
 * one would be reported by itself.
 */
const IDS = z
  .custom<readonly (number | string)[]>((value) => Array.isArray(value) && value.every(isId))
  .transform((ids) => ids.map(String));

function isId(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string';
}

const CUSTOMER = z.object({ id: ID.nullish(), email: z.string().nullish(), phone: z.string().nullish() });

const is = (kind: string) => z.string().startsWith(`gid://shopify/${kind}/`).optional();

/**
 * What the body of each topic says that cannot be undone, and no body of another topic does. The topic itself
 * is not signed: somebody with one body and its signature could send it as another. `orders/delete` says
 * nothing but an id, as `products/delete` does: whether Shopify has that order is asked before it goes
 * (`src/live/reconcile/confirmed.ts`).
 */
const SHAPES = {
  'orders/delete': z.strictObject({ id: ID, admin_graphql_api_id: is('Order') }),
  // Every body of a customer says when it was made, but this one.
  'customers/delete': z.object({
    id: ID,
    admin_graphql_api_id: is('Customer'),
    created_at: z.undefined().optional(),
  }),
  'customers/redact': z.object({
    customer: CUSTOMER,
    orders_to_redact: IDS,
    orders_requested: z.undefined().optional(),
    data_request: z.undefined().optional(),
  }),
  'customers/data_request': z.object({
    customer: CUSTOMER,
    orders_requested: IDS,
    orders_to_redact: z.undefined().optional(),
  }),
  'shop/redact': z.strictObject({ shop_id: ID, shop_domain: z.string() }),
};

/** The stream that has something new, by topic. */
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
  // This secret signs for an app in the Dev Dashboard too. For an app that was made in the admin, its own
  // secret does.
  secret: 'clientSecret',
  signedBy: 'x-shopify-hmac-sha256',
  // What deletes says ids alone, 4,000 orders of a person at most; an order of 500 lines or a product of
  // 2,048 variants has up to 3 MB.
  mostBytes: (headers) => (Object.hasOwn(SHAPES, topicOf(headers)) ? 64 * 2 ** 10 : 4 * 2 ** 20),
  read: (headers, body, secret, { shop }) => {
    if (!isSigned(headers.get('x-shopify-hmac-sha256'), body, secret)) return null;
    const topic = topicOf(headers);
    const said = Object.hasOwn(SHAPES, topic) ? jsonOf(body) : {};
    // An app signs for every shop that has it with the same secret. What deletes must say whose it is in what
    // is signed.
    const about = PRIVACY.has(topic) ? said.shop_domain : headers.get('x-shopify-shop-domain');
    const isOurs =
      typeof about === 'string' && shop !== undefined && about.toLowerCase() === shop.toLowerCase();
    return isOurs ? noticeOf(topic, said) : { kind: 'nothing' };
  },
};

function topicOf(headers: Headers): string {
  return headers.get('x-shopify-topic') ?? '';
}

/** The three that Shopify asks every app to carry out. */
const PRIVACY = new Set(['customers/redact', 'customers/data_request', 'shop/redact']);

function noticeOf(topic: string, said: Readonly<Record<string, unknown>>): Notice {
  switch (topic) {
    case 'orders/delete': {
      const body = SHAPES[topic].safeParse(said).data;
      return body === undefined
        ? NOTHING
        : { kind: 'gone', gone: { table: 'orders', key: { order_id: body.id } } };
    }
    case 'customers/delete': {
      const body = SHAPES[topic].safeParse(said).data;
      return body === undefined
        ? NOTHING
        : { kind: 'gone', gone: { table: 'profiles', key: { profile_id: body.id } } };
    }
    case 'customers/redact': {
      const body = SHAPES[topic].safeParse(said).data;
      return body === undefined
        ? NOTHING
        : { kind: 'forget', person: personOf(body.customer), orders: body.orders_to_redact };
    }
    case 'customers/data_request': {
      const body = SHAPES[topic].safeParse(said).data;
      return body === undefined ? NOTHING : { kind: 'asked', person: personOf(body.customer) };
    }
    case 'shop/redact':
      return SHAPES[topic].safeParse(said).success ? { kind: 'forget_all' } : NOTHING;
    default: {
      const stream = Object.hasOwn(STREAMS, topic) ? STREAMS[topic] : undefined;
      return stream === undefined ? NOTHING : { kind: 'changed', stream };
    }
  }
}

const NOTHING: Notice = { kind: 'nothing' };

function personOf({ id, email, phone }: z.output<typeof CUSTOMER>): NamedPerson {
  return { customerId: id ?? null, email: email || null, phone: phone || null };
}
