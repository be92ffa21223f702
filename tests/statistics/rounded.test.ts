import { expect, it } from 'vitest';
import { addMoney, roundedPercent, roundedRatio } from '../../src/statistics/rounded.ts';

it('rounds halves away from zero, as SQL does', () => {
  expect(roundedRatio(4.7465, 2)).toBe(2.3733);
  expect(roundedRatio(-4.7465, 2)).toBe(-2.3733);
  expect(roundedRatio(1, 3)).toBe(0.3333);
  expect(roundedRatio(0, 5)).toBe(0);
});

it('has no value where there is nothing to divide by', () => {
  expect(roundedRatio(1, 0)).toBeNull();
  expect(roundedPercent(0, 0)).toBeNull();
  expect(roundedPercent(1, 3)).toBe(33.3333);
});

it('adds money without dust', () => {
  expect(addMoney(0.1, 0.2)).toBe(0.3);
  expect(addMoney(-0.1, 0.3, 1e9)).toBe(1000000000.2);
});
