import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalDistance, normalTails, Z_95 } from '../../src/statistics/normal.ts';
import { studentDistance, studentTails } from '../../src/statistics/student.ts';
import { normalTailsOf, studentTailsOf } from '../oracle/integrals.ts';

describe('the normal distribution', () => {
  /** Abramowitz and Stegun, table 26.1: P(x) to 15 decimals. */
  it.each([
    [0, 0.5],
    [0.5, 0.691462461274013],
    [1, 0.841344746068543],
    [2, 0.977249868051821],
    [3, 0.99865010196837],
  ])('is at %d as in the tables', (z, below) => {
    expect(Math.abs(1 - normalTails(z) / 2 - below)).toBeLessThan(1e-14);
    expect(normalTails(-z)).toBe(normalTails(z));
  });

  it('has the tails of far values, and 5 % beyond 1.96', () => {
    // The same book, table 26.2: -log Q(x).
    expect(-Math.log10(normalTails(5) / 2)).toBeCloseTo(6.54265, 5);
    expect(-Math.log10(normalTails(10) / 2)).toBeCloseTo(23.11805, 5);
    expect(normalTails(Number.POSITIVE_INFINITY)).toBe(0);
    expect(Math.abs(normalTails(Z_95) - 0.05)).toBeLessThan(1e-15);
  });

  it('is the integral of its density', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 8, noNaN: true }), (z) => {
        expect(Math.abs(normalTailsOf(z) - normalTails(z))).toBeLessThan(1e-12);
      }),
    );
  });
});

describe("Student's distribution", () => {
  /** R. A. Fisher and F. Yates, Statistical Tables, table III: both tails. */
  it.each([
    [12.706, 1, 0.05],
    [63.657, 1, 0.01],
    [4.303, 2, 0.05],
    [9.925, 2, 0.01],
    [2.228, 10, 0.05],
    [3.169, 10, 0.01],
    [2.042, 30, 0.05],
    [1.98, 120, 0.05],
    [2.617, 120, 0.01],
  ])('has beyond %d, of %i degrees of freedom, %d as in the tables', (t, degrees, tails) => {
    expect(Math.abs(studentTails(t, degrees) - tails) / tails).toBeLessThan(0.0015);
    expect(studentTails(-t, degrees)).toBe(studentTails(t, degrees));
  });

  it('is known in closed form for 1, 2 and 4 degrees of freedom', () => {
    for (const t of [0, 1e-6, 0.3, 1, 1.7, 1.8, 4, 30, 1e4, 1e12]) {
      const closed = [
        [1, 1 - (2 / Math.PI) * Math.atan(t)],
        [2, 1 - t / Math.sqrt(2 + t * t)],
        [4, 1 - (t * (6 + t * t)) / (4 + t * t) ** 1.5],
      ] as const;
      for (const [degrees, tails] of closed) {
        expect(Math.abs(studentTails(t, degrees) - tails), `${t} of ${degrees}`).toBeLessThan(1e-14);
      }
    }
    expect(studentTails(1e200, 5)).toBe(0);
  });

  it('is the integral of its density', () => {
    const degrees = fc.oneof(
      fc.double({ min: 2, max: 50, noNaN: true }),
      fc.double({ min: 50, max: 5000, noNaN: true }),
    );
    fc.assert(
      fc.property(degrees, fc.double({ min: 0, max: 9, noNaN: true }), (freedom, t) => {
        expect(Math.abs(studentTails(t, freedom) - studentTailsOf(t, freedom))).toBeLessThan(1e-10);
      }),
      { numRuns: 30 },
    );
  });

  it('comes to the normal distribution', () => {
    for (const t of [0.1, 1, 1.7321, 1.96, 3]) {
      expect(Math.abs(studentTails(t, 1e9) - normalTails(t))).toBeLessThan(1e-8);
    }
    expect(studentDistance(0.05, 1e9)).toBeCloseTo(Z_95, 7);
    expect(normalDistance(0.05)).toBeCloseTo(Z_95, 12);
  });

  it('has 95 % within the distance that it gives', () => {
    for (const [degrees, distance] of [
      [1, 12.7062],
      [2, 4.3027],
      [5, 2.5706],
      [99, 1.9842],
      [1000, 1.9623],
    ] as const) {
      expect(studentDistance(0.05, degrees)).toBeCloseTo(distance, 4);
    }
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e6, noNaN: true }), (degrees) => {
        expect(Math.abs(studentTails(studentDistance(0.05, degrees), degrees) - 0.05)).toBeLessThan(1e-11);
      }),
    );
  });
});
