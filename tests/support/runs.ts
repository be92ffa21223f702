const { STORESIGHT_RUNS } = process.env;

/**
 * `npm test`, as against the full tests and random tests that somebody asks more of. Tools are asked of
 * DuckDB alone there, but by `hand-made-shop.test.ts`, which asks every tool of both engines
 * (docs/decisions/0052).
 */
export const isQuick = STORESIGHT_RUNS === undefined;

/** `npm test` tries only the first of cases that differ little. The full tests try all. */
export function fewerInQuick<T>(cases: readonly T[], count = 1): readonly T[] {
  return isQuick ? cases.slice(0, count) : cases;
}

/**
 * `npm test` tries every third of cases that one rule makes alike, such as those of each tool. The full tests
 * try all.
 */
export function everyThirdInQuick<T>(cases: readonly T[]): readonly T[] {
  return isQuick ? cases.filter((_, place) => place % 3 === 0) : cases;
}

/** The number of random cases of a test: few in `npm test`, ten times as many in `npm run test:full`. */
export function runs(count: number): number {
  return count * Number(STORESIGHT_RUNS ?? 1);
}
