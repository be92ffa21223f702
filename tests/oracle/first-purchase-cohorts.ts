import { other, type SegmentBy, segmentsOf, topSegments } from './cohort-segments.ts';
import { amount, decimal, type Money, money, percent, product, ratio } from './decimals.ts';
import { loadedRows } from './loaded-rows.ts';
import { argumentRange, localDate, utcText } from './moments.ts';
import { type RangeArguments, revenueOf } from './order-statistics.ts';
import { customersIn, type Order } from './orders.ts';
import { addDays, daysBetween, type Period, periodOf, periodsOf } from './periods.ts';
import { notSet } from './product-names.ts';
import { percentile, percentOrNull, ratioOrNull } from './quantiles.ts';
import { type Shop, shopOf } from './shop.ts';
import type { Store } from './store.ts';
import { compareText } from './text-order.ts';

export type CohortArguments = RangeArguments & {
  cohort_period?: 'week' | 'month' | 'all' | undefined;
  segment_by?: SegmentBy | undefined;
  segment_limit?: number | undefined;
  max_periods?: number | undefined;
};

type Retention = {
  days: number;
  returned_customers_count: number;
  retention_rate: number;
  mature_customers_count: number;
  mature_retention_rate: number | null;
  is_mature: boolean;
};
type CohortPeriod = {
  period_index: number;
  period: null;
  active_customers_count: number;
  retention_rate: number;
  orders_count: number;
  revenue: number;
  cumulative_revenue_per_customer: number;
  is_complete: boolean;
};
type Ltv = {
  days: number;
  revenue_per_customer: number;
  mature_customers_count: number;
  mature_revenue_per_customer: number | null;
  is_mature: boolean;
};

type Cohort = {
  cohort: string;
  cohort_start: string;
  segment: string | null;
  customers_count: number;
  first_orders_revenue: number;
  first_average_order_value: number | null;
  observed_days: number;
  retention: Retention[];
  periods: CohortPeriod[];
  ltv: Ltv[];
  revenue_per_customer_total: number;
  refunded_revenue: number | null;
  repeat_customers_count: number;
  median_days_to_second_order: number | null;
  three_orders_rate: number | null;
  may_contain_old_customers: boolean;
};

export type FirstPurchaseCohorts = {
  business_id: string;
  data_until: string | null;
  history_starts_at: string | null;
  cohort_period: string;
  window: 'days';
  segment_by: string;
  cohorts: Cohort[];
};

/**
 * A customer of the cohorts in one of the segments of the first order: the valid orders in order of time,
 * each with the days since the first.
 */
type Buyer = { first: Order; orders: { order: Order; days: number }[]; segment: string | null };

export function firstPurchaseCohorts(store: Store, args: CohortArguments): FirstPurchaseCohorts {
  const shop = shopOf(store);
  const cohortPeriod = args.cohort_period ?? 'month';
  const segmentBy = args.segment_by ?? 'none';
  const range = argumentRange(args.from_date, args.to_date, shop.timezone);
  const days = periodsOf(range, 'day', shop.timezone);
  const all = {
    period: 'all',
    period_start: days[0]?.period_start ?? '',
    lastDay: days.at(-1)?.lastDay ?? '',
  };
  const periods = cohortPeriod === 'all' ? [all] : periodsOf(range, cohortPeriod, shop.timezone);
  const cohortOfDate = (date: string) => {
    if (cohortPeriod !== 'all') return periodOf(date, cohortPeriod).period;
    return date >= all.period_start && date <= all.lastDay ? 'all' : '';
  };

  const buyersOf = new Map<string, Buyer[]>(periods.map(({ period }) => [period, []]));
  for (const buyer of allBuyers(shop, segmentBy)) {
    buyersOf.get(cohortOfDate(buyer.first.localDate))?.push(buyer);
  }
  keepTopSegments([...buyersOf.values()].flat(), args.segment_limit ?? 10);
  for (const [period, buyers] of buyersOf) buyersOf.set(period, onceInEach(buyers));

  const cohorts: Cohort[] = [];
  for (const period of periods) {
    const bySegment = Map.groupBy(buyersOf.get(period.period) ?? [], (buyer) => buyer.segment);
    const rows = [...bySegment].map(([segment, buyers]) =>
      cohortOf(store, shop, period, segment, buyers, args.max_periods ?? 12, cohortPeriod),
    );
    cohorts.push(...rows.sort(bySize));
  }
  const earliest = shop.orders[0];
  const latest = shop.orders.at(-1);
  return {
    business_id: args.business_id,
    data_until: latest === undefined ? null : utcText(latest.moment),
    history_starts_at: earliest === undefined ? null : utcText(earliest.moment),
    cohort_period: cohortPeriod,
    window: 'days',
    segment_by: segmentBy,
    cohorts,
  };
}

