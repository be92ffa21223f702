/** Numbers from 0 to below 1, the same for the same seed. */
export type Random = () => number;

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The seed of a test: its own, or another one where `STORESIGHT_SEED` has a number. */
export function seedOf(own: number): number {
  const seed = Number(process.env.STORESIGHT_SEED ?? 1);
  return own * (Number.isNaN(seed) ? 1 : seed);
}

/** A whole number from `from` to `to`, both among them. */
export function between(random: Random, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1));
}

export function oneOf<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

/** Undefined where there is none. */
export function anyOf<Value>(random: Random, values: ReadonlyMap<unknown, Value>): Value | undefined {
  return values.size === 0 ? undefined : oneOf(random, [...values.values()]);
}

export function shuffled<Value>(random: Random, values: readonly Value[]): Value[] {
  const mixed = [...values];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = between(random, 0, last);
    [mixed[last], mixed[other]] = [mixed[other] as Value, mixed[last] as Value];
  }
  return mixed;
}
