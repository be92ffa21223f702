import { field, NONE_LOADED, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { periodStartColumn } from '../../../answers/fields/shared-fields.ts';
import { knownSum } from '../../../answers/metric.ts';
import { hasRefunds, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { orderRefunds, orders } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { addMoney } from '../../../statistics/rounded.ts';
import { type Periods, periodStart } from '../../../time/periods.ts';
import type { Range } from '../../../time/range.ts';

export const refundedRevenue = {
  key: 'refunded_revenue',
  type: 'number',
  unit: 'money',
  null: NONE_LOADED,
  definition: 'Refunds to date on the orders counted.',
} as const;

export const revenueAfterRefunds = {
  key: 'revenue_after_refunds',
  type: 'number',
  unit: 'money',
  null: NONE_LOADED,
  definition: 'Revenue - refunded_revenue, with VAT.',
} as const;

const money = <const Key extends string>(key: Key, definition: string) =>
  field({ key, type: 'number', unit: 'money', null: NONE_LOADED, definition });

/**
 * What was paid back, by the day of the order and by that of the refund, to go with the order metrics. A
 * cancelled order is in no revenue, so what was paid back for it is shown but not subtracted.
 */
export const refundFields = [
  field(refundedRevenue),
  money('refunded_revenue_by_refund_date', 'All refunds of the period, on orders of any time and status.'),
  money(
    'refunded_revenue_of_cancelled_orders',
    'Part of refunded_revenue_by_refund_date: orders now cancelled, which are in no revenue.',
  ),
  field(revenueAfterRefunds),
  money(
    'revenue_after_refunds_by_refund_date',
    'orders_revenues - refunds of the period on orders not cancelled, with VAT.',
  ),
];

interface RefundWindow {
  readonly orders: Sql;
  readonly refunds: Sql;
  readonly orderPeriod: Sql;
  readonly refundPeriod: Sql;
}

/** The exact range as one period. */
export function wholeRange(range: Range): RefundWindow {
  const start = parameter.timestamp(range.start);
  const end = parameter.timestamp(range.end);
  const whole = sql`cast(${parameter.date(range.firstDate.toString())} as date)`;
  return {
    orders: sql`ordered_at >= ${start} and ordered_at < ${end}`,
    refunds: sql`refunded_at >= ${start} and refunded_at < ${end}`,
    orderPeriod: whole,
    refundPeriod: whole,
  };
}

/** The widened range, period by period. */
export function byPeriod(periods: Periods): RefundWindow {
  const first = parameter.date(periods.firstDate);
  const last = parameter.date(periods.lastDate);
  return {
    orders: sql`ordered_date between ${first} and ${last}`,
    refunds: sql`refunded_date between ${first} and ${last}`,
    orderPeriod: periodStart(periods.breakdown, sql`ordered_date`),
    refundPeriod: periodStart(periods.breakdown, sql`refunded_date`),
  };
}

const REFUNDS = [
  periodStartColumn,
  nullableColumn('refunded_revenue', 'number'),
  nullableColumn('refunded_revenue_by_refund_date', 'number'),
  nullableColumn('refunded_revenue_of_cancelled_orders', 'number'),
];
type RefundRow = ObjectOf<typeof REFUNDS>;

/**
 * A row for each period in which an order was placed or a refund was made. Null where no refunds are loaded:
 * nothing is known of them.
 */
export function refundsOf(window: RefundWindow, facts: SnapshotFacts): Query<RefundRow> | null {
  if (!hasRefunds(facts)) return null;
  return query(
    REFUNDS,
    sql`
    select period_start,
      ${knownSum(sql`by_order`)} as refunded_revenue,
      ${knownSum(sql`by_refund`)} as refunded_revenue_by_refund_date,
      ${knownSum(sql`by_refund`, sql`is_of_cancelled`)} as refunded_revenue_of_cancelled_orders
    from (
      select ${window.orderPeriod} as period_start, refunded as by_order, cast(0 as decimal(18,4)) as by_refund,
        cast(true as boolean) as is_of_cancelled
      from ${orders} where is_valid and ${window.orders}
      union all
      select ${window.refundPeriod}, cast(0 as decimal(18,4)), revenue, is_of_cancelled
      from ${orderRefunds} where ${window.refunds}
    ) as refunds
    group by period_start`,
  );
}

/**
 * The refunds of one range or period, for which there is a row or none.
 *
 * @param revenue of its orders
 */
export function refundsIn(
  [row]: readonly RefundRow[],
  revenue: number | null,
  facts: SnapshotFacts,
): ObjectOf<typeof refundFields> {
  if (!hasRefunds(facts)) {
    return {
      refunded_revenue: null,
      refunded_revenue_by_refund_date: null,
      refunded_revenue_of_cancelled_orders: null,
      revenue_after_refunds: null,
      revenue_after_refunds_by_refund_date: null,
    };
  }
  const refunded = row === undefined ? 0 : row.refunded_revenue;
  const paidBack = row === undefined ? 0 : row.refunded_revenue_by_refund_date;
  const ofCancelled = row === undefined ? 0 : row.refunded_revenue_of_cancelled_orders;
  return {
    refunded_revenue: refunded,
    refunded_revenue_by_refund_date: paidBack,
    refunded_revenue_of_cancelled_orders: ofCancelled,
    revenue_after_refunds: lessKnown(revenue, refunded),
    revenue_after_refunds_by_refund_date: lessKnown(revenue, lessKnown(paidBack, ofCancelled)),
  };
}

/** Null where either is unknown. */
function lessKnown(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : addMoney(one, -other);
}
