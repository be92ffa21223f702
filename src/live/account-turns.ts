import type { ChooseDue, DueAccount } from '../control/connection-leases.ts';
import { Shares } from '../main-thread/shares.ts';

/** A turn that is under way. */
interface Turn {
  readonly account: string;
  chargedUntil: number;
}

/**
 * Whose connection a worker reads next: of the accounts that have one due, whose has fewest being read; of equals, whose had least of this
 * worker's time; then the one that has been due for longest. Where several connections are read at once, one place stays for other accounts,
 * if there are any: vendors that are slow on purpose hold no more than the others.
 */
export class AccountTurns {
  readonly #atOnce: number;
  readonly #now: () => number;
  readonly #shares = new Shares();
  /** The accounts that have something due or being read. */
  #present: ReadonlySet<string> = new Set();
  readonly #turns = new Set<Turn>();

  constructor(atOnce: number, now: () => number = () => performance.now()) {
    this.#atOnce = atOnce;
    this.#now = now;
  }

  readonly choose: ChooseDue = async (due, countAccounts) => {
    for (const turn of this.#turns) this.#charge(turn);
    this.#meet(due);
    const running = (account: string) => [...this.#turns].filter((turn) => turn.account === account).length;
    const mayHave = Math.max(1, this.#atOnce - 1);
    const [first] = due
      .map((each) => ({ ...each, running: running(each.account), served: this.#shares.served(each.account) }))
      // The order in which they are due stays among equals.
      .sort((one, other) => one.running - other.running || one.served - other.served);
    if (first === undefined) return null;
    const isLastPlace = this.#atOnce > 1 && first.running >= mayHave;
    return isLastPlace && (await countAccounts()) > 1 ? null : first.account;
  };

  /** @returns ends the turn */
  begin(account: string): () => void {
    const turn = { account, chargedUntil: this.#now() };
    this.#turns.add(turn);
    return () => {
      this.#charge(turn);
      this.#turns.delete(turn);
    };
  }

  #charge(turn: Turn): void {
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
