import { z } from 'zod';
import {
  numberBound,
  oneOf,
  pagingArguments,
  rangeArguments,
  sortArguments,
  tooMany,
} from '../../answers/arguments.ts';
import type { Metric } from '../../answers/metric.ts';
import { FILTERABLE_METRICS } from './queries/filter-metrics.ts';

/**
 * The arguments of the four listing tools: range, sorting by any metric of the row, paging, metric filters.
 */
export function listingArguments(metrics: readonly Metric[]) {
  const columns = metrics.map(({ key }) => key) as [string, ...string[]];
  return {
    ...rangeArguments,
    ...sortArguments(columns, { sort_by: 'unique_orders_count', sort_order: 'desc' }),
    // Listed as text, since filter_metrics beside it lists the metrics; checked against those that the rows
    // have.
    sort_by: z
      .string()
      .pipe(oneOf('sort_by', columns))
      .default('unique_orders_count')
      .describe('A metric of rows.'),
    ...pagingArguments(),
    filter_metrics: z
      .array(
        z.strictObject({
          metric: z.enum(FILTERABLE_METRICS, { error: 'unknown metric' }),
          from_value: numberBound(),
          to_value: numberBound(),
        }),
      )
      .max(100, tooMany(100))
      .nullable()
      .default(null)
      .describe('Inclusive; total_quantity to 0: not sold.'),
  };
}
