import { amount, decimal, type Money, money, round4 } from './decimals.ts';
import { cell, loadedRows } from './loaded-rows.ts';
import {
  argumentRange,
  isInRange,
  localDate,
  type Moment,
  type Range,
  shownPeople,
  utcText,
} from './moments.ts';
import type { RangeArguments, TrendArguments } from './order-statistics.ts';
import { addDays, periodOf, periodsOf } from './periods.ts';
import type { Store } from './store.ts';
import { compareText } from './text-order.ts';
import { type CreditedOrder, type Traffic, trafficOf, type Visit } from './traffic.ts';

type Filters = {
  filter_channels?: string[] | null;
  filter_sources?: string[] | null;
  filter_mediums?: string[] | null;
  filter_campaigns?: string[] | null;
  filter_devices?: string[] | null;
  include_suspected_bots?: boolean;
};
type Labels = Partial<Visit['labels']>;
type Group = keyof Visit['labels'] | 'none';

export type SessionArguments = RangeArguments &
  Filters & {
    group_by?: Group;
    sort_by?: string;
    sort_order?: 'asc' | 'desc';
    limit?: number;
    offset?: number;
  };

/** Null where there is nothing to divide by. */
export const ratio = (a: number, b: number) => (b === 0 ? null : round4(a / b));
export const percent = (a: number, b: number) => (b === 0 ? null : round4((100 * a) / b));

/** The earlier of the last order and the last session. */
export function dataUntil({ shop, sessionsUntil }: Traffic): string | null {
  if (sessionsUntil === null) return null;
  const ends = [shop.orders.at(-1)?.moment, sessionsUntil].flatMap((latest) =>
    latest === undefined ? [] : [utcText(latest)],
  );
  return ends.sort()[0] ?? null;
}

/** This leaves out the notes about unknown names. */
export function sessionStatistics(store: Store, args: SessionArguments) {
  const traffic = trafficOf(store);
  const range = argumentRange(args.from_date, args.to_date, traffic.shop.timezone);
  const inRange = ({ moment }: { moment: Moment }) => isInRange(moment, range);
  const isNew = ({ firstMoment }: Visit) => isInRange(firstMoment, range);
  const group = args.group_by ?? 'source_medium';
  const keyOf = (labels: Labels) => (group === 'none' ? '(all)' : (labels[group] ?? ''));

  const visits = traffic.visits.filter((visit) => inRange(visit) && passes(visit.labels, args));
  const orders = traffic.orders.filter(({ order }) => inRange(order));
  const last = orders.filter((order) => order.last && passes(order.last.labels, args));
  const first = orders.filter((order) => order.first && passes(order.first.labels, args));
  const knowsCosts = ['source_medium', 'channel', 'source', 'campaign', 'none'].includes(group);
  const costs = knowsCosts && !args.filter_devices?.length ? costsOf(store, range, args) : [];

  const keys = new Set([
    ...visits.map(({ labels }) => keyOf(labels)),
    ...last.map((order) => keyOf(order.last?.labels ?? {})),
    ...first.map((order) => keyOf(order.first?.labels ?? {})),
    ...costs.map(({ labels }) => keyOf(labels)),
  ]);
  const spentOn = (ofThem: typeof costs, orders: typeof last) => {
    const cost = ofThem.length === 0 ? null : amount(ofThem.reduce((sum, { cost }) => sum + cost, 0n));
    const advertised = amount(revenueOf(orders.filter((order) => isAdvertised(order.last, costs))));
    const [clicks, impressions] = [toldSum(ofThem, 'clicks'), toldSum(ofThem, 'impressions')];
    return {
      ad_cost: cost,
      advertised_revenue: cost === null ? null : advertised,
      return_on_ad_spend: cost === null ? null : ratio(advertised, cost),
      ad_clicks: clicks,
      ad_impressions: impressions,
      cost_per_click: cost === null || clicks === null ? null : ratio(cost, clicks),
      ad_click_rate: clicks === null || impressions === null ? null : percent(clicks, impressions),
    };
  };
  const rows = [...keys].map((key) => {
    const own = {
      visits: visits.filter(({ labels }) => keyOf(labels) === key),
      last: last.filter((order) => keyOf(order.last?.labels ?? {}) === key),
      first: first.filter((order) => keyOf(order.first?.labels ?? {}) === key),
      costs: costs.filter(({ labels }) => keyOf(labels) === key),
    };
    const labels = [
      ...own.visits.map((visit) => visit.labels),
      ...own.last.map((order) => order.last?.labels ?? {}),
      ...own.first.map((order) => order.first?.labels ?? {}),
      ...own.costs.map((cost) => cost.labels),
    ];
    const statistics = statisticsOf(
      traffic.orders,
      own.visits,
      own.last,
      own.first,
      isNew,
      args.include_suspected_bots,
    );
    const spent = spentOn(own.costs, own.last);
    const cost = spent.ad_cost;
    return {
      key,
      ...{ channel: shared(labels, 'channel'), source: shared(labels, 'source') },
      ...{ medium: shared(labels, 'medium'), campaign: shared(labels, 'campaign') },
      ...statistics,
      ...spent,
      ...newCustomersOf(
        own.last,
        own.last.filter((order) => isAdvertised(order.last, costs)),
        cost,
      ),
      ...prefixed(
        newCustomersOf(
          own.first,
          own.first.filter((order) => isAdvertised(order.first, costs)),
          cost,
        ),
      ),
    };
  });
  const column = (args.sort_by ?? 'sessions_count') as 'sessions_count';
  const sign = args.sort_order === 'asc' ? 1 : -1;
  rows.sort((a, b) => {
    const [x, y] = [a[column] as number | null, b[column] as number | null];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || compareText(a.key, b.key);
    return sign * (x - y) || compareText(a.key, b.key);
  });
  const untracked = orders.filter((order) => order.last === null);
  const offset = args.offset ?? 0;
  return {
    business_id: args.business_id,
    data_until: dataUntil(traffic),
    group_by: group,
    total_count: rows.length,
    totals: {
      ...statisticsOf(traffic.orders, visits, last, first, isNew, args.include_suspected_bots),
      ...spentOn(costs, last),
    },
    untracked_orders_count: untracked.length,
    untracked_revenue: amount(revenueOf(untracked)),
    sessions: rows.slice(offset, offset + (args.limit ?? 10)),
  };
}

