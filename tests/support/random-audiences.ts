import * as fc from 'fast-check';
import type { Block, Query } from '../oracle/segment-query.ts';
import type { Row, Store } from '../oracle/store.ts';
import { randomMessages } from './random-messages.ts';
import { withRfm } from './random-rfm.ts';

const pick = <Value>(...values: Value[]) => fc.constantFrom(...values);
const any = (...values: unknown[]) => fc.constantFrom(...values);
const maybe = (...values: string[]) => fc.constantFrom(undefined, ...values);
const some = (...values: string[]) => fc.subarray(values, { minLength: 1 });

const moments = [
  '2024-02-01T00:00:00',
  '2024-02-29T08:00:00',
  '2024-02-29T23:59:59.700',
  '2024-03-31T02:30:00',
  '2024-03-31T08:00:00',
  '2024-04-01T00:00:00Z',
  '2024-12-31T23:59:59',
];
const lists = ['news', "it's; --"];

/**
 * Random stores about whose people everything is known that conditions ask, with copies of everyone: what one
 * of them alone has, few or many have then, and conditions on values of few meet nobody.
 */
export function randomAudiences(timezone: string): fc.Arbitrary<Store> {
  return randomMessages(timezone)
    .chain(withRfm)
    .chain((store) =>
      fc
        .record({
          known: fc.array(known, { minLength: 5, maxLength: 5 }),
          joined: fc.uniqueArray(listEvent, {
            maxLength: 15,
            selector: (row) => JSON.stringify({ ...row, kind: '' }),
          }),
          consents: fc.array(consentSource, { minLength: 20, maxLength: 20 }),
        })
        .map(({ known, joined, consents }) => ({
          ...store,
          profiles: store.profiles.map((row, index) => ({ ...row, ...known[index] })),
          interest_lists: lists.map((code) => ({ code, name: `List ${code}` })),
          interest_list_events: joined,
          consent_events: store.consent_events.map((row, index) => ({ ...row, ...consents[index] })),
          segments,
        })),
    )
    .chain((store) => pick(2, 4, 5).map((copies) => copied(store, copies)));
}

const known = fc.record({
  language: maybe('cs', 'en'),
  gender: maybe('f', 'm'),
  birthday: maybe('2000-02-29', '1990-02-28', '1990-12-31', '1985-01-01', '1985-03-01'),
  attributes: maybe(
    '{"size": 5, "vip": true, "city": "Plzeň"}',
    '{"size": 5.0, "city": "PLZEŇ 2", "tastes": ["čaj", "káva", null, ""]}',
    '{"size": "5", "vip": false, "country": "SK", "more": {"a": 1}}',
    '{"size": 0.5, "tastes": [], "city": "", "vip": null}',
    '[1, 2]',
    'null',
  ),
  tags: maybe('vip', 'vip|old', '["Vip"]'),
});

const listEvent = fc
  .record({
    code: pick(...lists, 'unknown'),
    who: pick(
      { email: 'c1@example.com' },
      { profile_id: 'c1' },
      { profile_id: 'c2' },
      { email: 'reader@example.com' },
    ),
    at: pick(...moments),
    kind: pick('subscribed', 'subscribed', 'unsubscribed'),
  })
  .map(({ who, ...row }) => ({ ...row, ...who }));

const consentSource = fc.record({
  source: maybe('popup', 'Checkout', 'import', 'elsewhere'),
  source_detail: maybe('e1', ' popup-1 '),
});

const query = (...targetingBlocks: Block[]): string => JSON.stringify({ segments: [{ targetingBlocks }] });
const segments: Row<'segments'>[] = [
  { segment_id: 'buyers', segment_query: query({ type: 'order_count', operator: 'gte', value: 2 }) },
  {
    segment_id: 'not-buyers',
    segment_query: query({ type: 'segment', operator: 'not_in', value: ['buyers', 'gone'] }),
  },
  { segment_id: 'nobody', segment_query: '{"segments": []}' },
  { segment_id: 'everybody', segment_query: query() },
].map((row) => ({ ...row, name: `Segment ${row.segment_id}` }));

/** What makes a row one of a copy of its person. */
const OWN = ['profile_id', 'email', 'phone', 'external_customer_id', 'visitor_id', 'session_id', 'order_id'];
const KEYS = ['send_id', 'event_id', 'refund_id'];

type PlainRow = Record<string, string | undefined>;

function copied({ business, ...tables }: Store, copies: number): Store {
  const copiedTables = Object.entries(tables as Record<string, PlainRow[]>).map(([table, rows]) => {
    const isOfPeople = rows.some((row) => [...OWN, ...KEYS].some((column) => row[column] !== undefined));
    return [
      table,
      isOfPeople
        ? Array.from({ length: copies }, (_, number) => rows.map((row) => copy(row, number + 1))).flat()
        : rows,
    ];
  });
  return { business, ...Object.fromEntries(copiedTables) };
}

