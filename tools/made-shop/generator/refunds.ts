import { momentText } from './calendar.ts';
import { moneyText } from './money.ts';
import type { Order } from './orders.ts';
import type { RefundRow } from './tables.ts';
import type { World } from './world.ts';

/**
 * Money given back: all of it when an order paid in advance is cancelled, all but the shipping when it is
 * returned, a part of it for some fulfilled orders.
 */
export function makeRefunds(world: World, orders: readonly Order[]): RefundRow[] {
  const stream = world.stream('refunds');
  const refunds: { at: number; order_id: string; amount: number }[] = [];
  for (const { row, at, total, shipping } of orders) {
    const after = stream.int(4 * 86_400, 24 * 86_400);
    const share = stream.chance(0.02) ? stream.int(10, 60) : 0;
    const refunded_at = row.status === 'cancelled' ? at + 4 * 86_400 : at + after;
    const amount = {
      cancelled: row.payment_method === 'cash-on-delivery' ? 0 : total,
      returned: total - shipping,
      fulfilled: Math.floor((total * share) / 100),
      paid: 0,
      pending: 0,
    }[row.status];
    if (amount > 0 && refunded_at <= world.end)
      refunds.push({ at: refunded_at, order_id: row.order_id, amount });
  }
  refunds.sort((a, b) => a.at - b.at);
  return refunds.map(({ at, order_id, amount }, index) => ({
    refund_id: `R${String(index + 1).padStart(7, '0')}`,
    order_id,
    refunded_at: momentText(at),
    amount: moneyText(amount),
  }));
}
