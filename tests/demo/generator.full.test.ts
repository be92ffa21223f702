import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  IdentityRow,
  OrderItemRow,
  OrderRow,
  ProductEventRow,
  ProductPriceRow,
  ProductRow,
  ProfileRow,
  RefundRow,
} from '../../tools/made-shop/generator/tables.ts';
import type { DemoShopTruth } from '../../tools/made-shop/generator/truth.ts';
import { writeDemoShop, writeDemoTables } from '../../tools/made-shop/generator/write-demo-shop.ts';

const root = await mkdtemp(join(tmpdir(), 'demo-shop-'));
afterAll(() => rm(root, { recursive: true }));

test('same seed and scale give the same bytes, whatever the time zone; another seed gives others', async () => {
  const timezone = process.env.TZ;
  const first = await digests('first', 7);
  process.env.TZ = 'Pacific/Auckland';
  const second = await digests('second', 7);
  process.env.TZ = timezone ?? '';
  if (timezone === undefined) delete process.env.TZ;
  expect(second).toEqual(first);
  const other = await digests('other', 8);
  for (const [file, digest] of Object.entries(other)) {
    // What is set up, not drawn, is the same in every shop.
    const isSetUp = /^(calendar_events|campaign|interest_lists|segments|sending_domains)/.test(file);
    if (!isSetUp) expect([file, digest]).not.toEqual([file, first[file]]);
  }
});

test('the bytes of seed 1 at scale 0.1 are those of every machine', async () => {
  // Change these digests only together with an intended change of the made shop.
  const files = await digests('pinned', 1);
  // Orders, products and identities: marketing does not change these bytes.
  const shop =
    'products product_prices stock_readings identities orders order_items refunds refund_lines ad_costs';
  const ofShop = shop.split(' ').map((table) => `${table}.ndjson`);
  const ofMarketing = Object.keys(files).filter((file) => !ofShop.includes(file));
  const digestOf = (names: string[]) =>
    createHash('sha256')
      .update(names.map((name) => files[name]).join())
      .digest('hex');
  expect(digestOf(ofShop)).toBe('7a13aa0ac66c7caa2ea4a14aa05c17c042e6b6d49571f8233f19e4688438e5db');
  expect(digestOf(ofMarketing)).toBe('444ecd84ee5579bca10e82f72a1adacff1fda7e381d98e1a4b66c7a3713ce204');
});

test('options out of bounds are refused', async () => {
  await expect(writeDemoShop(join(root, 'refused'), { scale: 0 })).rejects.toThrow('scale must be between');
  await expect(writeDemoShop(join(root, 'refused'), { seed: 0.5 })).rejects.toThrow('seed must be a whole');
});

/** SHA-256 by file name of a shop written at scale 0.1. */
async function digests(name: string, seed: number): Promise<Record<string, string>> {
  const folder = join(root, name);
  await writeDemoTables(folder, { seed, scale: 0.1 });
  const files: Record<string, string> = {};
  for (const file of (await readdir(folder)).sort()) {
    files[file] = createHash('sha256')
      .update(await readFile(join(folder, file)))
      .digest('hex');
  }
  return files;
}

