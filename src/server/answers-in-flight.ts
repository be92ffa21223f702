import { ByteBudget, type ByteLimits } from './byte-budget.ts';

/** Bytes that are made and not yet taken by a client. */
const LIMITS = { account: 32 * 2 ** 20, all: 128 * 2 ** 20 };
/** Requests of one account that are read, asked or answered at once. */
const REQUESTS_OF_ACCOUNT = 256;
/** An answer must be taken within these seconds, and one more for each this many bytes. */
const TAKEN_WITHIN = { seconds: 15, bytesPerSecond: 128 * 1024 };

export type Refusal =
  | 'too many requests at once'
  | 'answers not taken'
  | 'memory for answers'
  | 'answers of one batch';

const REFUSALS = { account: 'answers not taken', all: 'memory for answers' } as const;

/**
 * Bytes that are made for clients and wait until they take them. A client that asks and never reads would
 * otherwise hold memory for as long as it likes: 110 of them held 1.2 GB.
 */
export class AnswersInFlight {
  readonly #budget: ByteBudget;
  readonly #takenWithin: typeof TAKEN_WITHIN;
  readonly #requests = new Map<string, number>();

  /** @param options for tests: as above without */
  constructor(options: { readonly limits?: ByteLimits; readonly takenWithin?: typeof TAKEN_WITHIN } = {}) {
    this.#budget = new ByteBudget(options.limits ?? LIMITS);
    this.#takenWithin = options.takenWithin ?? TAKEN_WITHIN;
  }

  get bytes(): number {
    return this.#budget.bytes;
  }

  get requests(): number {
    return [...this.#requests.values()].reduce((sum, requests) => sum + requests, 0);
  }

  /**
   * Begins the answer to one request, which must be closed; or says why there is no room for it.
   *
   * @param onStuck when the client did not take it in time
   */
  open(accountId: string, onStuck: () => void): AnswerInFlight | Refusal {
    const requests = this.#requests.get(accountId) ?? 0;
    if (requests >= REQUESTS_OF_ACCOUNT) return 'too many requests at once';
    const reached = this.#budget.reached(accountId);
    if (reached !== null) return REFUSALS[reached];
    this.#requests.set(accountId, requests + 1);
    let held = 0;
    let refusal: Refusal | null = null;
    let timer: NodeJS.Timeout | undefined;
    let isOpen = true;
    return {
      get bytes() {
        return held;
      },
      hold: (measure) => {
        // What is made for a client that is gone is let go, and nothing would give its bytes back.
        if (!isOpen) return null;
        // A batch is answered as far as there is room; what comes then is not even measured.
        if (refusal !== null) return refusal;
        const bytes = measure();
        const full = this.#budget.take(accountId, bytes);
        if (full !== null) {
          refusal = REFUSALS[full];
          return refusal;
        }
        held += bytes;
        clearTimeout(timer);
        timer = setTimeout(onStuck, this.#millisecondsFor(held));
        return null;
      },
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        clearTimeout(timer);
        this.#budget.giveBack(accountId, held);
        const left = (this.#requests.get(accountId) ?? 1) - 1;
        if (left === 0) this.#requests.delete(accountId);
        else this.#requests.set(accountId, left);
      },
    };
  }

  #millisecondsFor(bytes: number): number {
    const { seconds, bytesPerSecond } = this.#takenWithin;
    return 1000 * (seconds + bytes / bytesPerSecond);
  }
}

/** The answer to one request; a batch has several in it. */
export interface AnswerInFlight {
  /** The bytes that were made for it so far. */
  readonly bytes: number;
  /**
   * Counts the bytes of what was made for it now; or says why there is no room, and then that must be let go.
   */
  hold(measure: () => number): Refusal | null;
  /**
   * Closes the answer when its connection has taken all of it, or is gone. What is made after that is not
   * held.
   */
  close(): void;
}
