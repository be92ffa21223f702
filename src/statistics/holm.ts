/**
 * The p-values of tests made together, each as if it had been made alone: S. Holm, A simple sequentially rejective
 * multiple test procedure, Scandinavian Journal of Statistics 6 (1979). The smallest of n counts n times, the next
 * n − 1 times, and so on; none is less than one before it.
 */
export function holm(pValues: readonly number[]): number[] {
  const adjusted = new Array<number>(pValues.length);
  let least = 0;
  const ascending = pValues.map((pValue, index) => ({ pValue, index })).sort((a, b) => a.pValue - b.pValue);
  for (const [place, { pValue, index }] of ascending.entries()) {
    least = Math.min(1, Math.max(least, pValue * (pValues.length - place)));
    adjusted[index] = least;
  }
  return adjusted;
}
