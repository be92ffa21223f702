import {
  AS_NAMED,
  HIDDEN,
  NO_RATE,
  NOTHING_TO_DIVIDE_BY,
  sinceFirst,
} from '../../../answers/fields/field.ts';
import {
  counted,
  knownSum,
  measured,
  metric,
  orZero,
  percent,
  rate,
  ratio,
} from '../../../answers/metric.ts';
import { countedPeople, unlessFew } from '../../../answers/small-groups.ts';
import { toFourDecimals } from '../../../sql/rounding.ts';
import { identifier, type Sql, sql } from '../../../sql/sql.ts';

/** Null where all that is credited has no rate. */
function creditedBy(click: 'last_click' | 'first_click'): Sql {
  return knownSum(identifier(`${click}_revenue`), sql`${identifier(`${click}_orders`)} = 1`);
}

/**
 * What the session metrics are made of, over rows of the CTE `traffic`; `visitors` come from its CTE
 * `people`.
 */
export const sessionMeasures: Sql = sql`
  count(*) filter (where is_counted) as sessions,
  count(*) filter (where is_counted and is_identified) as identified_sessions,
  count(*) filter (where is_counted and is_engaged) as engaged_sessions,
  sum(page_views) filter (where is_counted) as page_views,
  sum(engagement_s) filter (where is_counted) as engagement_s,
  count(*) filter (where is_counted and has_cart) as cart_sessions,
  count(*) filter (where is_counted and has_checkout) as checkout_sessions,
  count(*) filter (where is_counted and own_orders + own_orders_by_time > 0) as converting_sessions,
  sum(own_orders + own_orders_by_time) filter (where is_counted) as orders_in_session,
  count(*) filter (where is_suspected_bot) as suspected_sessions,
  sum(last_click_orders) as orders,
  ${creditedBy('last_click')} as last_click_revenue,
  ${creditedBy('first_click')} as first_click_revenue`;

const engagementRate = percent(sql`engaged_sessions`, sql`sessions`);

/**
 * The metrics over rows of `sessionMeasures` with `visitors` and `new_visitors`. They are null where there
 * are none.
 */
export const sessionMetrics = [
  counted('sessions', 'sessions_count', 'Started in the range.', sql`sessions`),
  countedPeople(
    'visitors',
    'visitors_count',
    'Distinct visitors: customers where known, else cookies.',
    orZero(sql`visitors`),
  ),
  countedPeople(
    'visitors',
    'new_visitors_count',
    'Visitors whose first known session is in the range.',
    orZero(sql`new_visitors`),
  ),
  counted('sessions', 'identified_sessions_count', 'Sessions of a known customer.', sql`identified_sessions`),
  counted(
    'sessions',
    'engaged_sessions_count',
    'Over 10 s in the foreground, 2 page views or an order.',
    sql`engaged_sessions`,
  ),
  counted('views', 'page_views_count', AS_NAMED, orZero(sql`page_views`)),
  counted('sessions', 'cart_sessions_count', 'With an add-to-cart.', sql`cart_sessions`),
  counted('sessions', 'checkout_sessions_count', 'Reached checkout.', sql`checkout_sessions`),
  counted(
    'sessions',
    'converting_sessions_count',
    'With a valid order: one that names it, else one of its visitor while it was open.',
    sql`converting_sessions`,
  ),
  counted(
    'orders',
    'orders_count',
    'Valid orders of the range by last click; untracked ones are not in it.',
    orZero(sql`orders`),
  ),
  counted(
    'orders',
    'orders_last_click',
    'As orders_count of sessions: by last click, without untracked orders.',
    orZero(sql`orders`),
  ),
  counted(
    'orders',
    'orders_in_session',
    'Valid orders of the sessions counted, as in converting_sessions_count, whatever their last click.',
    orZero(sql`orders_in_session`),
  ),
  metric({
    key: 'last_click_revenue',
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    revenue: 'credited',
    definition: 'Of orders_count.',
    value: sql`last_click_revenue`,
  }),
  metric({
    key: 'first_click_revenue',
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    revenue: 'credited',
    definition: 'Of orders by first click.',
    value: sql`first_click_revenue`,
  }),
  measured('percent', 'engagement_rate', 'engaged / sessions.', engagementRate, NOTHING_TO_DIVIDE_BY),
  metric({
    key: 'bounce_rate',
    type: 'number',
    unit: 'percent',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'not engaged / sessions.',
    base: 'sessions_count',
    value: toFourDecimals(sql`(100 - ${engagementRate})`),
  }),
  metric({
    key: 'pages_per_session',
    type: 'number',
    unit: 'pages',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'page_views_count / sessions_count.',
    value: ratio(sql`page_views`, sql`sessions`),
  }),
  metric({
    key: 'avg_engagement_time_s',
    type: 'number',
    unit: 'seconds',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'Time in the foreground / sessions_count.',
    base: 'sessions_count',
    value: ratio(sql`engagement_s`, sql`sessions`),
  }),
  rate('conversion_rate', 'converting / sessions, not last click.', sql`converting_sessions`, sql`sessions`),
  metric({
    key: 'revenue_per_session',
    type: 'number',
    unit: 'money',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'last_click_revenue / sessions_count.',
    value: ratio(sql`last_click_revenue`, sql`sessions`),
  }),
  counted(
    'sessions',
    'suspected_bot_sessions_count',
    'In no other field, unless include_suspected_bots.',
    sql`suspected_sessions`,
  ),
];

