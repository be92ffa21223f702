import { expect, it } from 'vitest';
import { falseDiscoveryRates } from '../../src/statistics/false-discovery.ts';

/**
 * The example of Benjamini and Hochberg (1995), section 4: 15 tests, of which 4 are findings at 5 percent.
 */
const PUBLISHED = [
  ...[0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719],
  ...[0.6528, 0.759, 1],
];

it('finds what the published example finds', () => {
  const rates = falseDiscoveryRates(PUBLISHED);
  expect(rates.filter((rate) => rate <= 0.05)).toHaveLength(4);
  expect(rates[0]).toBeCloseTo(0.0015, 12);
  expect(rates[3]).toBeCloseTo((0.0095 * 15) / 4, 12);
  expect(rates[14]).toBe(1);
});

it('the rate is the same in any order, and counts tests that were not computed', () => {
  expect(falseDiscoveryRates(PUBLISHED.toReversed()).toReversed()).toEqual(falseDiscoveryRates(PUBLISHED));
  expect(falseDiscoveryRates([0.001], 100)).toEqual([0.1]);
  expect(falseDiscoveryRates([])).toEqual([]);
});
