import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore } from '../../../../tests/oracle/store.ts';
import { ofAnybody } from '../../../../tests/support/of-anybody.ts';
import { isQuick } from '../../../../tests/support/runs.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

/**
 * Eleven customers with two orders each: the first ones on 1 October 2024, the second ones after these
 * pauses, in days.
 */
async function load(pauses: readonly number[]): Promise<string> {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const orders = pauses.flatMap((days, index) =>
    [0, days].map((after) => ({
      order_id: `${index}-${after}`,
      ordered_at: new Date(Date.UTC(2024, 9, 1 + after, 10)).toISOString(),
      email: `c${index}@example.com`,
      total: '10',
    })),
  );
  await test.importStore(business, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    orders: pauses.length > 1 ? orders : orders.slice(0, 1),
  });
  return business.business_id;
}

const TOOLS = [
  ['order_statistics', {}],
  ['order_statistics_trend', { breakdown: 'day' }],
  ['repeat_purchase_cycle', {}],
  ['first_purchase_cohorts', { cohort_period: 'week' }],
] as const;

/** A Monday, so that weeks begin with it too. */
async function notesFrom(business_id: string, from_date: string, tool: string, more: object) {
  const { notes = [] } = await test.run(tool, { business_id, from_date, to_date: from_date, ...more });
  return notes.filter((note) => note.includes('may have ordered before'));
}

// Eleven pauses, of which the tenth is the 90th percentile: 9 / 10 of the way from the first to the eleventh.
const PAUSES = [10, 20, 30, 40, 50, 60, 70, 80, 90, 160, 300];

let paused: string;

beforeAll(async () => {
  paused = await load(PAUSES);
});

it.each(TOOLS)('%s warns of old customers as long as the pauses of nine in ten last', async (tool, more) => {
  // 1 October 2024 and 160 days: 10 March 2025, a Monday.
  expect(await notesFrom(paused, '2025-03-03', tool, more)).toEqual([
    'Orders are loaded from 2024-10-01 on, and one pause between orders in ten is of more than 160 days: until 2025-03-10 some of those counted as new may have ordered before.',
  ]);
  expect(await notesFrom(paused, '2025-03-10', tool, more)).toEqual([]);
});

it('the warning about old customers holds for at least 90 days after the history begins', async () => {
  const quick = await load([1, 1, 1, 1, 1]);
  expect(await notesFrom(quick, '2024-12-29', 'order_statistics', {})).toEqual([
    'Orders are loaded from 2024-10-01 on: until 2024-12-30 some of those counted as new may have ordered before.',
  ]);
  expect(await notesFrom(quick, '2024-12-30', 'order_statistics', {})).toEqual([]);
});

it.skipIf(isQuick)(
  'the warning holds for at most a year, and is not given where nobody ordered twice',
  async () => {
    const slow = await load([500, 500, 500, 500, 500]);
    expect(await notesFrom(slow, '2025-09-30', 'order_statistics', {})).toHaveLength(1);
    expect(await notesFrom(slow, '2025-10-01', 'order_statistics', {})).toEqual([]);
    // The pauses of few customers are theirs.
    expect(await notesFrom(await load([137, 137, 137, 137]), '2024-10-02', 'order_statistics', {})).toEqual(
      [],
    );
    expect(await notesFrom(await load([1]), '2024-10-02', 'order_statistics', {})).toEqual([]);
  },
);

it('cohorts are marked until the day that the note names, and no longer', async () => {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const order = (who: string, after: number) => ({
    ...{ order_id: `${who}-${after}`, email: `${who}@example.com`, total: '10' },
    ordered_at: new Date(Date.UTC(2024, 9, 1 + after, 10)).toISOString(),
  });
  const repeaters = PAUSES.flatMap((days, index) => [order(`c${index}`, 0), order(`c${index}`, days)]);
  // Somebody new in each of thirty weeks.
  const newcomers = Array.from({ length: 30 }, (_, week) => order(`new${week}`, 7 * week));
  await test.importStore(business, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    orders: [...repeaters, ...newcomers],
  });
  for (const cohort_period of ['week', 'month']) {
    const { result, notes = [] } = await test.run(ofAnybody('first_purchase_cohorts'), {
      ...{ business_id: business.business_id, from_date: '2024-10-01', to_date: '2025-04-30', cohort_period },
    });
    const { cohorts } = result as { cohorts: { cohort_start: string; may_contain_old_customers: boolean }[] };
    const until = notes
      .map((note) => /until (\S+) some of those counted as new/.exec(note)?.[1])
      .find(Boolean);
    expect(until).toBe('2025-03-10');
    expect(cohorts.length).toBeGreaterThan(6);
    for (const { cohort_start, may_contain_old_customers } of cohorts)
      expect([cohort_start, may_contain_old_customers]).toEqual([cohort_start, cohort_start < '2025-03-10']);
  }
  for (const by of ['cohort', 'none']) {
    const { result } = await test.run('customer_value', {
      ...{ business_id: business.business_id, from_date: '2024-10-01', to_date: '2025-04-30', by },
    });
    const { groups } = result as { groups: { group: string | null; may_contain_old_customers: boolean }[] };
    expect(groups.length).toBe(by === 'cohort' ? 7 : 1);
    for (const { group, may_contain_old_customers } of groups)
      expect([group, may_contain_old_customers]).toEqual([group, group === null || group <= '2025-03']);
  }
});
