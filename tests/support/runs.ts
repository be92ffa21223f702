/** How many random cases a test tries: few in `npm test`; ten times as many in `npm run test:full`. */
export function runs(count: number): number {
  return count * Number(process.env.STORESIGHT_RUNS ?? 1);
}
