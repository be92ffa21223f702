import { exampleArguments, MADE_SHOP } from '../../scripts/tool-examples.ts';
import { CATALOGUE } from '../../src/catalogue.ts';

/**
 * What a merchant asks of the made shop of the demo, so that each tool with a chart shows each of its panels.
 */

const MONTH = { from_date: '2026-09-01T00:00:00', to_date: '2026-09-30T23:59:59' };
const QUARTER = { from_date: '2026-07-01T00:00:00', to_date: '2026-09-30T23:59:59' };
const YEAR = { from_date: '2025-10-01T00:00:00', to_date: '2026-09-30T23:59:59' };

export interface Question {
  /** The name of the test, and of the file of a screenshot. */
  readonly name: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What differs in the question that is drawn beside. */
  readonly compare?: Readonly<Record<string, unknown>>;
}

const question = (tool: string, args: Question['args'], name = tool): Question => ({
  name,
  tool,
  args: { business_id: MADE_SHOP, ...args },
});

/** Where a tool's `example`, asked of a whole year, does not show each panel, or shows too much. */
const CHOSEN: readonly Question[] = [
  question('order_statistics_trend', {
    ...YEAR,
    to_date: '2026-10-30T23:59:59',
    breakdown: 'month',
    forecast_periods: 3,
  }),
  {
    ...question(
      'order_statistics_trend',
      { ...QUARTER, breakdown: 'week' },
      'order_statistics_trend-compared',
    ),
    compare: { from_date: '2025-07-02T00:00:00', to_date: '2025-10-01T23:59:59' },
  },
  question('order_statistics_trend', { ...MONTH, breakdown: 'day' }, 'order_statistics_trend-days'),
  question('product_statistics_trend', {
    ...YEAR,
    breakdown: 'month',
    external_product_ids: ['P00123', 'P00045', 'P00007'],
  }),
  question('category_statistics_trend', {
    ...QUARTER,
    breakdown: 'week',
    categories: ['Backpacks > Day', 'Footwear > Hiking'],
  }),
  question('master_product_statistics_trend', {
    ...QUARTER,
    breakdown: 'month',
    external_master_product_ids: ['M00128'],
  }),
  question('product_statistics', { ...MONTH, sort_by: 'estimated_revenue', limit: 12 }),
  question('category_statistics', { ...MONTH, sort_by: 'conversion_rate', limit: 10 }),
  question('brand_statistics', { ...MONTH, limit: 10 }),
  question('master_product_statistics', { ...MONTH, limit: 10 }),
  question(
    'order_distribution_statistics',
    { ...QUARTER, dimension: 'weekday_hour' },
    'order_distribution-heat',
  ),
  question(
    'order_distribution_statistics',
    { ...QUARTER, dimension: 'weekday' },
    'order_distribution-weekday',
  ),
  question(
    'order_distribution_statistics',
    { ...QUARTER, dimension: 'order_value' },
    'order_distribution-value',
  ),
  question('session_statistics', { ...MONTH, group_by: 'channel' }),
  question('journey_statistics', { ...QUARTER, limit: 12 }),
  question('channel_transition_matrix', QUARTER),
  question('email_revenue_statistics', { ...YEAR, breakdown: 'month', by_campaign: true }),
  question('sms_revenue_statistics', { ...YEAR, breakdown: 'month' }),
  question('email_channel_statistics', { ...QUARTER, breakdown: 'week', times: 'weekday_hour' }),
  question('sms_channel_statistics', { ...YEAR, breakdown: 'month' }),
  question('email_campaign_type_statistics', QUARTER),
  question('email_campaign_statistics', { ...QUARTER, limit: 5 }),
  question('sms_campaign_statistics', { ...YEAR, limit: 5 }),
  question('email_link_statistics', { ...QUARTER, limit: 10 }),
  question('email_deliverability_statistics', { ...QUARTER, breakdown: 'week' }),
  question('subscriber_statistics', { ...YEAR, group_by: 'source' }),
  question('rfm_segment_statistics', { include_cells: true }),
  question('rfm_segment_transitions', { from_date: '2026-06-30T23:59:59', to_date: '2026-09-30T23:59:59' }),
  // With a control group.
  question('targeted_campaign_statistics', {
    from_date: '2025-11-20T00:00:00',
    to_date: '2025-12-05T23:59:59',
    limit: 4,
  }),
  question('incremental_campaign_statistics', { ...QUARTER, limit: 4 }),
  question('popup_campaign_statistics', { ...QUARTER, limit: 4 }),
];

const WHOLE_YEAR: readonly Question[] = CATALOGUE.filter(
  ({ name, chart }) => chart !== undefined && CHOSEN.every(({ tool }) => tool !== name),
).map((tool) => {
  const example = exampleArguments(tool);
  return question(tool.name, {
    ...example,
    ...('from_date' in example && YEAR),
    ...('limit' in example && { limit: 10 }),
  });
});

export const QUESTIONS: readonly Question[] = [...CHOSEN, ...WHOLE_YEAR];
