/** Bytes that are made and not yet taken by a client. */
const LIMITS = { account: 32 * 2 ** 20, all: 128 * 2 ** 20 };
/** Requests of one account that are read, asked or answered at once. */
const REQUESTS_OF_ACCOUNT = 256;
/** An answer is taken within these seconds, and one for each so many bytes. */
const TAKEN_WITHIN = { seconds: 15, bytesPerSecond: 128 * 1024 };

export type Refusal = 'too many requests at once' | 'answers not taken' | 'memory for answers';

/**
 * What is made for clients and waits until they take it. A client that asks and never reads would otherwise hold
 * memory for as long as it likes: 110 of them held 1.2 GB.
 */
export class AnswersInFlight {
  readonly #limits: typeof LIMITS;
  readonly #takenWithin: typeof TAKEN_WITHIN;
  readonly #accounts = new Map<string, { requests: number; bytes: number }>();
  #bytes = 0;

  /** @param options for tests: as above without */
  constructor(options: { readonly limits?: typeof LIMITS; readonly takenWithin?: typeof TAKEN_WITHIN } = {}) {
    this.#limits = options.limits ?? LIMITS;
    this.#takenWithin = options.takenWithin ?? TAKEN_WITHIN;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get requests(): number {
    return [...this.#accounts.values()].reduce((sum, { requests }) => sum + requests, 0);
  }

  /**
   * Begins the answer to one request, which must be closed; or says why there is no room for it.
   *
   * @param onStuck when the client did not take it in time
   */
  open(accountId: string, onStuck: () => void): AnswerInFlight | Refusal {
    const account = this.#accounts.get(accountId) ?? { requests: 0, bytes: 0 };
    if (account.requests >= REQUESTS_OF_ACCOUNT) return 'too many requests at once';
    if (account.bytes >= this.#limits.account) return 'answers not taken';
    if (this.#bytes >= this.#limits.all) return 'memory for answers';
    this.#accounts.set(accountId, account);
    account.requests += 1;
    let held = 0;
    let refusal: Refusal | null = null;
    let timer: NodeJS.Timeout | undefined;
    return {
      hold: (measure) => {
        // A batch is answered as far as there is room; what comes then is not even measured.
        if (refusal !== null) return refusal;
        const bytes = measure();
        refusal = this.#refusalOf(account.bytes, bytes);
        if (refusal !== null) return refusal;
        held += bytes;
        account.bytes += bytes;
        this.#bytes += bytes;
        clearTimeout(timer);
        timer = setTimeout(onStuck, this.#millisecondsFor(held));
        return null;
      },
      close: () => {
        clearTimeout(timer);
        account.requests -= 1;
        account.bytes -= held;
        this.#bytes -= held;
        if (account.requests === 0) this.#accounts.delete(accountId);
      },
    };
  }

  /** An answer that is larger than the limit can be had, when it is the only one. */
  #refusalOf(ofAccount: number, bytes: number): Refusal | null {
    if (ofAccount > 0 && ofAccount + bytes > this.#limits.account) return 'answers not taken';
    if (this.#bytes > 0 && this.#bytes + bytes > this.#limits.all) return 'memory for answers';
    return null;
  }

  #millisecondsFor(bytes: number): number {
    const { seconds, bytesPerSecond } = this.#takenWithin;
    return 1000 * (seconds + bytes / bytesPerSecond);
  }
}

/** The answer to one request; a batch has several in it. */
export interface AnswerInFlight {
  /** Counts the bytes of what was made for it now; or says why there is no room, and then that must be let go. */
  hold(measure: () => number): Refusal | null;
  /** When its connection has taken all of it, or is gone. Once. */
  close(): void;
}
