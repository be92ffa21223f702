// One campaign of any channel: get_campaign_statistics but identity and maturity, and
// campaign_statistics_trend.
import { amount, wholeNumber } from './decimals.ts';
import { cell } from './loaded-rows.ts';
import { noActivity, sendResults } from './messages.ts';
import { argumentRange, isInRange } from './moments.ts';
import { type Breakdown, periodsOf } from './periods.ts';
import { popupResults } from './popups.ts';
import type { Store } from './store.ts';
import { trafficOf } from './traffic.ts';

type Range = { from_date: string; to_date: string };
type Numbers = Record<string, number | null>;

const units = (money: number) => BigInt(Math.round(money * 10_000));
const cents = (money: number) => wholeNumber({ units: units(money), scale: 2 });

function campaignOf(store: Store, campaignId: string) {
  const row = store.campaigns.find(({ campaign_id }) => campaign_id === campaignId);
  if (row === undefined) throw new Error(`no campaign ${campaignId}`);
  const type = row.campaign_type ?? '';
  return { row, channel: type === 'popup' ? type : type.endsWith('-sms') ? 'sms' : 'email' } as const;
}

type Results = (campaignId: string) => { activity: object; results: Numbers };

/** Activity and SEND_REVENUE of campaigns of a channel in a range, zeros where one sent nothing. */
function resultsOf(store: Store, channel: 'email' | 'sms' | 'popup', range: Range): Results {
  if (channel === 'popup') {
    return (campaignId) => {
      const { activity, ...results } = popupResults(store, campaignId, range);
      return { activity, results: { ...results, click_attributed_revenue: 0 } };
    };
  }
  const { campaigns } = sendResults(store, channel, range);
  const nothing = noActivity(channel);
  return (campaignId) => {
    const results: Numbers = {
      ...nothing,
      ...{ attributed_orders_count: 0, attributed_revenue: 0, click_attributed_revenue: 0 },
      ...{ conversion_rate: null, refunded_revenue: store.refunds.length > 0 ? 0 : null },
      ...campaigns.get(campaignId),
    };
    const activity = Object.fromEntries(Object.keys(nothing).map((key) => [key, results[key]]));
    return { activity, results };
  };
}

export function campaignResults(store: Store, campaignId: string, range: Range): object {
  const { channel } = campaignOf(store, campaignId);
  const { activity, results } = resultsOf(store, channel, range)(campaignId);
  const orders = results.attributed_orders_count ?? 0;
  const attributed = results.attributed_revenue ?? 0;
  const byClick = results.click_attributed_revenue ?? 0;
  const parts = 200n * BigInt(orders);
  return {
    ...{ email: null, sms: null, popup: null, [channel]: activity },
    attributed_orders_count: orders,
    attributed_revenue_cents: cents(attributed),
    click_attributed_revenue_cents: cents(byClick),
    open_attributed_revenue_cents: channel === 'popup' ? 0 : cents(attributed) - cents(byClick),
    last_click_revenue_cents: cents(lastClickRevenue(store, campaignId, range)),
    refunded_revenue_cents:
      typeof results.refunded_revenue === 'number' ? cents(results.refunded_revenue) : null,
    average_order_revenue_cents: orders === 0 ? null : Number((2n * units(attributed) + parts / 2n) / parts),
    conversion_rate: results.conversion_rate,
  };
}

/** Sums the orders in the range whose last click carries each part of the tag that the campaign has. */
function lastClickRevenue(store: Store, campaignId: string, range: Range): number {
  const { shop, orders } = trafficOf(store);
  const { row } = campaignOf(store, campaignId);
  const bounds = argumentRange(range.from_date, range.to_date, shop.timezone);
  const tag = (['source', 'medium', 'campaign'] as const).flatMap((part) => {
    const value = cell(row[`utm_${part}`]);
    return value === null ? [] : [[part, value] as const];
  });
  const isTagged = tag.some(([part]) => part === 'campaign');
  const clicked = orders.filter(
    ({ order, last }) =>
      isTagged &&
      isInRange(order.moment, bounds) &&
      tag.every(([part, value]) => last?.labels[part] === value),
  );
  return amount(clicked.reduce((sum, { order }) => sum + order.revenue, 0n));
}

/** Rows of campaigns that exist, without maturity, period by period. */
export function campaignTrend(
  store: Store,
  campaignIds: string[],
  args: Range & { breakdown: Breakdown },
): (Numbers & { campaign_id: string; campaign_name: string; period: string })[] {
  const timezone = store.business.timezone ?? 'UTC';
  const periods = periodsOf(argumentRange(args.from_date, args.to_date, timezone), args.breakdown, timezone);
  return periods.flatMap(({ period, period_start, lastDay }) => {
    const days = { from_date: `${period_start}T00:00:00`, to_date: `${lastDay}T23:59:59` };
    const byChannel = {
      ...{ email: resultsOf(store, 'email', days), sms: resultsOf(store, 'sms', days) },
      popup: resultsOf(store, 'popup', days),
    };
    return campaignIds.map((campaign_id) => {
      const { row, channel } = campaignOf(store, campaign_id);
      const { activity, results } = byChannel[channel](campaign_id);
      return {
        ...{ campaign_id, campaign_name: row.name, period, period_start },
        ...trendNumbers(channel, activity as Numbers),
        attributed_orders_count: results.attributed_orders_count,
        attributed_revenue: results.attributed_revenue,
      } as never;
    });
  });
}

function trendNumbers(channel: 'email' | 'sms' | 'popup', activity: Numbers): object {
  const isEmail = channel === 'email';
  if (channel === 'popup') {
    return {
      ...{ sent_count: 0, delivered_count: 0, unique_opens_count: 0, unique_clicks_count: 0 },
      ...{ unsubscribes_count: 0, open_rate: null, click_rate: null, unsubscribe_rate: null },
      ...{ displays_count: activity.displays_count, submissions_count: activity.submissions_count },
    };
  }
  return {
    sent_count: activity.sent_count,
    delivered_count: activity.delivered_count,
    unique_opens_count: isEmail ? activity.unique_opens_count : 0,
    unique_clicks_count: activity.unique_clicks_count,
    unsubscribes_count: isEmail ? activity.unsubscribes_count : activity.opt_outs_count,
    ...{ displays_count: 0, submissions_count: 0 },
    open_rate: isEmail ? activity.open_rate : null,
    click_rate: activity.click_rate,
    unsubscribe_rate: isEmail ? activity.unsubscribe_rate : activity.opt_out_rate,
  };
}
