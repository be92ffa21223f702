import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { isSmall } from '../../../answers/small-groups.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { roundedPercent, roundedRatio } from '../../../statistics/rounded.ts';
import { quoted } from '../../../text/business-text.ts';
import { type TrafficWindow, traffic } from './traffic.ts';
import type { TrafficFilters } from './traffic-filters.ts';

const CREDITS = [
  column('row_key', 'text'),
  column('campaign', 'text'),
  nullableColumn('cost', 'number'),
  column('unpriced', 'integer'),
  nullableColumn('revenue', 'number'),
  column('last', 'integer'),
  column('first', 'integer'),
];
export type PaidCampaign = ObjectOf<typeof CREDITS>;

/** More campaigns than this are not looked through for the sake of a note. */
const MOST_CAMPAIGNS = 10_000;

/**
 * What each campaign of each row cost, its revenue by last click, and the new customers whose first order has
 * its last or its first click in what has costs. Null where the rows have no costs, or none are loaded.
 */
export function paidCredits(
  window: TrafficWindow,
  filters: TrafficFilters,
  { ad_costs }: Pick<SnapshotFacts, 'ad_costs'>,
): Query<PaidCampaign> | null {
  if (window.costs === null || ad_costs === null) return null;
  const asked = query(
    CREDITS,
    sql`
    with ${traffic({ ...window, sessions: sql`false` }, filters, false)}
    select row_key, coalesce(campaign, '') as campaign, sum(cost) as cost,
      count(*) filter (where is_cost and cost is null) as unpriced,
      sum(last_click_revenue) filter (where is_advertised) as revenue,
      cast(coalesce(sum(new_customers) filter (where is_advertised), 0) as bigint) as last,
      cast(coalesce(sum(first_click_new_customers) filter (where is_advertised), 0) as bigint) as first
    from traffic
    group by row_key, coalesce(campaign, '')
    limit ${parameter.integer(MOST_CAMPAIGNS + 1)}`,
  );
  return { ...asked, isAside: true };
}

interface Told {
  /** The keys of the rows that the answer has. */
  readonly keys: readonly string[];
  readonly currency: string | null;
  /** Whether rows are of one campaign each: such a row hides none. */
  readonly areCampaigns: boolean;
  shownKey?(key: string): string;
}

/** The most rows that a note names, those that cost most first. */
const MOST_NAMED = 3;

/**
 * Says of which rows one click alone tells the opposite of the other one, and which rows one campaign makes
 * look better than the rest of them is. Whoever moves a budget by such a row moves it to the wrong place.
 */
export function paidCreditNotes(found: readonly PaidCampaign[], told: Told): string[] {
  if (found.length > MOST_CAMPAIGNS) return [];
  const byRow = Map.groupBy(found, ({ row_key }) => row_key);
  const rows = told.keys
    .flatMap((key) => {
      const own = byRow.get(key);
      return own === undefined ? [] : [{ key, own, ...together(own) }];
    })
    .filter(({ cost, unpriced }) => cost > 0 && unpriced === 0)
    .toSorted((one, other) => other.cost - one.cost);
  return [...clickNotes(rows, told), ...(told.areCampaigns ? [] : campaignNotes(rows, told))];
}

type Sums = Readonly<Record<'cost' | 'unpriced' | 'revenue' | 'last' | 'first', number>>;
interface PaidRow extends Sums {
  readonly key: string;
  readonly own: readonly PaidCampaign[];
}

function together(campaigns: readonly PaidCampaign[]): Sums {
  const sum = (name: keyof Sums) => campaigns.reduce((all, one) => all + (one[name] ?? 0), 0);
  return {
    cost: sum('cost'),
    unpriced: sum('unpriced'),
    revenue: sum('revenue'),
    last: sum('last'),
    first: sum('first'),
  };
}

/** Fewer customers than this by either click differ by chance. */
const LEAST_CUSTOMERS = 10;

