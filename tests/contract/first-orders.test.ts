import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Field } from '../../src/answers/fields/field.ts';
import { CATALOGUE, EXTENSION_TOOLS } from '../../src/catalogue.ts';
import { emptyStore } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * What depends on which order was a customer's first says what is not known of that, whichever tool tells it.
 */

interface Found {
  readonly tool: string;
  readonly place: string;
  readonly field: Field;
}

const fieldsIn = (fields: readonly Field[], tool: string, at = ''): Found[] =>
  fields.flatMap((field) => [
    { tool, place: `${at}${field.key}`, field },
    ...fieldsIn([...(field.fields ?? []), ...(field.either ?? []).flat()], tool, `${at}${field.key}.`),
  ]);

const ALL = [...CATALOGUE, ...EXTENSION_TOOLS].flatMap(({ name, fields }) => fieldsIn(fields, name));

/** Words of first orders, in names or definitions. */
const TELLS =
  /\b(new|returning) (orders?|customers?)\b|first orders? ever|n-th order|^subscribed then first/i;

/** They tell of what the first order had or when it was, beside a field that counts whose it is. */
const BESIDE = [
  ...['cohorts', 'cohorts.may_contain_old_customers', 'from_order_number', 'by_order_number.order_number'],
];

const saysWhatFirstIs = ({ place, field }: Found) =>
  !BESIDE.includes(place) && TELLS.test(`${field.key.replaceAll('_', ' ')}: ${field.definition}`);

it('every field that tells of first orders says so', () => {
  const silent = ALL.filter((one) => saysWhatFirstIs(one) && one.field.sinceFirst !== true);
  expect(silent.map(({ tool, place }) => `${tool} ${place}`)).toEqual([]);
});

const TOOLS = [...new Set(ALL.filter(({ field }) => field.sinceFirst).map(({ tool }) => tool))];

it('these tools have fields about first orders', () => {
  expect(TOOLS.toSorted()).toEqual(
    [
      ...['order_statistics', 'order_statistics_trend', 'repeat_purchase_cycle', 'first_purchase_cohorts'],
      ...['product_statistics', 'category_statistics', 'brand_statistics', 'master_product_statistics'],
      ...['product_statistics_trend', 'category_statistics_trend', 'brand_statistics_trend'],
      ...[
        'master_product_statistics_trend',
        'session_statistics',
        'journey_statistics',
        'email_revenue_statistics',
      ],
      ...['sms_revenue_statistics', 'subscriber_statistics', 'rfm_segment_statistics'],
      ...[
        'rfm_segment_transitions',
        'get_campaign_statistics',
        'popup_campaign_statistics',
        'customer_value',
      ],
    ].toSorted(),
  );
});

let test: TestInstance;
let business_id: string;

const FROM = '2024-10-01';

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  const day = (after: number) => new Date(Date.UTC(2024, 9, 1 + after, 10)).toISOString();
  // Twelve customers order twice, a hundred days apart, from the first day on.
  for (let place = 0; place < 12; place += 1) {
    const email = `early${place}@example.com`;
    for (const after of [0, 100]) {
      store.orders.push({ order_id: `${email} ${after}`, email, ordered_at: day(after), total: '10' });
    }
  }
  // Twenty more people order first after two hundred days: seven have a profile 101 days older than their
  // orders, six one of 99 days, three one made with the order, and four have no profile.
  for (let place = 0; place < 20; place += 1) {
    const email = `late${place}@example.com`;
    store.orders.push({ order_id: email, email, ordered_at: day(200), total: '10' });
    if (place < 16) {
      const created_at = day(place < 7 ? -101 : place < 13 ? -99 : 200);
      store.profiles.push({ profile_id: email, email, created_at });
    }
  }
  await test.importStore(business, store);
  business_id = business.business_id;
});

afterAll(() => test[Symbol.asyncDispose]());

const EARLY =
  'Orders are loaded from 2024-10-01 on, and one pause between orders in ten is of more than 100 days: until 2025-01-09 some of those counted as new may have ordered before.';
const OLDER =
  '7 of those whose first loaded order is in the range have a profile from before 2024-06-23, more than 100 days before the loaded orders begin: they are counted as new, but whether they are is not known.';

async function notesOf(tool: string, args: object) {
  const { notes = [] } = await test.run(tool, { business_id, ...args });
  return notes.filter((note) => note.includes('counted as new'));
}

const IN_APRIL = { from_date: '2025-04-01', to_date: '2025-04-30' };

it.each([
  ...(
    [
      ['order_statistics', {}],
      ['order_statistics_trend', { breakdown: 'week' }],
      ['product_statistics', {}],
      ['category_statistics', {}],
      ['brand_statistics_trend', { breakdown: 'day', brands: ['A'] }],
      ['repeat_purchase_cycle', {}],
      ['first_purchase_cohorts', {}],
      ['order_distribution_statistics', { dimension: 'order_number' }],
      ['order_distribution_statistics', { dimension: 'country', filter_customer_type: 'new' }],
      ['journey_statistics', {}],
      ['email_revenue_statistics', {}],
      ['subscriber_statistics', {}],
      ['popup_campaign_statistics', {}],
      ['rfm_segment_transitions', {}],
      ['customer_value', { by: 'cohort' }],
    ] as const
  ).map(([tool, more]) => ({ tool, more })),
])(
  '$tool says how many customers may have ordered earlier, and since when orders are loaded',
  async ({ tool, more }) => {
    expect(await notesOf(tool, { ...IN_APRIL, ...more })).toEqual([OLDER]);
    expect(await notesOf(tool, { from_date: FROM, to_date: FROM, ...more })).toEqual([EARLY]);
  },
);

it('an answer without a field about first orders has no such note', async () => {
  expect(await notesOf('product_statistics', { ...IN_APRIL, fields: ['total_quantity'] })).toEqual([]);
  expect(await notesOf('order_distribution_statistics', { ...IN_APRIL, dimension: 'country' })).toEqual([]);
  expect(await notesOf('session_statistics', { ...IN_APRIL, fields: ['sessions_count'] })).toEqual([]);
  expect(await notesOf('order_statistics', { from_date: '2025-05-01', to_date: '2025-05-31' })).toEqual([]);
});

it('a state of RFM segments has a warning while a part of its orders is not loaded', async () => {
  expect(await notesOf('rfm_segment_statistics', { as_of: '2024-12-01' })).toEqual([EARLY]);
  expect(await notesOf('rfm_segment_statistics', { as_of: '2025-02-01' })).toEqual([]);
});
