import { roundedPercent } from '../../../statistics/rounded.ts';
import { BIN_STARTS, FIRST_STEPS, type RepeatPurchaseStep, WITHIN_DAYS } from './repeat-purchase.ts';

/** The rows of `repeatPurchases` as the answer about one step, with the first steps beside it. */
export function repeatPurchaseAnswer(rows: readonly RepeatPurchaseStep[], orderNumber: number) {
  const stepOf = (number: number): Step => rows.find((row) => row.order_number === number) ?? {};
  const step = stepOf(orderNumber);
  return {
    ...returns(step),
    avg_days_to_next_order: step.avg_days_to_next_order ?? null,
    median_days_to_next_order: step.median_days_to_next_order ?? null,
    p25_days: step.p25_days ?? null,
    p75_days: step.p75_days ?? null,
    p90_days: step.p90_days ?? null,
    same_day_returned_count: step.same_day_returned_count ?? 0,
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

/** Nobody took the step: it has no row. */
type Step = Partial<RepeatPurchaseStep>;

function returns(step: Step) {
  const eligible = step.eligible_customers_count ?? 0;
  const returned = step.returned_customers_count ?? 0;
  return {
    eligible_customers_count: eligible,
    returned_customers_count: returned,
    return_rate: roundedPercent(returned, eligible),
  };
}

function withinDays(step: Step, days: (typeof WITHIN_DAYS)[number]) {
  const eligible = step.eligible_customers_count ?? 0;
  const mature = step[`mature_${days}`] ?? 0;
  return {
    days,
    returned_customers_count: step[`returned_${days}`] ?? 0,
    return_rate: roundedPercent(step[`returned_${days}`] ?? 0, eligible),
    mature_customers_count: mature,
    mature_return_rate: roundedPercent(step[`mature_returned_${days}`] ?? 0, mature),
    // Where nobody is observed, nothing is mature.
    is_mature: eligible > 0 && mature === eligible,
  };
}

function bin(step: Step, start: (typeof BIN_STARTS)[number], next: number | undefined) {
  const customers = step[`bin_${start}`] ?? 0;
  return {
    from_day: start,
    to_day: next === undefined ? null : next - 1,
    customers_count: customers,
    share: roundedPercent(customers, step.returned_customers_count ?? 0),
  };
}
