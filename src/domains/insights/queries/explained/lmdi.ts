/** A factor of a product; null where there was nothing to divide by, so that it explains no change. */
export type Factor = number | null;

/**
 * How much each factor of a product changed it. The effects add up to the product after less the product
 * before, and those of the way back are their negatives.
 *
 * By the logarithmic mean (Ang 2015: LMDI-I): effect = L(after, before) × ln(factor after / factor before),
 * with L(a, b) = (a − b) / (ln a − ln b). What is 0 on one side is a limit: the factors that left 0, or came
 * to it, have the whole change in equal parts. A factor that changes its sign has no logarithm: then each
 * effect is its mean over all orders in which the factors could have changed (Shapley), which adds up too.
 *
 * @param before one number for each factor
 * @param after one number for each factor
 */
export function factorEffects(before: readonly Factor[], after: readonly Factor[]): number[] {
  // Only one of both ways is computed, so that not even a digit of rounding tells them apart.
  if (isTurned(before, after)) return effectsOf(after, before).map((effect) => 0 - effect);
  return effectsOf(before, after).map((effect) => effect + 0);
}

function isTurned(before: readonly Factor[], after: readonly Factor[]): boolean {
  for (const [index, one] of before.entries()) {
    const other = after[index] ?? null;
    if (one !== null && other !== null && one !== other) return one > other;
  }
  return false;
}

function effectsOf(before: readonly Factor[], after: readonly Factor[]): number[] {
  const pairs = before.map((one, index): readonly [number, number] => {
    const other = after[index] ?? null;
    return [one ?? other ?? 1, other ?? one ?? 1];
  });
  const [from, to] = [product(pairs.map(([one]) => one)), product(pairs.map(([, other]) => other))];
  const isZero = pairs.map(([one, other]) => one !== other && (one === 0 || other === 0));
  if (isZero.some((is) => is)) {
    const zeros = isZero.filter((is) => is).length;
    // Both products are 0 where a factor left 0 and another came to it.
    return isZero.map((is) => (is ? (to - from) / zeros : 0));
  }
  if (from === 0) return pairs.map(() => 0);
  if (pairs.some(([one, other]) => one < 0 !== other < 0)) return shapley(pairs);
  const mean = logarithmicMean(from, to);
  return pairs.map(([one, other]) => (one === other ? 0 : mean * Math.log(other / one)));
}

function product(values: readonly number[]): number {
  return values.reduce((all, value) => all * value, 1);
}

/** The logarithmic mean of two numbers of the same sign that are not 0. */
export function logarithmicMean(one: number, other: number): number {
  const growth = (other - one) / one;
  return growth === 0 ? one : (one * growth) / Math.log1p(growth);
}

/** All subsets can be computed, since there are few factors. */
function shapley(pairs: readonly (readonly [number, number])[]): number[] {
  const count = pairs.length;
  const productWith = (changed: number) =>
    product(pairs.map(([one, other], place) => ((changed >> place) & 1 ? other : one)));
  return pairs.map((_, place) => {
    let effect = 0;
    for (let changed = 0; changed < 1 << count; changed += 1) {
      if ((changed >> place) & 1) continue;
      const before = bits(changed);
      const weight = (factorial(before) * factorial(count - before - 1)) / factorial(count);
      effect += weight * (productWith(changed | (1 << place)) - productWith(changed));
    }
    return effect;
  });
}

function bits(set: number): number {
  return set === 0 ? 0 : (set & 1) + bits(set >> 1);
}

function factorial(number: number): number {
  return number <= 1 ? 1 : number * factorial(number - 1);
}

/**
 * The factors of a chain of sums: of visits, orders and revenue they are visits, orders per visit and revenue
 * per order, whose product is the revenue.
 */
export function chainFactors(sums: readonly number[]): Factor[] {
  return sums.map((sum, index) => {
    if (index === 0) return sum;
    const divisor = sums[index - 1] as number;
    return divisor === 0 ? null : sum / divisor;
  });
}

/**
 * Says whether the factors of the sums explain the last one: a sum that follows a 0 is 0 too. Visits that are
 * not recorded explain no orders.
 */
export function isChain(sums: readonly number[]): boolean {
  return sums.every((sum, index) => index === 0 || sum === 0 || sums[index - 1] !== 0);
}
