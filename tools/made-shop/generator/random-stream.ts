/** A seeded source of numbers. Same seed and name → same numbers on any machine. */
export type RandomStream = {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform whole number, both bounds included. */
  int(min: number, max: number): number;
  /** True with probability `share` (0–1). */
  chance(share: number): boolean;
  /** One of the values, each as likely as the other. */
  pick<T>(values: readonly T[]): T;
  /** Index drawn by cumulative weights, see `cumulative`. */
  index(cumulativeWeights: readonly number[]): number;
  /** Lower-case hexadecimal digits. */
  hex(digits: number): string;
};

/**
 * A stream of its own per name: a concern added later draws from a new name and changes no earlier number.
 *
 * sfc32 (Chris Doty-Humphrey, PractRand), seeded by MurmurHash3-style mixing of `seed/name`. TRICKY: drawing
 * uses only integer arithmetic, + - × ÷ and comparisons; Math.log, Math.pow and Math.sin may differ between
 * machines, so no distribution here is made of them.
 */
export function randomStream(seed: number, name: string): RandomStream {
  const nextWord = seedWords(`${seed}/${name}`);
  let a = nextWord();
  let b = nextWord();
  let c = nextWord();
  let counter = 1;

  function word(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  }
  for (let i = 0; i < 15; i++) word();

  const stream: RandomStream = {
    next: () => word() / 4294967296,
    int: (min, max) => min + Math.floor(stream.next() * (max - min + 1)),
    chance: (share) => stream.next() < share,
    pick: (values) => at(values, stream.int(0, values.length - 1)),
    index: (weights) => firstAbove(weights, stream.next() * at(weights, weights.length - 1)),
    hex: (digits) => {
      let text = '';
      while (text.length < digits) text += word().toString(16).padStart(8, '0');
      return text.slice(0, digits);
    },
  };
  return stream;
}

function seedWords(text: string): () => number {
  let hash = 1779033703 ^ text.length;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 3432918353);
    hash = (hash << 13) | (hash >>> 19);
  }
  return () => {
    hash = Math.imul(hash ^ (hash >>> 16), 2246822507);
    hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
    hash ^= hash >>> 16;
    return hash;
  };
}

/** Running sums of weights, the form `RandomStream.index` draws from. */
export function cumulative(weights: readonly number[]): number[] {
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return sum;
  });
}

/** Index of the first running sum above the value (the last index when none is). */
export function firstAbove(sums: readonly number[], value: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(sums, middle) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The value at an index that is known to exist. */
export function at<T>(values: readonly T[], index: number): T {
  if (index < 0 || index >= values.length) throw new RangeError(`no value at ${index} of ${values.length}`);
  return values[index] as T;
}
