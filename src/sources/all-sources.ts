import { ecbReferenceRates } from './ecb/reference-rates.ts';
import { googleMerchantFeed } from './feeds/google-merchant.ts';
import { heurekaFeed } from './feeds/heureka.ts';
import { facebookAdsAirbyte } from './fivetran/airbyte-facebook-ads.ts';
import { facebookAdsFivetran } from './fivetran/facebook-ads.ts';
import { googleAdsFivetran } from './fivetran/google-ads.ts';
import { klaviyoFivetran } from './fivetran/klaviyo.ts';
import { mailchimpFivetran } from './fivetran/mailchimp.ts';
import { shopifyFivetran } from './fivetran/shopify.ts';
import { ga4Events } from './ga4/events.ts';
import { hasField, resourcesOf } from './json-resources.ts';
import { klaviyoEvents } from './klaviyo/events.ts';
import { mailchimpMembers } from './mailchimp/members.ts';
import { segmentCalls } from './segment/segment.ts';
import { shopifyCustomers } from './shopify/customers.ts';
import { shopifyJson } from './shopify/json.ts';
import { shopifyOrders } from './shopify/orders.ts';
import { shopifyProducts } from './shopify/products.ts';
import { shoptetOrders } from './shoptet/orders.ts';
import type { Source } from './source.ts';
import { woocommerceJson } from './woocommerce/json.ts';
import { isTranslatedProductExport, woocommerceProducts } from './woocommerce/products-csv.ts';

export const SOURCES: readonly Source[] = [
  // It comes before the others: its pages and items may hold anything that they are told by.
  ga4Events,
  segmentCalls,
  shopifyOrders,
  shopifyProducts,
  shopifyCustomers,
  shopifyJson,
  shopifyFivetran,
  woocommerceJson,
  woocommerceProducts,
  shoptetOrders,
  klaviyoEvents,
  klaviyoFivetran,
  mailchimpMembers,
  mailchimpFivetran,
  googleAdsFivetran,
  facebookAdsFivetran,
  facebookAdsAirbyte,
  googleMerchantFeed,
  heurekaFeed,
  ecbReferenceRates,
];

/** Reports that look like data of a shop, and cannot be. */
interface RefusedReport {
  readonly title: string;
  /**
   * @param header the names of its columns, in lower case
   * @param documents of JSON: those that the text begins with
   */
  isIt(header: ReadonlySet<string>, text: string, documents: readonly unknown[]): boolean;
  /** What to export instead. */
  readonly instead: string;
}

const ORDERS_OF_SHOPIFY =
  'export the orders (admin: Orders, Export, CSV for Excel, Numbers or other programs)';

/** Titles of what Shopify's reports of sales are by. Those of other systems have sums of the same names. */
const OF_SHOPIFY = [
  ...[
    'product title',
    'variant sku',
    'product variant sku',
    'product title at time of sale',
    'product vendor',
  ],
  ...[
    'day',
    'month',
    'week',
    'hour',
    'sales channel',
    'billing country',
    'order name',
    'discount name',
    'discounts',
  ],
  ...['pos location name', 'customer name', 'traffic referrer source', 'referrer source'],
];

/** The titles that tell the reports that WooCommerce's Analytics offers for download. */
const ANALYTICS_OF_WOOCOMMERCE = [
  ['order #', 'net sales'],
  ['order #', 'customer type'],
  ['gross sales', 'returns', 'coupons', 'net sales'],
  ['items sold', 'net sales', 'orders'],
  ['coupon code', 'amount discounted', 'orders'],
  ['tax code', 'total tax', 'order tax'],
  ['username', 'last active', 'total spend'],
];

