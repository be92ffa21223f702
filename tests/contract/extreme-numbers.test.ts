// Whatever a number is, it is compared rightly or refused in our words: never an error out of an engine.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { CATALOGUE } from '../../src/catalogue.ts';
import { FILTERABLE_METRICS } from '../../src/domains/products/queries/filter-metrics.ts';
import { groupRowMetrics, productRowMetrics } from '../../src/domains/products/queries/product-listing.ts';
import { InputError } from '../../src/errors.ts';
import { emptyStore } from '../oracle/store.ts';
import { everyThirdInQuick, fewerInQuick, isQuick } from '../support/runs.ts';
import { sampleArguments } from '../support/sample-arguments.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

const EXTREME = [
  ...[1e19, -1e19, 1e30, 1.79e308, -1.79e308, 5e-324, 1e-7, 0.1, -0],
  ...[2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 2 ** 64, 2 ** 53 - 1, 1 - 2 ** 53],
];

let test: TestInstance;
let business_id: string;

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importFolder(business, fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url)));
  business_id = business.business_id;
});

afterAll(() => test[Symbol.asyncDispose]());

/** The answer, or the error that was written for the caller. */
async function outcomeOf(tool: string, args: object): Promise<unknown> {
  const call = { ...sampleArguments(tool, business_id), ...args };
  const outcome = await test.ask(tool, call).catch((error: unknown) => error);
  if (outcome instanceof Error) expect(outcome, JSON.stringify(args)).toBeInstanceOf(InputError);
  return outcome;
}

const numbers = CATALOGUE.flatMap((tool) =>
  Object.entries(tool.input.shape).flatMap(([argument, schema]) =>
    [1, 5, 1000].some((number) => (schema as z.ZodType).safeParse(number).success)
      ? [{ tool: tool.name, argument }]
      : [],
  ),
);

it.each(everyThirdInQuick(numbers))(
  '$tool takes or refuses any number as $argument',
  async ({ tool, argument }) => {
    for (const number of EXTREME) await outcomeOf(tool, { [argument]: number });
  },
);

const filtering = CATALOGUE.filter(({ input }) => 'filter_metrics' in input.shape).map(({ name }) => name);

describe.each(filtering)('%s', (tool) => {
  const metrics = (tool === 'product_statistics' ? productRowMetrics : groupRowMetrics)
    .map(({ key }) => key)
    .filter((key) => FILTERABLE_METRICS.some((metric) => metric === key));

  it.each(fewerInQuick([1e19, -1.79e308, -1e19, 1e30, 1.79e308], 2))(
    'compares every metric with %d',
    async (bound) => {
      const rows = async (filter: object) => {
        const filter_metrics = metrics.map((metric) => ({ metric, ...filter }));
        const answer = await outcomeOf(tool, { filter_metrics });
        return Object.values(answer as object).find(Array.isArray)?.length;
      };
      // Every value is far within these bounds.
      expect(await rows(bound > 0 ? { from_value: bound } : { to_value: bound })).toBe(0);
      if (isQuick) return;
      for (const metric of metrics)
        await outcomeOf(tool, {
          filter_metrics: [
            { metric, from_value: bound },
            { metric, to_value: bound },
          ],
        });
    },
  );
});

it.each([1e19, 1.79e308])(
  'no product has a stock of at least %d, and every product has a stock of at most that',
  async (bound) => {
    const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
    const product = (id: string, stock_quantity: string) => ({
      ...{ external_product_id: id, name: id, price: '1', brand: '', categories: '' },
      ...{ discontinued: 'false', stock_quantity },
    });
    await test.importStore(business, {
      ...emptyStore({ timezone: 'UTC', primary_currency: 'EUR' }),
      products: [product('P1', '0'), product('P2', '999999999')],
    });
    const products = async (args: object) =>
      (
        (await outcomeOf('list_products', { ...args, business_id: business.business_id })) as {
          total_count: number;
        }
      ).total_count;
    const known = await products({ min_stock_quantity: -bound });
    expect(known).toBe(2);
    expect(await products({ min_stock_quantity: bound })).toBe(0);
    expect(await products({ max_stock_quantity: bound })).toBe(known);
    expect(await products({ max_stock_quantity: -bound })).toBe(0);
  },
);

const period = (days: number) => ({ period: { last_days: days } });
const CONDITIONS: Readonly<Record<string, (number: number) => object>> = {
  'a number of days': (number) => ({ type: 'bought', of: { product: ['P1'] }, ...period(number) }),
  'days ago': (number) => ({ type: 'last_activity', period: { more_than_days_ago: number } }),
  'a count of orders': (number) => ({ type: 'order_count', operator: 'gte', value: number }),
  'no more orders': (number) => ({ type: 'order_count', operator: 'lte', value: number }),
  'an amount spent': (number) => ({ type: 'order_value_total', operator: 'gte', value: number }),
  'a count of views': (number) => ({
    type: 'viewed',
    of: { product: ['P1'] },
    min_count: number,
    ...period(7),
  }),
  'days to a birthday': (number) => ({ type: 'birthday', value: number }),
  'a value of an attribute': (number) => ({
    type: 'attribute',
    operator: 'eq',
    value: { name: 'size', value: number },
  }),
  'an attribute among some': (number) => ({
    type: 'attribute',
    operator: 'in',
    value: { name: 'size', value: [number] },
  }),
  'a count of messages': (number) => ({ type: 'messages_received', operator: 'gte', value: number }),
  'a count of visits': (number) => ({ type: 'session', value: number }),
  'a product of that id': (number) => ({ type: 'bought', of: { product: [number] }, ...period(7) }),
  'the seed of a split': (number) => ({
    type: 'random_split',
    operator: 'in',
    value: { from: 0, to: 50, seed: number },
  }),
  'a part of a split': (number) => ({
    type: 'random_split',
    operator: 'in',
    value: { from: number, to: 50, seed: 1 },
  }),
};

it.each(Object.entries(CONDITIONS))(
  'estimate_segment_query takes or refuses any number as %s',
  async (_, of) => {
    for (const number of EXTREME)
      await outcomeOf('estimate_segment_query', {
        segment_query: { segments: [{ targetingBlocks: [of(number)] }] },
      });
  },
);
