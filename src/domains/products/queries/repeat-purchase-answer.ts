import type { FollowedPeople } from '../../../answers/small-groups.ts';
import { quantileOfCounts } from '../../../statistics/quantile-of-counts.ts';
import { roundedPercent, roundedRatio } from '../../../statistics/rounded.ts';
import { BIN_STARTS, FIRST_STEPS, type Return, WITHIN_DAYS } from './repeat-purchase.ts';

/**
 * The rows of `repeatPurchases` as the answer about one step, with the first steps beside it; numbers about
 * few people are hidden.
 */
export function repeatPurchaseAnswer(rows: readonly Return[], orderNumber: number, people: FollowedPeople) {
  const steps = Map.groupBy(rows, ({ order_number }) => order_number);
  const step = steps.get(orderNumber) ?? [];
  const { eligible, returned } = countsOf(step);
  const sameDay = customers(step, ({ days }) => days === 0);
  const daysOfAll = step.reduce((sum, { days, customers_count: count }) => sum + (days ?? 0) * count, 0);
  return {
    ...returns(step, people),
    avg_days_to_next_order: people.told([returned], roundedRatio(daysOfAll, returned)),
    median_days_to_next_order: people.told([returned], percentileOf(step, 50)),
    p25_days: people.told([returned], percentileOf(step, 25)),
    p75_days: people.told([returned], percentileOf(step, 75)),
    p90_days: people.told([returned], percentileOf(step, 90)),
    same_day_returned_count: people.told([eligible, returned, sameDay], sameDay),
    observed_days_min: people.told([eligible], leastOf(step.map((row) => row.observed_days_min))),
    within: WITHIN_DAYS.map((days) => withinDays(step, days, people)),
    histogram: bins(step, people),
    by_order_number: FIRST_STEPS.map((number) => {
      const own = steps.get(number) ?? [];
      return {
        order_number: number,
        ...returns(own, people),
        median_days_to_next_order: people.told([countsOf(own).returned], percentileOf(own, 50)),
      };
    }),
  };
}

/** The rows of one n. There are none where nobody took the step. */
type Step = readonly Return[];

function customers(step: Step, condition: (row: Return) => boolean): number {
  return step.reduce((sum, row) => (condition(row) ? sum + row.customers_count : sum), 0);
}

/** The days within which this percentage of those who returned came back. */
function percentileOf(step: Step, percentage: number): number | null {
  const returned = step.flatMap(({ days, customers_count: count }) =>
    days === null ? [] : [{ value: days, count }],
  );
  return quantileOfCounts(returned, percentage);
}

function leastOf(numbers: readonly number[]): number | null {
  return numbers.reduce<number | null>((least, number) => Math.min(least ?? number, number), null);
}

function countsOf(step: Step) {
  return { eligible: customers(step, () => true), returned: customers(step, ({ days }) => days !== null) };
}

function returns(step: Step, people: FollowedPeople) {
  const { eligible, returned } = countsOf(step);
  return {
    eligible_customers_count: people.told([eligible], eligible),
    returned_customers_count: people.told([eligible, returned], returned),
    return_rate: people.told([eligible, returned], roundedPercent(returned, eligible)),
  };
}

function withinDays(step: Step, most: (typeof WITHIN_DAYS)[number], people: FollowedPeople) {
  const { eligible } = countsOf(step);
  const isWithin = ({ days }: Return) => days !== null && days <= most;
  const isMature = ({ observed_for }: Return) => observed_for >= most;
  const returned = customers(step, isWithin);
  const mature = customers(step, isMature);
  const matureReturned = customers(step, (row) => isWithin(row) && isMature(row));
  return {
    days: most,
    returned_customers_count: people.told([eligible, returned], returned),
    return_rate: people.told([eligible, returned], roundedPercent(returned, eligible)),
    mature_customers_count: people.told([mature], mature),
    mature_return_rate: people.told([mature, matureReturned], roundedPercent(matureReturned, mature)),
    // If nobody is observed, nothing is mature.
    is_mature: eligible > 0 && mature === eligible,
  };
}

function bins(step: Step, people: FollowedPeople) {
  const { eligible, returned } = countsOf(step);
  const all = BIN_STARTS.map((start, index) => {
    const next = BIN_STARTS[index + 1];
    const isInBin = ({ days }: Return) => days !== null && days >= start && days < (next ?? Infinity);
    return { start, next, customers: customers(step, isInBin) };
  });
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
