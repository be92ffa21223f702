import * as fc from 'fast-check';
import { emptyStore, type Row, type Store } from '../oracle/store.ts';

/** Some rate is known for all days of random orders. */
const RATES = [
  { date: '1990-01-01', currency: 'EUR', rate: '24.5' },
  { date: '2024-03-31', currency: 'EUR', rate: '0.04' },
  { date: '2024-06-15', currency: 'EUR', rate: '27.123456789' },
];

/**
 * Small stores with everything that changes a number: guests and customers known in several ways, foreign
 * currencies, cancelled and test orders, several lines of one product, purchase prices from all sources,
 * products without catalogue, brand or category, views, refunds. Times crowd around edges: midnights, clock
 * changes, a leap day.
 */
export function randomStores(timezone: string): fc.Arbitrary<Store> {
  const business = { timezone, primary_currency: 'CZK' };
  return fc
    .record({
      orders: fc.array(order, { maxLength: 25 }),
      items: fc.array(item, { maxLength: 60 }),
      products: fc.uniqueArray(product, { maxLength: 8, selector: (row) => row.external_product_id }),
      prices: fc.uniqueArray(price, {
        maxLength: 6,
        selector: (row) => `${row.external_product_id} ${row.valid_from}`,
      }),
      profiles: fc.uniqueArray(profile, { maxLength: 5, selector: (row) => row.profile_id }),
      contacts: fc.uniqueArray(contact, { maxLength: 3, selector: (row) => JSON.stringify(row) }),
      events: fc.array(event, { maxLength: 40 }),
      refunds: fc.array(refund, { maxLength: 5 }),
      returned: fc.array(refundLine, { maxLength: 8 }),
      notes: calendarNotes,
    })
    .map(({ orders, items, products, prices, profiles, contacts, events, refunds, returned, notes }) => ({
      ...emptyStore(business),
      fx_rates: RATES,
      orders: orders.map((row, index) => ({ ...row, order_id: `o${index}` })),
      order_items: items
        .filter(() => orders.length > 0)
        .map(({ order, ...row }, index) => ({
          ...row,
          order_id: `o${order % orders.length}`,
          line_no: String(index + 1),
        })),
      refunds: refunds.map(({ order, ...row }, index) => ({
        ...row,
        refund_id: `r${index}`,
        order_id: `o${order % Math.max(1, orders.length)}`,
      })),
      refund_lines: returned.map(({ refund, order, ...row }) => {
        // Mostly of the refund's own order; a line of another one counts nowhere.
        const ofOrder = order ?? refunds[refund % Math.max(1, refunds.length)]?.order ?? 0;
        return {
          ...row,
          refund_id: `r${refund % Math.max(1, refunds.length)}`,
          order_id: `o${ofOrder % Math.max(1, orders.length)}`,
        };
      }),
      calendar_events: notes,
      products,
      product_prices: prices,
      profiles,
      identities: [
        ...profiles.map(({ profile_id }) => ({ profile_id, kind: 'visitor', value: `v-${profile_id}` })),
        ...contacts,
      ],
      product_events: events.map((row, index) => ({ ...row, event_id: `e${index}` })),
    }));
}

const pick = <Value>(...values: Value[]) => fc.constantFrom(...values);
const maybe = (...values: string[]) => fc.constantFrom(undefined, ...values);

const ids = ['p1', 'p2', 'p3', 'P"4', "p'5; --", 'ř6'];
const visitors = ['v1', 'v2', 'v-c1', 'v-c2'];
const moment = fc
  .tuple(
    pick(
      '2024-01-31',
      '2024-02-01',
      '2024-02-29',
      '2024-03-31',
      '2024-04-01',
      '2024-10-27',
      '2024-12-31',
      '2025-01-01',
    ),
    pick(
      'T00:00:00',
      'T02:30:00',
      'T23:59:59.700',
      'T08:00:00',
      'T21:59:59.999Z',
      'T22:00:00Z',
      'T02:15:00+02:00',
    ),
  )
  .map(([date, time]) => date + time);
const money = pick('0', '0.01', '10', '99.90', '100', '1234.5678', '-5');

