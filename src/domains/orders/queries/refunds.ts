import { field, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { periodStartColumn } from '../../../answers/fields/shared-fields.ts';
import { hasRefunds, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { orderRefunds, orders } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { type Periods, periodStart } from '../../../time/periods.ts';
import type { Range } from '../../../time/range.ts';

export const refundedRevenue = {
  key: 'refunded_revenue',
  type: 'number',
  unit: 'money',
  null: 'none loaded',
  definition: 'Refunds to date on the orders counted.',
} as const;

/** Beside the order metrics: what was paid back, by the day of the order and by that of the refund. */
export const refundFields = [
  field(refundedRevenue),
  field({
    key: 'refunded_revenue_by_refund_date',
    type: 'number',
    unit: 'money',
    null: 'none loaded',
    definition: 'Refunds of the period, on orders of any time.',
  }),
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

const REFUNDS = [periodStartColumn, ...refundFields];

/** A row for each period in which an order was placed or a refund was made. */
export function refundsOf(window: RefundWindow) {
  return query(
    REFUNDS,
    sql`
    select period_start,
      sum(by_order) as refunded_revenue,
      sum(by_refund) as refunded_revenue_by_refund_date
    from (
      select ${window.orderPeriod} as period_start, refunded as by_order, cast(0 as decimal(18,4)) as by_refund
      from ${orders} where is_valid and ${window.orders}
      union all
      select ${window.refundPeriod}, cast(0 as decimal(18,4)), revenue
      from ${orderRefunds} where ${window.refunds}
    ) as refunds
    group by period_start`,
  );
}

/** Of one range or period, for which there is a row or none. */
export function refundsIn([row]: readonly ObjectOf<typeof REFUNDS>[], facts: SnapshotFacts) {
  if (!hasRefunds(facts)) return { refunded_revenue: null, refunded_revenue_by_refund_date: null };
  return {
    refunded_revenue: row?.refunded_revenue ?? 0,
    refunded_revenue_by_refund_date: row?.refunded_revenue_by_refund_date ?? 0,
  };
}
