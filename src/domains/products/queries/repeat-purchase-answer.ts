import type { FollowedPeople } from '../../../answers/small-groups.ts';
import { roundedPercent } from '../../../statistics/rounded.ts';
import { BIN_STARTS, FIRST_STEPS, type RepeatPurchaseStep, WITHIN_DAYS } from './repeat-purchase.ts';

/** The rows of `repeatPurchases` as the answer about one step, with the first steps beside it: what is told of enough people. */
export function repeatPurchaseAnswer(
  rows: readonly RepeatPurchaseStep[],
  orderNumber: number,
  people: FollowedPeople,
) {
  const stepOf = (number: number): Step => rows.find((row) => row.order_number === number) ?? {};
  const step = stepOf(orderNumber);
  const { eligible, returned } = countsOf(step);
  const sameDay = step.same_day_returned_count ?? 0;
  return {
    ...returns(step, people),
    avg_days_to_next_order: people.told([returned], step.avg_days_to_next_order ?? null),
    median_days_to_next_order: people.told([returned], step.median_days_to_next_order ?? null),
    p25_days: people.told([returned], step.p25_days ?? null),
    p75_days: people.told([returned], step.p75_days ?? null),
    p90_days: people.told([returned], step.p90_days ?? null),
    same_day_returned_count: people.told([eligible, returned, sameDay], sameDay),
    observed_days_min: people.told([eligible], step.observed_days_min ?? null),
    within: WITHIN_DAYS.map((days) => withinDays(step, days, people)),
    histogram: bins(step, people),
    by_order_number: FIRST_STEPS.map((number) => ({
      order_number: number,
      ...returns(stepOf(number), people),
      median_days_to_next_order: people.told(
        [countsOf(stepOf(number)).returned],
        stepOf(number).median_days_to_next_order ?? null,
      ),
    })),
  };
}

/** Nobody took the step, so it has no row. */
type Step = Partial<RepeatPurchaseStep>;

function countsOf(step: Step) {
  return { eligible: step.eligible_customers_count ?? 0, returned: step.returned_customers_count ?? 0 };
}

function returns(step: Step, people: FollowedPeople) {
  const { eligible, returned } = countsOf(step);
  return {
    eligible_customers_count: people.told([eligible], eligible),
    returned_customers_count: people.told([eligible, returned], returned),
    return_rate: people.told([eligible, returned], roundedPercent(returned, eligible)),
  };
}

function withinDays(step: Step, days: (typeof WITHIN_DAYS)[number], people: FollowedPeople) {
  const { eligible } = countsOf(step);
  const returned = step[`returned_${days}`] ?? 0;
  const mature = step[`mature_${days}`] ?? 0;
  const matureReturned = step[`mature_returned_${days}`] ?? 0;
  return {
    days,
    returned_customers_count: people.told([eligible, returned], returned),
    return_rate: people.told([eligible, returned], roundedPercent(returned, eligible)),
    mature_customers_count: people.told([mature], mature),
    mature_return_rate: people.told([mature, matureReturned], roundedPercent(matureReturned, mature)),
    // Where nobody is observed, nothing is mature.
    is_mature: eligible > 0 && mature === eligible,
  };
}

function bins(step: Step, people: FollowedPeople) {
  const { eligible, returned } = countsOf(step);
  const all = BIN_STARTS.map((start, index) => ({
    start,
    next: BIN_STARTS[index + 1],
    customers: step[`bin_${start}`] ?? 0,
  }));
  const hidden = people.hiddenParts(
    all,
    ({ customers }) => customers,
    () => 'returned',
  );
  return all.map((bin) => {
    const told = <Value>(value: Value) =>
      hidden.has(bin) ? people.hidden() : people.told([eligible, returned], value);
    return {
      from_day: bin.start,
      to_day: bin.next === undefined ? null : bin.next - 1,
      customers_count: told(bin.customers),
      share: told(roundedPercent(bin.customers, returned)),
    };
  });
}
