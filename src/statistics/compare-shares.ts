import type { Comparison } from './comparison.ts';
import { normalTails } from './normal.ts';
import { wilsonBounds } from './wilson.ts';

export interface Share {
  readonly successes: number;
  /** At least one. */
  readonly trials: number;
}

/**
 * Two shares, from 0 to 1: the two-proportion z-test, two-sided, with the variance of both together.
 *
 * The interval is R. G. Newcombe's (Interval estimation for the difference between independent proportions: comparison
 * of eleven methods, Statistics in Medicine 17 (1998), method 10), made of Wilson's for each share. Unlike that with
 * the variances of the shares it holds for rare successes: none in two samples do not prove that there is no difference.
 */
export function compareShares(first: Share, second: Share): Comparison & { readonly pValue: number } {
  const share = first.successes / first.trials;
  const other = second.successes / second.trials;
  const difference = share - other;
  const own = wilsonBounds(first.successes, first.trials);
  const others = wilsonBounds(second.successes, second.trials);
  return {
    difference,
    low: difference - Math.hypot(share - own.low, others.high - other),
    high: difference + Math.hypot(own.high - share, other - others.low),
    pValue: zTest(first, second, difference),
  };
}

function zTest(first: Share, second: Share, difference: number): number {
  const pooled = (first.successes + second.successes) / (first.trials + second.trials);
  const variance = pooled * (1 - pooled) * (1 / first.trials + 1 / second.trials);
  // All or none succeeded in both: nothing differs.
  return variance === 0 ? 1 : normalTails(difference / Math.sqrt(variance));
}
