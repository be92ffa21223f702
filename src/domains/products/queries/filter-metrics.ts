import type { Metric } from '../../../answers/metric.ts';
import { InputError } from '../../../errors.ts';
import { all, identifier, parameter, type Sql, sql } from '../../../sql/sql.ts';

/** The metrics that `filter_metrics` names, over all tools. */
export const FILTERABLE_METRICS = [
  'unique_orders_count',
  'new_orders_count',
  'returning_orders_count',
  'total_quantity',
  'estimated_revenue',
  'unique_customers_count',
  'new_customers_count',
  'returning_customers_count',
  'avg_order_value',
  'impressions',
  'reach',
  'total_engagement_time_s',
  'total_engagement_score',
  'avg_engagement_time_s',
  'avg_engagement_score',
  'conversion_rate',
  'price',
  'purchase_price',
  'gross_profit',
  'gross_profit_margin',
  'estimated_gross_profit',
  'first_order_occurrences',
  'second_order_occurrences',
  'products_count',
  'avg_price',
  'avg_gross_profit_margin',
  'net_revenue',
  'revenue_with_known_cost',
  'estimated_gross_profit_margin',
  'refunded_quantity',
  'refunded_revenue',
  'return_rate',
  'refunded_quantity_by_refund_date',
  'refunded_revenue_by_refund_date',
] as const;

export interface MetricRangeFilter {
  readonly metric: string;
  readonly from_value: number | null;
  readonly to_value: number | null;
}

/**
 * The condition that keeps rows whose values lie within all bounds, inclusive; a null value lies in none.
 *
 * @throws InputError when a filter has no bound or names a metric that these rows do not have
 */
export function metricsCondition(
  filters: readonly MetricRangeFilter[] | null,
  metrics: readonly Metric[],
): Sql {
  return all((filters ?? []).flatMap((filter, index) => boundsOf(filter, index, metrics)));
}

function boundsOf(filter: MetricRangeFilter, index: number, metrics: readonly Metric[]): Sql[] {
  const { from_value, to_value } = filter;
  if (from_value === null && to_value === null) {
    throw new InputError(`filter_metrics[${index}]: at least one of from_value and to_value must be set`);
  }
  const metric = metrics.find(({ key }) => key === filter.metric);
  if (metric === undefined) {
    const keys = metrics
      .map(({ key }) => key)
      .filter((key) => FILTERABLE_METRICS.some((one) => one === key))
      .join(', ');
    throw new InputError(
      `filter_metrics[${index}]: rows of this tool do not have the metric ${filter.metric}; they have ${keys}`,
    );
  }
  const column = identifier(metric.key);
  return [
    ...(from_value === null ? [] : [sql`${column} >= ${parameter.number(from_value)}`]),
    ...(to_value === null ? [] : [sql`${column} <= ${parameter.number(to_value)}`]),
  ];
}
