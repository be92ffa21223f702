// The segment of a customer in first_purchase_cohorts, taken from the first valid order.
import type { Line } from './order-lines.ts';
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

/** Value of the segment; null when the cohorts are not split. */
export function segmentOf(shop: Shop, firstOrder: Order, segmentBy: SegmentBy): string | null {
  if (segmentBy === 'none') return null;
  if (segmentBy === 'country') return firstOrder.country ?? notSet;
  if (segmentBy === 'first_coupon') return firstOrder.firstCoupon ?? notSet;
  const productId = leadingProduct(shop, firstOrder);
  if (productId === null) return notSet;
  if (segmentBy === 'first_product') return productId;
  const product = shop.products.get(productId);
  if (segmentBy === 'first_category') return product?.categories[0] ?? notSet;
  return product?.brand ?? notSet;
}

/** Product of the order's line with the highest revenue; the lowest line_no of equal ones. */
function leadingProduct(shop: Shop, order: Order): string | null {
  let leading: Line | null = null;
  for (const line of shop.lines) {
    if (line.order !== order) continue;
    if (
      leading === null ||
      line.revenue > leading.revenue ||
      (line.revenue === leading.revenue && line.lineNo < leading.lineNo)
    ) {
      leading = line;
    }
  }
  return leading?.productId ?? null;
}

/** The values with the most customers; equal counts in ascending order of the value. */
export function topSegments(segments: string[], limit: number): Set<string> {
  const counts = new Map<string, number>();
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || compareText(a, b));
  return new Set(ranked.slice(0, limit).map(([segment]) => segment));
}
