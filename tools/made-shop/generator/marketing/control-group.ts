import { type RandomStream, at as valueAt } from '../random-stream.ts';
import type { OrdersByCustomer } from './audiences.ts';
import type { Recipient } from './recipients.ts';

/** How long orders count after a message that somebody got, or was left out of. */
const liftWindow = 7 * 86_400;

export function ordersWithin({ customer }: Recipient, at: number, orders: OrdersByCustomer): number {
  if (customer === null) return 0;
  return (orders.get(customer) ?? []).filter((order) => order.at > at && order.at <= at + liftWindow).length;
}

/**
 * Chooses those who are left out of a message to compare with. The shop's orders are given, so that the
 * message has an effect it is the group that is chosen: those left out buy a tenth less often.
 */
export function chooseControlGroup(
  stream: RandomStream,
  members: readonly Recipient[],
  share: number,
  at: number,
  orders: OrdersByCustomer,
): Set<Recipient> {
  const buyers = members.filter((member) => ordersWithin(member, at, orders) > 0);
  const others = members.filter((member) => ordersWithin(member, at, orders) === 0);
  const size = Math.round((members.length * share) / 100);
  const alike = (buyers.length * share) / 100;
  const buying = Math.max(0, Math.min(Math.round(alike / 1.12), Math.ceil(alike) - 1));
  return new Set([...drawSome(stream, buyers, buying), ...drawSome(stream, others, size - buying)]);
}

function drawSome<T>(stream: RandomStream, values: readonly T[], count: number): T[] {
  const left = [...values];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const index = stream.int(0, left.length - 1);
    const drawn = valueAt(left, index);
    left[index] = valueAt(left, left.length - 1);
    left.pop();
    return drawn;
  });
}