function copy(row: PlainRow, number: number): PlainRow {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (value === undefined || ![...OWN, ...KEYS, 'value'].includes(column)) return [column, value];
      if (column === 'email' || (column === 'value' && row.kind === 'email')) {
        return [column, value.replace('@', `.${number}@`)];
      }
      if (column === 'phone' || (column === 'value' && row.kind === 'phone')) {
        return [column, value.replace(/(\d{3})$/, `$1${number}`)];
      }
      return [column, `${value}.${number}`];
    }),
  );
}

const period = fc.oneof(
  fc.record({ last_days: pick(0, 1, 29, 30, 31, 60, 275, 366, 1_000_000_000) }),
  fc.record({ more_than_days_ago: pick(0, 1, 30, 31, 275, 366) }),
  pick(
    { from: '2024-02-01', to: '2024-02-29' },
    { from: '2024-02-29T08:00:00', to: '2024-03-31T02:30:00' },
    { from: '2024-03-31' },
    { to: '2024-03-31' },
    { to: '2024-02-29T08:00' },
    { from: '2024-10-27T02:15:00+01:00', to: '2024-12-31T23:59:59' },
    { from: '2024-04-01', to: '2024-04-01' },
  ),
);
const inTime = { period: fc.option(period, { nil: undefined }) };
const people = pick('p1', 'p2', 'P"4');
const products = fc
  .record(
    {
      product: fc.oneof(some('p1', 'p2', "p'5; --", 'missing-1', 'unheard-of'), people),
      master_product: some('m1', 'm2', 'p1', 'missing-1'),
      category: some('Shoes', 'Sale', 'Čaj > Zelený'),
      brand: some('Acme', 'acme', "O'Hara", ''),
    },
    { requiredKeys: [] },
  )
  .map((of) => (Object.keys(of).length === 0 ? { product: ['p1', 'p2'] } : of));
/** Somebody may well have had all of few things. */
const few = any(
  { product: 'p1' },
  { brand: ['Acme', ''] },
  { product: ['p1', 'p1'], category: 'Sale' },
  { master_product: ['m1'], brand: [''] },
  { product: ['missing-1', 'only-viewed'] },
  { category: ['Shoes', 'Sale'] },
);
const whole = pick(0, 1, 2, 3);
const amount = pick(-5, 0, 0.01, 10, 33.3334, 99.9, 100, 1234.5678);
const between = <Value extends number>(value: fc.Arbitrary<Value>) =>
  fc.tuple(value, value).map(([one, other]) => ({
    operator: 'between',
    value: { from: Math.min(one, other), to: Math.max(one, other) },
  }));
const counted = (...operators: string[]) =>
  fc.oneof(fc.record({ operator: pick(...operators), value: whole }), between(whole));
const paid = fc.oneof(fc.record({ operator: pick('gte', 'lte'), value: amount }), between(amount));
const date = pick(
  '2024-02-01',
  '2024-02-29',
  '2024-02-29T08:00:00',
  '2024-03-31T02:30',
  '2024-05-01T12:00:00Z',
);
const channel = pick(undefined, 'email', 'sms');
const rfmProfile = pick(undefined, 'default', 'short', 'other', 'unheard-of');

const with_ = <Own extends object, More extends object>(own: fc.Arbitrary<Own>, more: fc.Arbitrary<More>) =>
  fc.tuple(own, more).map(([one, other]) => ({ ...one, ...other }));

