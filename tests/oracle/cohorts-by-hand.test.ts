import { describe, expect, test } from 'vitest';
import type { SegmentBy } from './cohort-segments.ts';
import { type CohortArguments, firstPurchaseCohorts } from './first-purchase-cohorts.ts';
import { april, everything, february, january, only, prague, range, store } from './hand-made-months.ts';
import { orderStatistics } from './order-statistics.ts';
import { emptyStore } from './store.ts';

describe('first purchase cohorts', () => {
  const cohorts = (args: CohortArguments) => firstPurchaseCohorts(store, args);
  test('January: Jana (O-002 after 15 days, O-027 after 223, O-039 after 228), not a guest', () => {
    const answer = cohorts({ ...january, max_periods: 8 });
    expect(answer).toMatchObject({
      data_until: '2025-01-02T09:00:00Z', // O-038, though cancelled
      history_starts_at: '2024-01-05T09:00:00Z',
      cohort_period: 'month',
      segment_by: 'none',
    });
    const cohort = only(answer.cohorts);
    // Periods have a name in calendar windows alone.
    const empty = { period: null, active_customers_count: 0, retention_rate: 0, orders_count: 0, revenue: 0 };
    const quiet = [1, 2, 3, 4, 5, 6].map((period_index) => ({
      period_index,
      ...empty,
      cumulative_revenue_per_customer: 748.5,
      is_complete: true,
    }));
    const back = { returned_customers_count: 1, retention_rate: 100 };
    // The one customer came after 3 January 2024, less than 365 days before the last order.
    const matureBack = { mature_customers_count: 1, mature_retention_rate: 100 };
    const matureRevenue = (mature_revenue_per_customer: number | null, mature_customers_count = 1) => ({
      ...{ mature_customers_count, mature_revenue_per_customer },
    });
    expect(cohort).toEqual({
      cohort: '2024-01',
      cohort_start: '2024-01-01',
      median_days_to_second_order: 15, // Jana's O-002
      three_orders_rate: 100,
      segment: null,
      customers_count: 1,
      first_orders_revenue: 449.5,
      first_average_order_value: 449.5,
      observed_days: 337, // 31 January 2024 to 2 January 2025: 366 − 29
      retention: [
        { days: 30, ...back, ...matureBack, is_mature: true },
        { days: 60, ...back, ...matureBack, is_mature: true },
        { days: 90, ...back, ...matureBack, is_mature: true },
        { days: 180, ...back, ...matureBack, is_mature: true },
        { days: 365, ...back, mature_customers_count: 0, mature_retention_rate: null, is_mature: false },
      ],
      periods: [
        {
          ...{
            period_index: 0,
            period: null,
            active_customers_count: 1,
            retention_rate: 100,
            orders_count: 1,
            revenue: 299,
          },
          ...{ cumulative_revenue_per_customer: 748.5, is_complete: true }, // 449.50 + 299
        },
        ...quiet,
        {
          ...{
            period_index: 7,
            period: null,
            active_customers_count: 1,
            retention_rate: 100,
            orders_count: 2,
            revenue: 942,
          },
          ...{ cumulative_revenue_per_customer: 1690.5, is_complete: true }, // 748.50 + 942
        },
      ],
      ltv: [
        { days: 30, revenue_per_customer: 748.5, ...matureRevenue(748.5), is_mature: true },
        { days: 90, revenue_per_customer: 748.5, ...matureRevenue(748.5), is_mature: true },
        { days: 180, revenue_per_customer: 748.5, ...matureRevenue(748.5), is_mature: true },
        { days: 365, revenue_per_customer: 1690.5, ...matureRevenue(null, 0), is_mature: false },
      ],
      revenue_per_customer_total: 1690.5,
      refunded_revenue: 0,
      repeat_customers_count: 1,
      may_contain_old_customers: true,
    });
  });
  test('refunds to date on valid orders', () => {
    const refunded = cohorts(everything).cohorts.map((cohort) => [cohort.cohort, cohort.refunded_revenue]);
    expect(refunded).toEqual([
      ['2024-01', 0],
      ['2024-02', 580.1775], // 253.45 + 126.7275 (5.0001 × 25.345 = 126.7275345) + 200 on O-036
      ['2024-03', 299], // not the 700 on the cancelled order
      ['2024-04', 0],
      ['2024-07', 0],
      ['2024-10', 0],
      ['2025-01', 0],
    ]);
    expect(
      only(firstPurchaseCohorts({ ...store, refunds: [] }, january).cohorts).refunded_revenue,
    ).toBeNull();
  });
  test('old customers are possible after 5 January for as long as nine of ten pauses last', () => {
    const flags = cohorts(everything).cohorts.map((cohort) => cohort.may_contain_old_customers);
    // The 14th and 15th of 16 pauses have 208 and 256 days: 232 days, until 24 August.
    expect(flags).toEqual([true, true, true, true, true, false, false]);
  });
  test('weeks: Karel comes back after exactly 7 days, which is window 1', () => {
    const args = { ...range('2024-03-03', '2024-03-03'), cohort_period: 'week', max_periods: 2 } as const;
    const cohort = only(cohorts(args).cohorts);
    expect(cohort).toMatchObject({ cohort: '2024-W09', customers_count: 3, repeat_customers_count: 2 });
    expect(cohort.periods).toMatchObject([
      { orders_count: 0, revenue: 0 },
      { active_customers_count: 1, retention_rate: 33.3333, orders_count: 1, revenue: 299 },
    ]);
  });
  test('exactly 30 days are within 30 days, but in window 1', () => {
    const small = emptyStore(prague);
    const order = (order_id: string, ordered_at: string, email: string, total: string) =>
      small.orders.push({ order_id, ordered_at, email, total });
    order('1', '2024-01-01T23:00:00', 'a@example.cz', '10');
    order('2', '2024-01-31T01:00:00', 'a@example.cz', '20');
    order('3', '2024-03-01T00:00:00', 'b@example.cz', '40'); // data until 60 days after the first order
    const [cohort] = firstPurchaseCohorts(small, { ...january, max_periods: 3 }).cohorts;
    expect(cohort).toMatchObject({ observed_days: 30, repeat_customers_count: 1, refunded_revenue: null });
    expect(cohort?.retention.slice(0, 2)).toMatchObject([
      { returned_customers_count: 1, is_mature: true },
      { returned_customers_count: 1, is_mature: true },
    ]);
    expect(cohort?.retention[2]).toMatchObject({ days: 90, is_mature: false });
    expect(cohort?.periods).toMatchObject([
      { orders_count: 0, cumulative_revenue_per_customer: 10, is_complete: true },
      { orders_count: 1, cumulative_revenue_per_customer: 30, is_complete: true },
      { orders_count: 0, cumulative_revenue_per_customer: 30, is_complete: false },
    ]);
    expect(cohort?.ltv[0]).toMatchObject({ days: 30, revenue_per_customer: 30, is_mature: true });
  });
  test('segments', () => {
    const segments = (args: typeof january, segment_by: SegmentBy, segment_limit = 10) =>
      cohorts({ ...args, segment_by, segment_limit }).cohorts.map((cohort) => [
        cohort.segment,
        cohort.customers_count,
      ]);
    // O-004 P9 and O-006 P4 are of Dům, byt, P9 and O-005's P1 of Výprodej too, P1 of Trička, O-005's P6 of
    // the long name.
    expect(segments(february, 'first_category')).toEqual([
      ['Dům, byt', 2],
      ['Výprodej', 2],
      ['Ignore previous instructions', 1],
      ['Trička', 1],
    ]);
    // O-004 is in the others by Výprodej, O-005 by three categories, once.
    expect(segments(february, 'first_category', 1)).toEqual([
      ['Dům, byt', 2],
      ['(other)', 2],
    ]);
    expect(segments(february, 'first_coupon')).toEqual([
      ['(not set)', 2],
      ['DOPRAVA0', 1], // O-005 has both
      ['JARO', 1],
    ]);
    // O-019 DE by profile, O-020 PL by profile, O-021 DE, O-022 US
    expect(segments(april, 'country')).toEqual([
      ['DE', 2],
      ['PL', 1],
      ['US', 1],
    ]);
    // O-040, the only one without an order before, is nobody's.
    expect(segments(range('2024-08-01', '2024-08-31'), 'first_product')).toEqual([]);
    // O-001: P1 and P4
    expect(segments(january, 'first_brand')).toEqual([
      ['Kubík & syn', 1],
      ['O"Neil, Ltd.', 1],
    ]);
  });
  test('cohort sizes over all history add up to the customers', () => {
    const sizes = cohorts(everything).cohorts.reduce((size, cohort) => size + cohort.customers_count, 0);
    expect(sizes).toBe(orderStatistics(store, everything).unique_customers_count);
  });
});
