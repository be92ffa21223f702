import type { Session } from '../store/duckdb-session.ts';
import { plural } from '../text/plural.ts';

/** Systems of a shop, or exports in another time zone, tell the moment of one order a little differently. */
const SAME_ORDER_DAYS = 2;

/**
 * Warns where orders come with the ids of others: a shop that moved to another system begins to count anew,
 * and its order 3 takes the place of the order 3 from before.
 *
 * @param going SQL of rows, among which are those that go for rows of `batch_orders`
 */
export async function tellOfOtherOrders(session: Session, going: string): Promise<string[]> {
  const { count, id, before, after } = await session.row(`
    select count(*) as count, min(order_id) as id,
      cast(min_by(before, order_id) as varchar) as before, cast(min_by(after, order_id) as varchar) as after
    from (
      select batch.order_id, cast(previous.ordered_at as date) as before, cast(batch.ordered_at as date) as after
      from ${going} as previous join batch_orders as batch using (order_id)
      where abs(epoch(batch.ordered_at) - epoch(previous.ordered_at)) > ${SAME_ORDER_DAYS} * 86400)`);
  if (Number(count) === 0) return [];
  return [
    `orders: ${plural(Number(count), 'order is', 'orders are')} of another day than the loaded one with the same id, and replaced it, ` +
      `for example ${id}: ${before}, now ${after}. Orders of another shop, or of a system that the shop had before, need a business of their own; ` +
      'where these are such, go back to the import before',
  ];
}
