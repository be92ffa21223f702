import { toFourDecimals } from '../../sql/rounding.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import { type Metric, orZero, percent, ratio } from '../metrics/metric.ts';

/** What the session metrics are made of, over rows of the CTE `traffic`; `visitors` come from its CTE `people`. */
export const sessionMeasures: Sql = sql`
  count(*) filter (where is_counted) as sessions,
  count(*) filter (where is_counted and is_identified) as identified_sessions,
  count(*) filter (where is_counted and is_engaged) as engaged_sessions,
  sum(page_views) filter (where is_counted) as page_views,
  sum(engagement_s) filter (where is_counted) as engagement_s,
  count(*) filter (where is_counted and has_cart) as cart_sessions,
  count(*) filter (where is_counted and has_checkout) as checkout_sessions,
  count(*) filter (where is_counted and is_converting) as converting_sessions,
  count(*) filter (where is_suspected_bot) as suspected_sessions,
  count(last_click_revenue) as orders,
  sum(last_click_revenue) as last_click_revenue,
  sum(first_click_revenue) as first_click_revenue`;

const engagementRate = percent(sql`engaged_sessions`, sql`sessions`);

/** Over rows of `sessionMeasures` with `visitors` and `new_visitors`, null where there are none. */
export const sessionMetrics: readonly Metric[] = [
  {
    key: 'sessions_count',
    type: 'integer',
    unit: 'sessions',
    definition: 'Sessions that started in the range.',
    value: sql`sessions`,
  },
  {
    key: 'visitors_count',
    type: 'integer',
    unit: 'visitors',
    definition: 'Distinct visitors: customers where known, else cookies.',
    value: orZero(sql`visitors`),
  },
  {
    key: 'new_visitors_count',
    type: 'integer',
    unit: 'visitors',
    definition: 'Visitors whose first known session is in the range.',
    value: orZero(sql`new_visitors`),
  },
  {
    key: 'identified_sessions_count',
    type: 'integer',
    unit: 'sessions',
    definition: 'Sessions of a known customer.',
    value: sql`identified_sessions`,
  },
  {
    key: 'engaged_sessions_count',
    type: 'integer',
    unit: 'sessions',
    definition: 'Engaged sessions.',
    value: sql`engaged_sessions`,
  },
  {
    key: 'page_views_count',
    type: 'integer',
    unit: 'views',
    definition: 'Page views of the sessions.',
    value: orZero(sql`page_views`),
  },
  {
    key: 'cart_sessions_count',
    type: 'integer',
    unit: 'sessions',
    definition: 'Sessions with an add-to-cart.',
    value: sql`cart_sessions`,
  },
  {
    key: 'checkout_sessions_count',
    type: 'integer',
    unit: 'sessions',
    definition: 'Sessions that reached checkout.',
    value: sql`checkout_sessions`,
  },
  {
    key: 'converting_sessions_count',
    type: 'integer',
    unit: 'sessions',
    definition: 'Sessions with an order.',
    value: sql`converting_sessions`,
  },
  {
    key: 'orders_count',
    type: 'integer',
    unit: 'orders',
    definition: 'Orders of the range by last click.',
    value: sql`orders`,
  },
  {
    key: 'last_click_revenue',
    type: 'number',
    unit: 'money',
    definition: 'Orders of the range by last click.',
    value: orZero(sql`last_click_revenue`),
  },
  {
    key: 'first_click_revenue',
    type: 'number',
    unit: 'money',
    definition: 'Orders of the range by first click.',
    value: orZero(sql`first_click_revenue`),
  },
  {
    key: 'engagement_rate',
    type: 'number',
    unit: 'percent',
    nullable: true,
    definition: 'engaged / sessions.',
    value: engagementRate,
  },
  {
    key: 'bounce_rate',
    type: 'number',
    unit: 'percent',
    nullable: true,
    definition: '100 - engagement_rate.',
    value: toFourDecimals(sql`(100 - ${engagementRate})`),
  },
  {
    key: 'pages_per_session',
    type: 'number',
    unit: 'pages',
    nullable: true,
    definition: 'page_views_count / sessions_count.',
    value: ratio(sql`page_views`, sql`sessions`),
  },
  {
    key: 'avg_engagement_time_s',
    type: 'number',
    unit: 'seconds',
    nullable: true,
    definition: 'Mean time in the foreground.',
    value: ratio(sql`engagement_s`, sql`sessions`),
  },
  {
    key: 'conversion_rate',
    type: 'number',
    unit: 'percent',
    nullable: true,
    definition: 'converting / sessions.',
    value: percent(sql`converting_sessions`, sql`sessions`),
  },
  {
    key: 'revenue_per_session',
    type: 'number',
    unit: 'money',
    nullable: true,
    definition: 'last_click_revenue / sessions_count.',
    value: ratio(orZero(sql`last_click_revenue`), sql`sessions`),
  },
  {
    key: 'suspected_bot_sessions_count',
    type: 'integer',
    unit: 'sessions',
    definition: 'In no other field, unless include_suspected_bots.',
    value: sql`suspected_sessions`,
  },
];

/** Beside them in rows that advertising costs are known of. */
export const adCostMetrics: readonly Metric[] = [
  {
    key: 'ad_cost',
    type: 'number',
    unit: 'money',
    nullable: true,
    definition: 'Of the days that the range touches; null: not loaded by this group.',
    value: sql`ad_cost`,
  },
  {
    key: 'return_on_ad_spend',
    type: 'number',
    unit: 'ratio',
    nullable: true,
    definition: 'last_click_revenue / ad_cost.',
    value: ratio(orZero(sql`last_click_revenue`), sql`ad_cost`),
  },
];