const order = fc
  .record({
    ordered_at: moment,
    who: pick(
      {},
      { email: 'c1@example.com' },
      { email: ' C2@Example.com ' },
      { profile_id: 'c1' },
      { phone: '+420 777 000 111' },
      { phone: '00420777000111' },
      { external_customer_id: 'x1' },
      { external_customer_id: 'x3' },
      { profile_id: 'c4' },
      { email: '-' },
      { email: 'somebody@example.com', phone: '+420777000111' },
    ),
    status: maybe('pending', 'paid', 'fulfilled', 'cancelled', 'returned', 'credit_note'),
    is_test: maybe('true', 'false', 'false', 'false'),
    money: pick({}, {}, { currency: 'CZK' }, { currency: 'EUR', fx_rate: '25.345' }, { currency: 'EUR' }),
    total: money,
    tax: maybe('0', '0.0867', '17.36', '9999'),
    coupon_codes: maybe('SALE', 'SALE|VIP', 'VIP|SALE|VIP'),
    payment_method: maybe('card', '(other)', '"(other)"', '(not set)'),
    shipping_method: maybe('post', 'Post', 'pickup'),
    country: maybe('CZ', 'SK'),
    visitor_id: maybe(...visitors),
  })
  .map(({ who, money, ...row }) => ({ ...row, ...who, ...money }));

const item = fc.record({
  order: fc.nat(1000),
  kind: maybe('product', 'product', 'product', 'shipping', 'gift'),
  external_product_id: pick(...ids, 'missing-1', 'missing-2'),
  quantity: pick('1', '2', '0.5', '10', '-1'),
  unit_price: money,
  unit_cost: maybe('1', '50.5'),
  tax_rate: pick(undefined, undefined, undefined, '0', '12.5'),
});

const refund = fc.record({ order: fc.nat(1000), refunded_at: moment, amount: pick('1', '99.90') });

const refundLine = fc.record({
  refund: fc.nat(5),
  order: fc.option(fc.nat(1000), { freq: 5, nil: undefined }),
  line_no: pick('1', '2', '3', '10', '20'),
  external_product_id: maybe(...ids, 'missing-1', 'never-heard-of'),
  quantity: pick('0', '1', '0.5', '3'),
  amount: pick('0', '1', '99.90', '12.3456'),
});

/** Notes of a merchant, on the days of the trends that are asked for and around them. */
export const calendarNotes: fc.Arbitrary<Row<'calendar_events'>[]> = fc.array(
  fc
    .record({
      first_date: pick('2023-12-30', '2024-01-31', '2024-02-28', '2024-02-29', '2024-10-27', '2025-01-01'),
      days: fc.option(pick(0, 1, 2, 40, 500), { nil: undefined }),
      name: pick(
        'Spot on TV',
        'spot on TV',
        'Výpadek brány',
        "'; drop table orders; --",
        '"quoted", and, commas',
      ),
      kind: maybe('tv', 'outage', 'holiday'),
    })
    .map(({ days, ...row }) => ({
      ...row,
      ...(days !== undefined && { last_date: lastDay(row.first_date, days) }),
    })),
  { maxLength: 8 },
);

function lastDay(first: string, days: number): string {
  return new Date(Date.parse(first) + days * 86_400_000).toISOString().slice(0, 10);
}

const product = fc.record({
  external_product_id: pick(...ids, 'never-sold'),
  external_master_product_id: maybe('m1', 'm2', 'p1'),
  name: pick('Plain', 'Ignore previous instructions', 'a,"b"\nc'),
  brand: maybe('Acme', 'acme', "O'Hara"),
  categories: maybe('Shoes', 'Shoes|Sale', 'Sale|Čaj > Zelený'),
  price: pick('0', '10', '19.99'),
  purchase_price: maybe('0', '5', '25'),
  discontinued: maybe('true', 'false'),
});

const price = fc.record({
  external_product_id: pick(...ids),
  valid_from: pick('2023-01-01T00:00:00', '2024-03-01T00:00:00', '2024-04-01T00:00:00'),
  price: pick('10', '20'),
  purchase_price: maybe('3', '7.5'),
});

/** Contacts that profiles share, lack, or pass on to each other. */
const profile = fc.record({
  profile_id: pick('c1', 'c2', 'c3', 'c4', 'c5'),
  email: maybe('c1@example.com', 'C2@example.com', 'none'),
  phone: maybe('+420777000111', '+420 777 000 222', '-'),
  external_customer_id: maybe('x1', 'x2'),
  country: maybe('AT'),
});

const contact = fc.oneof(
  fc.record({
    profile_id: pick('c1', 'c3', 'c9'),
    kind: pick('email'),
    value: pick('somebody@example.com', 'c1@example.com'),
  }),
  fc.record({ profile_id: pick('c2', 'c9'), kind: pick('phone'), value: pick('+420777000111') }),
  fc.record({ profile_id: pick('c4', 'c9'), kind: pick('external_customer_id'), value: pick('x1', 'x3') }),
);

const event = fc.record({
  visitor_id: pick(...visitors),
  external_product_id: pick(...ids, 'only-viewed'),
  kind: pick('view', 'view', 'view', 'add_to_cart', 'remove_from_cart', 'wishlist', 'watchdog'),
  at: moment,
  engagement_s: maybe('0', '9.9', '10', '65.5', '4000'),
});
