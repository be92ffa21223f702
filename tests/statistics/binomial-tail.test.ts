import { describe, expect, it } from 'vitest';
import { binomialTail } from '../../src/statistics/binomial-tail.ts';

/**
 * The same in whole numbers of any length, without rounding until the last step: all ways of so many
 * successes, added up.
 */
function exactTail(least: number, trials: number, [part, whole]: readonly [number, number]): number {
  const [success, failure] = [BigInt(part), BigInt(whole - part)];
  let ways = 1n;
  let sum = 0n;
  for (let number = 0; number <= trials; number += 1) {
    if (number >= least) sum += ways * success ** BigInt(number) * failure ** BigInt(trials - number);
    ways = (ways * BigInt(trials - number)) / BigInt(number + 1);
  }
  // As many digits as a number has, however small it is.
  const digits = 400n;
  const scaled = (sum * 10n ** digits) / BigInt(whole) ** BigInt(trials);
  return Number(`${scaled}e-${digits}`);
}

describe('how likely so many successes are', () => {
  it.each<readonly [least: number, trials: number, share: readonly [number, number]]>([
    [1, 1, [1, 2]],
    [8, 10, [1, 2]],
    [10, 10, [1, 2]],
    [5, 100, [1, 100]],
    [10, 50, [1, 100]],
    [3, 50, [1, 2]],
    [191, 1000, [1, 100]],
    [60, 900, [1, 20]],
    [400, 400, [99, 100]],
    [399, 400, [99, 100]],
    [130, 286, [1, 100]],
    [1, 1000, [1, 1_000_000]],
  ])('is that of adding all of them up exactly: %i of %i', (least, trials, share) => {
    const exact = exactTail(least, trials, share);
    expect(exact).toBeGreaterThan(0);
    expect(binomialTail(least, trials, share[0] / share[1]) / exact).toBeCloseTo(1, 9);
  });

  it('is what the table of the binomial distribution has', () => {
    // M. Abramowitz and I. A. Stegun, 26.1: 56, 11 and 1 of 1024 ways; 1 - 0.9^20; 0.05^3 (3 - 2 · 0.05) + ….
    expect(binomialTail(8, 10, 0.5)).toBeCloseTo(56 / 1024, 14);
    expect(binomialTail(9, 10, 0.5)).toBeCloseTo(11 / 1024, 14);
    expect(binomialTail(1, 20, 0.1)).toBeCloseTo(1 - 0.9 ** 20, 13);
    expect(binomialTail(2, 3, 0.05)).toBeCloseTo(3 * 0.05 ** 2 * 0.95 + 0.05 ** 3, 15);
  });

  it('is certain for none, impossible for more than there are, and never out of 0 to 1', () => {
    expect(binomialTail(0, 10, 0.3)).toBe(1);
    expect(binomialTail(-1, 0, 0.3)).toBe(1);
    expect(binomialTail(11, 10, 0.3)).toBe(0);
    expect(binomialTail(1, 0, 0.3)).toBe(0);
    for (const least of [1, 500, 5000, 9999, 10_000]) {
      for (const share of [1e-9, 0.01, 0.5, 0.99]) {
        const tail = binomialTail(least, 10_000, share);
        expect(tail).toBeGreaterThanOrEqual(0);
        expect(tail).toBeLessThanOrEqual(1);
      }
    }
    // Smaller than any number.
    expect(binomialTail(10_000, 10_000, 0.01)).toBe(0);
  });

  it('falls with each success more, also where it is added up from the other side', () => {
    const tails = Array.from({ length: 101 }, (_, least) => binomialTail(least, 100, 0.3));
    for (const [place, tail] of tails.entries()) expect(tail).toBeLessThanOrEqual(tails[place - 1] ?? 1);
    const reversed = 1 - binomialTail(71, 100, 0.7);
    expect(binomialTail(30, 100, 0.3)).toBeCloseTo(reversed, 12);
  });

  it('is good to seven digits of a million trials', () => {
    expect(binomialTail(1, 1_000_000, 1e-7) / -Math.expm1(1_000_000 * Math.log1p(-1e-7))).toBeCloseTo(1, 7);
    // Half of the trials and one more, by the symmetry of the middle: (1 - P(half)) / 2.
    const middle = Math.sqrt(2 / (Math.PI * 1_000_000)) * (1 - 1 / 4_000_000);
    expect(binomialTail(500_001, 1_000_000, 0.5)).toBeCloseTo((1 - middle) / 2, 7);
  });
});
