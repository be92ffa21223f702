import type { Pieces } from '../main-thread/pieces.ts';
import { logGamma } from './log-gamma.ts';
import { mostLikely } from './most-likely.ts';

/**
 * How often customers come back, and whether they still do: the BG/NBD model (Fader, Hardie and Lee,
 * "Counting your customers" the easy way, 2005). While alive a customer orders at a rate that is gamma
 * distributed among customers (r, alpha); after each order they leave with a probability that is beta
 * distributed (a, b).
 */
export interface BgNbd {
  readonly r: number;
  readonly alpha: number;
  readonly a: number;
  readonly b: number;
  readonly log_likelihood: number;
}

/**
 * Customers alike: how many orders after the first, when the last of them came, and how long they are known.
 */
export interface History {
  /** Orders after the first one. */
  readonly repeats: number;
  /** The time from the first order to the last, in the unit of the model. It is 0 without repeats. */
  readonly recency: number;
  /** The time from the first order until the data end. It is at least `recency`. */
  readonly age: number;
  readonly customers: number;
}

type Parameters = Omit<BgNbd, 'log_likelihood'>;

/**
 * The parameters under which the histories are most likely.
 *
 * @returns null where nobody came again, or no top was found
 * @example yield* fitBgNbd([{ repeats: 2, recency: 30.43, age: 38.86, customers: 1 }, …]) // { r: 0.243,
 *   alpha: 4.414, … }
 */
export function* fitBgNbd(histories: readonly History[]): Pieces<BgNbd | null> {
  if (!histories.some(({ repeats }) => repeats > 0)) return null;
  const meanAge = meanOf(histories, ({ age }) => age);
  const found = yield* mostLikely(
    (values) => logLikelihood(parametersOf(values), histories),
    [0.5, Math.max(meanAge / 4, 1e-3), 1, 2],
    histories.reduce((sum, { customers }) => sum + customers, 0),
  );
  if (found === null) return null;
  const parameters = parametersOf(found);
  return { ...parameters, log_likelihood: logLikelihood(parameters, histories) };
}

function parametersOf([r = 0, alpha = 0, a = 0, b = 0]: readonly number[]): Parameters {
  return { r, alpha, a, b };
}

/** Equation 6 of the paper, by logarithms, so that many orders neither overflow nor vanish. */
function logLikelihood({ r, alpha, a, b }: Parameters, histories: readonly History[]): number {
  const fixed = r * Math.log(alpha) - logGamma(r) + logGamma(a + b) - logGamma(b);
  return histories.reduce((sum, { repeats, recency, age, customers }) => {
    const common =
      fixed +
      logGamma(r + repeats) +
      (repeats === 0 ? logGamma(b) - logGamma(a + b) : logGamma(b + repeats) - logGamma(a + b + repeats));
    const alive = -(r + repeats) * Math.log(alpha + age);
    if (repeats === 0) return sum + customers * (common + alive);
    const left = Math.log(a) - Math.log(b + repeats - 1) - (r + repeats) * Math.log(alpha + recency);
    const larger = Math.max(alive, left);
    return sum + customers * (common + larger + Math.log(Math.exp(alive - larger) + Math.exp(left - larger)));
  }, 0);
}

/**
 * The highest log-likelihood of a model in which nobody ever leaves (the NBD of Ehrenberg, 1959): what BG/NBD
 * has above it is all that the histories tell of leaving.
 *
 * @returns null where no top was found
 */
export function* likelihoodWithoutLeaving(histories: readonly History[]): Pieces<number | null> {
  const logOf = ([r = 0, alpha = 0]: readonly number[]) => {
    const fixed = r * Math.log(alpha) - logGamma(r);
    return histories.reduce(
      (sum, { repeats, age, customers }) =>
        sum + customers * (fixed + logGamma(r + repeats) - (r + repeats) * Math.log(alpha + age)),
      0,
    );
  };
  const meanAge = meanOf(histories, ({ age }) => age);
  const found = yield* mostLikely(
    logOf,
    [0.5, Math.max(meanAge / 4, 1e-3)],
    histories.reduce((sum, { customers }) => sum + customers, 0),
  );
  return found === null ? null : logOf(found);
}

/**
 * How likely such a customer still comes; 1 without repeats, since nobody leaves before their second order.
 */
export function aliveProbability({ r, alpha, a, b }: Parameters, { repeats, recency, age }: History): number {
  if (repeats === 0) return 1;
  const odds = (a / (b + repeats - 1)) * ((alpha + age) / (alpha + recency)) ** (r + repeats);
  return 1 / (1 + odds);
}

/**
 * How many orders such a customer is expected to make in the time that comes (equation 10 of the paper).
 *
 * @param time in the unit of the model
 */
export function expectedOrders(model: Parameters, history: History, time: number): number {
  const { r, alpha, b } = model;
  const { repeats, age } = history;
  // At a = 1 numerator and denominator vanish together.
  const a = Math.abs(model.a - 1) < 1e-6 ? 1 + 1e-6 : model.a;
  const z = time / (alpha + age + time);
  const grown = ((alpha + age) / (alpha + age + time)) ** (r + repeats);
  const series = hypergeometric(r + repeats, b + repeats, a + b + repeats - 1, z);
  const whileAlive = ((a + b + repeats - 1) / (a - 1)) * (1 - grown * series);
  return whileAlive * aliveProbability(model, history);
}

/** ₂F₁(a, b; c; z) for 0 ≤ z < 1 (DLMF 15.2.1). */
function hypergeometric(a: number, b: number, c: number, z: number): number {
  let term = 1;
  let sum = 1;
  for (let index = 0; index < 100_000 && Math.abs(term) > 1e-15 * Math.abs(sum); index += 1) {
    term *= (((a + index) * (b + index)) / ((c + index) * (index + 1))) * z;
    sum += term;
  }
  return sum;
}

function meanOf(histories: readonly History[], value: (history: History) => number): number {
  const customers = histories.reduce((sum, each) => sum + each.customers, 0);
  return histories.reduce((sum, each) => sum + each.customers * value(each), 0) / customers;
}
