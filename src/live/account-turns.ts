import type { ChooseDue, DueAccount } from '../control/connections/connection-leases.ts';
import { Shares } from '../main-thread/shares.ts';
import { ReadingTurn } from './reading-turn.ts';

/**
 * A turn that reads for so long is a long one. A vendor's API is read for two minutes in a turn, and then
 * compared for as long.
 */
const LONG_MS = 300_000;
/** After a long turn, the next turns of its account count as long from their beginning for this time. */
const REMEMBERED_MS = 3_600_000;

/**
 * Decides whose connection a worker reads next. Among the accounts that have one due it is the account with
 * the fewest being read; among equals, the one that had least of this worker's time; then the one that has
 * been due for longest. Where several connections are read at once, one place stays for other accounts, if
 * there are any: vendors that are slow on purpose hold no more than the others.
 *
 * Two accounts could still hold both of two places, each with a file that comes in an hour. So a turn that
 * reads for long moves to a place for long turns, of which there is the same number, and its own comes free.
 * Where those are taken it is ended, and its account waits for one of them.
 */
export class AccountTurns {
  readonly #atOnce: number;
  readonly #now: () => number;
  readonly #longMs: number;
  readonly #shares = new Shares();
  /** The accounts that have something due or being read. */
  #present: ReadonlySet<string> = new Set();
  readonly #turns = new Set<ReadingTurn>();
  /** The accounts whose turn was a long one lately, with when that is forgotten. */
  readonly #longUntil = new Map<string, number>();

  constructor(atOnce: number, { now = () => performance.now(), longMs = LONG_MS } = {}) {
    this.#atOnce = atOnce;
    this.#now = now;
    this.#longMs = longMs;
  }

  /** How many turns there are at most, long ones and others. */
  get most(): number {
    return 2 * this.#atOnce;
  }

  readonly choose: ChooseDue = async (due, countAccounts) => {
    for (const turn of this.#turns) this.#charge(turn);
    this.#meet(due);
    const candidates = due
      .map((each) => ({
        ...each,
        running: this.#running(({ account }) => account === each.account),
        served: this.#shares.served(each.account),
      }))
      // The order in which they are due stays among equals.
      .sort((one, other) => one.running - other.running || one.served - other.served);
    for (const { account } of candidates) {
      const isLong = this.#isLong(account);
      if (!this.#hasPlace(isLong)) continue;
      const own = this.#running((turn) => turn.account === account && turn.isLong === isLong);
      const isLastPlace = this.#atOnce > 1 && own >= this.#atOnce - 1;
      if (!isLastPlace || (await countAccounts()) === 1) return account;
    }
    return null;
  };

  /** A turn, until it is given back. */
  begin(account: string): ReadingTurn {
    const turn: ReadingTurn = new ReadingTurn(account, this.#now(), {
      isLong: this.#isLong(account),
      longMs: this.#longMs,
      onLong: () => {
        this.#longUntil.set(account, this.#now() + REMEMBERED_MS);
        return this.#hasPlace(true);
      },
    });
    this.#turns.add(turn);
    return turn;
  }

  end(turn: ReadingTurn): void {
    turn.close();
    this.#charge(turn);
    this.#turns.delete(turn);
  }

  #hasPlace(isLong: boolean): boolean {
    return this.#running((turn) => turn.isLong === isLong) < this.#atOnce;
  }

  #running(isCounted: (turn: ReadingTurn) => boolean): number {
    return [...this.#turns].filter(isCounted).length;
  }

  #isLong(account: string): boolean {
    const until = this.#longUntil.get(account);
    if (until === undefined) return false;
    if (until > this.#now()) return true;
    this.#longUntil.delete(account);
    return false;
  }

  #charge(turn: ReadingTurn): void {
    const now = this.#now();
    this.#shares.charge(turn.account, now - turn.chargedUntil);
    turn.chargedUntil = now;
  }

  #meet(due: readonly DueAccount[]): void {
    const present = new Set([
      ...due.map(({ account }) => account),
      ...[...this.#turns].map(({ account }) => account),
    ]);
    for (const account of present) if (!this.#present.has(account)) this.#shares.enter(account);
    for (const account of this.#present) if (!present.has(account)) this.#shares.leave(account);
    this.#present = present;
  }
}
