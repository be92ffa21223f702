import { roundedPercent } from '../rounded.ts';

/** The 97.5 % quantile of the standard normal distribution. */
const Z = 1.959963984540054;

interface Interval {
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * The 95 % confidence interval of a share, in percent; nulls without trials.
 *
 * E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of the American
 * Statistical Association 22 (1927): with share p of n trials, the bounds are
 * (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n). Unlike p ± z √(p(1 − p)/n) they stay within 0 and 100 and hold for
 * few trials.
 */
export function wilsonInterval(successes: number, trials: number): Interval {
  if (trials === 0) return { low: null, high: null };
  const share = successes / trials;
  const square = (Z * Z) / trials;
  const middle = share + square / 2;
  const distance = Z * Math.sqrt((share * (1 - share)) / trials + square / (4 * trials));
  return {
    low: roundedPercent((middle - distance) / (1 + square), 1),
    high: roundedPercent((middle + distance) / (1 + square), 1),
  };
}
