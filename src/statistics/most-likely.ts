import type { Pieces } from '../main-thread/pieces.ts';
import { nelderMead } from './nelder-mead.ts';

/**
 * Parameters of real shops are between a hundredth and a hundred. Where customers are all alike, the
 * likelihood grows without end towards parameters of nothing or of infinity, by ever less; so beyond these
 * bounds this much of the likelihood of each customer is taken off, times the square of the logarithmic
 * distance.
 */
const USUAL = Math.log(100);
const PENALTY = 1e-4;

/**
 * The positive parameters under which these customers are most likely.
 *
 * @param start parameters to begin with
 * @returns null when none were found
 */
export function* mostLikely(
  logLikelihood: (parameters: readonly number[]) => number,
  start: readonly number[],
  customers: number,
): Pieces<readonly number[] | null> {
  const penalty = (logarithms: readonly number[]) =>
    PENALTY *
    customers *
    logarithms.reduce((sum, logarithm) => sum + Math.max(0, Math.abs(logarithm) - USUAL) ** 2, 0);
  const found = yield* nelderMead(
    (logarithms) => penalty(logarithms) - logLikelihood(logarithms.map(Math.exp)),
    start.map(Math.log),
  );
  return found === null ? null : found.point.map(Math.exp);
}
