import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asOfText, estimateOf, readEverything } from '../oracle/segment-query.ts';
import { exactEstimate } from '../support/exact-estimate.ts';
import { ofAnybody } from '../support/of-anybody.ts';
import { oneOfEach, randomAudiences, randomQuery } from '../support/random-audiences.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** Random queries about random stores: the counts are those of plain loops over the raw rows. */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

it('estimate_segment_query counts as the oracle does, whatever the store and the query', async () => {
  const stores = fc.constantFrom('Europe/Prague', 'America/New_York', 'UTC').chain(randomAudiences);
  await fc.assert(
    fc.asyncProperty(
      stores,
      fc.tuple(
        oneOfEach,
        oneOfEach,
        fc.array(fc.tuple(randomQuery, fc.option(randomQuery)), { minLength: 4, maxLength: 4 }),
      ),
      async (store, [one, other, queries]) => {
        const timezone = String(store.business.timezone);
        const business = await test.createBusiness({
          timezone,
          currency: 'CZK',
          link: 'https://www.shop.cz/',
        });
        await test.importStore(business, store);
        const { business_id } = business;
        await expectWhatOtherToolsSay(business_id);
        const data = readEverything(store);
        for (const [segment_query, exclude_segment_query] of [
          [one, null],
          [other, null],
          ...queries,
        ] as const) {
          const args = { business_id, segment_query, exclude_segment_query };
          const answer = await test.ask(exactEstimate, args);
          expect(answer, JSON.stringify(args)).toMatchObject({
            as_of: asOfText(data),
            is_hidden: false,
            ...estimateOf(data, segment_query, exclude_segment_query),
          });
        }
      },
    ),
    { numRuns: runs(1), endOnFailure: true },
  );
});

interface Estimate {
  readonly customers_count: number;
  readonly blocks: readonly { readonly alone_count: number }[];
}

/**
 * Each RFM segment has the number of people that rfm_segment_statistics says, and order_statistics says how
 * many have ordered.
 */
async function expectWhatOtherToolsSay(business_id: string): Promise<void> {
  const statistics = await test.ask(ofAnybody('rfm_segment_statistics'), { business_id });
  const { segments } = statistics as { segments: { segment: string; customers_count: number }[] };
  const blocks = segments.map(({ segment }) => ({
    type: 'rfm_segment',
    operator: 'is',
    value: { segments: [segment] },
  }));
  const answer = await test.ask(exactEstimate, {
    business_id,
    segment_query: { segments: [{ targetingBlocks: blocks }, { targetingBlocks: [] }] },
  });
  const { customers_count, blocks: counted } = answer as Estimate;
  expect(counted.map(({ alone_count }) => alone_count)).toEqual(segments.map((one) => one.customers_count));
  const range = { from_date: '2000-01-01T00:00:00', to_date: '2030-01-01T00:00:00' };
  const orders = await test.ask('order_statistics', { business_id, ...range });
  expect(orders).toMatchObject({ unique_customers_count: customers_count });
}
