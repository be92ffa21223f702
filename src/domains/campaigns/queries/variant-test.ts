import { compareMeans, sampleOf } from '../../../statistics/compare-means.ts';
import { compareShares } from '../../../statistics/compare-shares.ts';
import {
  type Comparison,
  LEAST_ORDERS,
  LEAST_TESTED,
  SIGNIFICANCE,
  shownBound,
  shownPValue,
} from '../../../statistics/comparison.ts';
import { roundedRatio } from '../../../statistics/rounded.ts';
import { neededForMeans, neededForShares } from '../../../statistics/sample-size.ts';

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
  readonly attributed_orders_count: number;
  readonly revenue_sum: string;
  readonly revenue_squares: string;
}

/** A message that takes part in a test. */
export interface Arm {
  readonly message_id: string;
  readonly variant: string;
  /** The step of an automation. Only variants of the same step compete. */
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
  readonly needed_per_variant: number | null;
  readonly needed_per_variant_10_percent: number | null;
}

export const NO_VERDICT: Verdict = {
  difference: null,
  difference_low: null,
  difference_high: null,
  p_value: null,
  is_significant: null,
  needed_per_variant: null,
  needed_per_variant_10_percent: null,
};

/**
 * Compares each arm with the best of those that it competes with. The results alone show which one that is,
 * so any two might have been compared: each of n pairs is tested at the n-th part of the level (Bonferroni),
 * for the p-value and the interval alike, so that they agree. Step-down corrections are a little less strict,
 * but have no such intervals.
 *
 * @returns by `message_id`, of those with something to compare with
 */
export function testVariants(arms: readonly Arm[], metric: VariantMetric): Map<string, Verdict> {
  const tested = arms.flatMap((arm, index) =>
    arms.slice(index + 1).filter((other) => compete(arm, other) && isTested(arm, other, metric)),
  );
  const pairs = Math.max(1, tested.length);
  const verdicts = new Map<string, Verdict>();
  for (const arm of arms) {
    const best = bestOf(
      arms.filter((other) => compete(arm, other)),
      metric,
    );
    if (best !== undefined) verdicts.set(arm.message_id, verdict(arm, best, metric, pairs));
  }
  return verdicts;
}

/** Whether two arms compete. An arm that reached nobody competes with none. */
function compete(arm: Arm, other: Arm): boolean {
  const reached = delivered(arm) > 0 && delivered(other) > 0;
  return reached && arm.variant !== other.variant && arm.step === other.step;
}

/** Rates with a hundred messages each, money where enough people spent any. */
function isTested(arm: Arm, other: Arm, metric: VariantMetric): boolean {
  return Math.min(delivered(arm), delivered(other)) >= LEAST_TESTED && !isPoor(arm, other, metric);
}

/** Whether money is asked for, and one order more or less would turn round who brought more of it. */
export function isPoor(arm: Arm, other: Arm, metric: VariantMetric): boolean {
  const orders = ({ results }: Arm) => results.attributed_orders_count;
  return SUCCESSES[metric] === null && Math.min(orders(arm), orders(other)) < LEAST_ORDERS;
}

/** How likely chance alone would make two messages as different; null where nothing is tested. */
export function chanceOf(first: Arm, second: Arm, metric: VariantMetric): number | null {
  return isTested(first, second, metric) ? compare(first, second, metric, SIGNIFICANCE).pValue : null;
}

/** The best of the arms. The first one is taken where several are equally good. */
function bestOf(arms: readonly Arm[], metric: VariantMetric): Arm | undefined {
  const value = ({ results }: Arm) =>
    Number(results[SUCCESSES[metric] ?? 'revenue_sum']) / results.delivered_count;
  return arms.toSorted((first, second) => value(second) - value(first))[0];
}

function compare(first: Arm, second: Arm, metric: VariantMetric, level: number): Comparison {
  const successes = SUCCESSES[metric];
  if (successes === null) return compareMeans(revenueOf(first), revenueOf(second), level);
  const share = (arm: Arm) => ({ successes: Number(arm.results[successes]), trials: delivered(arm) });
  return compareShares(share(first), share(second), level);
}

/**
 * How many each variant has to reach to show the difference seen, and one of a tenth of the best other one.
 */
function needed(arm: Arm, best: Arm, metric: VariantMetric, level: number) {
  const successes = SUCCESSES[metric];
  if (successes !== null) {
    const share = ({ results }: Arm) => Number(results[successes]) / results.delivered_count;
    return {
      needed_per_variant: neededForShares(share(best), share(arm), level),
      needed_per_variant_10_percent: neededForShares(share(best), 1.1 * share(best), level),
    };
  }
  // A single value has no spread.
  if (Math.min(delivered(arm), delivered(best)) < 2) return NOTHING_NEEDED;
  const [own, others] = [revenueOf(arm), revenueOf(best)];
  return {
    needed_per_variant: neededForMeans(own.mean - others.mean, own.variance + others.variance, level),
    needed_per_variant_10_percent: neededForMeans(others.mean / 10, 2 * others.variance, level),
  };
}

const NOTHING_NEEDED = { needed_per_variant: null, needed_per_variant_10_percent: null };

function revenueOf(arm: Arm) {
  const { revenue_sum, revenue_squares } = arm.results;
  return sampleOf({ size: delivered(arm), sum: revenue_sum, squares: revenue_squares });
}

function delivered({ results }: Arm): number {
  return results.delivered_count;
}

function verdict(arm: Arm, best: Arm, metric: VariantMetric, pairs: number): Verdict {
  const level = SIGNIFICANCE / pairs;
  const compared = compare(arm, best, metric, level);
  const { difference, pValue } = compared;
  // An interval that leaves out 0 is a verdict too.
  const [low, high] = isPoor(arm, best, metric) ? [null, null] : [compared.low, compared.high];
  const unit = SUCCESSES[metric] === null ? 1 : 100;
  // With this many people and purchases there always is a p-value.
  const corrected = isTested(arm, best, metric) ? Math.min(1, Number(pValue) * pairs) : null;
  return {
    difference: roundedRatio(difference * unit, 1),
    difference_low: low === null ? null : shownBound(low * unit),
    difference_high: high === null ? null : shownBound(high * unit),
    p_value: corrected === null ? null : shownPValue(corrected),
    is_significant: corrected === null ? null : corrected < SIGNIFICANCE,
    ...needed(arm, best, metric, level),
  };
}
