import {
  aliveProbability,
  type BgNbd,
  expectedOrders,
  fitBgNbd,
  type History,
} from '../../../../statistics/bg-nbd.ts';
import { fitGammaGamma, type GammaGamma } from '../../../../statistics/gamma-gamma.ts';
import { roundedPercent } from '../../../../statistics/rounded.ts';
import type { CustomerBin, GroupBin, LaterBin, SpendingBin } from './customer-bins.ts';

/** The unit of the model's parameters, as in its papers. */
const DAYS_OF_WEEK = 7;

/** With fewer customers who came again, the parameters are mostly chance. */
export const LEAST_REPEATERS = 100;

/** Shorter halves of a history tell of one season only, and of few second orders. */
export const LEAST_DAYS = 180;

export interface CustomerModel {
  readonly often: BgNbd;
  /** Null where what orders are worth cannot be told by the model. */
  readonly worth: GammaGamma | null;
}

/** How well the first half of the history told the second. */
export interface HeldOut {
  readonly customers_count: number;
  readonly actual: number;
  readonly expected: number;
  /**
   * The difference between the expected and the actual days with orders, by how often customers had come, in percent of
   * the actual ones.
   */
  readonly error: number | null;
  /** Likewise, had everybody come as often as before. */
  readonly error_as_before: number | null;
}

function historyOf({ repeats, recency, age, customers_count }: CustomerBin): History {
  return {
    repeats,
    recency: recency / DAYS_OF_WEEK,
    age: age / DAYS_OF_WEEK,
    customers: customers_count,
  };
}

/** @returns null where too few came again, or the likelihood has no top */
export function fitCustomers(
  bins: readonly CustomerBin[],
  spending: readonly SpendingBin[],
): CustomerModel | null {
  const often = fitFrequency(bins);
  if (often === null) return null;
  const worth = fitGammaGamma(
    spending.map(({ customers_count, repeats, mean }) => ({ customers: customers_count, repeats, mean })),
  );
  return { often, worth };
}

function fitFrequency(bins: readonly CustomerBin[]): BgNbd | null {
  const repeaters = bins.reduce((sum, bin) => sum + (bin.repeats > 0 ? bin.customers_count : 0), 0);
  return repeaters < LEAST_REPEATERS ? null : fitBgNbd(bins.map(historyOf));
}

/**
 * The model of the first half of the history held against the second. Errors are added up by how often customers had come, so that too much
 * here does not make up for too little there.
 *
 * @param days of the second half
 * @returns null where the first half has no model
 */
export function holdOut(bins: readonly LaterBin[], days: number): HeldOut | null {
  const model = fitFrequency(bins);
  if (model === null) return null;
  const time = days / DAYS_OF_WEEK;
  const groups = [...Map.groupBy(bins, ({ repeats_bin }) => repeats_bin).values()].map((group) =>
    sumsOf(group, (bin) => {
      const history = historyOf(bin);
      return {
        actual: bin.later_days,
        expected: bin.customers_count * expectedOrders(model, history, time),
        asBefore: history.age === 0 ? 0 : bin.customers_count * (bin.repeats / history.age) * time,
      };
    }),
  );
  const total = sumsOf(groups, (group) => group);
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

function sumsOf<Part>(parts: readonly Part[], of: (part: Part) => Sums): Sums {
  return parts.map(of).reduce(
    (sum, part) => ({
      actual: sum.actual + part.actual,
      expected: sum.expected + part.expected,
      asBefore: sum.asBefore + part.asBefore,
    }),
    { actual: 0, expected: 0, asBefore: 0 },
  );
}

/** What customers of a group are expected to do. */
export interface Future {
  /** Days with orders. */
  readonly orders: number;
  /** Null where what an order is worth is not known. */
  readonly revenue: number | null;
  /** Customers who still come. */
  readonly alive: number;
}

/** @param days that come */
export function futureOf(bins: readonly GroupBin[], { often, worth }: CustomerModel, days: number): Future {
  const parts = bins.map((bin) => {
    const history = historyOf(bin);
    const each = expectedOrders(often, history, days / DAYS_OF_WEEK);
    return {
      orders: bin.customers_count * each,
      revenue: worth === null ? null : each * worthOf(bin, worth),
      alive: bin.customers_count * aliveProbability(often, history),
    };
  });
  return {
    orders: parts.reduce((sum, { orders }) => sum + orders, 0),
    revenue: worth === null ? null : parts.reduce((sum, { revenue }) => sum + (revenue ?? 0), 0),
    alive: parts.reduce((sum, { alive }) => sum + alive, 0),
  };
}

/** What an order of each of these customers is expected to be worth, added up: the expectation is linear in what they spent. */
function worthOf(
  { customers_count, repeats, repeat_revenue }: GroupBin,
  { p, q, gamma }: GammaGamma,
): number {
  return (p * (gamma * customers_count + (repeat_revenue ?? 0))) / (p * repeats + q - 1);
}
