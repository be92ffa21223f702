import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  rfmSegmentStatistics,
  rfmSegmentStatisticsTrend,
  rfmSegmentTransitions,
  SEGMENT_KEYS,
} from '../oracle/rfm.ts';
import { emptyStore, type Store } from '../oracle/store.ts';
import { ofAnybody } from '../support/of-anybody.ts';
import { withRfm } from '../support/random-rfm.ts';
import { randomStores } from '../support/random-stores.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

async function load(store: Store): Promise<string> {
  const business = await test.createBusiness({
    timezone: String(store.business.timezone),
    currency: String(store.business.primary_currency),
  });
  const isEmpty = Object.values(store).every((rows) => !Array.isArray(rows) || rows.length === 0);
  if (!isEmpty) await test.importStore(business, store);
  return business.business_id;
}

const moment = fc
  .tuple(
    fc.constantFrom(
      '2023-12-31',
      '2024-02-01',
      '2024-02-29',
      '2024-03-01',
      '2024-03-31',
      '2024-04-30',
      '2024-10-27',
    ),
    fc.constantFrom('T00:00:00', 'T02:30:00', 'T23:59:59', 'T23:59:59.600', 'T00:30:00', 'T22:00:00Z'),
  )
  .map(([date, time]) => date + time);
const laterMoment = fc.constantFrom(
  '2024-11-01T00:00:00',
  '2024-12-31T23:59:58',
  '2024-12-31T23:59:59',
  '2025-01-01T00:00:00',
  '2025-03-01T12:00:00',
);

it('scores customers, follows them over periods and between moments as plain loops do', async () => {
  const timezones = fc.constantFrom('Europe/Prague', 'America/New_York', 'Pacific/Auckland', 'UTC');
  await fc.assert(
    fc.asyncProperty(
      timezones.chain(randomStores).chain(withRfm),
      fc.tuple(moment, laterMoment),
      fc.constantFrom('week', 'month'),
      fc.option(fc.subarray(SEGMENT_KEYS)),
      async (store, [from_date, to_date], breakdown, filter_segments) => {
        const business_id = await load(store);
        for (const rfm_profile_id of [null, store.rfm_profiles[0]?.rfm_profile_id ?? null]) {
          const common = { business_id, rfm_profile_id };
          for (const as_of of [null, from_date]) {
            const call = { ...common, as_of, include_cells: true };
            expect(await test.ask(ofAnybody('rfm_segment_statistics'), call), JSON.stringify(call)).toEqual(
              rfmSegmentStatistics(store, call),
            );
          }
          const moves = { ...common, from_date, to_date };
          expect(await test.ask(ofAnybody('rfm_segment_transitions'), moves), JSON.stringify(moves)).toEqual(
            rfmSegmentTransitions(store, moves),
          );
          const trend = { ...moves, breakdown, filter_segments } as const;
          expect(
            await test.ask(ofAnybody('rfm_segment_statistics_trend'), trend),
            JSON.stringify(trend),
          ).toEqual(rfmSegmentStatisticsTrend(store, trend as never));
        }
      },
    ),
    { numRuns: runs(2), endOnFailure: true },
  );
});

it('follows them day by day', async () => {
  await fc.assert(
    fc.asyncProperty(randomStores('Europe/Prague').chain(withRfm), async (store) => {
      const call = {
        business_id: await load(store),
        rfm_profile_id: store.rfm_profiles[0]?.rfm_profile_id ?? null,
        from_date: '2024-02-20T00:00:00',
        to_date: '2024-06-10T23:59:59',
        breakdown: 'day',
      } as const;
      expect(await test.ask(ofAnybody('rfm_segment_statistics_trend'), call)).toEqual(
        rfmSegmentStatisticsTrend(store, call),
      );
    }),
    { numRuns: runs(1), endOnFailure: true },
  );
});

it('every segment is empty in a store without anything', async () => {
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  const business_id = await load(store);
  const range = { business_id, from_date: '2024-01-01T00:00:00', to_date: '2024-03-31T23:59:59' };
  for (const as_of of [null, '2024-01-01T00:00:00']) {
    expect(
      await test.ask(ofAnybody('rfm_segment_statistics'), { business_id, as_of, include_cells: true }),
    ).toEqual(rfmSegmentStatistics(store, { business_id, as_of, include_cells: true }));
  }
  expect(await test.ask(ofAnybody('rfm_segment_transitions'), range)).toEqual(
    rfmSegmentTransitions(store, range),
  );
  expect(await test.ask(ofAnybody('rfm_segment_statistics_trend'), { ...range, breakdown: 'month' })).toEqual(
    rfmSegmentStatisticsTrend(store, { ...range, breakdown: 'month' }),
  );
});
