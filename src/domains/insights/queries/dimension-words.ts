import type { PlainKey } from '../../../answers/sentences.ts';

/** What pages call the dimensions by which findings are told. */
export const DIMENSIONS: Readonly<Record<string, PlainKey>> = {
  channel: 'overview.filter.channel',
  country: 'overview.filter.country',
  currency: 'dim.currency',
  customer_type: 'dim.customer_type',
  payment_method: 'dim.payment_method',
  shipping_method: 'dim.shipping_method',
  device: 'dim.device',
  source_medium: 'dim.source_medium',
  campaign: 'dim.campaign',
  product: 'overview.filter.product',
  brand: 'dim.brand',
  category: 'overview.filter.category',
  coupon: 'overview.filter.coupon',
  landing_page: 'dim.landing_page',
  referrer_domain: 'dim.referrer_domain',
  campaign_type: 'dim.campaign_type',
};