describe('the shop at scale 1', () => {
  let truth: DemoShopTruth;
  let orders: OrderRow[];
  let items: OrderItemRow[];
  let refunds: RefundRow[];
  let products: ProductRow[];
  let prices: ProductPriceRow[];
  let profiles: ProfileRow[];
  let identities: IdentityRow[];
  let events: ProductEventRow[];
  let validOrders: Map<string, OrderRow>;

  beforeAll(async () => {
    const folder = join(root, 'scale-1');
    truth = await writeDemoShop(folder);
    const read = async (table: string) => {
      const lines = (await readFile(join(folder, `${table}.ndjson`), 'utf8')).trimEnd().split('\n');
      expect(lines.length).toBe(truth.rows[table]);
      return lines.map((line) => JSON.parse(line));
    };
    orders = await read('orders');
    items = await read('order_items');
    refunds = await read('refunds');
    products = await read('products');
    prices = await read('product_prices');
    profiles = await read('profiles');
    identities = await read('identities');
    events = await read('product_events');
    validOrders = new Map(
      orders.filter((row) => !row.is_test && row.status !== 'cancelled').map((row) => [row.order_id, row]),
    );
  });

  test('has the promised size', () => {
    const within = (count: number, promised: number) => Math.abs(count - promised) / promised;
    expect(within(products.length, 400)).toBeLessThan(0.1);
    expect(within(truth.totals.unique_customers_count, 6_000)).toBeLessThan(0.1);
    expect(within(orders.length, 15_000)).toBeLessThan(0.1);
    expect(within(events.filter((row) => row.kind === 'view').length, 420_000)).toBeLessThan(0.15);
    expect(truth.rows.sessions).toBeGreaterThan(370_000);
    expect(truth.rows.sessions).toBeLessThan(450_000);
    expect(within(truth.rows.sends ?? 0, 228_000)).toBeLessThan(0.1);
    expect(within(truth.rows.campaigns ?? 0, 122)).toBeLessThan(0.1);
    expect(new Set(products.map((row) => row.brand).filter((brand) => brand !== null)).size).toBe(12);
  });

  test('has unique keys', () => {
    const unique = (keys: string[]) => expect(new Set(keys).size).toBe(keys.length);
    unique(orders.map((row) => row.order_id));
    unique(items.map((row) => `${row.order_id}/${row.line_no}`));
    unique(refunds.map((row) => row.refund_id));
    unique(products.map((row) => row.external_product_id));
    unique(products.map((row) => row.ean));
    unique(prices.map((row) => `${row.external_product_id}/${row.valid_from}`));
    unique(profiles.map((row) => row.profile_id));
    unique(profiles.map((row) => row.email));
    unique(identities.map((row) => `${row.kind}/${row.value}`));
    unique(events.map((row) => row.event_id));
  });

  test('refers only to rows that exist', () => {
    const orderIds = new Set(orders.map((row) => row.order_id));
    const productIds = new Set(products.map((row) => row.external_product_id));
    const profileIds = new Set(profiles.map((row) => row.profile_id));
    const unknown = [
      ...items.filter((row) => !orderIds.has(row.order_id)),
      ...items.filter((row) => (row.kind === 'product') !== (row.external_product_id !== null)),
      ...items.filter((row) => row.external_product_id !== null && !productIds.has(row.external_product_id)),
      ...refunds.filter((row) => !orderIds.has(row.order_id)),
      ...prices.filter((row) => !productIds.has(row.external_product_id)),
      ...events.filter((row) => !productIds.has(row.external_product_id)),
      ...identities.filter((row) => !profileIds.has(row.profile_id)),
      ...orders.filter((row) => row.profile_id !== null && !profileIds.has(row.profile_id)),
    ];
    expect(unknown).toEqual([]);
  });

  test('order totals and their parts equal the sums of lines, exactly', () => {
    const sums = new Map<string, Map<string, bigint>>();
    for (const row of items) {
      const order = sums.get(row.order_id) ?? new Map<string, bigint>();
      const amount = BigInt(row.quantity) * units(row.unit_price, 2);
      for (const part of [row.kind, 'all']) order.set(part, (order.get(part) ?? 0n) + amount);
      sums.set(row.order_id, order);
    }
    for (const row of orders) {
      const sum = (part: string) => sums.get(row.order_id)?.get(part) ?? 0n;
      expect(units(row.total, 2)).toBe(sum('all'));
      expect(units(row.subtotal, 2)).toBe(sum('product'));
      expect(units(row.shipping, 2)).toBe(sum('shipping'));
      expect(units(row.payment_fee, 2)).toBe(sum('payment'));
      expect(units(row.discount, 2)).toBe(-sum('discount'));
    }
  });

  test('lies within its 24 months, and nothing is sold before it exists or after it is gone', () => {
    const start = Date.parse('2024-10-01T00:00:00+02:00');
    const end = Date.parse('2026-09-30T23:59:59+02:00');
    const times = [
      ...orders.flatMap((row) => [row.ordered_at, row.cancelled_at ?? row.ordered_at]),
      ...refunds.map((row) => row.refunded_at),
      ...events.map((row) => row.at),
    ];
    expect(times.filter((time) => !(Date.parse(time) >= start && Date.parse(time) <= end))).toEqual([]);

    const createdAt = new Map(products.map((row) => [row.external_product_id, Date.parse(row.created_at)]));
    const orderedAt = new Map(orders.map((row) => [row.order_id, Date.parse(row.ordered_at)]));
    const tooEarly = items.filter(
      (row) =>
        row.external_product_id !== null &&
        (orderedAt.get(row.order_id) ?? 0) < (createdAt.get(row.external_product_id) ?? 0),
    );
    expect(tooEarly).toEqual([]);
    // The last change of a discontinued product is that it was discontinued.
    const goneAt = new Map(
      products
        .filter((row) => row.discontinued)
        .map((row) => [row.external_product_id, Date.parse(row.updated_at)]),
    );
    const tooLate = items.filter(
      (row) =>
        (orderedAt.get(row.order_id) ?? 0) >
        (goneAt.get(row.external_product_id ?? '') ?? Number.POSITIVE_INFINITY),
    );
    expect(tooLate).toEqual([]);
    expect(products.filter((row) => Date.parse(row.updated_at) < Date.parse(row.created_at))).toEqual([]);
    const amounts = new Map(orders.map((row) => [row.order_id, units(row.total, 2)]));
    expect(refunds.filter((row) => units(row.amount, 2) > (amounts.get(row.order_id) ?? 0n))).toEqual([]);
  });

  test('writes times in the offset of Europe/Prague', () => {
    const prague = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Prague',
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    for (const { ordered_at } of orders) {
      expect(prague.format(new Date(ordered_at))).toBe(ordered_at.slice(0, 19).replace('T', ' '));
    }
  });

  test('holds no address of a real domain', () => {
    const emails = [...orders.map((row) => row.email), ...profiles.map((row) => row.email)];
    const others = emails.filter(
      (email) => email !== null && !/[@.]example\.(com|org)$/.test(email.toLowerCase()),
    );
    expect(others).toEqual([]);
  });

  test('has everything that is hard about a real shop', () => {
    const some = (found: boolean) => expect(found).toBe(true);
    for (const status of ['pending', 'paid', 'fulfilled', 'cancelled', 'returned']) {
      some(orders.some((row) => row.status === status));
    }
    for (const kind of ['product', 'shipping', 'payment', 'discount', 'gift']) {
      some(items.some((row) => row.kind === kind));
    }
    for (const kind of ['view', 'add_to_cart', 'remove_from_cart', 'wishlist', 'watchdog']) {
      some(events.some((row) => row.kind === kind));
    }
    for (const currency of ['CZK', 'EUR', 'PLN']) some(orders.some((row) => row.currency === currency));
    for (const country of ['CZ', 'SK', 'DE', 'AT', 'PL']) some(orders.some((row) => row.country === country));
    some(orders.some((row) => row.is_test));
    some(
      orders.some(
        (row) => row.email === null && row.profile_id === null && row.external_customer_id === null,
      ),
    );
    some(orders.some((row) => row.email !== null && row.email !== row.email.toLowerCase()));
    some(orders.some((row) => row.visitor_id === null));
    some(events.some((row) => row.engagement_s > 1_800));
    some(products.some((row) => row.brand === null));
    some(products.some((row) => row.categories.length > 1));
    some(products.some((row) => row.discontinued));
    some(products.some((row) => row.purchase_price === null));
    expect(orders.filter((row) => (row.currency !== 'CZK') !== (row.fx_rate !== null))).toEqual([]);
  });

  test('truth: totals of the shop', () => {
    const valid = [...validOrders.values()];
    const profileOf = new Map<string, string>();
    for (const { profile_id, email } of profiles) profileOf.set(`email/${email}`, profile_id);
    for (const { profile_id, kind, value } of identities) profileOf.set(`${kind}/${value}`, profile_id);
    // An order that names nobody has no customer.
    const customers = valid.flatMap(({ profile_id, email, external_customer_id }) => {
      if (profile_id !== null) return profile_id;
      if (email !== null) return profileOf.get(`email/${email.toLowerCase()}`) ?? email.toLowerCase();
      return profileOf.get(`external_customer_id/${external_customer_id}`) ?? [];
    });
    expect(truth.totals.orders_count).toBe(valid.length);
    expect(truth.totals.unique_customers_count).toBe(new Set(customers).size);
    expect(units(truth.totals.revenue, 5)).toBe(
      valid.reduce((sum, row) => sum + units(row.total, 2) * units(row.fx_rate ?? '1.000', 3), 0n),
    );
  });

  test('truth: busiest month and most used coupon', () => {
    const months = [...validOrders.values()].map((row) => [row.ordered_at.slice(0, 7), 1n] as const);
    const { month, orders_count } = truth.busiest_month;
    expect(most(months)).toEqual([month, BigInt(orders_count)]);
    const coupons = [...validOrders.values()].flatMap((row) =>
      row.coupon_codes.map((code) => [code, 1n] as const),
    );
    const coupon = truth.most_used_coupon;
    expect(most(coupons)).toEqual([coupon.coupon_code, BigInt(coupon.orders_count)]);
  });

  test('truth: best-selling product of a month', () => {
    const { month, external_product_id, name, total_quantity } = truth.best_selling_product;
    const sold = items
      .filter((row) => row.kind === 'product' && validOrders.get(row.order_id)?.ordered_at.startsWith(month))
      .map((row) => [row.external_product_id ?? '', BigInt(row.quantity)] as const);
    expect(most(sold)).toEqual([external_product_id, BigInt(total_quantity)]);
    expect(products.find((row) => row.external_product_id === external_product_id)?.name).toBe(name);
  });

  test('truth: a product that never sold, though it is viewed', () => {
    const { external_product_id, impressions } = truth.never_sold_product;
    expect(items.filter((row) => row.external_product_id === external_product_id)).toEqual([]);
    const views = events.filter(
      (row) => row.kind === 'view' && row.external_product_id === external_product_id,
    );
    expect(views.length).toBe(impressions);
    expect(impressions).toBeGreaterThan(500);
  });

  test('truth: best brand by revenue in a quarter', () => {
    const { from_date, to_date, brand, estimated_revenue } = truth.best_brand;
    const brandOf = new Map(products.map((row) => [row.external_product_id, row.brand]));
    const revenue = items.flatMap((row) => {
      const order = validOrders.get(row.order_id);
      const soldBrand = brandOf.get(row.external_product_id ?? '') ?? null;
      const date = order?.ordered_at.slice(0, 10) ?? '';
      if (order === undefined || soldBrand === null || date < from_date || date > to_date) return [];
      const amount = BigInt(row.quantity) * units(row.unit_price, 2) * units(order.fx_rate ?? '1.000', 3);
      return [[soldBrand, amount] as const];
    });
    expect(most(revenue)).toEqual([brand, units(estimated_revenue, 5)]);
  });

  test('truth: a price rise, charged from its day on', () => {
    const { external_product_id, date, price_before, price_after } = truth.price_rise;
    const history = prices.filter((row) => row.external_product_id === external_product_id);
    expect(history.map((row) => row.price)).toEqual([price_before, price_after]);
    expect(history[1]?.valid_from.slice(0, 10)).toBe(date);
    const charged = items.filter((row) => row.external_product_id === external_product_id);
    const orderOf = new Map(orders.map((row) => [row.order_id, row]));
    for (const { order_id, unit_price } of charged) {
      const order = orderOf.get(order_id);
      if (order?.currency !== 'CZK') continue;
      expect(unit_price).toBe(order.ordered_at.slice(0, 10) < date ? price_before : price_after);
    }
  });
});

/** Exact decimal text → a count of 10^-places. */
function units(decimal: string, places: number): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  expect(fraction.length).toBe(places);
  return BigInt(whole + fraction);
}

/** The key with the largest sum. */
function most(pairs: readonly (readonly [string, bigint])[]): [string, bigint] | undefined {
  const sums = new Map<string, bigint>();
  for (const [key, value] of pairs) sums.set(key, (sums.get(key) ?? 0n) + value);
  return [...sums].sort(([, a], [, b]) => (a > b ? -1 : a < b ? 1 : 0))[0];
}
