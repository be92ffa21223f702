import type { CAMPAIGN_TYPES } from '../../../store/campaign-kinds.ts';

type CampaignType = (typeof CAMPAIGN_TYPES)[number];

/** What a campaign is for: campaigns are compared within one category, not across. */
interface CampaignCategory {
  readonly key: string;
  readonly name: string;
  /** The types that campaigns of the category usually have. */
  readonly types: readonly CampaignType[];
  readonly aim: string;
  /** The campaigns with which its results are to be compared. */
  readonly compareWith: string;
  /** Names of triggers that make an automation one of this category when nothing else says it. */
  readonly triggers: readonly string[];
}

const ONE_OFF: readonly CampaignType[] = ['targeted-emailing', 'targeted-emailing-ab', 'targeted-sms'];
const AUTOMATION: readonly CampaignType[] = ['incremental-emailing', 'incremental-sms'];
const POPUP: readonly CampaignType[] = ['popup'];

const EARLIER_ONES = 'earlier ones to a like audience';
const ITSELF = 'itself in earlier periods';
const NOTHING = 'nothing by revenue: it meets buyers at the moment of buying; leave it out of rankings';

type Text = Omit<CampaignCategory, 'key' | 'types' | 'triggers'>;

const oneOff = (key: string, name: string, aim: string, compareWith = EARLIER_ONES) =>
  category(key, ONE_OFF, { name, aim, compareWith });

const automation = (
  key: string,
  name: string,
  aim: string,
  triggers: readonly string[] = [],
  compareWith = ITSELF,
) => category(key, AUTOMATION, { name, aim, compareWith }, triggers);

function category(
  key: string,
  types: readonly CampaignType[],
  text: Text,
  triggers: readonly string[] = [],
): CampaignCategory {
  return { key, types, ...text, triggers: [key, ...triggers] };
}

export const CAMPAIGN_CATEGORIES: readonly CampaignCategory[] = [
  oneOff('newsletter', 'Newsletter', 'regular contact with many'),
  oneOff('promotion', 'Promotion', 'sell an offer'),
  oneOff('sale', 'Sale', 'sell at lower prices', 'earlier sales; their orders are often only moved in time'),
  oneOff('product_launch', 'Product launch', 'make new products known'),
  oneOff('content', 'Content', 'be read, not sell', 'earlier ones by clicks, not revenue'),
  oneOff('seasonal', 'Seasonal', 'sell for an occasion', 'the same occasion of the year before'),
  oneOff('survey', 'Survey', 'get answers', 'earlier ones by clicks, not revenue'),
  oneOff(
    'winback_oneoff',
    'One-off win-back',
    'bring back who stopped buying',
    'earlier ones to people as long away',
  ),
  automation('welcome', 'Welcome', 'lead new subscribers to a first order', [
    'subscribed',
    'subscribe',
    'signup',
    'registration',
    'registered',
  ]),
  automation('abandoned_cart', 'Abandoned cart', 'complete an order that was begun', [
    'cart_abandoned',
    'abandoned_checkout',
    'checkout_abandoned',
  ]),
  automation('abandoned_browse', 'Abandoned browse', 'bring back who only looked', [
    'browse_abandoned',
    'browse_abandonment',
    'viewed_product',
  ]),
  automation('post_purchase', 'After the purchase', 'help and thank', [
    'order',
    'order_placed',
    'placed_order',
    'purchase',
  ]),
  automation('cross_sell', 'Cross-sell', 'sell what goes with the last order', ['upsell', 'recommendation']),
  automation('replenishment', 'Replenishment', 'sell again what is used up', ['repurchase', 'reorder']),
  automation('review_request', 'Review request', 'get reviews', ['review', 'rating'], `${ITSELF}, by clicks`),
  automation('winback', 'Win-back', 'bring back who stopped buying', [
    'inactive',
    'inactivity',
    'lapsed',
    'reactivation',
  ]),
  automation('birthday', 'Birthday', 'sell by a gift'),
  automation('name_day', 'Name day', 'sell by a gift'),
  automation('back_in_stock', 'Back in stock', 'sell what was asked for', ['restock', 'watchdog']),
  automation('price_drop', 'Price drop', 'sell what was looked at', ['price_dropped']),
  automation('vip_loyalty', 'Loyalty', 'keep the best customers', ['vip', 'loyalty']),
  automation(
    'double_opt_in',
    'Double opt-in',
    'confirm an address',
    ['confirmation', 'opt_in_confirmation'],
    NOTHING,
  ),
  automation(
    'transactional',
    'Transactional',
    'tell of an order',
    ['order_confirmation', 'shipping', 'order_shipped', 'invoice'],
    NOTHING,
  ),
  category('popup_lead', POPUP, {
    name: 'Popup with a form',
    aim: 'win subscribers',
    compareWith: 'other popups with a form, by submission rate',
  }),
  category('popup_info', POPUP, {
    name: 'Popup that informs',
    aim: 'tell something on the site',
    compareWith: 'other popups that inform',
  }),
  category('other', [...ONE_OFF, ...AUTOMATION], {
    name: 'Other',
    aim: 'not known',
    compareWith: 'nothing as a whole; look at single campaigns',
  }),
];

/**
 * These messages reach people in the middle of buying. An order after an open or a delivery is not the
 * message's merit, so only a click is credited.
 */
export const CREDITED_BY_CLICKS = ['transactional', 'double_opt_in'] as const;
