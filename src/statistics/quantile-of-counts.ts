/** A whole number, and how often it occurs. */
interface Counted {
  readonly value: number;
  readonly count: number;
}

/**
 * A quantile as `quantile` of src/sql/quantile.ts makes it, interpolated between its two neighbours.
 *
 * @param counts in any order; a value may be there several times
 * @param percentage a whole number
 * @returns null without values
 */
export function quantileOfCounts(counts: readonly Counted[], percentage: number): number | null {
  const sorted = counts.toSorted((one, other) => one.value - other.value);
  const target = percentage * (sorted.reduce((sum, { count }) => sum + count, 0) - 1);
  let [upTo, below] = [0, null as number | null];
  for (const { value, count } of sorted) {
    upTo += count;
    // The place is in hundredths, counted from 0.
    if (below === null && target < 100 * upTo) below = value;
    if (below !== null && target <= 100 * (upTo - 1)) {
      const rest = target % 100;
      return (below * (100 - rest) + value * rest) / 100;
    }
  }
  return null;
}
