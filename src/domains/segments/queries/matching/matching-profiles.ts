import { InputError } from '../../../../errors.ts';
import type { Conditions, ConditionType } from '../../definitions/conditions.ts';
import type { Condition } from '../../definitions/parse.ts';
import type { EvaluatedAt } from '../condition-periods.ts';
import { consent, interestList, source, subscribedAt, suppressed } from './by-consent.ts';
import { campaign, messagesReceived } from './by-messages.ts';
import {
  averageOrderValue,
  couponUsed,
  firstOrderAt,
  lastOrderAt,
  orderCount,
  orderValueTotal,
} from './by-orders.ts';
import { addedToCart, bought, cartAbandoned, viewed, watched } from './by-products.ts';
import { attribute, birthday, nameDay, randomSplit, tag } from './by-profile.ts';
import { rfmScore, rfmSegment } from './by-rfm.ts';
import { lastActivity, session } from './by-visits.ts';
import type { Matching, MatchingOf } from './matching.ts';

/**
 * Conditions about the profile itself: all but those about saved segments, which are queries of their own.
 */
type OwnType = Exclude<ConditionType, 'segment'>;
export type OwnCondition = Extract<Condition, { readonly type: OwnType }>;

const MATCHING: { readonly [Type in OwnType]: MatchingOf<Type> } = {
  interest_list: interestList,
  consent,
  suppressed,
  subscribed_at: subscribedAt,
  source,
  last_activity: lastActivity,
  order_count: orderCount,
  order_value_total: orderValueTotal,
  average_order_value: averageOrderValue,
  first_order_at: firstOrderAt,
  last_order_at: lastOrderAt,
  bought,
  viewed,
  added_to_cart: addedToCart,
  cart_abandoned: cartAbandoned,
  watched,
  rfm_segment: rfmSegment,
  rfm_score: rfmScore,
  campaign,
  messages_received: messagesReceived,
  session,
  tag,
  attribute,
  birthday,
  name_day: nameDay,
  coupon_used: couponUsed,
  random_split: randomSplit,
};

/** These are stored only as they are now: nobody knows what they were in the past. */
const NOW_ALONE: readonly ConditionType[] = [
  ...(['interest_list', 'source', 'last_activity', 'cart_abandoned'] as const),
  ...(['tag', 'attribute'] as const),
];

/**
 * Finds the people of a condition, before `negate` is applied.
 *
 * @throws InputError that begins with the field of the block that cannot be evaluated
 */
export function matchingProfiles({ type, block }: OwnCondition, at: EvaluatedAt): Matching {
  if (at.isPast && NOW_ALONE.includes(type)) {
    throw new InputError(
      `type: ${type} is known as it is now alone, and not as it was when the days began`,
      'Ask for the last days, or without it.',
    );
  }
  const matching = MATCHING[type] as (block: Conditions[OwnType], at: EvaluatedAt) => Matching;
  return matching(block, at);
}
