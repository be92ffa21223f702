// The segments of a customer in first_purchase_cohorts, taken from the first valid order.
import type { Order } from './orders.ts';
import { notSet } from './product-names.ts';
import type { Shop } from './shop.ts';
import { compareText } from './text-order.ts';

export type SegmentBy =
  | 'none'
  | 'first_category'
  | 'first_brand'
  | 'first_product'
  | 'country'
  | 'first_coupon';

export const other = '(other)';

/**
 * Values of the segment, each once; null when the cohorts are not split. Who first ordered two products is in
 * the row of each of them.
 */
export function segmentsOf(shop: Shop, firstOrder: Order, segmentBy: SegmentBy): ReadonlySet<string | null> {
  const values = new Set<string | null>(valuesOf(shop, firstOrder, segmentBy));
  return values.size === 0 ? new Set([notSet]) : values;
}

function valuesOf(shop: Shop, firstOrder: Order, segmentBy: SegmentBy): readonly (string | null)[] {
  if (segmentBy === 'none') return [null];
  if (segmentBy === 'country') return [firstOrder.country ?? notSet];
  if (segmentBy === 'first_coupon') return firstOrder.coupons;
  const ids = shop.lines.filter(({ order }) => order === firstOrder).map(({ productId }) => productId);
  if (segmentBy === 'first_product') return ids;
  if (segmentBy === 'first_category')
    return ids.flatMap((id) => shop.products.get(id)?.categoryNames ?? [notSet]);
  return ids.map((id) => shop.products.get(id)?.brand ?? notSet);
}

/** The values with the most customers; equal counts in ascending order of the value. */
export function topSegments(segments: string[], limit: number): Set<string> {
  const counts = new Map<string, number>();
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || compareText(a, b));
  return new Set(ranked.slice(0, limit).map(([segment]) => segment));
}
