/** Arguments with which each tool answers on the hand-made shop. */
export function sampleArguments(tool: string, business_id: string): Record<string, unknown> {
  if (tool === 'list_businesses') return {};
  if (tool === 'get_product') return { business_id, external_product_id: 'P1' };
  if (/^(get_campaign|campaign_variant)/.test(tool)) return { business_id, campaign_id: 'C1' };
  if (tool === 'get_segment') return { business_id, segment_id: 'S1' };
  if (tool === 'estimate_segment_query') return { business_id, segment_query: SAMPLE_QUERY };
  if (WITHOUT_RANGE.includes(tool)) return { business_id };
  const range = { business_id, from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };
  return { ...range, ...FURTHER[tool] };
}

const SAMPLE_QUERY = {
  segments: [{ targetingBlocks: [{ type: 'bought', of: { product: ['P1'] }, period: { last_days: 365 } }] }],
};

const WITHOUT_RANGE = [
  'list_product_categories',
  'list_product_brands',
  'list_products',
  'list_rfm_profiles',
  'get_rfm_profile',
  'rfm_segment_statistics',
  'list_campaigns',
  'list_segments',
  'list_interest_lists',
];

const FURTHER: Readonly<Record<string, object>> = {
  order_distribution_statistics: { dimension: 'weekday' },
  order_statistics_trend: { breakdown: 'month' },
  session_statistics_trend: { breakdown: 'month' },
  product_statistics_trend: { breakdown: 'month', external_product_ids: ['P1', 'P2'] },
  category_statistics_trend: { breakdown: 'month', categories: ['Trička'] },
  brand_statistics_trend: { breakdown: 'month', brands: ['Acme'] },
  subscriber_statistics_trend: { breakdown: 'month' },
  rfm_segment_statistics_trend: { breakdown: 'month' },
  campaign_statistics_trend: { breakdown: 'month', campaign_ids: ['C1'] },
  master_product_statistics_trend: { breakdown: 'month', external_master_product_ids: ['M1'] },
};
