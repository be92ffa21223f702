import { type Metric, selectMetrics } from '../../../answers/metric.ts';
import { orderTraffic, sessions } from '../../../model-table/table-names.ts';
import { join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { orderedIn } from '../../../time/range.ts';
import { adCostMeasures, adCostMetrics, sessionMetrics } from '../../traffic/queries/session-metrics.ts';
import { measuredTraffic, type TrafficWindow, traffic } from '../../traffic/queries/traffic.ts';
import { isSamePeriod, periodCuts } from './dimensions.ts';
import { conditionsOf, cutsOf, type Fact, type FactQuestion, isInRest, keyOf, readOf } from './fact.ts';
import { named } from './order-facts.ts';
import { orderedVisitMeasures, orderedVisitMetrics, orderedVisitRevenues } from './orders-of-visits.ts';

const bySession = {
  channel: { value: sql`channel` },
  source: { value: sql`source` },
  medium: { value: sql`medium` },
  source_medium: { value: sql`source_medium` },
  campaign: { value: sql`campaign` },
} as const;

/**
 * How sessions are cut. Orders that are credited to a session have its weekday and hour too, as in
 * session_statistics.
 */
const ofSessions: Fact['cuts'] = {
  ...periodCuts(sql`started_date`),
  weekday: { value: sql`started_weekday` },
  hour: { value: sql`started_hour` },
  ...bySession,
  landing_page: { value: sql`landing_path` },
  referrer_domain: { value: sql`referrer_host` },
  device: { value: sql`device` },
  country: { value: sql`country` },
};
/** How orders are cut by the session that they are credited to. Their period is their own. */
const ofCredits: Fact['cuts'] = { ...ofSessions, ...periodCuts(sql`ordered_date`) };
const ofCosts = { ...periodCuts(sql`spent_date`), ...bySession } as const satisfies Fact['cuts'];

function trafficRows(question: FactQuestion, areCostsAsked: boolean): Sql {
  return sql`
    with ${traffic(trafficWindow(question, areCostsAsked), {}, false)}
    ${measuredTraffic('row_key', question.metrics, {
      aggregates: join([adCostMeasures, orderedVisitMeasures]),
      columns: sql`row_key`,
    })}`;
}

/** The sessions, orders and costs of a question, and what puts them together. */
export function trafficWindow(
  question: Omit<FactQuestion, 'metrics'>,
  areCostsAsked: boolean,
): TrafficWindow {
  const { range, dimensions, conditions, rest } = question;
  const over = (cuts: Fact['cuts']) => {
    const values = cutsOf({ cuts }, dimensions).map(({ value }) => value);
    return {
      key: keyOf(values, rest),
      // A row of its own is known by its key, so what is left of all is, too.
      isIn: [...conditionsOf({ cuts }, conditions), isInRest(values, rest)].reduce(
        (one, other) => sql`${one} and ${other}`,
      ),
    };
  };
  const [sessions, credits] = [over(ofSessions), over(ofCredits)];
  const costs = areCostsAsked ? over(ofCosts) : null;
  const [start, end] = [parameter.timestamp(range.start), parameter.timestamp(range.end)];
  return {
    sessions: sql`started_at >= ${start} and started_at < ${end} and ${sessions.isIn}`,
    orders: orderedIn(range),
    isNewVisitor: sql`first_started_at >= ${start} and first_started_at < ${end}
      and ${isSamePeriod(question, sql`first_started_date`, sql`started_date`)}`,
    sessionKey: sessions.key,
    orderKey: credits.key,
    credited: credits.isIn,
    costs: costs && {
      key: costs.key,
      condition: sql`spent_date between ${parameter.date(range.firstDate.toString())}
        and ${parameter.date(range.lastDate.toString())}`,
      kept: costs.isIn,
    },
  };
}

export const visitsFact: Fact = {
  name: 'visits',
  definition: 'Sessions, by when they began, and orders by the session that their last or first click is.',
  cuts: ofSessions,
  metrics: named([...(sessionMetrics as readonly Metric[]), ...orderedVisitMetrics], {
    sessions_count: 'sessions_count',
    visitors_count: 'visitors_count',
    new_visitors_count: 'new_visitors_count',
    identified_sessions_count: 'identified_sessions_count',
    engaged_sessions_count: 'engaged_sessions_count',
    page_views_count: 'page_views_count',
    cart_sessions_count: 'cart_sessions_count',
    checkout_sessions_count: 'checkout_sessions_count',
    converting_sessions_count: 'sessions_named_by_orders',
    converting_sessions_by_time_count: 'sessions_ordered_in_by_time',
    orders_in_session: 'orders_naming_sessions',
    orders_in_session_by_time: 'orders_in_sessions_by_time',
    last_click_orders_count: 'orders_count',
    last_click_revenue: 'last_click_revenue',
    first_click_revenue: 'first_click_revenue',
    engagement_rate: 'engagement_rate',
    bounce_rate: 'bounce_rate',
    pages_per_session: 'pages_per_session',
    avg_engagement_time_s: 'avg_engagement_time_s',
    conversion_rate: 'rate_of_sessions_named_by_orders',
    revenue_per_session: 'revenue_per_session',
    suspected_bot_sessions_count: 'suspected_bot_sessions_count',
  }),
  adds: [
    ...['sessions_count', 'identified_sessions_count', 'engaged_sessions_count', 'page_views_count'],
    ...['cart_sessions_count', 'checkout_sessions_count', 'converting_sessions_count', 'orders_in_session'],
    ...['converting_sessions_by_time_count', 'orders_in_session_by_time'],
    ...['last_click_orders_count', 'last_click_revenue', 'first_click_revenue'],
    'suspected_bot_sessions_count',
  ],
  rows: (question) => trafficRows(question, false),
};

/** An order placed in a session counts to that session, and not to the one that its last click is. */
export const ordersInVisitsFact: Fact = {
  name: 'orders_in_visits',
  definition: 'Valid orders placed within sessions, by when these began.',
  cuts: ofSessions,
  metrics: named(orderedVisitRevenues, {
    orders_in_session_revenue: 'revenue_naming_sessions',
    orders_in_session_by_time_revenue: 'revenue_in_sessions_by_time',
  }),
  adds: ['orders_in_session_revenue', 'orders_in_session_by_time_revenue'],
  rows(question) {
    const { key, condition } = readOf(this, question);
    const [start, end] = [parameter.timestamp(question.range.start), parameter.timestamp(question.range.end)];
    return sql`
      select row_key, ${selectMetrics(question.metrics)}
      from (
        select ${key} as row_key, revenue, is_named
        from (
          select coalesce(own_session_key, own_session_by_time_key) as session_key, own_session_key is not null as is_named, revenue
          from ${orderTraffic}
          where own_session_key is not null or own_session_by_time_key is not null
        ) as within join ${sessions} using (session_key)
        where started_at >= ${start} and started_at < ${end} and ${condition}
      ) as placed
      group by row_key`;
  },
};

export const adCostsFact: Fact = {
  name: 'ad_costs',
  definition: 'What advertising cost, by its day, beside orders of what has costs in the range.',
  cuts: ofCosts,
  metrics: named(adCostMetrics as readonly Metric[], {
    ad_cost: 'ad_cost',
    advertised_revenue: 'advertised_revenue',
    return_on_ad_spend: 'return_on_ad_spend',
    ad_clicks: 'ad_clicks',
    ad_impressions: 'ad_impressions',
    cost_per_click: 'cost_per_click',
    ad_click_rate: 'ad_click_rate',
    last_click_new_customers_count: 'new_customers_count',
    first_click_new_customers_count: 'first_click_new_customers_count',
    advertised_new_customers_count: 'advertised_new_customers_count',
    first_click_advertised_new_customers_count: 'first_click_advertised_new_customers_count',
    cost_per_new_customer: 'cost_per_new_customer',
    first_click_cost_per_new_customer: 'first_click_cost_per_new_customer',
  }),
  adds: ['ad_cost', 'ad_clicks', 'ad_impressions'],
  rows: (question) => trafficRows(question, true),
};
