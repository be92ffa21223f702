import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { klaviyo } from '../../src/live/vendors/klaviyo/klaviyo.ts';
import { shopify } from '../../src/live/vendors/shopify/shopify.ts';
import { woocommerce } from '../../src/live/vendors/woocommerce/woocommerce.ts';

const SECRET = 'shpss_made_up';

const SETTINGS = { shop: 'my-shop.myshopify.com' };

function sent(topic: string, said: object, secret = SECRET, shop = SETTINGS.shop) {
  // Only what is about persons says in its body whose it is.
  const isPrivate = /redact|data_request/.test(topic);
  const bytes = Buffer.from(JSON.stringify({ ...(isPrivate && { shop_domain: shop }), ...said }));
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
  const now = new Date().toISOString();
  const changed = { kind: 'changed', stream: 'events' };
  expect(read(now, signed(now))).toEqual(changed);
  expect(read(`${now} `.trim().replace('Z', '+00:00'), signed(now))).toBeNull();
  expect(read(now, 'no digits')).toBeNull();
  // Whatever way moments are written; one that was sent days ago, or is to come, is not heard.
  const ago = (hours: number) => new Date(Date.now() - 3600_000 * hours);
  for (const write of [
    (at: Date) => at.toISOString(),
    (at: Date) => at.toUTCString(),
    (at: Date) => String(at.getTime()),
    (at: Date) => String(Math.round(at.getTime() / 1000)),
  ]) {
    for (const hours of [0, 2, -2, 30, 9000, -30]) {
      const timestamp = write(ago(hours));
      const said = Math.abs(hours) < 24 ? changed : null;
      expect(read(timestamp, signed(timestamp)), timestamp).toEqual(said);
    }
  }
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
    // It went to the trash, from where it may have come back by now.
    expect(read('order.deleted', { id: 7 })).toEqual({ kind: 'changed', stream: 'orders' });
    expect(read('product.created', { id: 7 })).toEqual({ kind: 'changed', stream: 'products' });
    // What WooCommerce sends when a webhook is saved.
    expect(read('', { webhook_id: 3 })).toEqual({ kind: 'nothing' });
    for (const topic of [
      'order.deleted',
      'customer.deleted',
      'customer.redact',
      'action.wc_delete',
      '__proto__',
      'toString',
    ])
      expect(['changed', 'nothing']).toContain(read(topic, { id: 7 })?.kind);
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

  const created_at = '2026-03-05T10:00:00+01:00';
  const customer = { id: 191167, email: 'ann@example.com', phone: '' };
  /** As Shopify documents them. */
  const BODIES: Readonly<Record<string, object>> = {
    'orders/delete': { id: 820982911946154 },
    'customers/delete': {
      ...{ id: 706405506930370, phone: null, addresses: [], tax_exemptions: [] },
      admin_graphql_api_id: 'gid://shopify/Customer/706405506930370',
    },
    'customers/redact': {
      shop_id: 1,
      shop_domain: SETTINGS.shop,
      customer,
      orders_to_redact: [299938, '280263'],
    },
    'customers/data_request': {
      ...{ shop_id: 1, shop_domain: SETTINGS.shop, customer, orders_requested: [1], data_request: { id: 9 } },
    },
    'shop/redact': { shop_id: 1, shop_domain: SETTINGS.shop },
    'orders/create': { id: 1, created_at, total_price: '10.00', line_items: [], customer: { id: 7 } },
    'customers/create': {
      ...{ id: 7, created_at, email: 'ann@example.com', admin_graphql_api_id: 'gid://shopify/Customer/7' },
    },
    'products/create': { id: 1, created_at, title: 'Mug' },
    'refunds/create': { id: 1, order_id: 2, created_at },
    'app/uninstalled': { id: 1, domain: SETTINGS.shop, created_at, email: 'owner@example.com' },
    'themes/publish': { id: 1, name: 'Dawn', created_at },
    'inventory_levels/update': { inventory_item_id: 1, location_id: 2, available: 3 },
    'fulfillments/create': { id: 1, order_id: 2, created_at },
  };

  it('sent as another topic decide nothing that cannot be undone', () => {
    const deciding = Object.keys(BODIES).filter((topic) => /delete|redact|request/.test(topic));
    expect(deciding).toHaveLength(5);
    for (const [topic, body] of Object.entries(BODIES))
      for (const other of deciding) {
        const kind = read(other, body)?.kind;
        // Both are told of by an id, and neither goes before Shopify, asked, does not have it.
        const isTold = [topic, other].every((each) => each.endsWith('/delete'));
        expect([topic, other, kind === 'nothing' || isTold]).toEqual([
          topic,
          other,
          topic !== other || isTold,
        ]);
        if (topic === other) expect(kind).not.toBe('nothing');
      }
    // The body does not say what an id is of.
    for (const other of deciding) expect(['gone', 'nothing']).toContain(read(other, { id: 1 })?.kind);
    for (const topic of ['__proto__', 'constructor', 'toString', '']) {
      expect([topic, read(topic, { id: 1 })]).toEqual([topic, { kind: 'nothing' }]);
    }
  });

  it('ask to forget and to tell, with who it is', () => {
    const person = { customerId: '191167', email: 'ann@example.com', phone: null };
    expect(read('customers/redact', BODIES['customers/redact'] as object)).toEqual({
      ...{ kind: 'forget', person },
      orders: ['299938', '280263'],
    });
    expect(read('customers/data_request', BODIES['customers/data_request'] as object)).toEqual({
      kind: 'asked',
      person,
    });
    expect(read('shop/redact', { shop_id: 1 })).toEqual({ kind: 'forget_all' });
    expect(read('customers/delete', BODIES['customers/delete'] as object)).toEqual({
      kind: 'gone',
      gone: { table: 'profiles', key: { profile_id: '706405506930370' } },
    });
  });

  it('look no further in a list than its first element that is no id', () => {
    // Whoever has the secret can sign one of millions, and a word on each that is wrong takes seconds.
    let looked = 0;
    const list = Array.from({ length: 1000 }, () => ({}));
    const orders_to_redact = new Proxy(list, {
      get: (target, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) looked += 1;
        return Reflect.get(target, name);
      },
    });
    const parse = JSON.parse;
    JSON.parse = () => ({ shop_domain: SETTINGS.shop, customer, orders_to_redact });
    try {
      expect(read('customers/redact', {})).toEqual({ kind: 'nothing' });
    } finally {
      JSON.parse = parse;
    }
    expect(looked).toBeLessThan(5);
  });

  it('say nothing of ours when they are of another shop with the same app, whatever their headers say', () => {
    const other = 'other.myshopify.com';
    for (const topic of [
      'shop/redact',
      'customers/redact',
      'customers/data_request',
      'orders/delete',
      'orders/create',
    ]) {
      const said = topic.startsWith('orders') ? { id: 1 } : (BODIES[topic] as object);
      const [headers, body] = sent(
        topic,
        { ...said, ...(!topic.startsWith('orders') && { shop_domain: other }) },
        SECRET,
        other,
      );
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
