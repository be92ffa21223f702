import { StoredTable } from './model-table.ts';

/** The canonical tables, as builds name them; what they hold is declared in `src/store/tables`. */
export const stored = {
  orders: new StoredTable('orders'),
  orderItems: new StoredTable('order_items'),
  refunds: new StoredTable('refunds'),
  products: new StoredTable('products'),
  productPrices: new StoredTable('product_prices'),
  profiles: new StoredTable('profiles'),
  identities: new StoredTable('identities'),
  productEvents: new StoredTable('product_events'),
  sessions: new StoredTable('sessions'),
  adCosts: new StoredTable('ad_costs'),
  consentEvents: new StoredTable('consent_events'),
  rfmProfiles: new StoredTable('rfm_profiles'),
  campaigns: new StoredTable('campaigns'),
  campaignHistory: new StoredTable('campaign_history'),
  messages: new StoredTable('messages'),
  links: new StoredTable('links'),
  audienceMembers: new StoredTable('audience_members'),
  sends: new StoredTable('sends'),
  messageEvents: new StoredTable('message_events'),
  interestLists: new StoredTable('interest_lists'),
  interestListEvents: new StoredTable('interest_list_events'),
  popupEvents: new StoredTable('popup_events'),
  segments: new StoredTable('segments'),
  sendingDomains: new StoredTable('sending_domains'),
};
