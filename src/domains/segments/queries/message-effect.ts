import type { ConditionType } from '../definitions/conditions.ts';
import { conditionsOf, type SegmentQuery } from '../definitions/parse.ts';

const OF_MESSAGES: readonly ConditionType[] = ['campaign', 'messages_received'];
const OF_ORDERS: readonly ConditionType[] = [
  ...(['order_count', 'order_value_total', 'average_order_value', 'first_order_at'] as const),
  ...(['last_order_at', 'bought', 'coupon_used'] as const),
];

/**
 * Notes that people with and without messages differ anyway, since messages go to those who buy and agree to
 * them.
 *
 * @param asksForOrders whether the answer has orders of the people meant
 */
export function messageEffectNotes(queries: readonly SegmentQuery[], asksForOrders: boolean): string[] {
  const types = queries.flatMap((query) => conditionsOf(query).map(({ condition }) => condition.type));
  const has = (some: readonly ConditionType[]) => types.some((type) => some.includes(type));
  if (!has(OF_MESSAGES) || !(asksForOrders || has(OF_ORDERS))) return [];
  return [
    'Nobody was held out at random here: who got or clicked a message differs from who did not anyway, so a difference in orders is not the effect of messages.',
  ];
}