/** This leaves out `is_anomalous` of days, which has a test of its own. */
export function sessionStatisticsTrend(store: Store, args: TrendArguments & Filters) {
  const traffic = trafficOf(store);
  const range = argumentRange(args.from_date, args.to_date, traffic.shop.timezone);
  const periods = periodsOf(range, args.breakdown, traffic.shop.timezone);
  return {
    business_id: args.business_id,
    data_until: dataUntil(traffic),
    forecast: null,
    periods: periods.map(({ period, period_start }) => {
      const isIn = (date: string) => periodOf(date, args.breakdown).period === period;
      const orders = traffic.orders.filter(({ order }) => isIn(order.localDate));
      const visits = traffic.visits.filter((visit) => isIn(visit.localDate) && passes(visit.labels, args));
      return {
        period,
        period_start,
        has_suspected_bots: visits.some(({ isSuspected }) => isSuspected),
        ...statisticsOf(
          traffic.orders,
          visits,
          orders.filter((order) => order.last && passes(order.last.labels, args)),
          orders.filter((order) => order.first && passes(order.first.labels, args)),
          ({ firstDate }) => isIn(firstDate),
          args.include_suspected_bots,
        ),
      };
    }),
  };
}

function statisticsOf(
  orders: CreditedOrder[],
  visits: Visit[],
  last: CreditedOrder[],
  first: CreditedOrder[],
  isNew: (visit: Visit) => boolean,
  includesSuspected = false,
) {
  const counted = visits.filter(({ isSuspected }) => includesSuspected || !isSuspected);
  const count = (isThat: (visit: Visit) => boolean) => counted.filter(isThat).length;
  const sessions = counted.length;
  const engaged = count(({ isEngaged }) => isEngaged);
  const views = counted.reduce((sum, { pageViews }) => sum + pageViews, 0);
  const converting = count(({ isConverting }) => isConverting);
  const revenue = amount(revenueOf(last));
  const engagement = percent(engaged, sessions);
  return {
    sessions_count: sessions,
    visitors_count: shownPeople(new Set(counted.map(({ visitor }) => visitor)).size),
    new_visitors_count: shownPeople(new Set(counted.filter(isNew).map(({ visitor }) => visitor)).size),
    identified_sessions_count: count(({ isIdentified }) => isIdentified),
    engaged_sessions_count: engaged,
    page_views_count: views,
    cart_sessions_count: count(({ hasCart }) => hasCart),
    checkout_sessions_count: count(({ hasCheckout }) => hasCheckout),
    converting_sessions_count: converting,
    orders_count: last.length,
    orders_last_click: last.length,
    orders_in_session: orders.filter(({ own }) => own !== null && counted.includes(own)).length,
    last_click_revenue: revenue,
    first_click_revenue: amount(revenueOf(first)),
    engagement_rate: engagement,
    bounce_rate: engagement === null ? null : round4(100 - engagement),
    pages_per_session: ratio(views, sessions),
    avg_engagement_time_s: ratio(
      amount(counted.reduce((sum, visit) => sum + visit.engagement, 0n)),
      sessions,
    ),
    conversion_rate: percent(converting, sessions),
    revenue_per_session: ratio(revenue, sessions),
    suspected_bot_sessions_count: visits.filter(({ isSuspected }) => isSuspected).length,
  };
}