/** One of each type and operator of the language, but what cannot be evaluated, and random splits. */
const BLOCKS: Record<string, fc.Arbitrary<object>> = {
  interest_list: fc.record({
    operator: pick('is_subscribed', 'is_not_subscribed', 'was_unsubscribed'),
    value: some(...lists, 'unknown'),
  }),
  consent: fc.record({
    value: fc.record({
      channel: pick('email', 'sms'),
      state: pick(
        'subscribed',
        'pending',
        'unsubscribed',
        'bounced',
        'complained',
        'suppressed',
        'never_subscribed',
      ),
    }),
  }),
  suppressed: fc.record({ value: fc.boolean() }),
  subscribed_at: fc.oneof(
    fc.record({ operator: pick('before', 'after'), value: date, channel }),
    fc.record({ operator: pick('in_period'), period, channel }),
  ),
  source: fc.record({
    operator: pick('is', 'is_not'),
    value: some('popup', 'checkout', 'IMPORT', 'unknown', 'e1', 'popup-1'),
  }),
  last_activity: fc.record({ period }),
  order_count: with_(counted('eq', 'gte', 'lte'), fc.record(inTime)),
  order_value_total: with_(paid, fc.record(inTime)),
  average_order_value: with_(paid, fc.record(inTime)),
  first_order_at: fc.record({ period }),
  last_order_at: fc.record({ operator: pick('in_period'), period }),
  bought: fc.oneof(
    fc.record({ operator: pick('any'), of: products, ...inTime }),
    fc.record({ operator: pick('all'), of: few }),
  ),
  viewed: fc.oneof(
    fc.record({ operator: pick('any'), of: products, min_count: pick(1, 2, 3) }),
    fc.record({ operator: pick('all'), of: few, min_count: pick(1, 1, 2), ...inTime }),
  ),
  added_to_cart: fc.record({ of: products, ...inTime }),
  cart_abandoned: fc.record({ period }),
  watched: fc.record({ of: products, ...inTime }),
  rfm_segment: fc.record({
    operator: pick('is', 'is_not'),
    value: fc.record({
      rfm_profile_id: rfmProfile,
      segments: some('champions', 'new', 'lost', 'hibernating', 'potential_loyalist', 'unheard-of'),
    }),
  }),
  rfm_score: fc.record({
    operator: pick('gte', 'lte', 'eq'),
    value: fc.record({
      rfm_profile_id: rfmProfile,
      dimension: pick('recency', 'frequency', 'monetary'),
      score: pick(1, 2, 3, 4, 5),
    }),
  }),
  campaign: fc.oneof(
    fc.record({
      operator: pick('sent', 'opened', 'clicked', 'not_opened', 'not_clicked', 'ordered'),
      value: some('e1', 'e2', 's1', 's2', 'unheard-of'),
      ...inTime,
    }),
    fc.record({
      operator: pick('clicked', 'not_clicked'),
      value: some('e1', 'e2', 's1'),
      link: some('m1-a', 'm2-unsubscribe', 'https://shop.cz/b', 'https://shop.cz/other'),
      ...inTime,
    }),
  ),
  messages_received: fc.record({ operator: pick('gte', 'lte'), value: whole, channel, ...inTime }),
  session: fc.record({
    value: pick(undefined, 0, 1, 2, 3),
    channel: any(undefined, undefined, 'Email', ['Direct', 'Paid Search']),
    source: any(undefined, undefined, 'google', ['news', '(direct)']),
    landing_page: any(undefined, undefined, '/a', ['/', '/b', '(not set)']),
    ...inTime,
  }),
  tag: fc.record({ operator: pick('has', 'has_not'), value: any('vip', 'Vip', { name: 'old' }) }),
  attribute: fc.oneof(
    fc.record({
      operator: pick('eq'),
      value: fc.record({ name: pick('size', 'vip', 'city'), value: any(5, '5', true, 'Plzeň', 0.5) }),
    }),
    fc.record({
      operator: pick('in'),
      value: fc.record({
        name: pick('country', 'language', 'size', 'birthday'),
        value: any(['AT', 'SK', 'cs', 5], 'en', ['2000-02-29']),
      }),
    }),
    fc.record({
      operator: pick('contains'),
      value: fc.record({
        name: pick('city', 'tastes', 'gender', 'more'),
        value: any('plzen', 'ČAJ', ' káv ', 'f', 2),
      }),
    }),
    fc.record({
      operator: pick('exists'),
      value: fc.record({ name: pick('city', 'tastes', 'more', 'vip', 'gender', 'birthday', 'nothing') }),
    }),
  ),
  birthday: fc.record({ value: pick(0, 1, 30, 58, 59, 60, 300, 364, 365, 5000) }),
  coupon_used: fc.record({ value: some('SALE', 'VIP', 'sale'), ...inTime }),
  segment: fc.record({
    operator: pick('in', 'not_in'),
    value: some('buyers', 'not-buyers', 'nobody', 'everybody', 'gone'),
  }),
};
const block = fc
  .oneof(...Object.entries(BLOCKS).map(([type, fields]) => fields.map((rest) => ({ type, ...rest }))))
  .chain((one) => pick<Block>(one, one, { ...one, negate: true }, { ...one, negate: false }));

/** Queries as JSON has them: what is undefined is not there. */
export const randomQuery: fc.Arbitrary<Query> = fc
  .array(fc.record({ targetingBlocks: fc.array(block, { maxLength: 4 }) }), { maxLength: 3 })
  .map((segments) => JSON.parse(JSON.stringify({ segments })) as Query);

/** One block of each type. */
export const oneOfEach: fc.Arbitrary<Query> = fc
  .tuple(
    ...Object.entries(BLOCKS).map(([type, fields]) => fields.map((rest) => ({ type, ...rest }) as Block)),
  )
  .map((blocks) => ({ segments: blocks.map((one) => ({ targetingBlocks: [one] })) }))
  .map((whole) => JSON.parse(JSON.stringify(whole)) as Query);
