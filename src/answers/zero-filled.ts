import type { Period, Periods } from '../time/periods.ts';
import type { ObjectOf } from './fields/field.ts';
import { emptyRow, type Metric } from './metric.ts';

/** Gives a row for every period, also for one in which nothing was counted. */
export function zeroFilled<Metrics extends readonly Metric[]>(
  { list }: Periods,
  metrics: Metrics,
  buckets: readonly (ObjectOf<Metrics> & { readonly period_start: string })[],
): (ObjectOf<Metrics> & Period)[] {
  const byStart = new Map(buckets.map((bucket) => [bucket.period_start, bucket]));
  return list.map((period) => ({
    ...emptyRow(metrics),
    ...byStart.get(period.period_start),
    ...period,
  }));
}
