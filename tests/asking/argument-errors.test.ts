import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;
let range: { business_id: string; from_date: string; to_date: string };

beforeAll(async () => {
  test = await createTestInstance();
  const { business_id } = await test.createBusiness();
  range = { business_id, from_date: '2024-01-01T00:00:00', to_date: '2024-01-31T23:59:59' };
});

afterAll(() => test[Symbol.asyncDispose]());

const RANGE_NAMES = 'business_id, from_date, to_date';

it.each<[string, string, object, string]>([
  [
    'a misspelled required argument is named, not only missed',
    'order_statistics',
    { from_date: undefined, form_date: '2024-01-01T00:00:00' },
    `unknown argument form_date: is from_date meant? Arguments are ${RANGE_NAMES}.`,
  ],
  ['a missing argument is required', 'order_statistics', { to_date: undefined }, 'to_date is required'],
  [
    'a value of another type is not called missing',
    'order_statistics',
    { to_date: 20240131 },
    'to_date: must be a text, not a number',
  ],
  [
    'a text is no list',
    'product_statistics_trend',
    { breakdown: 'day', external_product_ids: 'P1' },
    'external_product_ids: must be a list of texts, for example ["A", "B"]',
  ],
  ['null is as good as nothing', 'order_statistics', { to_date: null }, 'to_date is required'],
  [
    'an unknown breakdown lists those there are',
    'order_statistics_trend',
    { breakdown: 'year' },
    'breakdown must be one of day, week, month',
  ],
  ['limit has a minimum', 'product_statistics', { limit: 0 }, 'limit must be between 1 and 1000'],
  ['limit has a maximum', 'product_statistics', { limit: 1001 }, 'limit must be between 1 and 1000'],
  ['limit is whole', 'product_statistics', { limit: 1.5 }, 'limit must be a whole number between 1 and 1000'],
  ['offset has a minimum', 'product_statistics', { offset: -1 }, 'offset must be at least 0'],
  [
    'an unknown metric says where it stands',
    'product_statistics',
    {
      filter_metrics: [
        { metric: 'reach', from_value: 1 },
        { metric: 'beauty', from_value: 1 },
      ],
    },
    'filter_metrics[1]: unknown metric',
  ],
  [
    'a misspelled bound of a filter is named',
    'product_statistics',
    { filter_metrics: [{ metric: 'reach', from: 1 }] },
    'unknown argument filter_metrics[0].from',
  ],
  [
    'more fields than rows have are told which there are',
    'channel_transition_matrix',
    { fields: ['from', 'to', 'transitions_count', 'probability', 'channel'] },
    'fields: at most 4 elements are allowed, of from, to, transitions_count, probability',
  ],
  [
    'the range is not reversed',
    'order_statistics',
    { to_date: '2023-01-01T00:00:00' },
    'to_date is before from_date',
  ],
])('%s', async (_name, tool, args, message) => {
  await expect(test.run(tool, { ...range, ...args })).rejects.toMatchObject({ name: 'InputError', message });
});
