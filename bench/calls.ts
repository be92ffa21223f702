/** What the benchmarks ask: each tool on the real demo store, over half a year, as an agent would. */
export const BUSINESS = '0a11e7a1-0000-4000-8000-000000000001';

const range = { business_id: BUSINESS, from_date: '2011-01-01T00:00:00', to_date: '2011-06-30T23:59:59' };

export const CALLS: Readonly<Record<string, object>> = {
  list_businesses: {},
  order_statistics: range,
  order_statistics_trend: { ...range, breakdown: 'month' },
  product_statistics: range,
  product_statistics_trend: {
    ...range,
    breakdown: 'month',
    external_product_ids: ['85123A', '22423', '47566'],
  },
  category_statistics: range,
  category_statistics_trend: { ...range, breakdown: 'month', categories: ['none here'] },
  brand_statistics: range,
  brand_statistics_trend: { ...range, breakdown: 'month', brands: ['none here'] },
  master_product_statistics: range,
  master_product_statistics_trend: {
    ...range,
    breakdown: 'month',
    external_master_product_ids: ['85123A', '22423'],
  },
  repeat_purchase_cycle: range,
  first_purchase_cohorts: range,
  order_distribution_statistics: { ...range, dimension: 'weekday_hour' },
  product_affinity_statistics: { ...range, level: 'product' },
  session_statistics: range,
  session_statistics_trend: { ...range, breakdown: 'month' },
  journey_statistics: range,
  channel_transition_matrix: range,
  subscriber_statistics: range,
  subscriber_statistics_trend: { ...range, breakdown: 'month' },
  interest_list_statistics: range,
  list_rfm_profiles: { business_id: BUSINESS },
  get_rfm_profile: { business_id: BUSINESS },
  rfm_segment_statistics: { business_id: BUSINESS },
  rfm_segment_statistics_trend: { ...range, breakdown: 'month' },
  rfm_segment_transitions: range,
  list_product_categories: { business_id: BUSINESS },
  list_product_brands: { business_id: BUSINESS },
  list_products: { business_id: BUSINESS, search: 'white heart' },
  get_product: { business_id: BUSINESS, external_product_id: '85123A' },
};
