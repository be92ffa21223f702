import type { Share } from './comparison.ts';

/** Two tables are equally likely also where the last digits differ. */
const NEARLY = 1 + 1e-7;

/**
 * R. A. Fisher's exact test of two shares, two-sided: how likely the same number of successes falls on the
 * two samples in a way that is not more likely than the one seen.
 */
export function fisherTest(first: Share, second: Share): number {
  const successes = first.successes + second.successes;
  const least = Math.max(0, successes - second.trials);
  const most = Math.min(successes, first.trials);
  // Each table's likelihood in terms of the one seen: its neighbour's by a factor, so no factorial is needed.
  const up = (own: number) =>
    ((first.trials - own) * (successes - own)) / ((own + 1) * (second.trials - successes + own + 1));
  const likelihoods = [1];
  for (let own = first.successes, likelihood = 1; own < most; own += 1) {
    likelihood *= up(own);
    likelihoods.push(likelihood);
  }
  for (let own = first.successes, likelihood = 1; own > least; own -= 1) {
    likelihood /= up(own - 1);
    likelihoods.push(likelihood);
  }
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return Math.min(1, sum(likelihoods.filter((one) => one <= NEARLY)) / sum(likelihoods));
}
