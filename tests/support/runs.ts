const { STORESIGHT_RUNS } = process.env;

/**
 * `npm test`, as against the full tests and random tests that somebody asks more of. There random cases are asked of DuckDB alone:
 * half of what they take is ClickHouse's planning. What somebody chose is asked of both engines everywhere, and so are the
 * cases of `random-stores.test.ts`.
 */
export const isQuick = STORESIGHT_RUNS === undefined;

/** How many random cases a test tries: few in `npm test`; ten times as many in `npm run test:full`. */
export function runs(count: number): number {
  return count * Number(STORESIGHT_RUNS ?? 1);
}
