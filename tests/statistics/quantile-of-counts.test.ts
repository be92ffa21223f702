import fc from 'fast-check';
import { expect, it } from 'vitest';
import { quantileOfCounts } from '../../src/statistics/quantile-of-counts.ts';

it('finds the quantile of all values in their order', () => {
  const counted = fc.record({
    value: fc.integer({ min: -5, max: 50 }),
    count: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(
      fc.array(counted, { minLength: 1 }),
      fc.integer({ min: 0, max: 100 }),
      (counts, percentage) => {
        const all = counts.flatMap(({ value, count }) => new Array<number>(count).fill(value));
        all.sort((one, other) => one - other);
        const place = (percentage * (all.length - 1)) / 100;
        const [below = 0, above = 0] = [all[Math.floor(place)], all[Math.ceil(place)]];
        const expected = below + (above - below) * (place - Math.floor(place));
        expect(quantileOfCounts(counts, percentage)).toBeCloseTo(expected, 9);
      },
    ),
    { seed: 1 },
  );
});

it('is null of nothing', () => {
  expect(quantileOfCounts([], 50)).toBeNull();
});
