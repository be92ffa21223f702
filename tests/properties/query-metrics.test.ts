import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { METRICS, type Question, queryMetrics } from '../oracle/query-metrics.ts';
import type { Store } from '../oracle/store.ts';
import { randomMessages } from '../support/random-messages.ts';
import { isQuick, runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Random questions to random stores: the answers are those of plain loops over the raw rows, which know
 * nothing of our SQL.
 */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

const QUESTIONS = 20;

const PERIODS = ['day', 'week', 'month', 'quarter', 'year'];
const DIMENSIONS = {
  orders: [
    ...[...PERIODS, 'country', 'currency', 'payment_method', 'customer_type', 'channel'],
    ...['first_click_channel', 'coupon'],
  ],
  lines: [
    ...[...PERIODS, 'country', 'currency', 'payment_method', 'customer_type', 'channel', 'coupon'],
    ...['product', 'brand', 'category'],
  ],
  visits: [...[...PERIODS, 'channel', 'source', 'medium', 'source_medium', 'campaign', 'device', 'country']],
  placed: [...[...PERIODS, 'channel', 'source', 'medium', 'source_medium', 'campaign', 'device', 'country']],
  email_clicks: [...PERIODS, 'email_campaign', 'campaign_type'],
  sms_clicks: [...PERIODS, 'email_campaign', 'campaign_type'],
};
const HABITS = {
  customer_orders: ['1', '2', '3', '4', '5', '6-9', '10+', '(no customer)'],
  days_since_last_order: ['0-29', '30-59', '60-89', '90-179', '180-364', '365+', '(no customer)'],
};
const OWN_CURRENCY = ['revenue_in_own_currency', 'average_order_value_in_own_currency'];
const CLICKS: readonly string[] = ['email_clicks', 'sms_clicks'];
const HAS = {
  product: ['p1', 'p2', 'p3'],
  brand: ['acme', '(not set)'],
  category: ['Sale', '(not set)'],
  coupon: ['SALE'],
};
const VALUES = [
  'CZ',
  'SK',
  '(not set)',
  'new',
  'returning',
  'Direct',
  'Email',
  'Paid Search',
  '(untracked)',
  'CZK',
  'EUR',
  'p1',
  'google',
  'SALE',
  'acme',
  'Sale',
  'card',
  'e1',
  's2',
  'targeted-emailing',
];

type Kind = keyof typeof DIMENSIONS;

const kindOf = (name: string) => METRICS[name]?.fact as Kind;

/** Money of orders never adds currencies, so these metrics are asked beside those that currency cuts, too. */
function pickMetrics(): fc.Arbitrary<string[]> {
  return fc
    .uniqueArray(fc.constantFrom(...Object.keys(METRICS)), { minLength: 1, maxLength: 5 })
    .map((metrics) => {
      const isOwn = OWN_CURRENCY.includes(metrics[0] as string);
      return isOwn
        ? metrics.filter((name) => DIMENSIONS[kindOf(name)].includes('currency'))
        : metrics.filter((name) => !OWN_CURRENCY.includes(name));
    });
}

function pickFilters(shared: readonly string[]) {
  const names = shared.filter((one) => !PERIODS.includes(one));
  if (names.length === 0) return fc.constant([]);
  const filter = fc.constantFrom(...names).chain((dimension) => {
    // All values of these dimensions are known, so that others are refused.
    const values =
      dimension === 'customer_type'
        ? ['new', 'returning', 'unknown']
        : (HABITS[dimension as keyof typeof HABITS] ?? VALUES);
    return fc
      .record({
        kind: fc.constantFrom('in' as const, 'not_in' as const),
        values: fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }),
      })
      .map(({ kind, values: some }) => ({ dimension, [kind]: some }));
  });
  return fc.array(filter, { maxLength: 1 });
}

