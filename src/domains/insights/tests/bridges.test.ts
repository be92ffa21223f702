import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../tests/support/runs.ts';
import { atOnce } from '../../../main-thread/turns.ts';
import { addMoney } from '../../../statistics/rounded.ts';
import { bridgeOf, partsOfRows, roundedToSum } from '../queries/explained/bridge.ts';
import { chainFactors, factorEffects, isChain, logarithmicMean } from '../queries/explained/lmdi.ts';
import { priceEffect, priceVolumeMix, type SoldItem } from '../queries/explained/price-volume-mix.ts';

/**
 * Differences told apart: whatever the numbers are, the parts add up, and the way back has the same ones with
 * the other sign.
 */
const money = fc.integer({ min: -5_000_000, max: 50_000_000 }).map((units) => units / 10_000);
const some = fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 4, arbitrary: money });
const pieces = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 }));
const negative = (values: readonly number[]) => values.map((value) => 0 - value);
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const numRuns = runs(300);

describe('factors', () => {
  const product = (values: readonly (number | null)[]) =>
    values.reduce<number>((all, value) => all * (value ?? 1), 1);

  it('have effects that add up and turn their sign on the way back', () => {
    const factor = fc.oneof(
      fc.constant(0),
      fc.integer({ min: -5000, max: 100_000 }).map((units) => units / 100),
    );
    const factors = fc
      .integer({ min: 1, max: 5 })
      .chain((count) =>
        fc.tuple(
          fc.array(factor, { minLength: count, maxLength: count }),
          fc.array(factor, { minLength: count, maxLength: count }),
        ),
      );
    fc.assert(
      fc.property(factors, ([before, after]) => {
        const effects = factorEffects(before, after);
        const change = product(after) - product(before);
        const size = Math.abs(product(after)) + Math.abs(product(before)) + 1e-9;
        // Shapley adds products in which only some factors have changed: they can be larger than both.
        const largest = before.reduce(
          (all, value, place) => all * Math.max(Math.abs(value), Math.abs(after[place] ?? 0), 1),
          1,
        );
        expect(Math.abs(sum(effects) - change)).toBeLessThanOrEqual(1e-9 * size + 1e-12 * largest);
        expect(factorEffects(after, before)).toEqual(negative(effects));
      }),
      { numRuns },
    );
  });

  it('are those of the logarithmic mean', () => {
    const [visits = 0, basket = 0] = factorEffects([100, 5], [200, 5]);
    expect([visits, basket]).toEqual([500, 0]);
    const [one = 0, other = 0] = factorEffects([2, 3], [8, 12]);
    // Both grew four times, so each has half.
    expect(one).toBeCloseTo(45, 9);
    expect(other).toBeCloseTo(45, 9);
    expect(logarithmicMean(6, 96)).toBeCloseTo(90 / Math.log(16), 9);
    expect(logarithmicMean(7, 7)).toBe(7);
  });

  it('are limits where a value was 0 or had nothing to divide by', () => {
    expect(factorEffects([100, 0, null], [200, 0.05, 40])).toEqual([0, 400, 0]);
    expect(factorEffects([0, null, null], [200, 0.05, 40])).toEqual([400, 0, 0]);
    expect(factorEffects([0, 0], [3, 5])).toEqual([7.5, 7.5]);
    expect(factorEffects([0, 5], [3, 0])).toEqual([0, 0]);
    expect(factorEffects([null, 4], [null, 6])).toEqual([0, 2]);
    // A product by product of which the limit is close to this one.
    const [almost = 0] = factorEffects([1e-200, 40], [0.05, 40]);
    expect(almost).toBeCloseTo(2, 9);
  });

  it('change by turns when they turn their sign', () => {
    const effects = factorEffects([10, -2], [20, 3]);
    expect(effects).toEqual([5, 75]);
  });

  it('explain the last sum of a chain', () => {
    expect(chainFactors([100, 5, 250])).toEqual([100, 0.05, 50]);
    expect(chainFactors([100, 0, 0])).toEqual([100, 0, null]);
    expect(isChain([100, 0, 0])).toBe(true);
    expect(isChain([0, 5, 250])).toBe(false);
  });
});

