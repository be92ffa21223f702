/**
 * Decides which of many tests are findings when at most a given part of the findings may be wrong, by Y.
 * Benjamini and Y. Hochberg (1995): those up to the last one whose p is at most its place × rate / number of
 * tests.
 *
 * @param values p of each test; tests that were not worth computing count in `tests`, as if theirs were 1
 * @param tests the number of tests made, at least that of values
 * @returns the smallest rate at which each would be a finding
 */
export function falseDiscoveryRates(values: readonly number[], tests = values.length): number[] {
  const places = values
    .map((value, index) => ({ value, index }))
    .toSorted((one, other) => other.value - one.value);
  const rates = new Array<number>(values.length).fill(1);
  let least = 1;
  for (const [place, { value, index }] of places.entries()) {
    least = Math.min(least, (value * tests) / (values.length - place));
    rates[index] = least;
  }
  return rates;
}
