import type { Pieces } from '../../../../main-thread/pieces.ts';
import {
  aliveProbability,
  type BgNbd,
  expectedOrders,
  fitBgNbd,
  type History,
  likelihoodWithoutLeaving,
} from '../../../../statistics/bg-nbd.ts';
import { fitGammaGamma, type GammaGamma } from '../../../../statistics/gamma-gamma.ts';
import { roundedPercent } from '../../../../statistics/rounded.ts';
import type { CustomerBin, GroupBin, LaterBin, SpendingBin } from './customer-bins.ts';

/** The unit of the model's parameters, as in its papers. */
const DAYS_OF_WEEK = 7;

/** The parameters are mostly chance when fewer customers came again. */
export const LEAST_REPEATERS = 100;

/** Shorter halves of a history show only one season, and few second orders. */
export const LEAST_DAYS = 180;

/**
 * By how much likelier BG/NBD must be than a model in which nobody leaves, as a difference of logarithms. It
 * has two more parameters, so chance alone gives 3 in one of twenty histories (chi-squared).
 */
const LEAST_GAIN = 3;

export interface CustomerModel {
  readonly often: BgNbd;
  /**
   * Whether the history shows that customers leave at all. If not, as when everybody orders more before
   * Christmas, all of them look active, and nobody knows who is.
   */
  readonly tellsLeaving: boolean;
  /** Null where what orders are worth cannot be told by the model. */
  readonly worth: GammaGamma | null;
}

/** How well the first half of the history told the second. */
export interface HeldOut {
  readonly customers_count: number;
  readonly actual: number;
  readonly expected: number;
  /**
   * The difference between the expected and the actual days with orders, by how often customers had come, in
   * percent of the actual ones.
   */
  readonly error: number | null;
  /** Likewise, had everybody come as often as before. */
  readonly error_as_before: number | null;
}

export function historyOf({ repeats, recency, age, customers_count }: CustomerBin): History {
  return {
    repeats,
    recency: recency / DAYS_OF_WEEK,
    age: age / DAYS_OF_WEEK,
    customers: customers_count,
  };
}

/** @returns null where too few came again, or the likelihood has no top */
export function* fitCustomers(
  bins: readonly CustomerBin[],
  spending: readonly SpendingBin[],
): Pieces<CustomerModel | null> {
  const often = yield* fitFrequency(bins);
  if (often === null) return null;
  const without = yield* likelihoodWithoutLeaving(bins.map(historyOf));
  const tellsLeaving = without === null || often.log_likelihood - without >= LEAST_GAIN;
  const worth = yield* fitGammaGamma(
    spending.map(({ customers_count, repeats, mean }) => ({ customers: customers_count, repeats, mean })),
  );
  return { often, tellsLeaving, worth };
}

function* fitFrequency(bins: readonly CustomerBin[]): Pieces<BgNbd | null> {
  const repeaters = bins.reduce((sum, bin) => sum + (bin.repeats > 0 ? bin.customers_count : 0), 0);
  return repeaters < LEAST_REPEATERS ? null : yield* fitBgNbd(bins.map(historyOf));
}

/**
 * The model of the first half of the history held against the second. Errors are added up by how often
 * customers had come, so that too much here does not make up for too little there.
 *
 * @param days of the second half
 * @returns null where the first half has no model
 */
export function* holdOut(bins: readonly LaterBin[], days: number): Pieces<HeldOut | null> {
  const model = yield* fitFrequency(bins);
  if (model === null) return null;
  const time = days / DAYS_OF_WEEK;
  const byRepeats = new Map<number, Sums>();
  for (const [index, bin] of bins.entries()) {
    if (index % BINS_OF_PIECE === 0) yield;
    const history = historyOf(bin);
    const own = {
      actual: bin.later_days,
      expected: bin.customers_count * expectedOrders(model, history, time),
      asBefore: history.age === 0 ? 0 : bin.customers_count * (bin.repeats / history.age) * time,
    };
    byRepeats.set(bin.repeats_bin, sumOf(byRepeats.get(bin.repeats_bin) ?? NOTHING, own));
  }
  const groups = [...byRepeats.values()];
  const total = groups.reduce(sumOf, NOTHING);
  const errorOf = (value: (group: Sums) => number) =>
    roundedPercent(
      groups.reduce((sum, group) => sum + Math.abs(value(group) - group.actual), 0),
      total.actual,
    );
  return {
    customers_count: bins.reduce((sum, { customers_count }) => sum + customers_count, 0),
    actual: total.actual,
    expected: total.expected,
    error: errorOf(({ expected }) => expected),
    error_as_before: errorOf(({ asBefore }) => asBefore),
  };
}

interface Sums {
  readonly actual: number;
  readonly expected: number;
  readonly asBefore: number;
}

const NOTHING: Sums = { actual: 0, expected: 0, asBefore: 0 };

function sumOf(one: Sums, other: Sums): Sums {
  return {
    actual: one.actual + other.actual,
    expected: one.expected + other.expected,
    asBefore: one.asBefore + other.asBefore,
  };
}

/** What is expected of a bin is a series of up to 100,000 terms, which takes up to a millisecond. */
const BINS_OF_PIECE = 10;

/** What customers of a group are expected to do. */
export interface Future {
  /** Days with orders. */
  readonly orders: number;
  /** Null where what an order is worth is not known. */
  readonly revenue: number | null;
  /** Customers who still come. Null where the history does not tell that any leave. */
  readonly alive: number | null;
}

/** @param days that come */
export function* futureOf(
  bins: readonly GroupBin[],
  { often, tellsLeaving, worth }: CustomerModel,
  days: number,
): Pieces<Future> {
  const sums = { orders: 0, revenue: 0, alive: 0 };
  for (const [index, bin] of bins.entries()) {
    if (index % BINS_OF_PIECE === 0) yield;
    const history = historyOf(bin);
    const each = expectedOrders(often, history, days / DAYS_OF_WEEK);
    sums.orders += bin.customers_count * each;
    sums.revenue += worth === null ? 0 : each * worthOf(bin, worth);
    sums.alive += bin.customers_count * aliveProbability(often, history);
  }
  return {
    ...sums,
    revenue: worth === null ? null : sums.revenue,
    alive: tellsLeaving ? sums.alive : null,
  };
}

/**
 * What an order of each of these customers is expected to be worth, added up: the expectation is linear in
 * what they spent.
 */
function worthOf(
  { customers_count, repeats, repeat_revenue }: GroupBin,
  { p, q, gamma }: GammaGamma,
): number {
  return (p * (gamma * customers_count + (repeat_revenue ?? 0))) / (p * repeats + q - 1);
}
