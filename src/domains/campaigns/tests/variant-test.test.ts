import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { pValueOf, type Sample } from '../../../../tests/oracle/campaign-statistics.ts';
import { testVariants, type VariantMetric } from '../queries/variant-test.ts';

/**
 * What the messages of each variant brought in cents, most of them nothing, and how many of them were
 * clicked.
 */
const sample = fc
  .record({
    size: fc.integer({ min: 100, max: 400 }),
    clicked: fc.nat(99),
    spent: fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 20, maxLength: 60 }),
  })
  .map(({ size, clicked, spent }) => ({
    successes: clicked,
    values: Array.from({ length: size }, (_, index) => (spent[index] ?? 0) / 100),
  }));

const armOf = ({ successes, values }: Sample, index: number) => {
  const cents = values.map((value) => BigInt(Math.round(value * 100)));
  return {
    message_id: `m${index}`,
    variant: String.fromCharCode(65 + index),
    step: 1,
    results: {
      delivered_count: values.length,
      unique_clicks_count: successes,
      attributed_orders_count: values.filter((value) => value !== 0).length,
      revenue_sum: String(Number(cents.reduce((sum, value) => sum + value, 0n)) / 100),
      revenue_squares: String(Number(cents.reduce((sum, value) => sum + value * value, 0n)) / 10_000),
    },
  };
};

it.each<VariantMetric>(['click_rate', 'revenue_per_recipient'])(
  'compares by %s each variant with the best other one, and corrects for all pairs',
  (metric) => {
    const isMoney = metric === 'revenue_per_recipient';
    const unit = isMoney ? 1 : 100;
    const meanOf = ({ successes, values }: Sample) =>
      isMoney ? values.reduce((sum, value) => sum + value, 0) / values.length : successes / values.length;
    fc.assert(
      fc.property(fc.array(sample, { minLength: 2, maxLength: 4 }), (samples) => {
        const verdicts = testVariants(samples.map(armOf), metric);
        const pairs = (samples.length * (samples.length - 1)) / 2;
        for (const [index, own] of samples.entries()) {
          const others = samples.filter((other) => other !== own);
          const best = Math.max(...others.map(meanOf));
          const verdict = verdicts.get(`m${index}`);
          expect(verdict?.difference).toBeCloseTo((meanOf(own) - best) * unit, 3);
          expect(Number(verdict?.difference_low)).toBeLessThanOrEqual(Number(verdict?.difference));
          expect(Number(verdict?.difference_high)).toBeGreaterThanOrEqual(Number(verdict?.difference));
          // Bonferroni: as often as pairs are tested. Where few are expected, Fisher's test may be stricter.
          const rivals = others.filter((other) => Math.abs(meanOf(other) - best) < 1e-12);
          const possible = rivals.map((rival) => Math.min(1, pValueOf(own, rival, isMoney) * pairs));
          const shown = Number(verdict?.p_value);
          expect(possible.some((p) => Math.abs(p - shown) < 1.1e-4 || (!isMoney && shown > p))).toBe(true);
          const isOutside = Number(verdict?.difference_low) > 0 || Number(verdict?.difference_high) < 0;
          expect(verdict?.is_significant).toBe(isOutside);
          expect(verdict?.is_significant).toBe(Number(verdict?.p_value) < 0.05);
        }
      }),
      { numRuns: isMoney ? 15 : 50 },
    );
  },
);
