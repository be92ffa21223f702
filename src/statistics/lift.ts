import { compareMeans, sampleOf } from './compare-means.ts';
import { compareShares } from './compare-shares.ts';
import { type Comparison, LEAST_ORDERS, LEAST_TESTED, shownBound, shownPValue } from './comparison.ts';
import { defined, roundedPercent, roundedRatio } from './rounded.ts';

/**
 * What people of one group of an experiment bought; exact sums over people, and sums of squares, as texts.
 */
export interface Group {
  readonly people: number;
  readonly buyers: number;
  readonly orders: number;
  readonly order_squares: string;
  readonly revenue: number;
  readonly revenue_sum: string;
  readonly revenue_squares: string;
}

/**
 * The lift of the treated group over the control group. Both groups must have people; with fewer than
 * LEAST_ORDERS orders, money has no interval.
 */
export function lift(treated: Group, control: Group) {
  const beyond = (own: number, others: number) =>
    defined(roundedRatio(own * control.people - others * treated.people, control.people));
  const conversion = compareShares(
    { successes: treated.buyers, trials: treated.people },
    { successes: control.buyers, trials: control.people },
  );
  const orders = compareMeans(ordersOf(treated), ordersOf(control));
  const isPoor = Math.min(treated.orders, control.orders) < LEAST_ORDERS;
  const revenue = isPoor ? NO_VERDICT : compareMeans(revenueOf(treated), revenueOf(control));
  const isTested = Math.min(treated.people, control.people) >= LEAST_TESTED;
  return {
    treated_conversion_rate: defined(roundedPercent(treated.buyers, treated.people)),
    control_conversion_rate: defined(roundedPercent(control.buyers, control.people)),
    conversion_difference: defined(roundedPercent(conversion.difference, 1)),
    conversion_difference_low: shownBound(100 * conversion.low),
    conversion_difference_high: shownBound(100 * conversion.high),
    incremental_orders: beyond(treated.orders, control.orders),
    incremental_orders_low: ofAll(treated, orders, 'low'),
    incremental_orders_high: ofAll(treated, orders, 'high'),
    incremental_revenue: beyond(treated.revenue, control.revenue),
    incremental_revenue_low: ofAll(treated, revenue, 'low'),
    incremental_revenue_high: ofAll(treated, revenue, 'high'),
    p_value: isTested ? shownPValue(conversion.pValue) : null,
  };
}

const NO_VERDICT = { low: null, high: null };

const ordersOf = ({ people, orders, order_squares }: Group) =>
  sampleOf({ size: people, sum: String(orders), squares: order_squares });

const revenueOf = ({ people, revenue_sum, revenue_squares }: Group) =>
  sampleOf({ size: people, sum: revenue_sum, squares: revenue_squares });

/** A bound of the mean of each, times all who got the message. */
function ofAll(
  { people }: Group,
  comparison: Pick<Comparison, 'low' | 'high'>,
  end: 'low' | 'high',
): number | null {
  const bound = comparison[end];
  return bound === null ? null : shownBound(bound * people);
}
