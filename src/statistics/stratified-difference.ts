import { normalDistance } from './normal.ts';

/**
 * Sums over strata in which both shares are known; of a stratum: `a` of `m` in the first, `b` of `n` in the
 * second.
 */
export interface StratifiedSums {
  /** The sum of m n / (m + n). */
  readonly weight: number;
  /** The sum of (a n − b m) / (m + n). */
  readonly difference: number;
  /** The sum of (a (m − a) n³ + b (n − b) m³) / (m n (m + n)²). */
  readonly variance: number;
}

/**
 * The difference of two shares within strata, from -1 to 1, and its interval: N. Mantel and W. Haenszel
 * (1959) with the variance of S. Greenland and J. M. Robins, Estimation of a common effect parameter from
 * sparse follow-up data, Biometrics 41 (1985). It needs no stratum to be large, but enough events in all of
 * them together.
 *
 * @param sums with a weight above 0
 * @param level how often chance alone may put the interval beside the true value
 */
export function stratifiedDifference({ weight, difference, variance }: StratifiedSums, level: number) {
  const value = difference / weight;
  const distance = (normalDistance(level) * Math.sqrt(variance)) / weight;
  return { value, low: Math.max(-1, value - distance), high: Math.min(1, value + distance) };
}
