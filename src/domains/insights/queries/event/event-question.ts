import { Temporal } from 'temporal-polyfill';
import { beginningOf, type SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { BEFORE_DAYS, MOST_PLACEBOS, neededDays, stepOf } from '../../../../statistics/placebo-effect.ts';
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
  /** All days that an event of any length from the same day would be told by; null where there are none. */
  readonly reach: Range | null;
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
    return { condition, askedTo, from, to: askedTo, days: 0, history: null, reach: null, begun: null };
  // The days of the first and of the last moment are not whole.
  const [begun, whole] = [
    localDate(start, timezone).add({ days: 1 }),
    localDate(until, timezone).subtract({ days: 1 }),
  ];
  const to = Temporal.PlainDate.compare(askedTo, whole) < 0 ? askedTo : whole;
  const days = Math.max(0, lengthOf(from, to));
  const asked = { condition, askedTo, from, to, days, begun };
  if (days === 0 || Temporal.PlainDate.compare(from, begun) <= 0)
    return { ...asked, history: null, reach: null };
  const rangeOf = (before: number, last: Temporal.PlainDate) => {
    const earliest = from.subtract({ days: before });
    const first = Temporal.PlainDate.compare(earliest, begun) < 0 ? begun : earliest;
    return readRange({ from_date: first.toString(), to_date: last.toString() }, timezone);
  };
  const longest = from.add({ days: MOST_DAYS - 1 });
  return {
    ...asked,
    history:
      lengthOf(from, askedTo) > MOST_DAYS ? null : rangeOf(BEFORE_DAYS + MOST_PLACEBOS * stepOf(days), to),
    reach: rangeOf(neededDays(MOST_DAYS), Temporal.PlainDate.compare(longest, whole) < 0 ? longest : whole),
  };
}

/** All days of a range, however many there are. */
export function datesOf({ firstDate, lastDate }: Range): string[] {
  return Array.from({ length: lengthOf(firstDate, lastDate) }, (_, day) =>
    firstDate.add({ days: day }).toString(),
  );
}

/** The number of days from one to another, both included; 0 or less where there are none. */
export function lengthOf(first: Temporal.PlainDate, last: Temporal.PlainDate): number {
  return first.until(last, { largestUnit: 'day' }).days + 1;
}
