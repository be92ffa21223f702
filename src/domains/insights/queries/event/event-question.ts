import { Temporal } from 'temporal-polyfill';
import { beginningOf, type SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { BEFORE_DAYS, MOST_PLACEBOS, stepOf } from '../../../../statistics/placebo-effect.ts';
import { localDate } from '../../../../time/moment.ts';
import { type Range, readRange } from '../../../../time/range.ts';
import type { FactCondition } from '../fact.ts';
import { checkCut, metricNamed } from '../metric-layer.ts';

/** The metrics, each with what it is made of many of. */
export const EFFECT_METRICS = {
  product_revenue: 'product_orders_count',
  quantity: 'product_orders_count',
  revenue: 'orders_count',
  orders_count: 'orders_count',
  sessions_count: 'sessions_count',
} as const;
export type EffectMetric = keyof typeof EFFECT_METRICS;
export const EFFECT_METRIC_NAMES = Object.keys(EFFECT_METRICS) as [EffectMetric, ...EffectMetric[]];

/** What may be affected by an event, while the rest is not. */
export const AFFECTED = ['product', 'brand', 'category', 'channel', 'country'] as const;

export interface EventArguments {
  readonly business_id: string;
  readonly metric: EffectMetric;
  readonly dimension: (typeof AFFECTED)[number];
  readonly values: readonly string[];
  readonly from_date: string;
  readonly to_date: string;
}

export interface EventQuestion {
  readonly condition: FactCondition;
  readonly askedTo: Temporal.PlainDate;
  readonly from: Temporal.PlainDate;
  /** The last whole day of the event that is loaded; before `from` where none is. */
  readonly to: Temporal.PlainDate;
  readonly days: number;
  /** All days that are looked at; null where none before the event is loaded, or the event is too long. */
  readonly history: Range | null;
  /** The first day that is loaded from its beginning; null: nothing is loaded. */
  readonly begun: Temporal.PlainDate | null;
}

/** Later days depend less and less on the event. */
export const MOST_DAYS = 56;

/** @throws InputError as `readRange`, and for a dimension that does not cut the metric */
export function readEvent(args: EventArguments, timezone: string, facts: SnapshotFacts): EventQuestion {
  const { metric, dimension, values } = args;
  for (const name of [metric, EFFECT_METRICS[metric]]) checkCut(metricNamed(name), dimension);
  const { firstDate: from, lastDate: askedTo } = readRange(args, timezone);
  const source = metric === 'sessions_count' ? 'sessions' : 'orders';
  const [start, until] = [beginningOf(source, facts), facts[`${source}_until`]];
  const condition = { dimension, kind: 'in', values } as const;
  if (start === null || until === null)
    return { condition, askedTo, from, to: askedTo, days: 0, history: null, begun: null };
  // The days of the first and of the last moment are not whole.
  const [begun, whole] = [
    localDate(start, timezone).add({ days: 1 }),
    localDate(until, timezone).subtract({ days: 1 }),
  ];
  const to = Temporal.PlainDate.compare(askedTo, whole) < 0 ? askedTo : whole;
  const days = Math.max(0, lengthOf(from, to));
  if (days === 0 || lengthOf(from, askedTo) > MOST_DAYS || Temporal.PlainDate.compare(from, begun) <= 0)
    return { condition, askedTo, from, to, days, history: null, begun };
  const earliest = from.subtract({ days: BEFORE_DAYS + MOST_PLACEBOS * stepOf(days) });
  const first = Temporal.PlainDate.compare(earliest, begun) < 0 ? begun : earliest;
  const history = readRange({ from_date: first.toString(), to_date: to.toString() }, timezone);
  return { condition, askedTo, from, to, days, history, begun };
}

/** The number of days from one to another, both included; 0 or less where there are none. */
export function lengthOf(first: Temporal.PlainDate, last: Temporal.PlainDate): number {
  return first.until(last, { largestUnit: 'day' }).days + 1;
}
