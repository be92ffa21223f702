/** Sums by key, as truths are counted. */
export class Tally<Key = string> {
  readonly sums = new Map<Key, number>();

  add(key: Key, more: number): void {
    this.sums.set(key, this.of(key) + more);
  }

  of(key: Key): number {
    return this.sums.get(key) ?? 0;
  }

  /** @throws Error when nothing was added: there is no truth about nothing */
  largest(): { key: Key; count: number } {
    let best: { key: Key; count: number } | null = null;
    for (const [key, count] of this.sums) if (best === null || count > best.count) best = { key, count };
    if (best === null) throw new Error('nothing was counted');
    return best;
  }
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const high = sorted[Math.floor(sorted.length / 2)];
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  if (low === undefined || high === undefined) throw new Error('nothing has no median');
  return (low + high) / 2;
}

/** @throws Error when a planted truth did not take */
export function mustBe(what: string, found: string, planted: string): void {
  if (found !== planted) {
    throw new Error(
      `the planted ${what} did not take at this seed and scale: ${planted} planted, ${found} found`,
    );
  }
}
