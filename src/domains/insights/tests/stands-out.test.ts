import { expect, it } from 'vitest';
import { chanceOfFactor, chanceOfShare, expectedOf, spreadOf } from '../queries/explained/stands-out.ts';

/** The test measures numbers made by chance: few of them may look like findings. */
function* randoms(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield (state >>> 8) / 2 ** 24;
  }
}

/** The sum of about `orders` orders of random worth. */
function sales(orders: number, random: Generator<number, never>): number {
  let worth = 0;
  for (let order = 0; order < 2 * orders; order += 1) {
    const [isThere, size] = [random.next().value, random.next().value];
    if (isThere < 0.5) worth += 20 * -Math.log(1 - size) + 40;
  }
  return worth;
}

it('a value is expected to move as the others', () => {
  expect(expectedOf({ from: 100, to: 50 }, { from: 500, to: 650 })).toBe(150);
  expect(expectedOf({ from: 0, to: 50 }, { from: 500, to: 650 })).toBe(0);
  expect(expectedOf({ from: 500, to: 50 }, { from: 500, to: 50 })).toBeNull();
});

it('a share that only chance moved seldom has a small p, and one that was moved has', () => {
  const random = randoms(7);
  const unit = 60;
  const cases = 2000;
  const small = { quiet: 0, moved: 0 };
  for (let index = 0; index < cases; index += 1) {
    const week = () => [sales(8, random), sales(50, random)] as const;
    const weeks = Array.from({ length: 12 }, week);
    const groups = [{ of: weeks.map(([of]) => of), all: weeks.map(([of, others]) => of + others) }];
    const spread = spreadOf(groups, unit, 4);
    const sum = (orders: number) => sales(orders, random);
    const range = (orders: number) => [sum(orders), sum(200)] as const;
    const [from, to, moved] = [range(32), range(32), range(80)];
    const chance = ([of, others]: readonly [number, number]) =>
      chanceOfShare({ from: from[0], to: of }, { from: from[0] + from[1], to: of + others }, unit, spread);
    if (chance(to) < 0.01) small.quiet += 1;
    if (chance(moved) < 0.01) small.moved += 1;
  }
  // The seed is fixed; of 20 that are expected 50 or more have a chance of less than 1 in a million.
  expect(small.quiet).toBeLessThan(50);
  expect(small.moved).toBeGreaterThan(0.7 * cases);
});

it('a share that drifts from week to week is believed less than one that chance alone moves', () => {
  const steady = { of: [10, 11, 9, 10, 10, 9, 11, 10], all: new Array<number>(8).fill(100) };
  const wild = { of: [2, 20, 4, 18, 1, 19, 3, 13], all: new Array<number>(8).fill(100) };
  const change = [{ from: 40, to: 60 }, { from: 400, to: 400 }, 1] as const;
  const [calm, loud] = [steady, wild].map((weeks) => chanceOfShare(...change, spreadOf([weeks], 1, 1)));
  expect(calm).toBeLessThan(loud as number);
  expect(spreadOf([steady], 1, 1).ratio).toBe(1);
  expect(spreadOf([wild], 1, 1).ratio).toBeGreaterThan(4);
  expect(spreadOf([], 1, 1)).toEqual({ ratio: 1, degrees: 4 });
});

it('slow waves count where the ranges are long', () => {
  const slow = Array.from({ length: 32 }, (_, week) => (Math.floor(week / 4) % 2 === 0 ? 12 : 8));
  const all = new Array<number>(32).fill(100);
  const of = (length: number) => spreadOf([{ of: slow, all }], 1, length).ratio;
  expect(of(4)).toBeGreaterThan(1.2);
  expect(of(4)).toBeGreaterThan(of(1));
});

it('a rate is judged by its weeks, and not without any', () => {
  const weeks = [0.2, 0.21, 0.19, 0.2, 0.22, 0.18];
  const chance = (to: number, of = weeks) => chanceOfFactor({ from: 0.2, to }, of, 0.01, [4, 4]) as number;
  expect(chance(0.1)).toBeLessThan(0.001);
  expect(chance(0.201)).toBeGreaterThan(0.5);
  expect(chance(0.1, [0.2, 0.2])).toBeNull();
  expect(chance(0)).toBeNull();
  // A price that never moved is believed as far as its counts allow.
  expect(
    chanceOfFactor({ from: 100, to: 101 }, new Array<number>(8).fill(100), 0.01, [4, 4]),
  ).toBeGreaterThan(0.1);
});
