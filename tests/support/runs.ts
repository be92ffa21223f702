/** How many random cases a test tries: few in CI, whose seeds differ each time; more with `STORESIGHT_RUNS=10`. */
export function runs(count: number): number {
  return count * Number(process.env.STORESIGHT_RUNS ?? 1);
}
