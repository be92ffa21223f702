import type { ConditionType } from '../../domains/segments/definitions/conditions.ts';
import { CAMPAIGN_TYPES } from '../../store/campaign-kinds.ts';

interface Meaning {
  /** What its field `value` holds, and other fields of its own; empty: nothing but the operator. */
  readonly value: string;
  readonly meaning: string;
}

const MONEY = 'money';
const PRODUCTS = '`of`: {`product`, `master_product`, `category`, `brand`: ids or names}';

/** What each condition means, which its schema does not say. */
export const MEANINGS: Readonly<Record<ConditionType, Meaning>> = {
  interest_list: { value: 'codes of lists (any)', meaning: 'membership of a list' },
  consent: {
    value:
      '{`channel`: email or sms, `state`}; states: subscribed, pending, unsubscribed, bounced, complained, suppressed, never_subscribed',
    meaning: 'consent for a channel as a whole',
  },
  suppressed: { value: 'true or false', meaning: 'hard bounce, complaint, or by hand' },
  subscribed_at: {
    value: 'a date, for before and after; `channel`: email or sms (either)',
    meaning: 'when it first subscribed',
  },
  source: { value: 'keys of sources, ids or names of popups', meaning: 'how the profile was acquired' },
  last_activity: { value: '', meaning: 'the latest session, click, human open or order' },
  order_count: { value: 'whole number', meaning: 'valid orders' },
  order_value_total: { value: MONEY, meaning: 'sum of valid orders' },
  average_order_value: { value: MONEY, meaning: 'mean of valid orders' },
  first_order_at: { value: '', meaning: 'the first valid order' },
  last_order_at: { value: '', meaning: 'the latest valid order' },
  bought: { value: PRODUCTS, meaning: 'lines of valid orders' },
  viewed: { value: 'as bought; `min_count` (1)', meaning: 'views of product pages' },
  added_to_cart: { value: 'as bought', meaning: 'put into the cart' },
  cart_abandoned: { value: '', meaning: 'a cart without an order for 60 minutes' },
  watched: { value: 'as bought', meaning: 'wish list, or asked to be told of it' },
  rfm_segment: {
    value: '{`rfm_profile_id` (the default one), `segments`: keys}',
    meaning: 'the RFM segment now, see analytics://rfm-segments',
  },
  rfm_score: {
    value: '{`rfm_profile_id`, `dimension`: recency, frequency or monetary, `score`: 1 to 5}',
    meaning: 'one RFM score now',
  },
  campaign: {
    value: `ids of campaigns, or \`campaign_type\`: any of ${CAMPAIGN_TYPES.join(', ')}; \`link\`: only these (ids or URLs), for clicks`,
    meaning: 'what the profile did with a campaign; human events only',
  },
  messages_received: {
    value: 'whole number; `channel`: email or sms (both)',
    meaning: 'messages delivered to it',
  },
  session: {
    value: 'whole number (1); `channel`, `source`, `landing_page`, as session_statistics names them',
    meaning: 'visits of the shop, without suspected bots',
  },
  tag: { value: 'a name, or {`name`, `data`}', meaning: 'a tag of the profile' },
  attribute: {
    value: '{`name`, `value`}',
    meaning: 'country, language, gender, birthday and others of the profile',
  },
  birthday: { value: 'days', meaning: 'the birthday is within so many days' },
  name_day: { value: 'days', meaning: 'the name day is within so many days' },
  coupon_used: { value: 'codes', meaning: 'a coupon of a valid order' },
  segment: { value: 'ids of segments', meaning: 'a saved segment; circles are refused' },
  random_split: {
    value: '{`from`, `to`: 0 to 100, `seed`}',
    meaning: 'a part by chance, always the same people: hold-outs, A/B',
  },
};
