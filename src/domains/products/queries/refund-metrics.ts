import { emptyRow, metric, percent } from '../../../answers/metric.ts';
import { hasRefundLines, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { type Sql, sql } from '../../../sql/sql.ts';

const NO_LINES = 'none loaded';

const known = (value: Sql) => sql`case when has_refund_lines then ${value} end`;
const pieces = (sum: Sql) => known(sql`cast(round(coalesce(${sum}, 0)) as bigint)`);
const money = (sum: Sql) => known(sql`coalesce(${sum}, 0)`);

/** Over the CTEs of `activity`, joined; null as long as the store tells of no refund what it is for. */
export const refundMetrics = [
  metric({
    key: 'refunded_quantity',
    type: 'integer',
    unit: 'pieces',
    null: NO_LINES,
    definition: 'Pieces refunded to date.',
    value: pieces(sql`returned_pieces`),
  }),
  metric({
    key: 'refunded_revenue',
    type: 'number',
    unit: 'money',
    null: NO_LINES,
    definition: 'Refunds to date, by lines.',
    value: money(sql`returned_revenue`),
  }),
  metric({
    key: 'return_rate',
    type: 'number',
    unit: 'percent',
    null: 'none sold or loaded',
    definition: 'refunded_quantity / total_quantity, at most 100.',
    value: sql`case when has_refund_lines and pieces > 0
      then ${percent(sql`least(coalesce(returned_pieces, 0), pieces)`, sql`pieces`)} end`,
  }),
  metric({
    key: 'refunded_quantity_by_refund_date',
    type: 'integer',
    unit: 'pieces',
    null: NO_LINES,
    definition: 'Pieces refunded in the period, whenever ordered.',
    value: pieces(sql`refunded_pieces`),
  }),
  metric({
    key: 'refunded_revenue_by_refund_date',
    type: 'number',
    unit: 'money',
    null: NO_LINES,
    definition: 'Refunds of the period, whenever ordered, by lines.',
    value: money(sql`refunded_revenue`),
  }),
];

/** Whether the store tells what refunds are for, beside each row. */
export function refundsKnown(facts: SnapshotFacts): Sql {
  return sql`cross join (select ${hasRefundLines(facts) ? sql`true` : sql`false`} as has_refund_lines) as loaded`;
}

/** The refund metrics of a row without any. */
export function noRefunds(facts: SnapshotFacts) {
  const nothing = emptyRow(refundMetrics);
  if (!hasRefundLines(facts)) return nothing;
  return {
    ...nothing,
    refunded_quantity: 0,
    refunded_revenue: 0,
    refunded_quantity_by_refund_date: 0,
    refunded_revenue_by_refund_date: 0,
  };
}
