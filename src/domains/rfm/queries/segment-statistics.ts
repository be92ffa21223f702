import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { consentStates } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { addMoney, roundedPercent, roundedRatio } from '../../../statistics/rounded.ts';
import { RFM_SEGMENTS, SCORES } from '../../../store/rfm-segments.ts';
import { SUPPRESSED_STATES } from '../../../store/suppressed-states.ts';
import type { AsOf } from './moments.ts';
import { chosenProfile, type RfmProfile } from './profiles.ts';
import { membersAt } from './scoring.ts';

const CELL = [
  column('segment', 'text'),
  column('recency', 'integer'),
  column('frequency', 'integer'),
  column('monetary', 'integer'),
  column('customers_count', 'integer'),
  column('orders_count', 'integer'),
  column('revenue', 'number'),
  nullableColumn('recency_days', 'integer'),
  column('reactivated_customers_count', 'integer'),
  column('email_subscribed_count', 'integer'),
  column('sms_subscribed_count', 'integer'),
  column('email_reachable_count', 'integer'),
  column('sms_reachable_count', 'integer'),
  column('suppressed_count', 'integer'),
  nullableColumn('least_days', 'integer'),
  nullableColumn('most_days', 'integer'),
  nullableColumn('least_orders', 'integer'),
  nullableColumn('most_orders', 'integer'),
  nullableColumn('least_revenue', 'number'),
  nullableColumn('most_revenue', 'number'),
];
type Cell = ObjectOf<typeof CELL>;
type Sum = Exclude<keyof Cell, 'segment'>;

/**
 * One row per segment and combination of scores that anyone has at the moment, 0 for the lost. Everything that an
 * answer shows is a sum of these rows.
 */
export function segmentCells(moment: AsOf, profileId: string | null) {
  return query(
    CELL,
    sql`
    with ${membersAt([moment], chosenProfile(profileId))},
    subscribers as (
      select customer_key,
        max(case when state = 'subscribed' and channel = 'email' then 1 else 0 end) as by_email,
        max(case when state = 'subscribed' and channel = 'sms' then 1 else 0 end) as by_sms,
        max(case when state in (${parameter.texts(SUPPRESSED_STATES)}) then 1 else 0 end) as is_suppressed
      from ${consentStates}
      group by customer_key
    )
    select segment, recency, frequency, monetary,
      count(*) as customers_count,
      sum(orders_count) as orders_count,
      sum(revenue) as revenue,
      sum(recency_days) as recency_days,
      count(*) filter (where recency > 0 and orders_before > 0) as reactivated_customers_count,
      coalesce(sum(by_email), 0) as email_subscribed_count,
      coalesce(sum(by_sms), 0) as sms_subscribed_count,
      coalesce(sum(by_email * (1 - is_suppressed)), 0) as email_reachable_count,
      coalesce(sum(by_sms * (1 - is_suppressed)), 0) as sms_reachable_count,
      coalesce(sum(is_suppressed), 0) as suppressed_count,
      min(recency_days) as least_days, max(recency_days) as most_days,
      min(orders_count) as least_orders, max(orders_count) as most_orders,
      min(revenue) as least_revenue, max(revenue) as most_revenue
    from members left join subscribers using (customer_key)
    group by segment, recency, frequency, monetary
    order by recency, frequency, monetary`,
  );
}

export function segmentRows(cells: readonly Cell[]) {
  const customers = count(cells, 'customers_count');
  const revenue = money(cells);
  return RFM_SEGMENTS.map(({ key, name }) => {
    const own = cells.filter(({ segment }) => segment === key);
    const size = count(own, 'customers_count');
    const orders = count(own, 'orders_count');
    return {
      segment: key,
      name,
      customers_count: size,
      customers_share: roundedPercent(size, customers),
      orders_count: orders,
      revenue: money(own),
      revenue_share: roundedPercent(money(own), revenue),
      avg_recency_days: roundedRatio(count(own, 'recency_days'), size),
      avg_frequency: roundedRatio(orders, size),
      avg_monetary: roundedRatio(money(own), size),
      average_order_value: roundedRatio(money(own), orders),
      email_subscribed_count: count(own, 'email_subscribed_count'),
      sms_subscribed_count: count(own, 'sms_subscribed_count'),
      email_reachable_count: count(own, 'email_reachable_count'),
      sms_reachable_count: count(own, 'sms_reachable_count'),
      suppressed_count: count(own, 'suppressed_count'),
      reactivated_customers_count: count(own, 'reactivated_customers_count'),
    };
  });
}

export function scoredCustomersCount(cells: readonly Cell[]): number {
  return count(scored(cells), 'customers_count');
}

export function recencyRows(cells: readonly Cell[], profile: RfmProfile) {
  // A threshold is the last day of its score, and more days are a lower score.
  const firstDays = profile.recency_thresholds_days.map((days) => days + 1);
  return scoreRows(cells, 'recency', 'days', profile, boundsOf(firstDays, 1).reverse());
}

export function frequencyRows(cells: readonly Cell[], profile: RfmProfile) {
  return scoreRows(cells, 'frequency', 'orders', profile, boundsOf(profile.frequency_thresholds, 1));
}

export function monetaryRows(cells: readonly Cell[], profile: RfmProfile) {
  return scoreRows(cells, 'monetary', 'revenue', profile, boundsOf(profile.monetary_thresholds, 0));
}

export function cellRows(cells: readonly Cell[]) {
  return scored(cells).map(({ recency, frequency, monetary, customers_count }) => ({
    recency,
    frequency,
    monetary,
    customers_count,
  }));
}

interface Bounds {
  readonly from_value: number | null;
  readonly to_value: number | null;
}

const OPEN: Bounds = { from_value: null, to_value: null };

/** Of the five scores that the thresholds part, in their order. @param step to the last value below a threshold */
function boundsOf(thresholds: readonly number[], step: number): Bounds[] {
  return SCORES.map((_, place) => {
    const next = thresholds[place];
    return { from_value: thresholds[place - 1] ?? null, to_value: next === undefined ? null : next - step };
  });
}

/** Quintiles have no thresholds: their bounds are the values that occur. */
function scoreRows(
  cells: readonly Cell[],
  kind: 'recency' | 'frequency' | 'monetary',
  value: 'days' | 'orders' | 'revenue',
  { scoring }: RfmProfile,
  bounds: readonly Bounds[],
) {
  return SCORES.map((score) => {
    const own = scored(cells).filter((cell) => cell[kind] === score);
    const occurring = {
      from_value: own.length === 0 ? null : Math.min(...own.map((cell) => Number(cell[`least_${value}`]))),
      to_value: own.length === 0 ? null : Math.max(...own.map((cell) => Number(cell[`most_${value}`]))),
    };
    return {
      score,
      ...(scoring === 'quintiles' ? occurring : (bounds[score - 1] ?? OPEN)),
      customers_count: count(own, 'customers_count'),
      revenue: money(own),
    };
  });
}

function scored(cells: readonly Cell[]): Cell[] {
  return cells.filter(({ recency }) => recency !== 0);
}

function count(cells: readonly Cell[], key: Sum): number {
  return cells.reduce((sum, cell) => sum + Number(cell[key]), 0);
}

function money(cells: readonly Cell[]): number {
  return addMoney(...cells.map(({ revenue }) => revenue));
}
