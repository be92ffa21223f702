import { type Metric, selectMetrics } from '../../../answers/metric.ts';
import { adCosts, orders, orderTraffic, sessions } from '../../../model-table/table-names.ts';
import { identifier, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { type Periods, periodStart } from '../../../time/periods.ts';
import { orderedIn, type Range } from '../../../time/range.ts';
import { largeOrders } from '../../orders/queries/large-orders.ts';
import { sessionMeasures } from './session-metrics.ts';
import { sessionCondition, sourceCondition, type TrafficFilters } from './traffic-filters.ts';

/** The sessions, orders and costs that count, and the row they are in. */
export interface TrafficWindow {
  readonly sessions: Sql;
  readonly orders: Sql;
  /** Whether the visitor's first session lies in the same range or period as this one. */
  readonly isNewVisitor: Sql;
  /** The row of a session, and of an order by its session; the columns of both are there. */
  readonly sessionKey: Sql;
  readonly orderKey: Sql;
  /**
   * A condition on sessions that orders are credited to, beside the filters. It may use the columns of these
   * credits. Without it, all sessions count.
   */
  readonly credited?: Sql;
  /**
   * Null where advertising costs have no rows. `kept` are those that count, of all that say what is
   * advertised; without: all.
   */
  readonly costs: { readonly condition: Sql; readonly key: Sql; readonly kept?: Sql } | null;
}

/** How rows can be grouped: by what sessions have, and what advertising costs have of that. */
const groupings = {
  source_medium: { session: sql`source_medium`, cost: sql`source_medium` },
  channel: { session: sql`channel`, cost: sql`channel` },
  source: { session: sql`source`, cost: sql`source` },
  campaign: { session: sql`campaign`, cost: sql`campaign` },
  landing_page: { session: sql`landing_path`, cost: null },
  referrer_domain: { session: sql`referrer_host`, cost: null },
  device: { session: sql`device`, cost: null },
  country: { session: sql`country`, cost: null },
  weekday: { session: sql`started_weekday`, cost: null },
  hour: { session: sql`started_hour`, cost: null },
  weekday_hour: { session: sql`concat(started_weekday, '-', started_hour)`, cost: null },
  none: { session: sql`${parameter.text('(all)')}`, cost: sql`${parameter.text('(all)')}` },
};
export type TrafficGrouping = keyof typeof groupings;
export const TRAFFIC_GROUPINGS = Object.keys(groupings) as [TrafficGrouping, ...TrafficGrouping[]];

/** The exact range, a row for each value of the group. Costs are known by whole days. */
export function groupedWindow(range: Range, grouping: TrafficGrouping): TrafficWindow {
  const start = parameter.timestamp(range.start);
  const end = parameter.timestamp(range.end);
  const { session, cost } = groupings[grouping];
  const spent = sql`spent_date between ${parameter.date(range.firstDate.toString())}
    and ${parameter.date(range.lastDate.toString())}`;
  return {
    sessions: sql`started_at >= ${start} and started_at < ${end}`,
    orders: orderedIn(range),
    isNewVisitor: sql`first_started_at >= ${start} and first_started_at < ${end}`,
    sessionKey: session,
    orderKey: session,
    costs: cost && { condition: spent, key: cost },
  };
}

/** The widened range, a row for each period. */
export function periodsWindow(periods: Periods): TrafficWindow {
  const first = parameter.date(periods.firstDate);
  const last = parameter.date(periods.lastDate);
  const sessionKey = periodStart(periods.breakdown, sql`started_date`);
  return {
    sessions: sql`started_date between ${first} and ${last}`,
    orders: sql`ordered_date between ${first} and ${last}`,
    isNewVisitor: sql`${periodStart(periods.breakdown, sql`first_started_date`)} = ${sessionKey}`,
    sessionKey,
    orderKey: periodStart(periods.breakdown, sql`ordered_date`),
    costs: null,
  };
}

/**
 * CTE `traffic`: what happened in the window, each with its row (`row_key`) and whence it came: a session, an
 * order by its last or first click, a cost. Suspected bots are there to be counted; `is_counted` are the
 * others, or all.
 */
export function traffic(window: TrafficWindow, filters: TrafficFilters, includeSuspectedBots: boolean): Sql {
  const also = window.credited === undefined ? sql`` : sql` and ${window.credited}`;
  return sql`
    credits as (
      select last_session_key as session_key, ordered_date, 1 as last_click_orders, 0 as first_click_orders, revenue as last_click_revenue,
        ${noMoney} as first_click_revenue, ${isFirstOrder(window)} as new_customers, 0 as first_click_new_customers
      from ${orderTraffic} where ${window.orders}
      union all
      select first_session_key, ordered_date, 0, 1, ${noMoney}, revenue, 0, ${isFirstOrder(window)}
      from ${orderTraffic} where ${window.orders}
    ),
    traffic as (
      select ${window.sessionKey} as row_key, 0 as whole, channel, source, medium, campaign,
        ${isCounted(includeSuspectedBots)} as is_counted,
        visitor_key, (${window.isNewVisitor}) as is_new, is_identified, is_engaged, page_views, engagement_s, has_cart,
        has_checkout, is_converting, is_suspected_bot, own_orders, own_orders_by_time,
        0 as last_click_orders, 0 as first_click_orders,
        ${noMoney} as last_click_revenue, ${noMoney} as first_click_revenue, 0 as new_customers,
        0 as first_click_new_customers, false as is_advertised, ${noCost('named')}
      from ${sessions}
      where ${window.sessions} and ${sessionCondition(filters)}
      union all
      select ${window.orderKey}, 0, channel, source, medium, campaign, ${noSession},
        last_click_orders, first_click_orders,
        last_click_revenue, first_click_revenue, new_customers, first_click_new_customers,
        ${isAdvertised(window, filters)}, ${noCost()}
      from ${sessions} join credits using (session_key)
      where ${sessionCondition(filters)}${also}
      ${costs(window, filters)}
    )`;
}

/** The rows of whose last-click revenue one order makes a large part. */
export function largeOrdersOfVisits(window: TrafficWindow, filters: TrafficFilters) {
  return largeOrders(sql`
    select ${window.orderKey} as row_key, ordered_date, revenue
    from (
      select last_session_key as session_key, ordered_date, revenue from ${orderTraffic} where ${window.orders}
    ) as clicked
    join ${sessions} using (session_key)
    where ${sessionCondition(filters)}`);
}

/** SQL: whether a session of the CTE `traffic` counts. */
export function isCounted(includeSuspectedBots: boolean): Sql {
  return includeSuspectedBots ? sql`true` : sql`not is_suspected_bot`;
}

const noMoney = sql`cast(null as decimal(18,4))`;

/** The columns from `is_cost` to `ad_impressions` of a row without cost. */
function noCost(names?: 'named'): Sql {
  const none = sql`cast(null as integer)`;
  return names === undefined
    ? sql`false, ${noMoney}, ${none}, ${none}`
    : sql`false as is_cost, ${noMoney} as cost, ${none} as ad_clicks, ${none} as ad_impressions`;
}

/** SQL: 1 where an order of the window is its customer's first ever, else 0. */
const isFirstOrder = ({ orders: placed }: TrafficWindow): Sql =>
  sql`case when order_key in (select order_key from ${orders} where order_number = 1 and ${placed}) then 1 else 0 end`;

/** The columns from `is_counted` to `own_orders_by_time` of a row without a session. */
const noSession = sql`false, 0, false, false, false, 0, ${noMoney}, false, false, false, false, 0, 0`;

/**
 * Whether a visit came by advertising that cost something in the window: a cost has the source, medium and
 * campaign of the visit, or its source and medium and no campaign.
 */
function isAdvertised(window: TrafficWindow, filters: TrafficFilters): Sql {
  const known = knownCosts(window, filters);
  if (known === null) return sql`false`;
  const paid = sql`from ${adCosts} where ${known.condition} and cost > 0`;
  return sql`(
    (source, medium, campaign) in (select source, medium, campaign ${paid})
    or (source, medium) in (select source, medium ${paid} and campaign = '(not set)')
  )`;
}

/** Advertising knows no devices: what is spent on one of them nobody knows. */
function knownCosts({ costs: known }: TrafficWindow, filters: TrafficFilters) {
  if (known === null || filters.filter_devices?.length) return null;
  const condition = sql`${known.condition} and ${sourceCondition(filters)}`;
  return { key: known.key, condition, kept: known.kept };
}

function costs(window: TrafficWindow, filters: TrafficFilters): Sql {
  const known = knownCosts(window, filters);
  if (known === null) return sql``;
  return sql`
    union all
    select ${known.key}, 0, channel, source, medium, campaign, ${noSession}, 0, 0, ${noMoney}, ${noMoney}, 0, 0, false,
      true, cost, clicks, impressions
    from ${adCosts}
    where ${known.condition}${known.kept === undefined ? sql`` : sql` and ${known.kept}`}`;
}

/**
 * The session metrics of `traffic` by row, or of the whole.
 *
 * Distinct visitors are counted over a `select distinct`, which takes about half the time of
 * `count(distinct …)`.
 *
 * @param further columns: aggregates over a row of `traffic`, and what is selected of them
 */
export function measuredTraffic(
  by: 'row_key' | 'whole',
  metrics: readonly Metric[],
  further: { readonly aggregates?: Sql; readonly columns: Sql },
): Sql {
  const group = identifier(by);
  const measures =
    further.aggregates === undefined ? sessionMeasures : join([further.aggregates, sessionMeasures]);
  return sql`
    select ${further.columns}, ${selectMetrics(metrics)}
    from (
      select ${group}, ${measures} from traffic group by ${group}
    ) as measures
    left join (
      select ${group}, count(*) as visitors, count(*) filter (where is_new) as new_visitors
      from (select distinct ${group}, visitor_key, is_new from traffic where is_counted) as visitors_of_rows
      group by ${group}
    ) as people using (${group})`;
}
