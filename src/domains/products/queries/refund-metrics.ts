import { NONE_LOADED } from '../../../answers/fields/field.ts';
import { emptyRow, metric, percent } from '../../../answers/metric.ts';
import { hasRefundLines, hasRefunds, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { type Sql, sql } from '../../../sql/sql.ts';

const known = (value: Sql) => sql`case when has_refund_lines then ${value} end`;
const pieces = (sum: Sql) => known(sql`cast(round(coalesce(${sum}, 0)) as bigint)`);
const money = (sum: Sql, pieces: Sql) => known(sql`case when ${pieces} is null then 0 else ${sum} end`);

/**
 * The metrics over the joined CTEs of `activity`. They are null as long as no refund of the store tells what
 * it is for.
 */
export const refundMetrics = [
  metric({
    key: 'refunded_quantity',
    type: 'integer',
    unit: 'pieces',
    null: NONE_LOADED,
    definition: 'Pieces refunded to date.',
    value: pieces(sql`returned_pieces`),
  }),
  metric({
    key: 'refunded_revenue',
    type: 'number',
    unit: 'money',
    null: NONE_LOADED,
    definition: 'Refunds to date, by lines.',
    value: money(sql`returned_revenue`, sql`returned_pieces`),
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
    null: NONE_LOADED,
    definition: 'Pieces refunded in the period, whenever ordered, cancelled orders too.',
    value: pieces(sql`refunded_pieces`),
  }),
  metric({
    key: 'refunded_revenue_by_refund_date',
    type: 'number',
    unit: 'money',
    null: NONE_LOADED,
    definition: 'Refunds of the period, whenever ordered, cancelled orders too, by lines.',
    value: money(sql`refunded_revenue`, sql`refunded_pieces`),
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

/** What a caller can name refunds by: to sort by them, to keep rows by them, to see them. */
interface RefundsAsked {
  readonly sort_by?: string;
  readonly filter_metrics?: readonly { readonly metric: string }[] | null;
  /** The argument `fields` that `rowArguments` gives every tool with rows. */
  readonly fields?: readonly string[];
}

interface Returned {
  readonly entity: string;
  readonly return_rate: number | null;
  readonly refunded_revenue: number | null;
  readonly estimated_revenue: number | null;
}

/** From this many percentage points apart, pieces and money say different things. */
const LEAST_POINTS = 5;
const MOST_NAMED = 3;

/**
 * Says which share of the money came back where the share of the pieces is another one: dear pieces come back
 * more often, or only a part of a price is paid back.
 */
export function returnedMoneyNotes(
  rows: readonly Returned[],
  { sort_by = '', fields = [] }: RefundsAsked,
): string[] {
  if (sort_by !== 'return_rate' && !fields.includes('return_rate')) return [];
  const apart = rows.flatMap(
    ({ entity, return_rate: pieces, refunded_revenue: back, estimated_revenue: sold }) => {
      if (pieces === null || back === null || sold === null || sold <= 0) return [];
      const money = Math.round((1000 * back) / sold) / 10;
      return Math.abs(money - pieces) < LEAST_POINTS
        ? []
        : [`${JSON.stringify(entity)} ${money} %, return_rate ${pieces} %`];
    },
  );
  if (apart.length === 0) return [];
  return [
    `return_rate is of pieces. Of money, refunded_revenue / estimated_revenue: ${apart.slice(0, MOST_NAMED).join('; ')}.`,
  ];
}

/** Rows that are sorted by nulls, or that nulls keep out, look as if nothing came back. */
export function refundNotes(
  { sort_by = '', filter_metrics, fields = [] }: RefundsAsked,
  facts: SnapshotFacts,
): string[] {
  if (hasRefundLines(facts)) return [];
  const filtered = filter_metrics?.map(({ metric }) => metric) ?? [];
  if (![sort_by, ...filtered, ...fields].some(isOfRefunds)) return [];
  const why = hasRefunds(facts)
    ? 'Refunds are loaded by order, not by line (order_statistics has them)'
    : 'No refunds are loaded';
  return [
    `${why}: which products came back is not known. Refunds of products are null: sorting by them sorts nothing, a filter on them leaves no row.`,
  ];
}

function isOfRefunds(name: string): boolean {
  return refundMetrics.some(({ key }) => key === name);
}
