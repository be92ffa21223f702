import { column, NO_RATE } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { counted, knownSum, type Metric, metric, orZero, rate } from '../../../answers/metric.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { orders, orderTraffic } from '../../../model-table/table-names.ts';
import type { Row } from '../../../sql/row.ts';
import { type Sql, sql } from '../../../sql/sql.ts';
import { orderedIn, type Range } from '../../../time/range.ts';

/**
 * Orders and the visits that they were placed in. The plain word is of orders that name their visit; those
 * that only the time ties to one stand beside it, under names of their own. Tools of the contract count both
 * under the plain word (0261).
 */

/** What the metrics below are made of, over rows of the CTE `traffic`. */
export const orderedVisitMeasures: Sql = sql`
  count(*) filter (where is_counted and is_converting) as named_sessions,
  count(*) filter (where is_counted and not is_converting and own_orders_by_time > 0) as timed_sessions,
  sum(own_orders) filter (where is_counted) as named_orders,
  sum(own_orders_by_time) filter (where is_counted) as timed_orders`;

export const orderedVisitMetrics = [
  counted(
    'sessions',
    'sessions_named_by_orders',
    'With a valid order that names it; converting_sessions_count of session_statistics has sessions_ordered_in_by_time, too.',
    sql`named_sessions`,
  ),
  counted(
    'sessions',
    'sessions_ordered_in_by_time',
    'Without such an order, but open while its visitor placed one that names no session.',
    sql`timed_sessions`,
  ),
  counted(
    'orders',
    'orders_naming_sessions',
    'Valid orders that name a session, by when it began; orders_in_session of session_statistics has orders_in_sessions_by_time, too.',
    orZero(sql`named_orders`),
  ),
  counted(
    'orders',
    'orders_in_sessions_by_time',
    'Valid orders that name no session, placed while one of their customer was open.',
    orZero(sql`timed_orders`),
  ),
  rate(
    'rate_of_sessions_named_by_orders',
    'sessions_named_by_orders / sessions_count; session_statistics has those by time alone, too.',
    sql`named_sessions`,
    sql`sessions`,
  ),
] as const satisfies readonly Metric[];

export const orderedVisitRevenues = [
  metric({
    key: 'revenue_naming_sessions',
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    definition:
      'Of orders_in_session: paid in the visit itself, by when it began. last_click_revenue also has what was ordered in later visits.',
    value: knownSum(sql`revenue`, sql`is_named`),
  }),
  metric({
    key: 'revenue_in_sessions_by_time',
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    definition: 'Of orders_in_session_by_time.',
    value: knownSum(sql`revenue`, sql`not is_named`),
  }),
] as const satisfies readonly Metric[];

/** How many valid orders of a range name a visit, and how many only their time ties to one. */
export function ordersInVisits(range: Range, { sessions_until }: SnapshotFacts): Query | null {
  if (sessions_until === null) return null;
  return {
    ...query(
      [column('orders_count', 'integer'), column('named_count', 'integer'), column('timed_count', 'integer')],
      sql`
      select count(*) as orders_count, count(own_session_key) as named_count, count(own_session_by_time_key) as timed_count
      from ${orders}
      left join (
        select order_key, own_session_key, own_session_by_time_key from ${orderTraffic}
      ) as placed using (order_key)
      where is_valid and ${orderedIn(range)}`,
    ),
    isAside: true,
  };
}

/** A smaller part of the orders changes no conclusion. */
const LEAST_PART = 0.02;

/** Says how many orders are in no visit, so that nobody takes a conversion of visits for that of buyers. */
export function outsideVisitsNotes([row]: readonly Row[] = []): string[] {
  const [all, named, timed] = [row?.orders_count, row?.named_count, row?.timed_count].map(Number) as [
    number,
    number,
    number,
  ];
  if (row === undefined || all - named <= LEAST_PART * all) return [];
  const outside = all - named - timed;
  const byTime = timed === 0 ? '' : `, ${shown(timed)} only by their time (…_by_time)`;
  return [
    `Of ${shown(all)} orders ${shown(named)} name a visit${byTime}, and ${shown(outside)} are in no visit: conversion is of visits, and too low by what was not tracked.`,
  ];
}

function shown(count: number): string {
  return count.toLocaleString('en-US');
}
