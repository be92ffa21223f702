import { compareShares } from './compare-shares.ts';
import { LEAST_TESTED } from './comparison.ts';
import { defined, roundedPercent, roundedRatio } from './rounded.ts';

/** What people of one group of an experiment bought. */
export interface Group {
  readonly people: number;
  readonly buyers: number;
  readonly orders: number;
  readonly revenue: number;
}

/**
 * What those who got a message bought beyond what the control group says that they would have bought without it. Each
 * group has people.
 */
export function lift(treated: Group, control: Group) {
  const beyond = (own: number, others: number) =>
    defined(roundedRatio(own * control.people - others * treated.people, control.people));
  const { pValue } = compareShares(
    { successes: treated.buyers, trials: treated.people },
    { successes: control.buyers, trials: control.people },
  );
  const isTested = Math.min(treated.people, control.people) >= LEAST_TESTED;
  return {
    treated_conversion_rate: defined(roundedPercent(treated.buyers, treated.people)),
    control_conversion_rate: defined(roundedPercent(control.buyers, control.people)),
    incremental_orders: beyond(treated.orders, control.orders),
    incremental_revenue: beyond(treated.revenue, control.revenue),
    p_value: isTested ? roundedRatio(pValue, 1) : null,
  };
}