export const REFUSED_REPORTS: readonly RefusedReport[] = [
  {
    title: 'a report of WooCommerce Analytics',
    isIt: (header) => ANALYTICS_OF_WOOCOMMERCE.some((names) => names.every((name) => header.has(name))),
    instead: `it has sums, and no orders and products as they are; export the orders with a plugin (docs/sources/woocommerce-csv.md), or save the answers of /wc/v3/orders (docs/sources/woocommerce-json.md)`,
  },
  {
    title: 'a sales report of Shopify',
    isIt: (header) =>
      (header.has('total sales') || header.has('net sales')) &&
      !header.has('lineitem name') &&
      OF_SHOPIFY.some((name) => header.has(name)),
    instead: `it has sums without orders; ${ORDERS_OF_SHOPIFY}`,
  },
  {
    title: "Shopify's inventory",
    isIt: (header) => header.has('handle') && header.has('location') && !header.has('variant price'),
    instead: 'it has no prices; export the products (admin: Products, Export)',
  },
  {
    title: 'a report of Google Analytics',
    isIt: (_, text) => /^\uFEFF?# -{3,}/.test(text),
    instead: 'it has sums without visits; use the BigQuery export of the property',
  },
  {
    title: 'an export of Universal Analytics',
    isIt: (header, text) =>
      header.has('fullvisitorid') ||
      /"fullVisitorId"\s*:/.test(text) ||
      header.has('default channel grouping') ||
      (header.has('bounce rate') && header.has('sessions')),
    instead: 'it has sums without visits; use the BigQuery export of a GA4 property',
  },
  {
    title: 'a report of WooCommerce Analytics',
    isIt: (_header, _text, documents) =>
      resourcesOf(documents, ['data']).some((resource) =>
        hasField(
          resource,
          ...['items_sold', 'num_items_sold', 'net_revenue', 'net_total', 'avg_order_value', 'extended_info'],
        ),
      ),
    instead:
      'it has sums, and no orders and products as they are; save the answers of /wc/v3/orders and /wc/v3/products (docs/sources/woocommerce-json.md)',
  },
  {
    title:
      'a product export of WooCommerce in a language that is not known, or with a part of its columns renamed',
    isIt: isTranslatedProductExport,
    instead:
      'the names of its columns are known in English, German, French, Spanish, Italian, Polish, Czech, Dutch, Portuguese and Russian; choose English under Users, Profile, Language, and export it again (docs/sources/woocommerce-products-csv.md)',
  },
  {
    title: "Magento's invoices or credit memos",
    isIt: (header) => ['increment_id', 'order_id', 'base_grand_total'].every((name) => header.has(name)),
    instead: 'they are parts of orders; export the table sales_order (docs/sources/magento.md)',
  },
  {
    title: "Magento's carts",
    isIt: (header) => header.has('reserved_order_id') && header.has('base_grand_total'),
    instead: 'a cart is no order; export the table sales_order (docs/sources/magento.md)',
  },
  {
    title: 'a report of Google Ads without days',
    isIt: (header) =>
      header.has('campaign') &&
      header.has('cost') &&
      (header.has('clicks') || header.has('impr.')) &&
      !header.has('day'),
    instead: 'its costs are of a whole period; segment it by day (Segment, Time, Day) and download it again',
  },
  {
    title: 'a report of Meta without days',
    isIt: (header) =>
      header.has('campaign name') && [...header].some((name) => name.startsWith('amount spent (')),
    instead:
      'its costs are of a whole period; break it down by day (Breakdown, By time, Day) and export it again',
  },
  {
    title: "PrestaShop's combinations",
    isIt: (header) => header.has('product id*') && header.has('impact on price'),
    instead:
      'they say what is added to prices of products, not prices; import the products (docs/sources/prestashop.md)',
  },
  {
    title: "PrestaShop's categories",
    isIt: (header) => header.has('category id') && header.has('parent category'),
    instead: 'categories come with the products (docs/sources/prestashop.md)',
  },
  {
    title: 'campaign results of Klaviyo',
    isIt: (header) => header.has('campaign name') && header.has('total recipients'),
    instead: 'sums of a campaign are no sends; export the events (docs/sources/klaviyo-events-json.md)',
  },
];
