/** With fewer in a sample, distributions that hold for many are not relied on. */
export const LEAST_TESTED = 100;

/** What two samples say about the difference of what they come from. Nulls where they say nothing. */
export interface Comparison {
  /** The first less the second. */
  readonly difference: number;
  /** Its 95 % confidence interval. */
  readonly low: number | null;
  readonly high: number | null;
  /** How likely a difference as large, either way, would be if there were none. */
  readonly pValue: number | null;
}