function allBuyers(shop: Shop, segmentBy: SegmentBy): Buyer[] {
  const buyers: Buyer[] = [];
  for (const first of shop.firstOrders.values()) {
    const orders = shop.validOrders.filter((order) => order.customer === first.customer);
    for (const segment of segmentsOf(shop, first, segmentBy)) {
      buyers.push({
        first,
        orders: orders.map((order) => ({ order, days: daysBetween(first.localDate, order.localDate) })),
        segment,
      });
    }
  }
  return buyers;
}

/** Who has two segments that are among the others is there once. */
function onceInEach(buyers: Buyer[]): Buyer[] {
  const perSegment = Map.groupBy(buyers, ({ segment }) => segment);
  return [...perSegment.values()].flatMap((own) => [
    ...new Map(own.map((buyer) => [buyer.first.customer, buyer])).values(),
  ]);
}

/** The top values are those over all returned cohorts together, so that a value means the same in each. */
function keepTopSegments(buyers: Buyer[], limit: number): void {
  const split = buyers.filter((buyer) => buyer.segment !== null);
  const top = topSegments(
    split.map((buyer) => buyer.segment ?? notSet),
    limit,
  );
  for (const buyer of split) if (!top.has(buyer.segment ?? notSet)) buyer.segment = other;
}

/** Largest segment first, the rest of the segments last. */
function bySize(a: Cohort, b: Cohort): number {
  if ((a.segment === other) !== (b.segment === other)) return a.segment === other ? 1 : -1;
  return b.customers_count - a.customers_count || compareText(a.segment ?? '', b.segment ?? '');
}

