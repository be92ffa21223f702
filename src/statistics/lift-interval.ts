import { type Share, SIGNIFICANCE } from './comparison.ts';
import { crossing } from './crossing.ts';
import { normalDistance } from './normal.ts';

/** Baskets by which of two things are in them. */
interface Baskets {
  readonly all: number;
  readonly antecedent: number;
  readonly consequent: number;
  /** The number of orders with both, at least one. */
  readonly both: number;
}

/**
 * The 95 % interval of a lift, which leaves out 1 where the two are not independent. A lift follows from the
 * ratio of two shares: of baskets with the antecedent and of those without it, how many have the consequent.
 * The ratio's interval is that by its score (P. A. R. Koopman, Biometrics 40 (1984); O. Miettinen and M.
 * Nurminen, Statistics in Medicine 4 (1985)), which holds for rare things too. Null where every basket has
 * the antecedent.
 */
export function liftInterval({
  all,
  antecedent,
  consequent,
  both,
}: Baskets): readonly [low: number, high: number] | null {
  const without = all - antecedent;
  if (without <= 0) return null;
  const [first, second] = [
    { successes: both, trials: antecedent },
    { successes: consequent - both, trials: without },
  ];
  const distance = normalDistance(SIGNIFICANCE);
  // The place goes from 0 to 1, so that a ratio without bound has one too: nothing without the antecedent has
  // the consequent.
  const ratioAt = (place: number) => place / (1 - place);
  const low = ratioAt(crossing((place) => score(first, second, ratioAt(place)) < distance, 0, 1));
  const high = ratioAt(crossing((place) => score(first, second, ratioAt(place)) < -distance, 0, 1));
  const liftOf = (ratio: number) => all / (antecedent + without / ratio);
  return [liftOf(low), second.successes === 0 ? all / antecedent : liftOf(high)];
}

/** How many standard deviations the first share is above `ratio` times the second. */
function score(first: Share, second: Share, ratio: number): number {
  const trials = first.trials + second.trials;
  const likeliest = likeliestSecond(first, second, ratio);
  const variance =
    (ratio * likeliest * (1 - ratio * likeliest)) / first.trials +
    (ratio * ratio * likeliest * (1 - likeliest)) / second.trials;
  const distance = first.successes / first.trials - (ratio * second.successes) / second.trials;
  return distance === 0 ? 0 : distance / Math.sqrt(Math.max(0, variance) * (trials / (trials - 1)));
}

/** The second share for which both samples are most likely if the first is `ratio` times it. */
function likeliestSecond(first: Share, second: Share, ratio: number): number {
  const successes = first.successes + second.successes;
  const square = (first.trials + second.trials) * ratio;
  const linear = ratio * (first.trials + second.successes) + first.successes + second.trials;
  // The smaller root, in the form that does not take a large number from one like it.
  return (2 * successes) / (linear + Math.sqrt(Math.max(0, linear * linear - 4 * square * successes)));
}
