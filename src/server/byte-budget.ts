export interface ByteLimits {
  readonly account: number;
  readonly all: number;
}

/** Bytes that are held for clients: of each account and of all there is a most. */
export class ByteBudget {
  readonly #limits: ByteLimits;
  readonly #accounts = new Map<string, number>();
  #all = 0;

  constructor(limits: ByteLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#all;
  }

  /** The limit that is reached, so that nothing more need be begun; null when none is. */
  reached(accountId: string): keyof ByteLimits | null {
    if (this.#of(accountId) >= this.#limits.account) return 'account';
    return this.#all >= this.#limits.all ? 'all' : null;
  }

  /**
   * The limit that leaves no room for the bytes; null when they are taken. What is larger than a limit has
   * room when it is alone.
   */
  take(accountId: string, bytes: number): keyof ByteLimits | null {
    const own = this.#of(accountId);
    if (own > 0 && own + bytes > this.#limits.account) return 'account';
    if (this.#all > 0 && this.#all + bytes > this.#limits.all) return 'all';
    this.#accounts.set(accountId, own + bytes);
    this.#all += bytes;
    return null;
  }

  giveBack(accountId: string, bytes: number): void {
    const left = this.#of(accountId) - bytes;
    if (left === 0) this.#accounts.delete(accountId);
    else this.#accounts.set(accountId, left);
    this.#all -= bytes;
  }

  #of(accountId: string): number {
    return this.#accounts.get(accountId) ?? 0;
  }
}
