/** What a campaign is for: campaigns are compared within one category, not across. */
export interface CampaignCategory {
  readonly key: string;
  readonly name: string;
  /** Names of triggers that make an automation one of this category when nothing else says it. */
  readonly triggers: readonly string[];
}

function category(key: string, name: string, triggers: readonly string[] = []): CampaignCategory {
  return { key, name, triggers: [key, ...triggers] };
}

export const CAMPAIGN_CATEGORIES: readonly CampaignCategory[] = [
  category('newsletter', 'Newsletter'),
  category('promotion', 'Promotion'),
  category('sale', 'Sale'),
  category('product_launch', 'Product launch'),
  category('content', 'Content'),
  category('seasonal', 'Seasonal'),
  category('survey', 'Survey'),
  category('winback_oneoff', 'One-off win-back'),
  category('welcome', 'Welcome', ['subscribed', 'subscribe', 'signup', 'registration', 'registered']),
  category('abandoned_cart', 'Abandoned cart', [
    'cart_abandoned',
    'abandoned_checkout',
    'checkout_abandoned',
  ]),
  category('abandoned_browse', 'Abandoned browse', [
    'browse_abandoned',
    'browse_abandonment',
    'viewed_product',
  ]),
  category('post_purchase', 'After the purchase', ['order', 'order_placed', 'placed_order', 'purchase']),
  category('cross_sell', 'Cross-sell', ['upsell', 'recommendation']),
  category('replenishment', 'Replenishment', ['repurchase', 'reorder']),
  category('review_request', 'Review request', ['review', 'rating']),
  category('winback', 'Win-back', ['inactive', 'inactivity', 'lapsed', 'reactivation']),
  category('birthday', 'Birthday'),
  category('name_day', 'Name day'),
  category('back_in_stock', 'Back in stock', ['restock', 'watchdog']),
  category('price_drop', 'Price drop', ['price_dropped']),
  category('vip_loyalty', 'Loyalty', ['vip', 'loyalty']),
  category('double_opt_in', 'Double opt-in', ['confirmation', 'opt_in_confirmation']),
  category('transactional', 'Transactional', ['order_confirmation', 'shipping', 'order_shipped', 'invoice']),
  category('popup_lead', 'Popup with a form'),
  category('popup_info', 'Popup that informs'),
  category('other', 'Other'),
];