describe('bridges', () => {
  const chain = fc
    .tuple(pieces, pieces, some)
    .map(([visits, orders, value]) => [visits, visits === 0 ? 0 : orders, value] as const)
    .map(([visits, orders, value]) => [visits, orders, orders === 0 ? 0 : value] as const);

  const chainBridge = (from: readonly number[], to: readonly number[]) => {
    const [before, after] = [chainFactors(from), chainFactors(to)];
    const effects = factorEffects(before, after);
    const parts = effects.map((change, place) => ({
      name: `${place}`,
      from: before[place] ?? null,
      to: after[place] ?? null,
      change,
    }));
    return bridgeOf('chain', '', [from[2] as number, to[2] as number], parts);
  };

  it('add up to the last digit for visits, orders and baskets, both ways', () => {
    fc.assert(
      fc.property(chain, chain, (from, to) => {
        const bridge = chainBridge(from, to);
        expect(addMoney(...bridge.parts.map(({ change }) => change))).toBe(bridge.change);
        expect(bridge.change).toBe(addMoney(bridge.to, -bridge.from));
        const back = chainBridge(to, from);
        expect(back.parts.map(({ change }) => change)).toEqual(
          negative(bridge.parts.map(({ change }) => change)),
        );
      }),
      { numRuns },
    );
  });

  it('add up to the last digit for price, volume and mix, both ways', () => {
    const sold = fc
      .tuple(pieces, some)
      .map(([count, value]) => ({ pieces: count, money: count === 0 ? 0 : value }));
    const items = fc.array(fc.record({ from: sold, to: sold }), { minLength: 1, maxLength: 8 });
    const words = { many: 'products', price: 'price' };
    fc.assert(
      fc.property(items, (pairs) => {
        const named: SoldItem[] = pairs.map((pair, index) => ({ key: `p${index}`, ...pair }));
        const total = (side: 'from' | 'to') => addMoney(...named.map((item) => item[side].money));
        const of = (all: readonly SoldItem[], ends: readonly [number, number]) =>
          bridgeOf('pvm', '', ends, atOnce(priceVolumeMix(all, words)));
        const bridge = of(named, [total('from'), total('to')]);
        expect(addMoney(...bridge.parts.map(({ change }) => change))).toBe(bridge.change);
        const back = of(
          named.map(({ key, from, to }) => ({ key, from: to, to: from })),
          [total('to'), total('from')],
        );
        const changes = (one: typeof bridge) => one.parts.map(({ change }) => change).slice(0, 3);
        expect(changes(back)).toEqual(negative(changes(bridge)));
      }),
      { numRuns },
    );
  });

  it('tell a price from pieces, and what is new from both', () => {
    const item = (key: string, from: [number, number], to: [number, number]): SoldItem => ({
      key,
      from: { pieces: from[0], money: from[1] },
      to: { pieces: to[0], money: to[1] },
    });
    const words = { many: 'products', price: 'price' };
    const changes = (...items: SoldItem[]) =>
      Object.fromEntries(
        atOnce(priceVolumeMix(items, words)).map(({ name, change }) => [
          name,
          Math.round(change * 1e6) / 1e6 + 0,
        ]),
      );
    expect(changes(item('a', [10, 1000], [10, 1500]))).toEqual({
      'volume: pieces of products sold in both ranges': 0,
      'mix: which of these products': 0,
      price: 500,
    });
    expect(changes(item('a', [10, 1000], [20, 2000]))).toMatchObject({
      'volume: pieces of products sold in both ranges': 1000,
      price: 0,
    });
    expect(changes(item('a', [10, 1000], [10, 1000]), item('b', [0, 0], [3, 90]))).toEqual({
      'volume: pieces of products sold in both ranges': 0,
      'mix: which of these products': 0,
      price: 0,
      'products sold in this range alone': 90,
    });
    expect(priceEffect(item('a', [10, 1000], [10, 1500]))).toBeCloseTo(500, 9);
    expect(priceEffect(item('a', [0, 0], [10, 1500]))).toBeNull();
  });

  it('have the largest values, and the rest', () => {
    const rows = Array.from({ length: 9 }, (_, index) => ({ key: `k${index}`, from: index, to: 2 * index }));
    const parts = atOnce(partsOfRows(rows, [40, 80], (key) => key));
    expect(parts.map(({ name, change }) => [name, change])).toEqual([
      ...[8, 7, 6, 5, 4, 3].map((index) => [`k${index}`, index]),
      ['(rest)', 7],
    ]);
  });

  it('are refused as a defect of ours when they have a hole', () => {
    expect(() => bridgeOf('x', '', [0, 10], [{ name: 'a', from: 0, to: 9, change: 9 }])).toThrow(
      'a bridge has a hole',
    );
  });

  it('give what rounding leaves to those that were rounded furthest', () => {
    expect(roundedToSum(0.0001, [0.000_03, 0.000_04, 0.000_03])).toEqual([0, 0.0001, 0]);
    expect(roundedToSum(-0.0001, [-0.000_03, -0.000_04, -0.000_03])).toEqual([0, -0.0001, 0]);
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 }), (amounts) => {
        const total = Math.round(sum(amounts) * 10_000) / 10_000;
        const rounded = roundedToSum(total, amounts);
        expect(addMoney(...rounded)).toBe(total + 0);
        for (const [index, amount] of amounts.entries())
          expect(Math.abs((rounded[index] ?? 0) - amount)).toBeLessThan(0.0003);
        expect(roundedToSum(-total, negative(amounts))).toEqual(negative(rounded));
      }),
      { numRuns },
    );
  });
});
