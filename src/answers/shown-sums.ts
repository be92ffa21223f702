/** A number that is a sum of parts: how often each part counts in it, in the order of the parts. */
export type SumOfParts = readonly number[];

/**
 * Decides which numbers of an answer can be shown beside each other when all of them are sums of the same
 * parts: nobody may find a secret by adding and subtracting what is shown. What is asked first is shown
 * first, so ask for the largest numbers first, and the smallest ones are hidden with the secrets. Whatever is
 * asked first is told first, so ask the largest numbers first, and the smallest ones are hidden beside the
 * secrets.
 */
export class ShownSums {
  /** What is told, each without what those before it explain of it. */
  readonly #told: { readonly sum: number[]; readonly pivot: number }[] = [];
  /** The part of each secret that the shown numbers do not explain. */
  #secrets: number[][];

  /**
   * @param secrets sums that nobody may find
   * @param known sums that everybody knows already: what follows from these alone is no secret
   */
  constructor(secrets: readonly SumOfParts[], known: readonly SumOfParts[]) {
    this.#secrets = secrets.map((secret) => [...secret]);
    for (const sum of known) {
      const rest = this.#unexplained(sum);
      if (rest !== null) this.#add(rest);
    }
    this.#secrets = this.#secrets.filter((secret) => pivotOf(secret) >= 0);
  }

  /**
   * Says whether the sum can be shown. If so it counts as shown from now on. If so it counts as told from now
   * on.
   */
  tell(sum: SumOfParts): boolean {
    if (this.#secrets.length === 0) return true;
    const rest = this.#unexplained(sum);
    if (rest === null) return true;
    if (this.#secrets.some((secret) => isMultipleOf(secret, rest))) return false;
    this.#add(rest);
    return true;
  }

  /** Null where the sum follows from what is told. */
  #unexplained(sum: SumOfParts): Unexplained | null {
    const rest = [...sum];
    for (const one of this.#told) takeOut(rest, one);
    const pivot = pivotOf(rest);
    return pivot < 0 ? null : { sum: rest, pivot };
  }

  #add(rest: Unexplained): void {
    this.#told.push(rest);
    for (const secret of this.#secrets) takeOut(secret, rest);
  }
}

interface Unexplained {
  readonly sum: number[];
  /** The place of a part that counts. */
  readonly pivot: number;
}

/**
 * Subtracts from `sum` as much of `other` as removes the part at the pivot of `other`, as Gaussian
 * elimination does.
 */
function takeOut(sum: number[], other: Unexplained): void {
  const times = (sum[other.pivot] ?? 0) / (other.sum[other.pivot] ?? 1);
  if (isZero(times)) return;
  for (let place = 0; place < sum.length; place += 1) {
    sum[place] = (sum[place] ?? 0) - times * (other.sum[place] ?? 0);
  }
}

function isMultipleOf(secret: readonly number[], { sum, pivot }: Unexplained): boolean {
  const times = (secret[pivot] ?? 0) / (sum[pivot] ?? 1);
  return !isZero(times) && secret.every((part, place) => isZero(part - times * (sum[place] ?? 0)));
}

function pivotOf(sum: readonly number[]): number {
  return sum.findIndex((part) => !isZero(part));
}

/** Parts count whole times, and are added and subtracted few times. */
function isZero(value: number): boolean {
  return Math.abs(value) < 1e-9;
}
