import type { PlainKey } from '../../messages/catalogue.ts';
import type { Messages } from '../../messages/messages.ts';

/** Merchants' words for the rows of a canonical table, or for what a vendor lists. */
const ROWS: Readonly<Record<string, PlainKey>> = {
  ad_costs: 'rows.ad_costs',
  audience_members: 'rows.audience_members',
  calendar_events: 'rows.calendar_events',
  campaign_history: 'rows.campaign_history',
  campaigns: 'rows.campaigns',
  customers: 'rows.profiles',
  consent_events: 'rows.consent_events',
  fx_rates: 'rows.fx_rates',
  identities: 'rows.identities',
  interest_list_events: 'rows.interest_list_events',
  interest_lists: 'rows.interest_lists',
  links: 'rows.links',
  message_events: 'rows.message_events',
  messages: 'rows.messages',
  order_items: 'rows.order_items',
  order_visits: 'rows.order_visits',
  orders: 'rows.orders',
  popup_events: 'rows.popup_events',
  product_events: 'rows.product_events',
  product_prices: 'rows.product_prices',
  products: 'rows.products',
  profiles: 'rows.profiles',
  refund_lines: 'rows.refund_lines',
  refunds: 'rows.refunds',
  rfm_profiles: 'rows.rfm_profiles',
  segments: 'rows.segments',
  sending_domains: 'rows.sending_domains',
  sends: 'rows.sends',
  sessions: 'rows.sessions',
  stock_readings: 'rows.stock_readings',
};

/** `order lines`, for the table order_items. */
export function rowsInWords(table: string, { say }: Messages): string {
  const key = Object.hasOwn(ROWS, table) ? ROWS[table] : undefined;
  return key === undefined ? table.replaceAll('_', ' ') : say(key);
}