function pickQuestion(): fc.Arbitrary<Question> {
  return fc
    .record({ metrics: pickMetrics(), followsCustomers: fc.boolean() })
    .chain(({ metrics, ...asked }) => {
      const kinds = [...new Set(metrics.map(kindOf))];
      const isOwn = metrics.some((name) => OWN_CURRENCY.includes(name));
      const hasHabits = asked.followsCustomers && !isOwn && kinds.every((kind) => kind === 'orders');
      const shared = DIMENSIONS[kinds[0] as Kind].filter((one) =>
        kinds.every((kind) => DIMENSIONS[kind].includes(one)),
      );
      const hasClicks = kinds.some((kind) => CLICKS.includes(kind));
      const cuts = hasHabits ? Object.keys(HABITS) : shared;
      const has = fc
        .constantFrom(...Object.entries(HAS))
        .map(([dimension, values]) => ({ dimension, has: values }));
      const canHave = kinds.every((kind) => kind === 'orders' || kind === 'lines');
      return fc
        .record({
          group_by: fc.uniqueArray(fc.constantFrom(...cuts), { maxLength: hasHabits ? 2 : 3 }),
          filters: pickFilters(hasHabits ? [...shared, ...cuts] : shared),
          has: canHave ? fc.array(has, { maxLength: 1 }) : fc.constant([]),
          having: fc.option(fc.constantFrom(...metrics), { freq: 5 }),
          range: fc.constantFrom(
            ['2024-01-01T00:00:00', '2024-12-31T23:59:59'],
            ['2024-02-01T00:00:00', '2024-03-31T23:59:59'],
            ['2024-03-31T00:00:00', '2024-03-31T23:59:59'],
            ['2024-01-31T12:00:00', '2024-10-27T02:30:00'],
          ),
          isCompared: fc.boolean(),
          days: fc.constantFrom(1, 2, 30),
          sortBy: fc.nat(20),
          sort_order: fc.constantFrom('asc' as const, 'desc' as const),
          limit: fc.constantFrom(1, 2, 3, 1000),
        })
        .map(
          ({ range, isCompared, sortBy, having, filters, has: hasFilters, days, ...question }): Question => {
            const group_by =
              isOwn && !question.group_by.includes('currency')
                ? ['currency', ...question.group_by].slice(0, 3)
                : question.group_by;
            const compare = isCompared && !group_by.some((one) => PERIODS.includes(one));
            const sortable = [...metrics, ...group_by];
            // What follows people is told by whole days.
            const moment = (text: string) => (hasHabits || hasClicks ? text.slice(0, 10) : text);
            return {
              ...question,
              group_by,
              metrics,
              from_date: moment(range[0] as string),
              to_date: moment(range[1] as string),
              compare: compare ? 'range' : 'none',
              compare_from_date: compare ? moment('2024-01-15T00:00:00') : null,
              compare_to_date: compare ? moment('2024-03-30T23:59:59') : null,
              click_window_days: hasClicks ? days : null,
              filters: [...filters, ...hasFilters],
              having: having === null ? [] : [{ metric: having, min: 1 }],
              sort_by: sortable[sortBy % sortable.length] as string,
            };
          },
        );
    });
}

const day = fc.constantFrom(
  '2024-01-30',
  '2024-02-25',
  '2024-03-01',
  '2024-03-30',
  '2024-03-31',
  '2024-04-02',
);
const person = fc.nat(11).map((number) => ({ email: `crowd${number}@example.com` }));

/** Twelve more people with orders and messages, so that rows are of enough people to be told. */
const crowd = fc.record({
  orders: fc.array(fc.record({ who: person, day, currency: fc.constantFrom(undefined, 'CZK', 'EUR') }), {
    maxLength: 40,
  }),
  sends: fc.array(
    fc.record({ who: person, day, message_id: fc.constantFrom('m1', 'm3', 'm4'), isClicked: fc.boolean() }),
    { maxLength: 40 },
  ),
});

function withCrowd(
  store: Store,
  { orders, sends }: typeof crowd extends fc.Arbitrary<infer Made> ? Made : never,
) {
  return {
    ...store,
    orders: [
      ...store.orders,
      ...orders.map(({ who, day: placed, currency }, index) => ({
        ...{ ...who, order_id: `crowd-${index}`, ordered_at: `${placed}T12:00:00`, currency },
        total: `${100 + index}.5`,
      })),
    ],
    sends: [
      ...store.sends,
      ...sends.map(({ who, day: sent, message_id }, index) => ({
        ...{
          ...who,
          message_id,
          send_id: `crowd-${index}`,
          sent_at: `${sent}T08:00:00`,
          outcome: 'delivered',
        },
      })),
    ],
    message_events: [
      ...store.message_events,
      ...sends.flatMap(({ day: sent, isClicked }, index) =>
        isClicked
          ? [
              {
                ...{ event_id: `crowd-${index}`, send_id: `crowd-${index}`, kind: 'click' },
                ...{ at: `${sent}T10:00:00`, url: 'https://shop.cz/a' },
              },
            ]
          : [],
      ),
    ],
  };
}

async function load(store: Store): Promise<string> {
  const business = await test.createBusiness({
    timezone: store.business.timezone ?? 'UTC',
    currency: store.business.primary_currency ?? 'CZK',
    link: 'https://www.shop.cz/',
  });
  const isEmpty = Object.values(store).every((rows) => !Array.isArray(rows) || rows.length === 0);
  if (!isEmpty) await test.importStore(business, store);
  return business.business_id;
}

it('any metric by any dimension is what loops over the rows count', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('Europe/Prague', 'America/New_York', 'UTC').chain((timezone) =>
        fc.record({
          store: fc.tuple(randomMessages(timezone), crowd).map(([store, some]) => withCrowd(store, some)),
          questions: fc.array(pickQuestion(), { minLength: QUESTIONS, maxLength: QUESTIONS }),
        }),
      ),
      async ({ store, questions }) => {
        const business_id = await load(store);
        for (const question of questions) {
          const { result } = await test.run('query_metrics', { business_ids: [business_id], ...question });
          const { rows, groups_count } = result as ReturnType<typeof queryMetrics>;
          const expected = queryMetrics(store, question, store.business.timezone ?? 'UTC');
          expect({ groups_count, rows }, JSON.stringify(question)).toEqual(expected);
        }
      },
    ),
    // 20 questions in `npm test`, 500 in the full tests.
    { numRuns: isQuick ? 1 : Math.ceil(runs(2.5)), endOnFailure: true },
  );
}, 1_800_000);
