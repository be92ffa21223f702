import { field, fieldNamed } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { periodStartColumn } from '../../../answers/fields/shared-fields.ts';
import { knownSum, ratio, selectMetrics } from '../../../answers/metric.ts';
import { orderAttribution, orderProducts, sends } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { type Periods, periodStart } from '../../../time/periods.ts';
import { orderedIn, type Range } from '../../../time/range.ts';
import { type MessageChannel, smsChannel } from './message-channels.ts';
import {
  claimedOrders,
  orderDateMeasures,
  orderDateRevenue,
  periodRevenue,
  type ScenarioRevenue,
  scenarioRevenue,
} from './order-date-revenue.ts';
import { type CampaignFilters, isByCampaign, knownCampaigns, sentIn } from './sent-campaigns.ts';

/** The queries for what a channel is credited with of the orders of a range, and of whole periods. */
export function revenueQueries(
  channel: MessageChannel,
  range: Range,
  periods: Periods | null,
  filters: CampaignFilters,
  hasRefunds: boolean,
) {
  const placed = orderedIn(range);
  return {
    totals: query(
      orderDateRevenue(hasRefunds),
      sql`
      select ${selectMetrics(orderDateRevenue(hasRefunds))}
      from (select ${orderDateMeasures} from (${claimedOrders(channel, placed, filters)}) as claimed) as measures`,
    ),
    scenarios: scenarioRevenue(channel, placed, filters),
    known: knownCampaigns(channel, filters),
    buckets: periods && revenueByPeriod(channel, periods, filters),
  };
}

function revenueByPeriod(channel: MessageChannel, periods: Periods, filters: CampaignFilters) {
  const placed = sql`ordered_date between ${parameter.date(periods.firstDate)} and ${parameter.date(periods.lastDate)}`;
  return query(
    [periodStartColumn, ...periodRevenue],
    sql`
    select period_start, ${selectMetrics(periodRevenue)}
    from (
      select ${periodStart(periods.breakdown, sql`ordered_date`)} as period_start, ${orderDateMeasures}
      from (${claimedOrders(channel, placed, filters)}) as claimed
      group by period_start
    ) as measures`,
  );
}

/** Every scenario, also one that credits nothing. */
export function scenarioRows(channel: MessageChannel, rows: readonly ScenarioRevenue[]): ScenarioRevenue[] {
  const byName = new Map(rows.map((row) => [row.scenario, row]));
  return channel.scenarios.map((scenario) => ({
    scenario,
    orders_count: 0,
    revenue: 0,
    ...byName.get(scenario),
  }));
}

/** The fields that stand beside the revenue of messages that cost money. */
export const spendingFields = [
  fieldNamed(smsChannel.activity, 'cost'),
  fieldNamed(smsChannel.spending, 'return_on_spend'),
  field({
    key: 'gross_profit_after_cost',
    type: 'number',
    unit: 'money',
    null: 'no cost, VAT or purchase prices',
    definition: 'estimated_gross_profit of credited orders - cost.',
  }),
];

/** What the messages of a range cost, beside the revenue and profit of the orders of that range. */
export function spendingOf(channel: MessageChannel, range: Range, filters: CampaignFilters) {
  const credited = sql`${orderAttribution}
    where scenario = 'configured' and channel = ${parameter.text(channel.name)} and ${orderedIn(range)}
      and ${isByCampaign(filters)}`;
  return query(
    spendingFields,
    sql`
    select cost, ${ratio(sql`revenue`, sql`cost`)} as return_on_spend, profit - cost as gross_profit_after_cost
    from (select sum(cost) as cost from ${sends} where ${sentIn(channel, range, filters)}) as spent
    cross join (select ${knownSum(sql`revenue`)} as revenue from ${credited}) as earned
    cross join (
      select sum(profit) as profit from ${orderProducts}
      where ${orderedIn(range)} and order_key in (select order_key from ${credited})
    ) as gained`,
  );
}
