import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { klaviyo } from '../../src/live/vendors/klaviyo/klaviyo.ts';
import { shopify } from '../../src/live/vendors/shopify/shopify.ts';
import { woocommerce } from '../../src/live/vendors/woocommerce/woocommerce.ts';

const SECRET = 'shpss_made_up';

const SETTINGS = { shop: 'my-shop.myshopify.com' };

function sent(topic: string, said: object, secret = SECRET, shop = SETTINGS.shop) {
  const bytes = Buffer.from(JSON.stringify({ shop_domain: shop, ...said }));
  const signature = createHmac('sha256', secret).update(bytes).digest('base64');
  const headers = {
    'X-Shopify-Topic': topic,
    'X-Shopify-Hmac-Sha256': signature,
    'X-Shopify-Shop-Domain': shop,
  };
  return [new Headers(headers), bytes] as const;
}

const read = (topic: string, body: object) => shopify.webhook?.read(...sent(topic, body), SECRET, SETTINGS);

it("Klaviyo's webhooks are signed with their moment, and say that there are new events", () => {
  const bytes = Buffer.from(JSON.stringify({ data: [{ topic: 'event:klaviyo.opened_email' }] }));
  const signed = (timestamp: string) =>
    createHmac('sha256', SECRET).update(bytes).update(timestamp).digest('hex');
  const read = (timestamp: string, signature: string) =>
    klaviyo.webhook?.read(
      new Headers({ 'Klaviyo-Timestamp': timestamp, 'Klaviyo-Signature': signature }),
      bytes,
      SECRET,
      {},
    );
  expect(read('2026-11-22', signed('2026-11-22'))).toEqual({ kind: 'changed', stream: 'events' });
  expect(read('2026-11-23', signed('2026-11-22'))).toBeNull();
  expect(read('2026-11-22', 'no digits')).toBeNull();
  expect(klaviyo.webhook?.read(new Headers(), bytes, SECRET, {})).toBeNull();
});

describe("WooCommerce's webhooks", () => {
  const sentByWoo = (topic: string, body: unknown) => {
    const bytes = Buffer.from(JSON.stringify(body));
    const signature = createHmac('sha256', SECRET).update(bytes).digest('base64');
    return [
      new Headers({ 'X-WC-Webhook-Topic': topic, 'X-WC-Webhook-Signature': signature }),
      bytes,
    ] as const;
  };

  it('say what is new and what was deleted, with the signature of their bytes', () => {
    const read = (topic: string, body: unknown) =>
      woocommerce.webhook?.read(...sentByWoo(topic, body), SECRET, {});
    expect(read('order.updated', { id: 7 })).toEqual({ kind: 'changed', stream: 'orders' });
    expect(read('order.restored', { id: 7 })).toEqual({ kind: 'changed', stream: 'orders' });
    // To the trash, from where it may have come back by now.
    expect(read('order.deleted', { id: 7 })).toEqual({ kind: 'changed', stream: 'orders' });
    expect(read('product.created', { id: 7 })).toEqual({ kind: 'changed', stream: 'products' });
    // What WooCommerce sends when a webhook is saved.
    expect(read('', { webhook_id: 3 })).toEqual({ kind: 'nothing' });
    const [headers, body] = sentByWoo('order.deleted', { id: 7 });
    expect(woocommerce.webhook?.read(headers, Buffer.from('{"id":8}'), SECRET, {})).toBeNull();
    expect(woocommerce.webhook?.read(headers, body, 'another', {})).toBeNull();
  });
});

describe("Shopify's webhooks", () => {
  it('say which stream has something new', () => {
    expect(read('orders/create', { id: 1 })).toEqual({ kind: 'changed', stream: 'orders' });
    expect(read('refunds/create', { id: 1, order_id: 2 })).toEqual({ kind: 'changed', stream: 'orders' });
    expect(read('products/update', { id: 1 })).toEqual({ kind: 'changed', stream: 'products' });
    expect(read('themes/publish', { id: 1 })).toEqual({ kind: 'nothing' });
  });

  it('say what was deleted', () => {
    expect(read('orders/delete', { id: 820982911946154508n.toString() })).toEqual({
      kind: 'gone',
      gone: { table: 'orders', key: { order_id: '820982911946154508' } },
    });
  });

  it('of another topic, sent as one that deletes, delete nothing', () => {
    const created_at = '2026-03-05T10:00:00+01:00';
    for (const [topic, body] of [
      ['orders/delete', { id: 1, created_at, total_price: '10.00' }],
      ['customers/delete', { id: 7, created_at, email: 'ann@example.com' }],
      ['shop/redact', { shop_id: 1, customer: { id: 7 }, orders_to_redact: [] }],
    ] as const)
      expect([topic, read(topic, body)]).toEqual([topic, { kind: 'nothing' }]);
  });

  it('ask to forget and to tell, with who it is', () => {
    const customer = { id: 191167, email: 'ann@example.com', phone: '' };
    const person = { customerId: '191167', email: 'ann@example.com', phone: null };
    expect(read('customers/redact', { shop_id: 1, customer, orders_to_redact: [299938, '280263'] })).toEqual({
      ...{ kind: 'forget', person },
      orders: ['299938', '280263'],
    });
    expect(read('customers/data_request', { customer, orders_requested: [1] })).toEqual({
      kind: 'asked',
      person,
    });
    expect(read('shop/redact', { shop_id: 1 })).toEqual({ kind: 'forget_all' });
  });

  it('of another shop that has the same app say nothing of ours, whatever their headers say', () => {
    const other = 'other.myshopify.com';
    for (const topic of [
      'shop/redact',
      'customers/redact',
      'customers/data_request',
      'orders/delete',
      'orders/create',
    ]) {
      const [headers, body] = sent(topic, { id: 1, customer: { id: 7 } }, SECRET, other);
      expect(shopify.webhook?.read(headers, body, SECRET, SETTINGS)).toEqual({ kind: 'nothing' });
      if (topic.startsWith('orders')) continue;
      headers.set('X-Shopify-Shop-Domain', SETTINGS.shop);
      expect(shopify.webhook?.read(headers, body, SECRET, SETTINGS)).toEqual({ kind: 'nothing' });
    }
  });

  it('are nobody’s without the signature of just these bytes', () => {
    const [headers, body] = sent('shop/redact', { shop_id: 1 });
    expect(shopify.webhook?.read(headers, body, 'another secret', SETTINGS)).toBeNull();
    expect(shopify.webhook?.read(headers, Buffer.from(`${body} `), SECRET, SETTINGS)).toBeNull();
    expect(
      shopify.webhook?.read(new Headers({ 'X-Shopify-Topic': 'shop/redact' }), body, SECRET, SETTINGS),
    ).toBeNull();
    for (const signature of ['', 'no base64 at all', Buffer.alloc(32).toString('base64')]) {
      const forged = new Headers({ 'X-Shopify-Topic': 'shop/redact', 'X-Shopify-Hmac-Sha256': signature });
      expect(shopify.webhook?.read(forged, body, SECRET, SETTINGS)).toBeNull();
    }
    // An app without a secret has no signature either.
    expect(shopify.webhook?.read(...sent('shop/redact', {}, ''), '', SETTINGS)).toBeNull();
  });
});