/** Who came by these orders: those whose first order ever is among them, and what one of them cost. */
function newCustomersOf(orders: CreditedOrder[], advertised: CreditedOrder[], cost: number | null) {
  const count = (some: CreditedOrder[]) => some.filter(({ order }) => order.sequence === 1).length;
  const paidFor = shownPeople(count(advertised));
  return {
    new_customers_count: shownPeople(count(orders)),
    advertised_new_customers_count: paidFor,
    cost_per_new_customer: cost === null || paidFor === null ? null : ratio(cost, paidFor),
  };
}

function prefixed(of: ReturnType<typeof newCustomersOf>) {
  return {
    first_click_new_customers_count: of.new_customers_count,
    first_click_advertised_new_customers_count: of.advertised_new_customers_count,
    first_click_cost_per_new_customer: of.cost_per_new_customer,
  };
}

/**
 * Whether something was paid in the range for visits of this source, medium and campaign, or of all
 * campaigns.
 */
function isAdvertised(visit: Visit | null, costs: ReturnType<typeof costsOf>): boolean {
  return costs.some(
    ({ labels, cost, isOfAllCampaigns }) =>
      cost > 0n &&
      labels.source === visit?.labels.source &&
      labels.medium === visit?.labels.medium &&
      (isOfAllCampaigns || labels.campaign === visit?.labels.campaign),
  );
}

/**
 * The costs of the local days that the range touches. Random stores pay for clicks only, to a search engine
 * or to others.
 */
function costsOf(
  store: Store,
  range: Range,
  filters: Filters,
): {
  labels: Labels;
  cost: Money;
  clicks: number | null;
  impressions: number | null;
  isOfAllCampaigns: boolean;
}[] {
  const timezone = store.business.timezone ?? 'UTC';
  const [from, to] = [localDate(range.from, timezone), localDate(range.to, timezone)];
  const rows = loadedRows(store.ad_costs, (row) =>
    JSON.stringify([row.day, row.source, row.medium, row.campaign]),
  );
  return rows
    .filter(({ day = '' }) => from <= day && day <= to)
    .map((row) => ({
      labels: {
        channel: row.source === 'google' ? 'Paid Search' : 'Paid Other',
        source: row.source ?? '',
        medium: row.medium ?? '',
        campaign: cell(row.campaign) ?? '(not set)',
        source_medium: `${row.source} / ${row.medium}`,
      },
      cost: money(decimal(row.cost ?? '')),
      clicks: numberOf(row.clicks),
      impressions: numberOf(row.impressions),
      isOfAllCampaigns: cell(row.campaign) === null,
    }))
    .filter(({ labels }) => passes(labels, filters));
}

function numberOf(text: string | undefined): number | null {
  const told = cell(text);
  return told === null ? null : Number(told);
}

/** Null where nothing tells it, or a cost above 0 does not. */
function toldSum(costs: ReturnType<typeof costsOf>, name: 'clicks' | 'impressions'): number | null {
  const told = costs.flatMap((one) => one[name] ?? []);
  const isUnknown = told.length === 0 || costs.some((one) => one[name] === null && one.cost > 0n);
  return isUnknown ? null : told.reduce((sum, count) => sum + count, 0);
}

function passes(labels: Labels, filters: Filters): boolean {
  const isOneOf = (value: string | undefined, names: string[] | null | undefined) =>
    !names?.length || names.includes(value ?? '');
  return (
    isOneOf(labels.channel, filters.filter_channels) &&
    isOneOf(labels.source, filters.filter_sources) &&
    isOneOf(labels.medium, filters.filter_mediums) &&
    isOneOf(labels.campaign, filters.filter_campaigns) &&
    isOneOf(labels.device, filters.filter_devices)
  );
}

function shared(labels: Labels[], name: keyof Labels): string | null {
  const values = new Set(labels.map((label) => label[name]));
  return values.size === 1 ? ([...values][0] ?? null) : null;
}

function revenueOf(orders: CreditedOrder[]): Money {
  return orders.reduce((sum, { order }) => sum + order.revenue, 0n);
}

/** Whether a day is far off its weekdays in the eight weeks before, by the definition. */
export function anomalous(date: string, countOf: (date: string) => number, loadedFrom: string): boolean {
  const before = [1, 2, 3, 4, 5, 6, 7, 8]
    .map((week) => addDays(date, -7 * week))
    .filter((day) => day >= loadedFrom);
  const counts = before.map(countOf);
  if (counts.length < 4) return false;
  const usual = middle(counts);
  const mad = middle(counts.map((value) => Math.abs(value - usual)));
  const deviation = Math.max(mad, usual ** 0.5, usual / 10);
  const value = countOf(date);
  return value < usual - 5 * deviation || value > usual + 5 * deviation;
}

function middle(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(half)] ?? 0;
  return ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}
