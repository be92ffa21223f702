import { WindowCounts } from '../control/limits/window-counts.ts';

/**
 * The most keys that are tried at once, each by a process of its own for up to 40 s; one of an account and
 * one of a store.
 */
const PLACES = 10;
/**
 * The most places for accounts and stores whose tries took long lately. Half of all places stay free for
 * everybody else.
 */
const PLACES_OF_SLOW = 5;
/**
 * The time of tries, of one account or store in a quarter of an hour, after which its next ones count as
 * slow: that of four good ones.
 */
const SLOW_MS = 20_000;
/** How long a try waits for a place, while a browser and the proxies before this server wait too. */
const WAIT_MS = 20_000;
/** The most tries that wait: for one store, and of each kind, slow ones and others. */
const WAITING = { store: 3, kind: 15 } as const;

/** Why a key is not tried. */
export type TryRefusal =
  /** The account is trying another one. */
  | 'account'
  /** Too many others wait to try one for this store. */
  | 'store'
  /** Too many wait altogether. */
  | 'all'
  /** The try waited in vain for a place. */
  | 'waited';

interface Waiting {
  readonly account: string;
  readonly store: string;
  begin(place: Disposable): void;
}

/**
 * The tries that run and those that wait. A vendor that never answers holds a place for as long as a try may
 * take. An account whose tries took long lately leaves half of the places to others, so that nobody with many
 * accounts keeps everybody waiting more than once.
 */
export class TryPlaces {
  /** The accounts with a try that runs or waits. */
  readonly #accounts = new Set<string>();
  readonly #trying = new Set<Waiting>();
  /** The waiting tries, in the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  /** The milliseconds that tries took, by account and by store. */
  readonly #took = new WindowCounts(SLOW_MS, { minutes: 15 });

  /** A place, to be disposed of after the try; it may take some seconds to come. */
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