function cohortOf(
  store: Store,
  shop: Shop,
  period: Period,
  segment: string | null,
  buyers: Buyer[],
  maxPeriods: number,
  cohortPeriod: 'week' | 'month' | 'all',
): Cohort {
  const size = buyers.length;
  const firstRevenue = revenueOf(buyers.map((buyer) => buyer.first));
  const everyOrder = buyers.flatMap((buyer) => buyer.orders);
  const dataUntil = localDate(shop.orders.at(-1)?.moment ?? 0n, shop.timezone);
  const historyStart = localDate(shop.orders[0]?.moment ?? 0n, shop.timezone);
  const observedDays = Math.max(0, daysBetween(period.lastDay, dataUntil));
  const revenueUntil = (days: number) =>
    revenueOf(everyOrder.filter((entry) => entry.days <= days).map((entry) => entry.order));

  // Customers who came early enough to have had this many days, whenever the cohort ended.
  const mature = (days: number) =>
    buyers.filter(({ first }) => daysBetween(first.localDate, dataUntil) >= days);
  const hasReturned = ({ orders }: Buyer, days: number) => orders[1] !== undefined && orders[1].days <= days;

  const retention = [30, 60, 90, 180, 365].map((days): Retention => {
    const returned = buyers.filter((buyer) => hasReturned(buyer, days)).length;
    const early = mature(days);
    return {
      days,
      returned_customers_count: returned,
      retention_rate: percent(returned, size),
      mature_customers_count: early.length,
      mature_retention_rate: percentOrNull(
        early.filter((buyer) => hasReturned(buyer, days)).length,
        early.length,
      ),
      is_mature: early.length === size,
    };
  });

  const length = cohortPeriod === 'week' ? 7 : 30;
  const periods: CohortPeriod[] = [];
  let cumulative = firstRevenue;
  for (let k = 0; k < maxPeriods; k += 1) {
    const later = everyOrder.filter(
      ({ order, days }) => order.sequence !== 1 && Math.floor(days / length) === k,
    );
    const orders = later.map((entry) => entry.order);
    const active = customersIn(orders).size;
    cumulative += revenueOf(orders);
    periods.push({
      period_index: k,
      period: null,
      active_customers_count: active,
      retention_rate: percent(active, size),
      orders_count: orders.length,
      revenue: amount(revenueOf(orders)),
      cumulative_revenue_per_customer: ratio(amount(cumulative), size),
      is_complete: mature((k + 1) * length).length === size,
    });
  }

  return {
    cohort: period.period,
    cohort_start: period.period_start,
    segment,
    customers_count: size,
    first_orders_revenue: amount(firstRevenue),
    first_average_order_value: ratio(amount(firstRevenue), size),
    observed_days: observedDays,
    retention,
    periods,
    ltv: [30, 90, 180, 365].map(
      (days): Ltv => ({
        days,
        revenue_per_customer: ratio(amount(revenueUntil(days)), size),
        mature_customers_count: mature(days).length,
        mature_revenue_per_customer: ratioOrNull(
          amount(
            revenueOf(
              mature(days).flatMap(({ orders }) =>
                orders.filter((entry) => entry.days <= days).map(({ order }) => order),
              ),
            ),
          ),
          mature(days).length,
        ),
        is_mature: mature(days).length === size,
      }),
    ),
    revenue_per_customer_total: ratio(amount(revenueOf(everyOrder.map((entry) => entry.order))), size),
    refunded_revenue: refundsOn(
      store,
      everyOrder.map((entry) => entry.order),
    ),
    repeat_customers_count: buyers.filter((buyer) => buyer.orders.length >= 2).length,
    median_days_to_second_order: percentile(
      buyers.flatMap(({ orders }) => (orders[1] === undefined ? [] : [BigInt(orders[1].days)])),
      50,
      1,
    ),
    three_orders_rate: percent(buyers.filter((buyer) => buyer.orders.length >= 3).length, size),
    may_contain_old_customers: period.period_start < addDays(historyStart, daysOfOldCustomers(shop)),
  };
}

/**
 * How long after the history began somebody may come back who ordered before it: as nine of ten pauses last,
 * from 90 days to a year.
 */
function daysOfOldCustomers({ validOrders }: Shop): number {
  const pauses: bigint[] = [];
  const repeaters = new Set<string>();
  const last = new Map<string, string>();
  for (const { customer, localDate: day } of validOrders) {
    if (customer === null) continue;
    const before = last.get(customer);
    if (before !== undefined) {
      pauses.push(BigInt(daysBetween(before, day)));
      repeaters.add(customer);
    }
    last.set(customer, day);
  }
  const usual = repeaters.size < 5 ? 0 : Math.ceil(percentile(pauses, 90, 1) ?? 0);
  return Math.min(365, Math.max(90, usual));
}

/** Refunds to date on these orders in the business currency; null when the store has no refunds at all. */
export function refundsOn(store: Store, orders: Order[]): number | null {
  if (store.refunds.length === 0) return null;
  const rates = new Map(orders.map((order) => [order.orderId, order.rate]));
  let refunded: Money = 0n;
  for (const row of loadedRows(store.refunds, (refund) => refund.refund_id ?? '')) {
    const rate = rates.get(row.order_id ?? '') ?? null;
    if (rate !== null) refunded += money(product(decimal(row.amount ?? ''), rate));
  }
  return amount(refunded);
}
