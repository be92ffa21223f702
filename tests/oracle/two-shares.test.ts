import { describe, expect, it } from 'vitest';
import { exactPValue, neededPerGroup, type Share, scoreInterval } from './two-shares.ts';

/** The oracle itself, by what was published. */
const share = (successes: number, trials: number): Share => ({ successes, trials });

/**
 * R. G. Newcombe (1998), Interval estimation for the difference between independent proportions, table II,
 * method 6.
 */
it.each([
  [56, 70, 48, 80, 0.0528, 0.3382],
  [9, 10, 3, 10, 0.17, 0.8406],
])('%i of %i and %i of %i have the interval of Miettinen and Nurminen', (a, m, b, n, low, high) => {
  const interval = scoreInterval(share(a, m), share(b, n));
  expect(interval[0]).toBeCloseTo(low, 4);
  expect(interval[1]).toBeCloseTo(high, 4);
});

describe("Fisher's exact test", () => {
  it('gives the tea-drinker 34 / 70 for 3 of 4 cups, and 2 / 70 for all 4', () => {
    // R. A. Fisher, The Design of Experiments (1935), II: 17 and 1 of the 70 choices on one side.
    expect(exactPValue(share(3, 4), share(1, 4))).toBeCloseTo(34 / 70, 10);
    expect(exactPValue(share(4, 4), share(0, 4))).toBeCloseTo(2 / 70, 10);
  });
  it('gives convicts who have twins 0.0005367', () => {
    // R. A. Fisher, The logic of inductive inference (1935); both sides as in R's fisher.test(Convictions).
    expect(exactPValue(share(2, 17), share(10, 13))).toBeCloseTo(0.0005367, 7);
  });
});

describe('how many it takes', () => {
  it('50 % and 75 %, with a power of 90 %: 76.7 (help of power.prop.test of R)', () => {
    expect(neededPerGroup(0.5, 0.75, 0.05, 0.9)).toBe(77);
  });
  it('10 % and 15 %, with a power of 80 %: 685.6', () => {
    expect(neededPerGroup(0.1, 0.15)).toBe(686);
  });
});
