import type { Row } from '../../sql/row.ts';
import type { Periods } from '../periods.ts';
import { emptyRow, type Metric } from './metric.ts';

/** Every period, also one without what is counted; null where no periods are asked for. */
export function zeroFilled(
  periods: Periods | null,
  metrics: readonly Metric[],
  buckets: readonly Row[],
): object[] | null {
  if (periods === null) return null;
  const byStart = new Map(buckets.map((bucket) => [bucket.period_start, bucket]));
  return periods.list.map((period) => ({
    ...emptyRow(metrics),
    ...byStart.get(period.period_start),
    ...period,
  }));
}
