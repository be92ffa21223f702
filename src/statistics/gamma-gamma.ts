import type { Pieces } from '../main-thread/pieces.ts';
import { logGamma } from './log-gamma.ts';
import { mostLikely } from './most-likely.ts';

/**
 * How much an order of a customer is worth: the gamma-gamma model (Fader and Hardie, The gamma-gamma model of
 * monetary value, 2013). Orders of a customer are gamma distributed with shape p; their scale is gamma
 * distributed among customers (q, gamma).
 */
export interface GammaGamma {
  readonly p: number;
  readonly q: number;
  readonly gamma: number;
  readonly log_likelihood: number;
}

/** A customer's orders after the first, and what such an order was worth on average. */
export interface Spending {
  readonly repeats: number;
  /** The value is more than 0. */
  readonly mean: number;
  /** Customers alike. */
  readonly customers: number;
}

type Parameters = Omit<GammaGamma, 'log_likelihood'>;

/**
 * The parameters under which the averages are most likely. Customers without repeats, and averages of 0 or
 * less, tell it nothing.
 *
 * @returns null where nobody came again, no top was found, or an order has no expected value
 */
export function* fitGammaGamma(spendings: readonly Spending[]): Pieces<GammaGamma | null> {
  const counted = spendings.filter(({ repeats, mean }) => repeats > 0 && mean > 0);
  const customers = counted.reduce((sum, each) => sum + each.customers, 0);
  if (customers === 0) return null;
  const mean = counted.reduce((sum, each) => sum + each.customers * each.mean, 0) / customers;
  // The scale in parts of the mean, so that it is about 1 in any currency.
  const parametersOf = ([p = 0, q = 0, scale = 0]: readonly number[]) => ({ p, q, gamma: scale * mean });
  const found = yield* mostLikely(
    (values) => logLikelihood(parametersOf(values), counted),
    [4, 3, 0.5],
    customers,
  );
  if (found === null) return null;
  const parameters = parametersOf(found);
  // An order has no expected value when q is 1 or less.
  return parameters.q > 1 ? { ...parameters, log_likelihood: logLikelihood(parameters, counted) } : null;
}

function logLikelihood({ p, q, gamma }: Parameters, spendings: readonly Spending[]): number {
  return spendings.reduce((sum, { repeats, mean, customers }) => {
    const shape = p * repeats;
    const one =
      logGamma(shape + q) -
      logGamma(shape) -
      logGamma(q) +
      q * Math.log(gamma) +
      (shape - 1) * Math.log(mean) +
      shape * Math.log(repeats) -
      (shape + q) * Math.log(gamma + mean * repeats);
    return sum + customers * one;
  }, 0);
}

/** What an order of such a customer is expected to be worth; without repeats the mean of all customers. */
export function expectedValue(
  { p, q, gamma }: Parameters,
  { repeats, mean }: Pick<Spending, 'repeats' | 'mean'>,
): number {
  return (p * (gamma + mean * repeats)) / (p * repeats + q - 1);
}
