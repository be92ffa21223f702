// What all listing tools do after aggregation: filter on metrics, sort, page.
import type { RangeArguments } from './order-statistics.ts';
import { compareText } from './text-order.ts';

type MetricRangeFilter = {
  metric: string;
  from_value?: number | null | undefined;
  to_value?: number | null | undefined;
};

export type ListingArguments = RangeArguments & {
  sort_by?: string | undefined;
  sort_order?: 'asc' | 'desc' | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
  filter_metrics?: MetricRangeFilter[] | null | undefined;
};

/** Null and an empty array are no filter. */
export function isSelected(value: string, filter: string[] | null | undefined): boolean {
  return filter === undefined || filter === null || filter.length === 0 || filter.includes(value);
}

export function isAnySelected(values: string[], filter: string[] | null | undefined): boolean {
  if (filter === undefined || filter === null || filter.length === 0) return true;
  return values.some((value) => filter.includes(value));
}

/** The metrics that a row shows as 0, since the contract knows no null there, but that are not known. */
export const unknownMetrics = Symbol('unknown metrics');

/** Value of a numeric column of a row as it is returned. */
function metricOf(row: object, metric: string): number | null {
  if ((row as { [unknownMetrics]?: string[] })[unknownMetrics]?.includes(metric)) return null;
  const value: unknown = (row as Record<string, unknown>)[metric];
  if (value === null || typeof value === 'number') return value;
  throw new Error(`the rows have no metric ${metric}`);
}

function passes(row: object, filter: MetricRangeFilter): boolean {
  const value = metricOf(row, filter.metric);
  if (value === null) return false;
  if (typeof filter.from_value === 'number' && value < filter.from_value) return false;
  return !(typeof filter.to_value === 'number' && value > filter.to_value);
}

/** The rows that pass the filters on metrics. */
export function matching<R extends object>(rows: R[], { filter_metrics }: ListingArguments): R[] {
  return rows.filter((row) => (filter_metrics ?? []).every((filter) => passes(row, filter)));
}

/** The page of rows that a listing tool returns. */
export function page<R extends object>(
  rows: R[],
  identityOf: (row: R) => string,
  args: ListingArguments,
): R[] {
  const kept = matching(rows, args);
  const sortBy = args.sort_by ?? 'unique_orders_count';
  const direction = (args.sort_order ?? 'desc') === 'asc' ? 1 : -1;
  kept.sort((a, b) => {
    const x = metricOf(a, sortBy);
    const y = metricOf(b, sortBy);
    if (x !== y) {
      if (x === null) return 1; // nulls last in both orders
      if (y === null) return -1;
      return x < y ? -direction : direction;
    }
    return compareText(identityOf(a), identityOf(b));
  });
  const offset = args.offset ?? 0;
  return kept.slice(offset, offset + (args.limit ?? 10)).map((row) => {
    const { [unknownMetrics]: _, ...shown } = row as R & { [unknownMetrics]?: string[] };
    return shown as R;
  });
}
