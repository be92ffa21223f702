import type { Tool } from '../src/tools/tool.ts';

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
  master_product_statistics_trend: { ...QUARTER, external_master_product_ids: ['M001'], breakdown: 'month' },
  repeat_purchase_cycle: YEAR,
  first_purchase_cohorts: YEAR,
  order_distribution_statistics: { dimension: 'weekday' },
  product_affinity_statistics: { ...YEAR, limit: 2 },
  session_statistics_trend: { ...QUARTER, breakdown: 'month' },
  rfm_segment_statistics_trend: { ...QUARTER, breakdown: 'month' },
  list_products: { search: 'backpack', limit: 2 },
  get_product: { external_product_id: 'P00123' },
};
