import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { calendarPeriods } from '../oracle/calendar-cohorts.ts';
import { selectedCycle } from '../oracle/selected-cycle.ts';
import type { Store } from '../oracle/store.ts';
import { ofAnybody } from '../support/of-anybody.ts';
import { randomStores } from '../support/random-stores.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Who comes back in which calendar month, and who buys something again, against plain loops over random
 * stores.
 */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

const RANGE = { from_date: '2024-01-01T00:00:00', to_date: '2025-01-31T23:59:59' };

interface Cohort {
  readonly cohort_start: string;
  readonly periods: object[];
}

/** All orders of few people, so that most of them come back. */
const stores = fc
  .constantFrom('Europe/Prague', 'Asia/Kolkata', 'UTC')
  .chain(randomStores)
  .map((store: Store) => ({
    ...store,
    orders: store.orders.map((row, index) => (index % 3 === 0 ? { ...row, email: 'c1@example.com' } : row)),
  }));
const names = (...values: string[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values, 'unknown'), { maxLength: 2 }));
const cycles = fc.record({
  from_order_number: fc.integer({ min: 1, max: 3 }),
  numbering: fc.constantFrom('all_orders' as const, 'selection' as const),
  return_with: fc.constantFrom('selection' as const, 'anything' as const),
  filter_external_product_ids: names('p1', 'p2', 'P"4', 'missing-1'),
  filter_categories: names('Shoes', 'Sale'),
  filter_brands: names('Acme', 'acme'),
});

it('calendar windows and selections answer as the oracle does, whatever the store', async () => {
  const cohorts = fc.constantFrom('week' as const, 'month' as const);
  const calls = fc.array(cycles, { minLength: 4, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(stores, cohorts, calls, async (store, cohort_period, asked) => {
      const business = await test.createBusiness({
        timezone: store.business.timezone ?? 'UTC',
        currency: 'CZK',
      });
      await test.importStore(business, store);
      const { business_id } = business;

      const call = { business_id, ...RANGE, cohort_period, max_periods: 7 };
      const answer = await test.ask(ofAnybody('first_purchase_cohorts'), { ...call, window: 'calendar' });
      expect(answer).toMatchObject({ window: 'calendar' });
      for (const { cohort_start, periods } of (answer as { cohorts: Cohort[] }).cohorts) {
        expect(periods, cohort_start).toEqual(calendarPeriods(store, cohort_start, call));
      }

      for (const args of asked) {
        const cycle = { business_id, ...RANGE, ...args };
        expect(await test.ask(ofAnybody('repeat_purchase_cycle'), cycle), JSON.stringify(args)).toMatchObject(
          selectedCycle(store, cycle),
        );
      }
    }),
    { numRuns: runs(2), endOnFailure: true },
  );
});
