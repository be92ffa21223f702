import type { OrdersInSessions } from '../../business/snapshot-facts.ts';
import type { Session } from '../../store/duckdb-session.ts';

/**
 * How many valid orders were placed in a session, and how many of these name none.
 *
 * @param session holds the model
 */
export async function ordersInSessions(session: Session): Promise<OrdersInSessions | null> {
  const { orders_count, without_name_count } = await session.row(`
    select count(own_session_key) + count(own_session_by_time_key) as orders_count,
      count(own_session_by_time_key) as without_name_count
    from order_traffic`);
  const counted = Number(orders_count);
  return counted === 0 ? null : { orders_count: counted, without_name_count: Number(without_name_count) };
}
