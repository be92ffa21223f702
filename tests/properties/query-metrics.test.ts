import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { METRICS, type Question, queryMetrics } from '../oracle/query-metrics.ts';
import type { Store } from '../oracle/store.ts';
import { randomTraffic } from '../support/random-traffic.ts';
import { isQuick, runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** Random questions to random stores: the answers are those of plain loops over the raw rows, which know nothing of our SQL. */
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
};
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
];

type Kind = keyof typeof DIMENSIONS;

function pickQuestion(): fc.Arbitrary<Question> {
  return fc
    .uniqueArray(fc.constantFrom(...Object.keys(METRICS)), { minLength: 1, maxLength: 5 })
    .chain((metrics) => {
      const kinds = [...new Set(metrics.map((name) => METRICS[name]?.fact as Kind))];
      const shared = DIMENSIONS[kinds[0] as Kind].filter((one) =>
        kinds.every((kind) => DIMENSIONS[kind].includes(one)),
      );
      const filter = fc.constantFrom(...shared.filter((one) => !PERIODS.includes(one))).chain((dimension) => {
        // Of these all values are known, so that others are refused.
        const values = dimension === 'customer_type' ? ['new', 'returning', 'unknown'] : VALUES;
        return fc.record({
          dimension: fc.constant(dimension),
          kind: fc.constantFrom('in' as const, 'not_in' as const),
          values: fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }),
        });
      });
      const has = fc
        .constantFrom(...Object.entries(HAS))
        .map(([dimension, values]) => ({ dimension, has: values }));
      const canHave = !kinds.includes('visits') && !kinds.includes('placed');
      return fc
        .record({
          group_by: fc.uniqueArray(fc.constantFrom(...shared), { maxLength: 3 }),
          filters: fc.array(filter, { maxLength: 1 }),
          has: canHave ? fc.array(has, { maxLength: 1 }) : fc.constant([]),
          having: fc.option(fc.constantFrom(...metrics), { freq: 5 }),
          range: fc.constantFrom(
            ['2024-01-01T00:00:00', '2024-12-31T23:59:59'],
            ['2024-02-01T00:00:00', '2024-03-31T23:59:59'],
            ['2024-03-31T00:00:00', '2024-03-31T23:59:59'],
            ['2024-01-31T12:00:00', '2024-10-27T02:30:00'],
          ),
          isCompared: fc.boolean(),
          sortBy: fc.nat(20),
          sort_order: fc.constantFrom('asc' as const, 'desc' as const),
          limit: fc.constantFrom(1, 2, 3, 1000),
        })
        .map(({ range, isCompared, sortBy, having, filters, has: hasFilters, ...asked }): Question => {
          const compare = isCompared && !asked.group_by.some((one) => PERIODS.includes(one));
          const sortable = [...metrics, ...asked.group_by];
          return {
            ...asked,
            metrics,
            from_date: range[0] as string,
            to_date: range[1] as string,
            compare: compare ? 'range' : 'none',
            compare_from_date: compare ? '2024-01-15T00:00:00' : null,
            compare_to_date: compare ? '2024-03-30T23:59:59' : null,
            filters: [
              ...filters.map(({ dimension, kind, values }) => ({ dimension, [kind]: values })),
              ...hasFilters,
            ],
            having: having === null ? [] : [{ metric: having, min: 1 }],
            sort_by: sortable[sortBy % sortable.length] as string,
          };
        });
    });
}

async function load(store: Store): Promise<string> {
  const business = await test.createBusiness({
    timezone: store.business.timezone ?? 'UTC',
    currency: store.business.primary_currency ?? 'CZK',
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
          store: randomTraffic(timezone),
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
