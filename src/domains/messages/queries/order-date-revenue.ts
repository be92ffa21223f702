import {
  field,
  NO_RATE,
  NONE_LOADED,
  NOTHING_TO_DIVIDE_BY,
  type ObjectOf,
  sinceFirst,
  type WhoseRevenue,
} from '../../../answers/fields/field.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import {
  counted,
  knownSum,
  type Metric,
  metric,
  rate,
  ratio,
  selectMetrics,
} from '../../../answers/metric.ts';
import { orderAttribution, orders, orderTraffic } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import type { MessageChannel } from './message-channels.ts';
import { type CampaignFilters, isByCampaign } from './sent-campaigns.ts';

/**
 * Valid orders with what the channel and last clicks claim of them.
 *
 * @param placed a condition over `ordered_at` or `ordered_date`
 * @param filters orders credited to a campaign outside the filters count as not credited
 */
export function claimedOrders(
  { name, lastClickChannel }: MessageChannel,
  placed: Sql,
  filters: CampaignFilters,
): Sql {
  return sql`
    select ordered_date, order_number, customer_key, revenue, refunded, is_automation,
      touch_kind is not null as is_credited,
      coalesce(touch_kind = 'click', false) as is_by_click,
      coalesce(last_click_channel = ${parameter.text(lastClickChannel)}, false) as is_last_click,
      touch_kind is not null and ${isContested(lastClickChannel)} as is_contested
    from ${orders}
    left join (
      select order_key, touch_kind, is_automation from ${orderAttribution}
      where scenario = 'configured' and channel = ${parameter.text(name)} and ${placed} and ${isByCampaign(filters)}
    ) as credited using (order_key)
    left join (
      select order_key, last_click_channel from ${orderTraffic} where ${placed}
    ) as clicked using (order_key)
    where is_valid and ${placed}`;
}

/** SQL: whether the last click claims a credited order for a session of another channel. */
export function isContested(lastClickChannel: string): Sql {
  return sql`(last_click_channel is not null and last_click_channel not in (
    ${parameter.texts([lastClickChannel, 'Direct', 'Internal', 'Unassigned'])}))`;
}

/** The measures over rows of `claimedOrders`. */
export const orderDateMeasures: Sql = sql`
  count(*) as total_orders,
  ${knownSum(sql`revenue`)} as total_revenue,
  count(*) filter (where is_credited) as attributed_orders,
  ${revenueWhere(sql`is_credited`)} as attributed_revenue,
  count(*) filter (where is_credited and order_number = 1) as new_orders,
  count(distinct customer_key) filter (where is_credited) as customers,
  count(*) filter (where is_by_click) as click_orders,
  ${revenueWhere(sql`is_by_click`)} as click_revenue,
  ${revenueWhere(sql`is_credited and not is_automation`)} as targeted_revenue,
  ${revenueWhere(sql`is_credited and is_automation`)} as incremental_revenue,
  count(*) filter (where is_last_click) as last_click_orders,
  ${revenueWhere(sql`is_last_click`)} as last_click_revenue,
  ${revenueWhere(sql`is_contested`)} as contested_revenue,
  ${knownSum(sql`refunded`, sql`is_credited`)} as refunded_revenue,
  count(revenue) filter (where is_credited) as attributed_priced`;

function revenueWhere(condition: Sql): Sql {
  return knownSum(sql`revenue`, condition);
}

/** Metrics that each period has too. */
export const periodRevenue = [
  orderCount(
    'attributed_orders_count',
    'Orders of the range credited to the channel.',
    sql`attributed_orders`,
  ),
  revenue(
    'attributed_revenue',
    'Revenue of orders of the range credited to the channel.',
    sql`attributed_revenue`,
  ),
  revenue('total_revenue', 'orders_revenues of order_statistics.', sql`total_revenue`, 'of the store'),
  rate(
    'attributed_revenue_share',
    'attributed_revenue / total_revenue.',
    sql`attributed_revenue`,
    sql`total_revenue`,
  ),
  revenue(
    'last_click_revenue',
    'Revenue of orders whose last click is the channel.',
    sql`last_click_revenue`,
  ),
];

