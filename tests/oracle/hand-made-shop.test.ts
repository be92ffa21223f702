import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { DIMENSIONS } from '../../src/domains/orders/queries/order-distribution.ts';
import { RELATIONS } from '../../src/domains/products/queries/product-pairs.ts';
import { expectAnswer } from '../support/expect-answer.ts';
import { ofAnybody } from '../support/of-anybody.ts';
import { randomCalls } from '../support/random-calls.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { expectedAnswers } from './expected-answers.ts';
import { readCsv, type Store } from './store.ts';

/**
 * Every tool on the hand-made shop, against the oracle: plain TypeScript over the CSV files, written from the
 * specification by someone who had not seen the product's code.
 */
const FOLDER = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));

let onBoth: TestInstance;
/**
 * `npm test` asks DuckDB alone: the SQL of these calls differs in a moment or in one column from that of
 * calls on both engines.
 */
let test: TestInstance;
let business: Business;
let store: Store;

beforeAll(async () => {
  onBoth = await createTestInstance({ isOneEngineEnough: false });
  test = await createTestInstance();
  for (const instance of [onBoth, test]) {
    // The first of each instance has the same id.
    business = await instance.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
    await instance.importFolder(business, FOLDER);
  }
  store = readCsv(FOLDER, { timezone: business.timezone, primary_currency: business.primary_currency });
});

afterAll(async () => {
  for (const instance of [onBoth, test]) await instance[Symbol.asyncDispose]();
});

function expected(tool: string, args: object): unknown {
  return expectedAnswers[tool as keyof typeof expectedAnswers](store, args as never);
}

const ONE_OF_EACH_KIND: ReadonlySet<string> = new Set([
  'weekday_hour',
  'order_value',
  'order_number',
  'country',
  'coupon',
]);

describe('the whole history of the hand-made shop', () => {
  const range = { from_date: '2023-12-01T00:00:00', to_date: '2025-02-28T23:59:59' };
  const everything = { limit: 1000 };
  const ids = ['P1', 'P2', 'X1', 'P8', 'unknown'];
  it.each<[tool: string, args: object, instance?: () => TestInstance]>([
    ['order_statistics', {}],
    ['order_statistics_trend', { breakdown: 'day' }],
    ['order_statistics_trend', { breakdown: 'week' }],
    ['order_statistics_trend', { breakdown: 'month' }],
    ['product_statistics', everything],
    ['product_statistics', { ...everything, sort_by: 'purchase_price', sort_order: 'asc' }],
    ['product_statistics_trend', { breakdown: 'day', external_product_ids: ids }],
    ['product_statistics_trend', { breakdown: 'month', external_product_ids: ids }],
    ['category_statistics', everything],
    ['category_statistics', { ...everything, main_categories: true }],
    ['category_statistics_trend', { breakdown: 'month', categories: ['Trička', 'trička', 'unknown'] }],
    ['brand_statistics', everything],
    ['brand_statistics_trend', { breakdown: 'week', brands: ['Acme', 'ACME', 'unknown'] }],
    ['master_product_statistics', everything],
    ['master_product_statistics_trend', { breakdown: 'month', external_master_product_ids: ['M1', 'P4'] }],
    ['repeat_purchase_cycle', {}],
    ['repeat_purchase_cycle', { from_order_number: 3 }],
    // One of each kind on both engines: those of a kind differ in a column of the SQL.
    ...DIMENSIONS.filter((one) => !/goods_value|_decile/.test(one)).map(
      (dimension): [string, object, () => TestInstance] => [
        'order_distribution_statistics',
        { dimension, ...(dimension === 'coupon' ? { limit: 2 } : {}) },
        () => (ONE_OF_EACH_KIND.has(dimension) ? onBoth : test),
      ],
    ),
    // Each relation and each level on both engines, though not each with each.
    ...RELATIONS.flatMap((relation, index) =>
      (['product', 'master_product', 'category', 'brand'] as const).map(
        (level, nth): [string, object, () => TestInstance] => [
          'product_affinity_statistics',
          { relation, level, min_orders: 1, limit: 1000 },
          () => (nth % RELATIONS.length === index ? onBoth : test),
        ],
      ),
    ),
    ['first_purchase_cohorts', {}],
    ['first_purchase_cohorts', { cohort_period: 'all', segment_by: 'first_product', segment_limit: 2 }],
    ['first_purchase_cohorts', { cohort_period: 'week', segment_by: 'first_product', segment_limit: 3 }],
  ])('%s %j', async (tool, args, instance = () => onBoth) => {
    const call = { business_id: business.business_id, ...range, ...args };
    expect(await instance().ask(ofAnybody(tool), call)).toEqual(expected(tool, call));
  });
});

describe('the edges of time in the hand-made shop', () => {
  it.each([
    ['the last half second of a month', '2024-01-31T23:59:59', '2024-01-31T23:59:59'],
    ['the leap day', '2024-02-29T00:00:00', '2024-02-29T23:59:59'],
    ['the night when clocks go forward', '2024-03-31T00:00:00', '2024-03-31T03:30:00'],
    ['only the hour that is skipped', '2024-03-31T02:00:00', '2024-03-31T02:59:59'],
    ['the night when clocks go back', '2024-10-27T00:00:00', '2024-10-27T02:59:59'],
    ['the repeated hour, first time', '2024-10-27T02:00:00+02:00', '2024-10-27T02:59:59+02:00'],
    ['the repeated hour, second time', '2024-10-27T02:00:00+01:00', '2024-10-27T02:59:59+01:00'],
    ['an empty month', '2024-05-01T00:00:00', '2024-05-31T23:59:59'],
    ['the turn of the year', '2024-12-31T00:00:00', '2025-01-01T00:00:00'],
  ])('%s', async (name, from_date, to_date) => {
    const range = { business_id: business.business_id, from_date, to_date };
    const instance = name.startsWith('the night') ? onBoth : test;
    for (const tool of ['order_statistics', 'product_statistics']) {
      expect(await instance.ask(ofAnybody(tool), range)).toEqual(expected(tool, range));
    }
    for (const dimension of ['weekday_hour', 'weekday', 'day_of_month']) {
      const call = { ...range, dimension };
      expect(await instance.ask('order_distribution_statistics', call)).toEqual(
        expected('order_distribution_statistics', call),
      );
    }
    const trend = { ...range, breakdown: 'day' };
    expect(await instance.ask('order_statistics_trend', trend)).toEqual(
      expected('order_statistics_trend', trend),
    );
  });
});

it('answers any call as the oracle does', async () => {
  await fc.assert(
    fc.asyncProperty(randomCalls(store, business.business_id), async ({ tool, args }) => {
      await expectAnswer(test, tool, args, expected(tool, args) as object);
    }),
    { numRuns: runs(30) },
  );
});
