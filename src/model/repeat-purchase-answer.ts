import type { Row } from '../sql/row.ts';
import { BIN_STARTS, FIRST_STEPS, WITHIN_DAYS } from './repeat-purchase.ts';
import { roundedPercent } from './rounded.ts';

/** The rows of `repeatPurchases` as the answer about one step, with the first steps beside it. */
export function repeatPurchaseAnswer(rows: readonly Row[], orderNumber: number): object {
  const stepOf = (number: number): Row => rows.find((row) => row.order_number === number) ?? {};
  const step = stepOf(orderNumber);
  return {
    ...returns(step),
    avg_days_to_next_order: step.avg_days_to_next_order ?? null,
    median_days_to_next_order: step.median_days_to_next_order ?? null,
    p25_days: step.p25_days ?? null,
    p75_days: step.p75_days ?? null,
    p90_days: step.p90_days ?? null,
    same_day_returned_count: count(step, 'same_day_returned_count'),
    observed_days_min: step.observed_days_min ?? null,
    within: WITHIN_DAYS.map((days) => withinDays(step, days)),
    histogram: BIN_STARTS.map((start, index) => bin(step, start, BIN_STARTS[index + 1])),
    by_order_number: FIRST_STEPS.map((number) => ({
      order_number: number,
      ...returns(stepOf(number)),
      median_days_to_next_order: stepOf(number).median_days_to_next_order ?? null,
    })),
  };
}

function returns(step: Row) {
  const eligible = count(step, 'eligible_customers_count');
  const returned = count(step, 'returned_customers_count');
  return {
    eligible_customers_count: eligible,
    returned_customers_count: returned,
    return_rate: roundedPercent(returned, eligible),
  };
}

function withinDays(step: Row, days: number) {
  const eligible = count(step, 'eligible_customers_count');
  const mature = count(step, `mature_${days}`);
  return {
    days,
    returned_customers_count: count(step, `returned_${days}`),
    return_rate: roundedPercent(count(step, `returned_${days}`), eligible),
    mature_customers_count: mature,
    mature_return_rate: roundedPercent(count(step, `mature_returned_${days}`), mature),
    // Where nobody is observed, nothing is mature.
    is_mature: eligible > 0 && mature === eligible,
  };
}

function bin(step: Row, start: number, next: number | undefined) {
  const customers = count(step, `bin_${start}`);
  return {
    from_day: start,
    to_day: next === undefined ? null : next - 1,
    customers_count: customers,
    share: roundedPercent(customers, count(step, 'returned_customers_count')),
  };
}

function count(step: Row, column: string): number {
  return Number(step[column] ?? 0);
}
