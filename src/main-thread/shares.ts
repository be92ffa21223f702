interface Share {
  served: number;
  jobs: number;
}

/**
 * How much each asker has been served, as in start-time fair queueing (Goyal, Vin and Cheng, 1996): the one
 * that got least is next. A newcomer begins with as much as the least served of those present, so that nobody
 * saves up for later. An asker with nothing left to do is forgotten.
 */
export class Shares {
  readonly #present = new Map<string, Share>();

  get isEmpty(): boolean {
    return this.#present.size === 0;
  }

  /** Whether nobody else is present. */
  isAlone(owner: string): boolean {
    return this.#present.size === (this.#present.has(owner) ? 1 : 0);
  }

  enter(owner: string): void {
    const share = this.#present.get(owner) ?? { served: this.#least(), jobs: 0 };
    share.jobs += 1;
    this.#present.set(owner, share);
  }

  leave(owner: string): void {
    const share = this.#present.get(owner);
    if (share === undefined) return;
    share.jobs -= 1;
    if (share.jobs === 0) this.#present.delete(owner);
  }

  charge(owner: string, milliseconds: number): void {
    const share = this.#present.get(owner);
    if (share !== undefined) share.served += milliseconds;
  }

  served(owner: string): number {
    return this.#present.get(owner)?.served ?? 0;
  }

  /** Whether somebody who is present got less. */
  hasLessServed(than: string): boolean {
    return this.#least() < this.served(than);
  }

  #least(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { served } of this.#present.values()) least = Math.min(least, served);
    return Number.isFinite(least) ? least : 0;
  }
}
