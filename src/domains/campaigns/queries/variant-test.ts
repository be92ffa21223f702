import { compareMeans, sampleOf } from '../../../statistics/compare-means.ts';
import { compareShares } from '../../../statistics/compare-shares.ts';
import { type Comparison, LEAST_TESTED } from '../../../statistics/comparison.ts';
import { holm } from '../../../statistics/holm.ts';
import { roundedPercent, roundedRatio } from '../../../statistics/rounded.ts';

/** What variants are compared by. The counts that rates are made of are in rows of `variantResults`. */
const SUCCESSES = {
  open_rate: 'unique_opens_count',
  click_rate: 'unique_clicks_count',
  conversion_rate: 'converted_count',
  revenue_per_recipient: null,
} as const;
export type VariantMetric = keyof typeof SUCCESSES;
export const VARIANT_METRICS = Object.keys(SUCCESSES) as [VariantMetric, ...VariantMetric[]];

/** Counts, and exact sums as texts. */
interface TestedResults {
  readonly delivered_count: number;
  readonly unique_opens_count?: number;
  readonly unique_clicks_count?: number;
  readonly converted_count?: number;
  readonly revenue_sum: string;
  readonly revenue_squares: string;
}

/** A message that takes part in a test. */
export interface Arm {
  readonly message_id: string;
  readonly variant: string;
  /** Only variants of one step of an automation compete. */
  readonly step: number;
  /** Row of `variantResults`. */
  readonly results: TestedResults;
}

/** What the test says of an arm, in percentage points or money. */
export interface Verdict {
  readonly difference: number | null;
  readonly difference_low: number | null;
  readonly difference_high: number | null;
  readonly p_value: number | null;
  readonly is_significant: boolean | null;
}

export const NO_VERDICT: Verdict = {
  difference: null,
  difference_low: null,
  difference_high: null,
  p_value: null,
  is_significant: null,
};

/**
 * Each arm against the best of those that it competes with. Which that is shows only in the results, so any two might
 * have been compared: the p-values of all pairs are corrected together.
 *
 * @returns by `message_id`, of those with something to compare with
 */
export function testVariants(arms: readonly Arm[], metric: VariantMetric): Map<string, Verdict> {
  const pairs = arms.flatMap((arm, index) =>
    arms.slice(index + 1).flatMap((other) => (compete(arm, other) ? [new Set([arm, other])] : [])),
  );
  const tested = pairs.filter((pair) => [...pair].every((arm) => delivered(arm) >= LEAST_TESTED));
  const pValues = holm(
    tested.map((pair) => {
      const [first, second] = [...pair] as [Arm, Arm];
      // Of a hundred there always is one.
      return compare(first, second, metric).pValue as number;
    }),
  );
  const verdicts = new Map<string, Verdict>();
  for (const arm of arms) {
    const others = arms.filter((other) => compete(arm, other));
    const best = bestOf(others, metric);
    if (best === undefined) continue;
    const pValue = pValues[tested.findIndex((pair) => pair.has(arm) && pair.has(best))];
    verdicts.set(arm.message_id, verdict(compare(arm, best, metric), pValue ?? null, metric));
  }
  return verdicts;
}

/** Those that reached nobody compete with none. */
function compete(arm: Arm, other: Arm): boolean {
  const reached = delivered(arm) > 0 && delivered(other) > 0;
  return reached && arm.variant !== other.variant && arm.step === other.step;
}

/** Of equal ones the first. */
function bestOf(arms: readonly Arm[], metric: VariantMetric): Arm | undefined {
  const value = ({ results }: Arm) =>
    Number(results[SUCCESSES[metric] ?? 'revenue_sum']) / results.delivered_count;
  return arms.toSorted((first, second) => value(second) - value(first))[0];
}

function compare(first: Arm, second: Arm, metric: VariantMetric): Comparison {
  const successes = SUCCESSES[metric];
  if (successes === null) return compareMeans(revenueOf(first), revenueOf(second));
  const share = (arm: Arm) => ({ successes: Number(arm.results[successes]), trials: delivered(arm) });
  return compareShares(share(first), share(second));
}

function revenueOf(arm: Arm) {
  const { revenue_sum, revenue_squares } = arm.results;
  return sampleOf({ size: delivered(arm), sum: revenue_sum, squares: revenue_squares });
}

function delivered({ results }: Arm): number {
  return results.delivered_count;
}

function verdict(
  { difference, low, high }: Comparison,
  pValue: number | null,
  metric: VariantMetric,
): Verdict {
  const shown = (value: number | null) => {
    if (value === null) return null;
    return SUCCESSES[metric] === null ? roundedRatio(value, 1) : roundedPercent(value, 1);
  };
  // What is judged is the number that is shown.
  const p_value = pValue === null ? null : roundedRatio(pValue, 1);
  return {
    difference: shown(difference),
    difference_low: shown(low),
    difference_high: shown(high),
    p_value,
    is_significant: p_value === null ? null : p_value < 0.05,
  };
}
