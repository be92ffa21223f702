import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareMeans, sampleOf } from '../../src/statistics/compare-means.ts';
import { compareShares } from '../../src/statistics/compare-shares.ts';
import { shownBound, shownPValue } from '../../src/statistics/comparison.ts';
import { fisherTest } from '../../src/statistics/fisher.ts';
import { lift } from '../../src/statistics/lift.ts';
import { liftInterval } from '../../src/statistics/lift-interval.ts';
import { neededForMeans, neededForShares } from '../../src/statistics/sample-size.ts';
import { GROUPS, hasHillstrom, readHillstrom } from '../support/hillstrom.ts';

const share = (successes: number, trials: number) => ({ successes, trials });

/** The textbook's way, beside our sums: the mean of a list, and its variance about that mean. */
function sampleOfList(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { size: values.length, mean, variance };
}

describe('two shares', () => {
  it('are tested as in the Physicians’ Health Study', () => {
    // A. Agresti, An Introduction to Categorical Data Analysis, 2.2: heart attacks without and with aspirin;
    // the difference is 0.0077, X² = z² = 25.01.
    const { difference, pValue } = compareShares(share(189, 11_034), share(104, 11_037));
    expect(difference).toBeCloseTo(0.0077, 4);
    // This is of chi-square 25.013884 x (N - 1) / N with one degree of freedom.
    expect(pValue).toBeCloseTo(5.695243626919288e-7, 15);
  });

  /** R. G. Newcombe (1998), table II, method 6: Miettinen and Nurminen. */
  it.each([
    [56, 70, 48, 80, 0.0528, 0.3382],
    [9, 10, 3, 10, 0.17, 0.8406],
    [10, 10, 0, 20, 0.7156, 1],
    // Those below differ from the table where Fisher's test does not see the difference: the interval reaches
    // 0.
    [6, 7, 2, 7, 0, 0.8534],
    [5, 56, 0, 29, -0.0326, 0.1933],
    [0, 10, 0, 20, -0.1658, 0.2844],
    [0, 10, 0, 10, -0.2879, 0.2879],
  ])('%i of %i and %i of %i have the published interval', (a, m, b, n, low, high) => {
    const interval = compareShares(share(a, m), share(b, n));
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  /** SciPy 1.17.1, fisher_exact. */
  it.each([
    [3, 4, 1, 4, 0.48571428571428565],
    [2, 17, 10, 13, 0.0005367241191434358],
    [5, 56, 0, 29, 0.1606214432094711],
    [1, 200, 8, 200, 0.03696663788381058],
    [0, 100, 6, 100, 0.028930282023157568],
    [4, 1000, 0, 50, 1],
  ])('%i of %i and %i of %i have the exact p-value of SciPy', (a, m, b, n, expected) => {
    expect(fisherTest(share(a, m), share(b, n))).toBeCloseTo(expected, 12);
  });

  it('differ significantly exactly when the interval leaves out 0, also as shown', () => {
    const trials = fc.constantFrom(1, 7, 40, 100, 101, 1000, 100_000);
    const rare = fc.oneof(fc.nat(12), fc.nat(100_000));
    const one = fc.tuple(rare, trials).map(([a, b]) => share(Math.min(a, b), b));
    fc.assert(
      fc.property(one, one, fc.constantFrom(0.05, 0.05 / 3, 0.01), (a, b, level) => {
        const { low, high, pValue } = compareShares(a, b, level);
        expect(pValue < level).toBe(low > 0 || high < 0);
        expect(pValue < level).toBe(shownBound(100 * low) > 0 || shownBound(100 * high) < 0);
        expect(shownPValue(pValue) < 0.05).toBe(pValue < 0.05);
        expect(shownPValue(pValue)).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });

  it('do not differ when they are both nothing or both all', () => {
    expect(compareShares(share(0, 500), share(0, 700)).pValue).toBe(1);
    expect(compareShares(share(500, 500), share(700, 700)).pValue).toBe(1);
    expect(compareShares(share(200, 200), share(0, 200)).pValue).toBeLessThan(1e-80);
  });

  it('differ by what is in the interval, alike from both sides', () => {
    const one = fc.tuple(fc.nat(3000), fc.integer({ min: 1, max: 3000 })).map(([a, b]) => {
      return share(Math.min(a, b), b);
    });
    fc.assert(
      fc.property(one, one, (a, b) => {
        const { difference, low, high, pValue } = compareShares(a, b);
        expect(Number(low)).toBeLessThanOrEqual(difference);
        expect(Number(high)).toBeGreaterThanOrEqual(difference);
        expect(Number(low)).toBeGreaterThanOrEqual(-1 - 1e-12);
        expect(Number(high)).toBeLessThanOrEqual(1 + 1e-12);
        expect(pValue).toBeGreaterThanOrEqual(0);
        expect(pValue).toBeLessThanOrEqual(1);
        const back = compareShares(b, a);
        expect(back.pValue).toBeCloseTo(pValue, 14);
        expect(back.low).toBeCloseTo(-Number(high), 12);
      }),
    );
  });
});

describe('two means', () => {
  it('are tested as R does with the sleep of Student (1908)', () => {
    // t.test(extra ~ group, data = sleep): t = -1.8608, df = 17.776, p-value = 0.07939, -3.3654832 to
    // 0.2054832.
    const first = sampleOfList([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]);
    const second = sampleOfList([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]);
    const { difference, low, high, pValue } = compareMeans(first, second);
    expect(difference).toBeCloseTo(-1.58, 12);
    expect(low).toBeCloseTo(-3.3654832, 7);
    expect(high).toBeCloseTo(0.2054832, 7);
    expect(pValue).toBeCloseTo(0.0793941401873583, 12);
  });

  it('are made of sums, exactly', () => {
    const cents = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000_000 }), { minLength: 2 });
    fc.assert(
      fc.property(cents, (values) => {
        const amounts = values.map((value) => value / 100);
        const sum = values.reduce((total, value) => total + BigInt(value), 0n);
        const squares = values.reduce((total, value) => total + BigInt(value) ** 2n, 0n);
        // As engines write decimals: with all places, or without zeros at the end.
        const sums = { size: values.length, sum: decimal(sum, 2), squares: decimal(squares, 4) };
        const { mean, variance } = sampleOf(sums);
        const expected = sampleOfList(amounts);
        expect(mean).toBeCloseTo(expected.mean, 4);
        expect(Math.abs(variance - expected.variance)).toBeLessThanOrEqual(1e-9 * expected.variance + 1e-6);
      }),
    );
    expect(sampleOf({ size: 2, sum: '-0.5', squares: '0.25000000' })).toEqual({
      ...{ size: 2, mean: -0.25, variance: 0.125 },
    });
  });

  it('have no spread when amounts are equal, however they add up', () => {
    const amount = 33.33;
    const constant = (size: number, value = 3333n) =>
      sampleOf({
        size,
        sum: decimal(value * BigInt(size), 2),
        squares: decimal(value ** 2n * BigInt(size), 4),
      });
    expect(constant(999)).toEqual({ size: 999, mean: amount, variance: 0 });
    const same = { difference: 0, low: 0, high: 0, pValue: 1 };
    expect(compareMeans(constant(101), constant(999))).toEqual(same);
    expect(compareMeans(constant(101, 0n), constant(999, 0n))).toEqual(same);
    expect(compareMeans(constant(101), constant(999, 0n))).toMatchObject({ difference: amount, pValue: 0 });
    // One value has no spread at all.
    expect(compareMeans(constant(2), sampleOf({ size: 1, sum: '1', squares: '1' }))).toMatchObject({
      ...{ low: null, pValue: null },
    });
  });

  it('differ by more in larger amounts, with the same p', () => {
    const sample = (mean: number, variance: number) => ({ size: 200, mean, variance });
    const [a, b] = [sample(3, 40), sample(2, 25)];
    const small = compareMeans(a, b);
    const large = compareMeans(sample(3000, 40e6), sample(2000, 25e6));
    expect(large.pValue).toBeCloseTo(Number(small.pValue), 14);
    expect(Number(large.high) / 1000).toBeCloseTo(Number(small.high), 12);
  });
});

function decimal(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

describe('how many are needed', () => {
  it('is what is published', () => {
    // J. L. Fleiss, Statistical Methods for Rates and Proportions (1981), table A.3, without its correction
    // of 2 / |p - q|.
    expect(neededForShares(0.6, 0.7, 0.05)).toBe(356);
    // J. Cohen, Statistical Power Analysis (1988): half a standard deviation takes 64 by t, 63 by the normal
    // distribution.
    expect(neededForMeans(0.5, 2, 0.05)).toBe(63);
  });

  it('is nothing where nothing differs or can be told', () => {
    expect(neededForShares(0.2, 0.2, 0.05)).toBeNull();
    expect(neededForShares(0.95, 1.045, 0.05)).toBeNull();
    expect(neededForMeans(0, 2, 0.05)).toBeNull();
  });
});

describe('lift', () => {
  it('is what those who got it bought beyond what they would have bought', () => {
    // Ten people with two orders, thirty with one; all spent alike.
    const treated = {
      ...{ people: 400, buyers: 40, orders: 50, order_squares: '70' },
      ...{ revenue: 1000.5, revenue_sum: '1000.5', revenue_squares: '25025.00625' },
    };
    const control = {
      ...{ people: 100, buyers: 5, orders: 6, order_squares: '8' },
      ...{ revenue: 120.25, revenue_sum: '120.25', revenue_squares: '2892.0125' },
    };
    const beyond = lift(treated, control);
    expect(beyond).toMatchObject({
      ...{ treated_conversion_rate: 10, control_conversion_rate: 5 },
      // 50 - 6 x 4, and 1000.5 - 120.25 x 4.
      ...{ incremental_orders: 26, incremental_revenue: 519.5 },
      // z = 0.05 / √(0.09 x 0.91 x (1/400 + 1/100) x 500/499) = 1.5611
      p_value: 0.1185,
      conversion_difference: 5,
    });
    // 400 x (0.125 - 0.06 ± 1.97 x √(0.1598 / 400 + 0.0772 / 100))
    expect(beyond.incremental_orders_low).toBeCloseTo(26 - 400 * 1.9719 * 0.03423, 0);
    expect(beyond.incremental_orders_high).toBeCloseTo(26 + 400 * 1.9719 * 0.03423, 0);
    expect(beyond.conversion_difference_low).toBeLessThan(0);
    // The control group placed 6 orders.
    expect(beyond).toMatchObject({ incremental_revenue_low: null, incremental_revenue_high: null });
    const enough = lift(treated, { ...control, people: 350, orders: 20, order_squares: '24' });
    expect(Number(enough.incremental_revenue_low)).toBeLessThan(enough.incremental_revenue);
    expect(Number(enough.incremental_revenue_high)).toBeGreaterThan(enough.incremental_revenue);
    const few = lift({ ...treated, orders: 19 }, { ...control, people: 350, orders: 20 });
    expect(few).toMatchObject({ incremental_revenue_low: null, incremental_revenue_high: null });
  });

  it('is not tested for few people', () => {
    const people = (people: number) => ({
      ...{ people, buyers: 0, orders: 0, order_squares: '0' },
      ...{ revenue: 0, revenue_sum: '0', revenue_squares: '0' },
    });
    expect(lift(people(100), people(100)).p_value).toBe(1);
    expect(lift(people(100), people(99)).p_value).toBeNull();
    expect(lift(people(99), people(100)).p_value).toBeNull();
  });
});

describe.skipIf(!hasHillstrom)('Hillstrom (skipped where its file is not beside the repository)', () => {
  const customers = hasHillstrom ? readHillstrom() : [];
  const of = (group: string) => customers.filter((customer) => customer.group === group);
  const [MENS, WOMENS, NOBODY] = GROUPS;

  it('has the groups that everybody counts', () => {
    expect(GROUPS.map((group) => of(group).length)).toEqual([21_307, 21_387, 21_306]);
    expect(GROUPS.map((group) => of(group).filter(({ hasVisited }) => hasVisited).length)).toEqual([
      3894, 3238, 2262,
    ]);
  });

  /**
   * SciPy 1.17.1: chi2_contingency without correction, whose statistic x (N - 1) / N is the square of the
   * score, and ttest_ind with unequal variances.
   */
  it.each([
    [MENS, NOBODY, 7.6589563651531245, 5.719061071478543e-112, 0.6805006519615695, 1.524215872973062e-13],
    [WOMENS, NOBODY, 4.523310658705299, 3.189700546547999e-44, 0.3111057511085258, 0.00015713305889762734],
    [MENS, WOMENS, 3.135645706447826, 3.805568540519824e-18, 0.3693949008530437, 0.0002051890324874999],
  ])('%s and %s have the visits and conversions of SciPy', (first, second, ...expected) => {
    const shares = (group: string, key: 'hasVisited' | 'hasBought') =>
      share(of(group).filter((customer) => customer[key]).length, of(group).length);
    const found = (['hasVisited', 'hasBought'] as const).flatMap((key) => {
      const { difference, pValue } = compareShares(shares(first, key), shares(second, key));
      return [100 * difference, pValue];
    });
    for (const [index, value] of expected.entries())
      expect(Number(found[index]) / Number(value)).toBeCloseTo(1, 10);
  });

  it.each([
    [MENS, NOBODY, 0.7698271558945368, 0.4851397325684076, 1.0545145792206658, 1.163814968225482e-7],
    [WOMENS, NOBODY, 0.4244122159365967, 0.1689567898837789, 0.6798676419894147, 0.0011293971023632495],
    [MENS, WOMENS, 0.34541493995794004, 0.03256144962609525, 0.6582684302897848, 0.03046865118529923],
  ])('%s and %s have the spend of SciPy', (first, second, difference, low, high, pValue) => {
    const sample = (group: string) => {
      const cents = of(group).map(({ spend }) => BigInt(Math.round(Number(spend) * 100)));
      const sum = cents.reduce((total, value) => total + value, 0n);
      const squares = cents.reduce((total, value) => total + value * value, 0n);
      return sampleOf({ size: cents.length, sum: decimal(sum, 2), squares: decimal(squares, 4) });
    };
    const found = compareMeans(sample(first), sample(second));
    expect(found.difference).toBeCloseTo(difference, 11);
    expect(found.low).toBeCloseTo(low, 11);
    expect(found.high).toBeCloseTo(high, 11);
    expect(Number(found.pValue) / pValue).toBeCloseTo(1, 9);
  });
});

describe('the interval of a lift', () => {
  it('is that of the ratio of two shares: 36 of 40 and 16 of 80 have 2.94 to 7.15 (Koopman 1984)', () => {
    const [low = 0, high = 0] = liftInterval({ all: 120, antecedent: 40, consequent: 52, both: 36 }) ?? [];
    const ratioOf = (lift: number) => (80 * lift) / (120 - 40 * lift);
    // His variances are divided by all baskets, Miettinen's and Nurminen's by one less.
    expect(ratioOf(low)).toBeCloseTo(2.94, 1);
    expect(ratioOf(high)).toBeCloseTo(7.15, 1);
  });
  it('leaves out 1 where both are together far too often, and has it where they are independent', () => {
    const bounds = (both: number) =>
      liftInterval({ all: 1000, antecedent: 100, consequent: 200, both }) ?? [];
    expect(bounds(20)[0]).toBeLessThan(1);
    expect(bounds(20)[1]).toBeGreaterThan(1);
    expect(bounds(40)[0]).toBeGreaterThan(1);
    expect(bounds(5)[1]).toBeLessThan(1);
  });
  it('ends where nobody without the one has the other, and is missing where all have the one', () => {
    expect(liftInterval({ all: 50, antecedent: 10, consequent: 6, both: 6 })?.[1]).toBe(5);
    expect(liftInterval({ all: 50, antecedent: 50, consequent: 6, both: 6 })).toBeNull();
  });
});
