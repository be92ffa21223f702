import type { Row } from '../../sql/row.ts';
import type { Periods } from '../periods.ts';
import { emptyRow, type Metric } from './metric.ts';

/** Every period, also one without what is counted. */
export function zeroFilled({ list }: Periods, metrics: readonly Metric[], buckets: readonly Row[]): Row[] {
  const byStart = new Map(buckets.map((bucket) => [bucket.period_start, bucket]));
  return list.map((period) => ({
    ...emptyRow(metrics),
    ...byStart.get(period.period_start),
    ...period,
  }));
}
