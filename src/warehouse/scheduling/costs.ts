const MOST_REMEMBERED = 10_000;

/** How long questions took, to tell how long they may take next time. */
export class Costs {
  /** Milliseconds by question, the least recently asked first. */
  readonly #measured = new Map<string, number>();

  /** 0 of what was never asked. */
  expected(question: string): number {
    return this.#measured.get(question) ?? 0;
  }

  /**
   * What took longer than expected is believed at once; what was quicker, now with other arguments, little by
   * little.
   */
  record(question: string, milliseconds: number): void {
    const before = this.expected(question);
    const expected = milliseconds > before ? milliseconds : 0.7 * before + 0.3 * milliseconds;
    this.#measured.delete(question);
    this.#measured.set(question, expected);
    if (this.#measured.size <= MOST_REMEMBERED) return;
    for (const [oldest] of this.#measured) {
      this.#measured.delete(oldest);
      return;
    }
  }
}
