import type { Period, Periods } from '../time/periods.ts';
import type { ObjectOf } from './fields/field.ts';
import { emptyRow, type Metric } from './metric.ts';

/** Every period, also one without what is counted. */
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
