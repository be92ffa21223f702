/** Who asks for work. */
export interface Asker {
  /** Who has the turn: a network address, or the key of a known caller. */
  readonly key: string;
  /** Known callers have a line of their own, so that strangers, however many, never hold them up. */
  readonly isKnown: boolean;
}

/** Thrown when the queue is full; the work was not started. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

interface Job {
  run(): Promise<void>;
  refuse(): void;
}

/**
 * Does one piece of work at a time, and callers take turns: somebody who asks once waits for one piece of
 * each other caller, not for the hundred that one of them asked for before.
 */
export class FairQueue {
  readonly #known: Line;
  readonly #strangers: Line;
  #isKnownNext = true;
  #isBusy = false;

  /** @param options the most pieces that may wait: of one caller, and in each of the two lines */
  constructor(options: LineLimits) {
    this.#known = new Line(options);
    this.#strangers = new Line(options);
  }

  /** @throws QueueFullError when too many wait, of this asker or in all */
  async run<T>({ key, isKnown }: Asker, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const refuse = () => reject(new QueueFullError('too much is waiting'));
    const job = { run: () => work().then(resolve, reject), refuse };
    if (!(isKnown ? this.#known : this.#strangers).join(key, job)) refuse();
    this.#startNext();
    return promise;
  }

  #startNext(): void {
    if (this.#isBusy) return;
    const lines = this.#isKnownNext ? [this.#known, this.#strangers] : [this.#strangers, this.#known];
    this.#isKnownNext = !this.#isKnownNext;
    const job = lines[0]?.next() ?? lines[1]?.next();
    if (job === undefined) return;
    this.#isBusy = true;
    const goOn = () => {
      this.#isBusy = false;
      this.#startNext();
    };
    job.run().then(goOn, goOn);
  }
}

interface LineLimits {
  readonly mostOfOne: number;
  readonly mostInAll: number;
}

class Line {
  readonly #limits: LineLimits;
  /** The waiting jobs by who asks. Whoever has the next turn comes first. */
  readonly #waiting = new Map<string, Job[]>();
  #length = 0;

  constructor(limits: LineLimits) {
    this.#limits = limits;
  }

  /** False when there is no place. */
  join(key: string, job: Job): boolean {
    const own = this.#waiting.get(key) ?? [];
    if (own.length >= this.#limits.mostOfOne) return false;
    if (this.#length >= this.#limits.mostInAll && !this.#takeFromMost(own.length)) return false;
    own.push(job);
    this.#waiting.set(key, own);
    this.#length += 1;
    return true;
  }

  /**
   * Drops the newest job of the caller with the most waiting jobs, if that caller has more than the newcomer
   * would.
   */
  #takeFromMost(own: number): boolean {
    const most = [...this.#waiting.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    if (most.length <= own + 1) return false;
    most.pop()?.refuse();
    this.#length -= 1;
    return true;
  }

  next(): Job | undefined {
    const [turn] = this.#waiting;
    if (turn === undefined) return undefined;
    const [key, own] = turn;
    const job = own.shift();
    this.#waiting.delete(key);
    if (own.length > 0) this.#waiting.set(key, own);
    this.#length -= 1;
    return job;
  }
}
