import type { Tool } from '../src/answers/tool.ts';

/** The made shop of the demo. */
const BUSINESS = '0a11e7a1-0000-4000-8000-000000000002';
const QUARTER = { from_date: '2026-07-01T00:00:00', to_date: '2026-09-30T23:59:59' };
const YEAR = { from_date: '2025-10-01T00:00:00', to_date: '2026-09-30T23:59:59' };

/** A question to the made shop for each tool: what a merchant would ask after September 2026. */
export function exampleArguments(tool: Tool): Record<string, unknown> {
  if (tool.scope === 'account') return {};
  const isRangeNeeded = tool.input.shape.from_date?.safeParse(undefined).success === false;
  const range = isRangeNeeded ? { from_date: '2026-09-01T00:00:00', to_date: '2026-09-30T23:59:59' } : {};
  return { business_id: BUSINESS, ...range, ...FURTHER[tool.name] };
}

const FURTHER: Readonly<Record<string, object>> = {
  order_statistics_trend: { ...QUARTER, breakdown: 'month' },
  product_statistics: { sort_by: 'estimated_revenue', limit: 2 },
  product_statistics_trend: { ...QUARTER, external_product_ids: ['P00123'], breakdown: 'month' },
  category_statistics: { limit: 2 },
  category_statistics_trend: { ...QUARTER, categories: ['Backpacks > Day'], breakdown: 'month' },
  brand_statistics: { limit: 2 },
  brand_statistics_trend: { ...QUARTER, brands: ['Altiva'], breakdown: 'month' },
  master_product_statistics: { limit: 2 },
  master_product_statistics_trend: {
    ...QUARTER,
    external_master_product_ids: ['M00128'],
    breakdown: 'month',
  },
  repeat_purchase_cycle: YEAR,
  first_purchase_cohorts: YEAR,
  order_distribution_statistics: { dimension: 'weekday' },
  product_affinity_statistics: { ...YEAR, limit: 2 },
  session_statistics_trend: { ...QUARTER, breakdown: 'month' },
  email_campaign_statistics: { sort_by: 'revenue_per_recipient', limit: 2 },
  email_link_statistics: { limit: 2 },
  sms_campaign_statistics: { limit: 2 },
  subscriber_statistics_trend: { ...QUARTER, breakdown: 'month' },
  rfm_segment_statistics_trend: { ...QUARTER, breakdown: 'month' },
  get_campaign_statistics: { campaign_id: '2026-09-25-posledni-sance' },
  campaign_statistics_trend: { ...QUARTER, campaign_ids: ['auto-vitame'], breakdown: 'month' },
  targeted_campaign_statistics: { ...QUARTER, limit: 2 },
  incremental_campaign_statistics: { limit: 2 },
  popup_campaign_statistics: { limit: 2 },
  campaign_variant_statistics: { campaign_id: '2026-09-15-dekujeme' },
  interest_list_statistics: { limit: 2 },
  list_campaigns: { limit: 2 },
  get_campaign: { campaign_id: '2026-09-25-posledni-sance' },
  get_campaign_content: { campaign_id: '2026-09-25-posledni-sance' },
  get_campaign_targeting: { campaign_id: '2026-09-25-posledni-sance' },
  get_segment: { segment_id: '9c41b2f07de84a5fb0c3e6d8127f5a90' },
  estimate_segment_query: {
    segment_query: {
      segments: [
        {
          targetingBlocks: [
            { type: 'interest_list', operator: 'is_subscribed', value: ['novinky'] },
            { type: 'order_count', operator: 'gte', value: 2, period: { last_days: 365 } },
          ],
        },
      ],
    },
  },
  list_products: { search: 'backpack', limit: 2 },
  get_product: { external_product_id: 'P00123' },
};
