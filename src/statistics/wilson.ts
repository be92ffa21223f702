import { Z_95 } from './normal.ts';
import { roundedPercent } from './rounded.ts';

interface Interval {
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * The 95 % confidence interval of a share, in percent; nulls without trials.
 *
 * E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of the American
 * Statistical Association 22 (1927): with share p of n trials, the bounds are (p + z²/2n ± z √(p(1 − p)/n +
 * z²/4n²)) / (1 + z²/n). Unlike p ± z √(p(1 − p)/n) they stay within 0 and 100 and hold for few trials.
 */
export function wilsonInterval(successes: number, trials: number): Interval {
  if (trials === 0) return { low: null, high: null };
  const { low, high } = wilsonBounds(successes, trials);
  return { low: roundedPercent(low, 1), high: roundedPercent(high, 1) };
}

/** The same from 0 to 1, not rounded, of at least one trial. */
function wilsonBounds(successes: number, trials: number): { low: number; high: number } {
  const share = successes / trials;
  const square = (Z_95 * Z_95) / trials;
  const middle = share + square / 2;
  const distance = Z_95 * Math.sqrt((share * (1 - share)) / trials + square / (4 * trials));
  return { low: (middle - distance) / (1 + square), high: (middle + distance) / (1 + square) };
}
