import { expect, it } from 'vitest';
import { deviationOf, leastDeviation, mostRight } from './chance-bounds.ts';

it('bounds are those of tables', () => {
  // Computed by the sums of the binomial distribution.
  expect(mostRight(40, 0.638)).toBe(36);
  expect(mostRight(80, 0.76)).toBe(74);
  expect(mostRight(10, 0.5)).toBe(10);
  // Chi-square at 0.0001: 14.3 of 39, 55.7 of 100 degrees of freedom.
  expect(39 * leastDeviation(39) ** 2).toBeCloseTo(14.3, 0);
  expect(100 * leastDeviation(100) ** 2).toBeCloseTo(55.7, 0);
  expect(deviationOf([3, -4])).toBeCloseTo(Math.sqrt(12.5));
});