/**
 * What was paid, and what it brought. Totals have these, too, so that nobody misses the cost of a row on
 * another page.
 */
export const spendMetrics = [
  metric({
    key: 'ad_cost',
    type: 'number',
    unit: 'money',
    null: 'not loaded by this group',
    definition: 'Of the days that the range touches.',
    value: sql`ad_cost`,
  }),
  metric({
    key: 'advertised_revenue',
    type: 'number',
    unit: 'money',
    null: 'no ad_cost',
    definition: 'Part of last_click_revenue whose source, medium and campaign have costs in the range.',
    value: sql`case when ad_cost is not null then ${orZero(sql`advertised_revenue`)} end`,
  }),
  metric({
    key: 'return_on_ad_spend',
    type: 'number',
    unit: 'ratio',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'advertised_revenue / ad_cost.',
    value: ratio(orZero(sql`advertised_revenue`), sql`ad_cost`),
  }),
  ofAds('ad_clicks', 'clicks', 'Not visits.'),
  ofAds('ad_impressions', 'views', AS_NAMED),
  metric({
    key: 'cost_per_click',
    type: 'number',
    unit: 'money',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'ad_cost / ad_clicks.',
    value: ratio(sql`ad_cost`, sql`ad_clicks`),
  }),
  rate('ad_click_rate', 'ad_clicks / ad_impressions.', sql`ad_clicks`, sql`ad_impressions`),
];

/** Null as soon as one cost does not tell it: what the others tell would look like all. */
function ofAds<const Key extends string>(key: Key, unit: 'clicks' | 'views', definition: string) {
  return metric({
    key,
    type: 'integer',
    unit,
    null: 'not told of some ad_cost',
    definition,
    value: identifier(key),
  });
}

/**
 * Metrics of a row with advertising costs, beside `sessionMetrics`. New customers are not in totals, since
 * the total less the other rows would tell the few of a row that hides them.
 */
export const adCostMetrics = [
  ...spendMetrics,
  sinceFirst(
    countedPeople(
      'customers',
      'new_customers_count',
      'Customers whose first order ever has its last click here.',
      orZero(sql`new_customers`),
    ),
  ),
  sinceFirst(
    countedPeople(
      'customers',
      'first_click_new_customers_count',
      'Customers whose first order ever has its first click here.',
      orZero(sql`first_click_new_customers`),
    ),
  ),
  // What a cost is divided by stands beside it: a row by source or channel has customers whom nobody paid
  // for, too.
  sinceFirst(
    countedPeople(
      'customers',
      'advertised_new_customers_count',
      'Part of new_customers_count: by what has costs.',
      orZero(sql`advertised_customers`),
    ),
  ),
  sinceFirst(
    countedPeople(
      'customers',
      'first_click_advertised_new_customers_count',
      'Part of first_click_new_customers_count: by what has costs.',
      orZero(sql`first_click_advertised_customers`),
    ),
  ),
  sinceFirst(
    costOfCustomer(
      'cost_per_new_customer',
      'ad_cost / advertised_new_customers_count.',
      sql`advertised_customers`,
    ),
  ),
  sinceFirst(
    costOfCustomer(
      'first_click_cost_per_new_customer',
      'ad_cost / first_click_advertised_new_customers_count.',
      sql`first_click_advertised_customers`,
    ),
  ),
];

function costOfCustomer<const Key extends string>(key: Key, definition: string, customers: Sql) {
  const null_ = `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}` as const;
  return metric({
    key,
    type: 'number',
    unit: 'money',
    null: null_,
    definition,
    value: unlessFew(orZero(customers), ratio(sql`ad_cost`, customers)),
  });
}

/** What `adCostMetrics` are made of, over rows of the CTE `traffic`. */
export const adCostMeasures: Sql = sql`
  sum(cost) as ad_cost,
  ${toldSum('ad_clicks')} as ad_clicks,
  ${toldSum('ad_impressions')} as ad_impressions,
  sum(last_click_revenue) filter (where is_advertised) as advertised_revenue,
  sum(new_customers) as new_customers,
  sum(first_click_new_customers) as first_click_new_customers,
  sum(new_customers) filter (where is_advertised) as advertised_customers,
  sum(first_click_new_customers) filter (where is_advertised) as first_click_advertised_customers`;

/** A correction has no clicks of its own. */
function toldSum(column: 'ad_clicks' | 'ad_impressions'): Sql {
  const value = identifier(column);
  return sql`case when count(*) filter (where is_cost and ${value} is null and (cost is null or cost > 0)) = 0 then sum(${value}) end`;
}
