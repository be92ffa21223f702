/** When a sample has fewer than this, distributions that hold for many are not relied on. */
export const LEAST_TESTED = 100;

/** When a sample has fewer orders than this, its money is what single orders happened to be. */
export const LEAST_ORDERS = 20;

/** How often chance alone may be taken for a difference. */
export const SIGNIFICANCE = 0.05;

export interface Share {
  readonly successes: number;
  /** The number of trials, at least one. */
  readonly trials: number;
}

/** What two samples say about the difference of what they come from. Nulls where they say nothing. */
export interface Comparison {
  /** The first less the second. */
  readonly difference: number;
  /**
   * The lower bound of its confidence interval, which leaves out 0 exactly when the p-value is below the
   * level asked for.
   */
  readonly low: number | null;
  readonly high: number | null;
  /** How likely a difference as large, either way, would be if there were none. */
  readonly pValue: number | null;
}

/**
 * A p-value as it is shown, with four decimals: never 0, which chance never is, and never at the level when
 * it is below, so that what is judged is what is shown.
 */
export function shownPValue(pValue: number): number {
  const rounded = Math.round(pValue * 10_000) / 10_000;
  if (pValue < SIGNIFICANCE && rounded >= SIGNIFICANCE) return 0.0499;
  return Math.max(0.0001, rounded);
}

/** A bound of an interval in units of its fourth decimal: one beside 0 is never rounded to it. */
export function shownBound(bound: number): number {
  const rounded = (Math.sign(bound) * Math.round(Math.abs(bound) * 10_000)) / 10_000;
  return rounded === 0 && bound !== 0 ? Math.sign(bound) * 0.0001 : rounded + 0;
}
