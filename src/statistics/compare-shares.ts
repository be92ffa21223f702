import { type Comparison, type Share, SIGNIFICANCE } from './comparison.ts';
import { crossing } from './crossing.ts';
import { fisherTest } from './fisher.ts';
import { normalDistance, normalTails } from './normal.ts';

/**
 * When fewer than this are expected in a cell of the table, distributions that hold for many are not relied
 * on alone.
 */
const LEAST_EXPECTED = 5;

/**
 * Two shares, from 0 to 1: test and interval by one score, so that the interval leaves out 0 exactly when the
 * p-value is below the level. O. Miettinen and M. Nurminen, Comparative analysis of two rates, Statistics in
 * Medicine 4 (1985): a difference is believed when the one seen is not too far from it, in standard
 * deviations of the two shares that are most likely if it is true. Unlike with the variances of the shares
 * seen it holds for rare successes: none in two samples do not prove that there is no difference.
 *
 * Where few successes (or few others) are expected, Fisher's exact test has to agree; where it does not, the
 * interval reaches 0.
 *
 * @param level how often chance alone may be taken for a difference
 */
export function compareShares(
  first: Share,
  second: Share,
  level = SIGNIFICANCE,
): Comparison & { readonly pValue: number; readonly low: number; readonly high: number } {
  const difference = first.successes / first.trials - second.successes / second.trials;
  const distance = normalDistance(level);
  const low = crossing((delta) => score(first, second, delta) < distance, -1, difference);
  const high = crossing((delta) => score(first, second, delta) < -distance, difference, 1);
  const pValue = normalTails(score(first, second, 0));
  if (leastExpected(first, second) >= LEAST_EXPECTED) return { difference, low, high, pValue };
  const surer = Math.max(pValue, fisherTest(first, second));
  if (surer < level) return { difference, low, high, pValue: surer };
  return { difference, low: Math.min(low, 0), high: Math.max(high, 0), pValue: surer };
}

function leastExpected(first: Share, second: Share): number {
  const trials = first.trials + second.trials;
  const successes = first.successes + second.successes;
  return (Math.min(first.trials, second.trials) * Math.min(successes, trials - successes)) / trials;
}

/** How many standard deviations the difference seen is above the one supposed. */
function score(first: Share, second: Share, supposed: number): number {
  const distance = first.successes / first.trials - second.successes / second.trials - supposed;
  if (distance === 0) return 0;
  const share = likeliestSecond(first, second, supposed);
  const [own, other] = [varianceOf(share + supposed), varianceOf(share)];
  const trials = first.trials + second.trials;
  const variance = (own / first.trials + other / second.trials) * (trials / (trials - 1));
  return distance / Math.sqrt(variance);
}

const varianceOf = (share: number) => Math.max(0, share * (1 - share));

/**
 * The second share for which both samples are most likely if the first is larger by the difference supposed.
 */
function likeliestSecond(first: Share, second: Share, supposed: number): number {
  const slope = ({ successes, trials }: Share, share: number) =>
    (successes === 0 ? 0 : successes / share) -
    (successes === trials ? 0 : (trials - successes) / (1 - share));
  return crossing(
    (share) => slope(first, share + supposed) + slope(second, share) < 0,
    Math.max(0, -supposed),
    Math.min(1, 1 - supposed),
  );
}
