import { Z_95 } from './normal.ts';

/**
 * What is to be expected of a time, by what came in another one. What comes is Poisson, or varies more than
 * that by a factor; the rate has Jeffreys' prior, so that what is to come is negative binomial (Gelman and
 * others, Bayesian Data Analysis, 2.6). Counted is in units of that factor.
 */

export interface Counted {
  readonly counted: number;
  /** How long that was, in the same unit as what is to be expected; more than 0. */
  readonly exposure: number;
  /** The variance of a count by its mean, at least 1. */
  readonly dispersion: number;
}

export interface Predicted {
  readonly value: number;
  /** 95 of 100 such counts lie between these, both included. */
  readonly low: number;
  readonly high: number;
  readonly variance: number;
}

const NOTHING: Predicted = { value: 0, low: 0, high: 0, variance: 0 };
const TAIL = 0.025;
/** Jeffreys' prior of a rate. */
const PRIOR = 0.5;
/** The least probability that a sum begins with. With less, a normal distribution is good enough. */
const LEAST_LOGARITHM = -600;

/** @param ahead how long the time is of which it is asked */
export function predictedCount({ counted, exposure, dispersion }: Counted, ahead: number): Predicted {
  if (ahead <= 0) return NOTHING;
  const shape = counted / dispersion + PRIOR;
  const odds = ahead / exposure;
  const [mean, variance] = [shape * odds, shape * odds * (1 + odds)];
  const [low, high] = negativeBinomialRange(shape, odds) ?? gammaRange(mean, variance);
  return {
    value: (counted / exposure) * ahead,
    low: Math.floor(low * dispersion),
    high: Math.ceil(high * dispersion),
    variance: variance * dispersion ** 2,
  };
}

/** The two ends of the interval of the rate itself: a gamma distribution. */
export function rateRange({ counted, exposure, dispersion }: Counted): readonly [low: number, high: number] {
  const shape = counted / dispersion + PRIOR;
  const unit = dispersion / exposure;
  return gammaRange(shape * unit, shape * unit ** 2);
}

/** The range of a sum whose mean and variance are known, and which is never below 0: 0 to 0 of nothing. */
export function gammaRange(mean: number, variance: number): readonly [low: number, high: number] {
  if (mean <= 0 || variance <= 0) return [Math.max(0, mean), Math.max(0, mean)];
  const shape = mean ** 2 / variance;
  // E. B. Wilson and M. M. Hilferty (1931): the cube root is about normal.
  const at = (z: number) => mean * Math.max(0, 1 - 1 / (9 * shape) + z / (3 * Math.sqrt(shape))) ** 3;
  return [at(-Z_95), at(Z_95)];
}

/** Sums the probabilities of 0, 1, 2, …; null where there are too many to sum. */
function negativeBinomialRange(shape: number, odds: number): readonly [number, number] | null {
  const none = -shape * Math.log1p(odds);
  if (none < LEAST_LOGARITHM) return null;
  const share = odds / (1 + odds);
  let [probability, sum, count] = [Math.exp(none), Math.exp(none), 0];
  let low: number | null = sum > TAIL ? 0 : null;
  while (sum < 1 - TAIL && probability > 0) {
    probability *= ((shape + count) / (count + 1)) * share;
    count += 1;
    sum += probability;
    if (low === null && sum > TAIL) low = count;
  }
  return [low ?? 0, count];
}
