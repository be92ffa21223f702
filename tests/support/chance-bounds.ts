/** What chance does not reach in 9,999 of 10,000 runs: the normal quantile of that. */
const RARE = 3.719;

/** The most of `tries` tries that succeed, each with this chance, except in one of 10,000 runs. */
export function mostRight(tries: number, chance: number): number {
  let [right, beyond] = [tries, chance ** tries];
  let term = beyond;
  while (right > 0 && beyond < 1e-4) {
    term *= (right / (tries - right + 1)) * ((1 - chance) / chance);
    right -= 1;
    beyond += term;
  }
  return right;
}

/**
 * The least deviation that this many independent errors show, as a share of their true one, except in one of
 * 10,000 runs: the lower quantile of chi-square after Wilson and Hilferty.
 */
export function leastDeviation(errors: number): number {
  const width = 2 / (9 * errors);
  return Math.max(0, 1 - width - RARE * Math.sqrt(width)) ** 1.5;
}

/** The deviation is taken around 0, where they are. */
export function deviationOf(errors: readonly number[]): number {
  return Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
}
