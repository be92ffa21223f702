import { WindowCounts } from '../control/limits/window-counts.ts';

/** Keys that are tried at the same time, each by a process of its own for up to 40 s. Of one account and of one store: one. */
const PLACES = 10;
/**
 * The places that accounts and stores may have together whose tries took long lately. Half of all places stay free for
 * everybody else.
 */
const PLACES_OF_SLOW = 5;
/** Time that tries of an account, or of a store, take in a quarter of an hour before its next ones count as slow: that of four good ones. */
const SLOW_MS = 20_000;
/** A browser and the proxies before this server wait for the try itself, too. */
const WAIT_MS = 20_000;
/** How many wait: for one store, and of those who are slow and of the others each. */
const WAITING = { store: 3, kind: 15 } as const;

/** Why a key is not tried. */
export type TryRefusal =
  /** The account tries another one. */
  | 'account'
  /** Others wait to try one for this store. */
  | 'store'
  /** Too many wait. */
  | 'all'
  /** The try waited, and no place came free. */
  | 'waited';

interface Waiting {
  readonly account: string;
  readonly store: string;
  begin(place: Disposable): void;
}

/**
 * Who tries a key now, and who waits for it. A vendor that never answers holds a place for as long as a try may take; whose tries took
 * long lately leaves half of the places to others, so that nobody who has many accounts keeps everybody waiting for longer than once.
 */
export class TryPlaces {
  /** The accounts that try, or wait to. */
  readonly #accounts = new Set<string>();
  readonly #trying = new Set<Waiting>();
  /** The waiting tries in the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  /** What tries took in milliseconds, by account and by store. */
  readonly #took = new WindowCounts(SLOW_MS, { minutes: 15 });

  /** A place, until it is disposed of; it may take some seconds to come. */
  async take(account: string, store: string): Promise<Disposable | TryRefusal> {
    if (this.#accounts.has(account)) return 'account';
    const { promise, resolve } = Promise.withResolvers<Disposable | 'waited'>();
    const asked: Waiting = { account, store, begin: resolve };
    const waiting = [...this.#waiting];
    if (waiting.filter((each) => each.store === store).length >= WAITING.store) return 'store';
    const isSlow = this.#isSlow(asked);
    if (waiting.filter((each) => this.#isSlow(each) === isSlow).length >= WAITING.kind) return 'all';
    this.#accounts.add(account);
    this.#waiting.add(asked);
    this.#beginNext();
    const timer = setTimeout(() => {
      if (this.#waiting.delete(asked)) this.#accounts.delete(account);
      resolve('waited');
    }, WAIT_MS);
    return promise.finally(() => clearTimeout(timer));
  }

  #beginNext(): void {
    for (const asked of this.#waiting) if (this.#mayBegin(asked)) this.#begin(asked);
  }

  #mayBegin(asked: Waiting): boolean {
    const trying = [...this.#trying];
    if (trying.length >= PLACES || trying.some(({ store }) => store === asked.store)) return false;
    return !this.#isSlow(asked) || trying.filter((each) => this.#isSlow(each)).length < PLACES_OF_SLOW;
  }

  #begin(asked: Waiting): void {
    this.#waiting.delete(asked);
    this.#trying.add(asked);
    const startedAt = performance.now();
    asked.begin({
      [Symbol.dispose]: () => {
        const took = Math.round(performance.now() - startedAt);
        for (const key of keysOf(asked)) this.#took.add(key, took);
        this.#trying.delete(asked);
        this.#accounts.delete(asked.account);
        this.#beginNext();
      },
    });
  }

  #isSlow(asked: Waiting): boolean {
    return keysOf(asked).some((key) => this.#took.add(key, 0) > 0);
  }
}

function keysOf({ account, store }: Waiting): readonly string[] {
  return [`account ${account}`, `store ${store}`];
}