function clickNotes(rows: readonly PaidRow[], told: Told): string[] {
  const unlike = rows.filter(({ last, first }) => {
    const [less, more] = [Math.min(last, first), Math.max(last, first)];
    return more >= LEAST_CUSTOMERS && more > 2 * less;
  });
  if (unlike.length === 0) return [];
  const named = unlike.slice(0, MOST_NAMED).map(({ key, cost, last, first }) => {
    const costs = [
      ...(isTold(first) ? [`${each(cost, first, told)} by first click`] : []),
      ...(isTold(last) ? [`${each(cost, last, told)} by last click`] : []),
    ];
    return `${nameOf(key, told)} is the first click of ${people(first)} new customers and the last of ${people(last)}: one costs ${costs.join(', ')}.`;
  });
  const more = unlike.length - named.length;
  return [[...named, ...(more > 0 ? [`${more} more rows alike.`] : []), 'Judge by both clicks.'].join(' ')];
}

/** Counts of few people are hidden, and so is what a cost divided by them would tell. */
function isTold(customers: number): boolean {
  return customers > 0 && !isSmall(customers);
}

function people(customers: number): string {
  return isSmall(customers) ? 'fewer than 5' : String(customers);
}

/** A campaign with at least this percentage of a row's revenue can turn what the row says. */
const LEAST_REVENUE = 20;
/** And it does where its share of the revenue is at least this many times its share of the cost. */
const LEAST_TIMES = 3;

function campaignNotes(rows: readonly PaidRow[], told: Told): string[] {
  const named = rows.flatMap((row) => {
    // What is spent without a campaign's name is spent on any of them.
    if (row.own.some(({ campaign, cost }) => cost !== null && campaign === NO_CAMPAIGN)) return [];
    const [best] = row.own
      .filter((campaign) => flatters(campaign, row))
      .toSorted((one, other) => (other.revenue ?? 0) - (one.revenue ?? 0));
    return best === undefined ? [] : [withoutCampaign(row, best, told)];
  });
  return named.length === 0 ? [] : [named.slice(0, MOST_NAMED).join(' ')];
}

/** Whether the campaign makes its row look better than the rest of the row is. */
function flatters({ cost, revenue }: PaidCampaign, row: PaidRow): boolean {
  if (cost === null || cost <= 0 || cost >= row.cost) return false;
  const share = roundedPercent(revenue ?? 0, row.revenue) ?? 0;
  return share >= LEAST_REVENUE && share >= LEAST_TIMES * (roundedPercent(cost, row.cost) ?? 0);
}

const NO_CAMPAIGN = '(not set)';

function withoutCampaign(row: PaidRow, best: PaidCampaign, told: Told): string {
  const cost = row.cost - (best.cost ?? 0);
  const [before, after] = [
    roundedRatio(row.revenue, row.cost),
    roundedRatio(row.revenue - (best.revenue ?? 0), cost),
  ].map((value) => (value ?? 0).toFixed(2));
  const [last, own] = [row.last - best.last, best.last];
  const isKnown = isTold(last) && !isSmall(own) && !isSmall(row.last);
  const customer = isKnown ? `, a new customer costs ${each(cost, last, told)} by last click` : '';
  return `Of ${nameOf(row.key, told)}, campaign ${quoted(best.campaign)} is ${percent(best.cost ?? 0, row.cost)} % of the cost and ${percent(best.revenue ?? 0, row.revenue)} % of the revenue: without it, return_on_ad_spend is ${after}, not ${before}${customer}.`;
}

function percent(part: number, whole: number): string {
  const share = roundedPercent(part, whole) ?? 0;
  return share < 1 ? 'under 1' : String(Math.round(share));
}

function each(cost: number, customers: number, { currency }: Told): string {
  const amount = Math.round(cost / customers);
  return currency === null ? String(amount) : `${amount} ${currency}`;
}

function nameOf(key: string, { shownKey = (one) => one }: Told): string {
  const name = shownKey(key);
  return name === '' ? 'Advertising' : quoted(name);
}
