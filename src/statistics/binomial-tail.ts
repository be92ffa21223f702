import { logGamma } from './log-gamma.ts';

/**
 * The chance that at least `least` of `trials` succeed.
 *
 * @example binomialTail(2, 3, 0.5) // 0.5
 * @param least a whole number
 * @param trials a whole number
 * @param share how likely each trial succeeds, more than 0 and less than 1
 */
export function binomialTail(least: number, trials: number, share: number): number {
  if (least <= 0) return 1;
  if (least > trials) return 0;
  // From the middle on each number is less likely than the one before, so that the sum ends early.
  if (least <= trials * share) return 1 - sumDown(least - 1, trials, share);
  let likelihood = likelihoodOf(least, trials, share);
  let sum = 0;
  for (let number = least; number <= trials && likelihood > sum * NOTHING; number += 1) {
    sum += likelihood;
    likelihood *= ((trials - number) / (number + 1)) * (share / (1 - share));
  }
  return sum;
}

/** What adds no digit to a sum. */
const NOTHING = 1e-17;

function sumDown(most: number, trials: number, share: number): number {
  let likelihood = likelihoodOf(most, trials, share);
  let sum = 0;
  for (let number = most; number >= 0 && likelihood > sum * NOTHING; number -= 1) {
    sum += likelihood;
    likelihood *= (number / (trials - number + 1)) * ((1 - share) / share);
  }
  return sum;
}

function likelihoodOf(number: number, trials: number, share: number): number {
  const ways = logGamma(trials + 1) - logGamma(number + 1) - logGamma(trials - number + 1);
  return Math.exp(ways + number * Math.log(share) + (trials - number) * Math.log1p(-share));
}