/**
 * ORDER_DATE_REVENUE, over rows of `orderDateMeasures`.
 *
 * @param hasRefunds whether refunds are loaded at all
 */
export function orderDateRevenue(hasRefunds: boolean) {
  const refunded = hasRefunds ? sql`refunded_revenue` : sql`cast(null as decimal(18,4))`;
  return [
    orderCount('total_orders_count', 'orders_count of order_statistics.', sql`total_orders`),
    ...periodRevenue,
    revenueOrNull(
      'average_order_value',
      NOTHING_TO_DIVIDE_BY,
      'attributed_revenue / attributed_orders_count, of known amounts.',
      ratio(sql`attributed_revenue`, sql`attributed_priced`),
    ),
    sinceFirst(orderCount('new_orders_count', 'Credited new orders.', sql`new_orders`)),
    sinceFirst(
      orderCount('returning_orders_count', 'Credited returning orders.', sql`attributed_orders - new_orders`),
    ),
    counted('customers', 'unique_customers_count', 'Customers of credited orders.', sql`customers`),
    orderCount('click_attributed_orders_count', 'attributed_orders_count by a click.', sql`click_orders`),
    revenue('click_attributed_revenue', 'attributed_revenue by a click.', sql`click_revenue`),
    revenue('targeted_revenue', 'attributed_revenue of one-off campaigns.', sql`targeted_revenue`),
    revenue('incremental_revenue', 'attributed_revenue of automations; no lift.', sql`incremental_revenue`),
    orderCount(
      'last_click_orders_count',
      'Orders whose last click is the channel, credited or not.',
      sql`last_click_orders`,
    ),
    revenue(
      'contested_revenue',
      'attributed_revenue whose last click is another marketing channel.',
      sql`contested_revenue`,
    ),
    revenueOrNull('refunded_revenue', NONE_LOADED, 'Refunds to date on credited orders.', refunded),
    revenueOrNull(
      'net_attributed_revenue',
      NONE_LOADED,
      'attributed_revenue - refunded_revenue.',
      sql`attributed_revenue - ${refunded}`,
    ),
  ];
}

function orderCount<const Key extends string>(key: Key, definition: string, value: Sql) {
  return counted('orders', key, definition, value);
}

function revenue<const Key extends string>(
  key: Key,
  definition: string,
  value: Sql,
  whose: WhoseRevenue = 'credited',
): Metric<Key, number | null> {
  return metric({ key, type: 'number', unit: 'money', revenue: whose, null: NO_RATE, definition, value });
}

function revenueOrNull<const Key extends string>(
  key: Key,
  meaning: string,
  definition: string,
  value: Sql,
): Metric<Key, number | null> {
  return metric({ key, type: 'number', unit: 'money', null: meaning, definition, value });
}

const scenarioMetrics = [
  orderCount('orders_count', 'Orders credited under the scenario.', sql`count(*)`),
  revenue('revenue', 'Revenue credited under the scenario.', knownSum(sql`revenue`)),
];
const scenarioFields = [
  field({ key: 'scenario', type: 'text', isKey: true, definition: 'Name of the rule.' }),
  ...scenarioMetrics,
];
export type ScenarioRevenue = ObjectOf<typeof scenarioFields>;

export const attributionScenarios = list(
  'attribution_scenarios',
  'The same orders credited by other rules; configured is the headline.',
  scenarioFields,
);

/** What would be credited to the channel under each of its scenarios. */
export function scenarioRevenue({ name, scenarios }: MessageChannel, placed: Sql, filters: CampaignFilters) {
  return query(
    scenarioFields,
    sql`
    select scenario, ${selectMetrics(scenarioMetrics)}
    from ${orderAttribution}
    where channel = ${parameter.text(name)} and scenario in (${parameter.texts(scenarios)}) and ${placed}
      and ${isByCampaign(filters)}
    group by scenario`,
  );
}
