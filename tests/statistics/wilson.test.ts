import { expect, it } from 'vitest';
import { wilsonInterval } from '../../src/statistics/wilson.ts';

/**
 * R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998),
 * table I.
 */
it.each([
  [81, 263, 25.53, 36.62],
  [15, 148, 6.24, 16.05],
  [0, 20, 0, 16.11],
  [1, 29, 0.61, 17.18],
])('%i of %i are between %d and %d percent, as published', (successes, trials, low, high) => {
  const interval = wilsonInterval(successes, trials);
  expect(interval.low).toBeCloseTo(low, 2);
  expect(interval.high).toBeCloseTo(high, 2);
});

it('stays within 0 and 100, and is unknown without trials', () => {
  expect(wilsonInterval(20, 20)).toEqual({ low: 83.8875, high: 100 });
  expect(wilsonInterval(0, 1).low).toBe(0);
  expect(wilsonInterval(0, 0)).toEqual({ low: null, high: null });
});
