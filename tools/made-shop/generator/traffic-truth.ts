import {
  type Clicks,
  creditClicks,
  findJourneys,
  findOwners,
  findTouches,
  type Journey,
  revenueOf,
  type Touch,
} from './attribution.ts';
import { dateText, dayOf, localDay } from './calendar.ts';
import { moneyText, revenueText } from './money.ts';
import { isValid, type Order } from './orders.ts';
import { plantedTraffic } from './planted-traffic.ts';
import { at } from './random-stream.ts';
import type { Session } from './sessions.ts';
import type { AdCostRow } from './tables.ts';
import { median, mustBe, Tally } from './tally.ts';
import { type Channel, paymentGateway } from './traffic-sources.ts';

/**
 * The places from which visitors and orders come, over the whole history; sessions without suspected bots. A
 * session back from the payment gateway has the channel of the visitor's session before it and is no click of
 * its own. Orders are credited to the last (first) session of their customer in the 30 days before.
 */
export type TrafficTruth = {
  sessions_count: number;
  suspected_bot_sessions_count: number;
  /** Valid orders without any session in the 30 days before. */
  untracked_orders: { orders_count: number; revenue: string };
  /** Most revenue by last click, beside Direct. */
  best_channel: { channel: string; orders_count: number; last_click_revenue: string };
  /** The highest share of sessions with a valid order, among channels with 0.4 % of the sessions at least. */
  best_conversion: { channel: string; sessions_count: number; converting_sessions_count: number };
  /**
   * The highest first-click for its last-click revenue, beside Direct, among channels with 0.4 % of the
   * sessions at least.
   */
  assisting_channel: { channel: string; first_click_revenue: string; last_click_revenue: string };
  /**
   * The most frequent way with three touches, repeats collapsed, since the customer's previous valid order.
   */
  typical_journey: { path: string[]; journeys_count: number };
  /** `usual_sessions_count`: median of the same weekday in the eight weeks before. */
  anomaly_day: { date: string; sessions_count: number; usual_sessions_count: number };
  worst_bot_day: { date: string; suspected_bot_sessions_count: number };
  growing_source: { source: string; sessions_by_quarter: [quarter: string, sessions_count: number][] };
  /** The highest and the lowest return on ad spend of a campaign. */
  best_campaign: CampaignTruth;
  worst_campaign: CampaignTruth;
};

type CampaignTruth = {
  source: string;
  medium: string;
  campaign: string;
  ad_cost: string;
  last_click_revenue: string;
};

/** Sessions of people, and the orders that they are credited with. */
export type Traffic = { human: Session[]; touches: Touch[]; journeys: Journey[]; clicks: Clicks };

/** @param orders all of them; like the sessions in order of time */
export function creditTraffic(orders: readonly Order[], sessions: readonly Session[]): Traffic {
  const human = joinDetours(sessions.filter((session) => !session.isBot));
  const touches = findTouches(human, findOwners(orders));
  const journeys = findJourneys(orders.filter(isValid), touches);
  return { human, touches, journeys, clicks: creditClicks(journeys) };
}

/** Who comes back from the payment gateway goes on with the visit before. */
function joinDetours(sessions: readonly Session[]): Session[] {
  const visits: Session[] = [];
  const latest = new Map<string, number>();
  for (const session of sessions) {
    const place = latest.get(session.visitor_id);
    const before = place === undefined ? undefined : visits[place];
    if (session.source === paymentGateway && place !== undefined && before !== undefined) {
      visits[place] = { ...before, end: session.end, orders: [...before.orders, ...session.orders] };
    } else {
      latest.set(session.visitor_id, visits.length);
      visits.push(session);
    }
  }
  return visits;
}

export function countTrafficTruth(
  { human, touches, journeys, clicks }: Traffic,
  sessions: readonly Session[],
  adCosts: readonly AdCostRow[],
): TrafficTruth {
  const common = commonChannels(touches);
  return {
    sessions_count: human.length,
    suspected_bot_sessions_count: sessions.filter(({ isBot }) => isBot).length,
    untracked_orders: {
      orders_count: clicks.untracked.length,
      revenue: revenueText(clicks.untracked.reduce((sum, order) => sum + revenueOf(order), 0)),
    },
    best_channel: bestChannel(clicks),
    best_conversion: bestConversion(common),
    assisting_channel: assistingChannel(clicks, common),
    typical_journey: typicalJourney(journeys),
    anomaly_day: anomalyDay(human),
    worst_bot_day: worstBotDay(sessions),
    growing_source: growingSource(human),
    ...campaigns(clicks, adCosts),
  };
}

function bestChannel({ last, ordersByLast }: Clicks) {
  const channels = new Tally<Channel>();
  for (const [channel, revenue] of last.sums) if (channel !== 'Direct') channels.add(channel, revenue);
  const best = channels.largest();
  mustBe('best channel', best.key, plantedTraffic.bestChannel);
  return {
    channel: best.key,
    orders_count: ordersByLast.of(best.key),
    last_click_revenue: revenueText(best.count),
  };
}

/** Channels that are no accident. */
function commonChannels(touches: readonly Touch[]): Map<Channel, Touch[]> {
  const channels = Map.groupBy(touches, ({ channel }) => channel);
  return new Map([...channels].filter(([, ofChannel]) => ofChannel.length >= touches.length * 0.004));
}

function bestConversion(common: ReadonlyMap<Channel, Touch[]>) {
  const converting = new Tally<Channel>();
  const rates = new Tally<Channel>();
  for (const [channel, touches] of common) {
    for (const { session } of touches) if (session.orders.some(isValid)) converting.add(channel, 1);
    rates.add(channel, converting.of(channel) / touches.length);
  }
  const { key } = rates.largest();
  return {
    channel: key,
    sessions_count: common.get(key)?.length ?? 0,
    converting_sessions_count: converting.of(key),
  };
}

function assistingChannel({ first, last }: Clicks, common: ReadonlyMap<Channel, Touch[]>) {
  const ratios = new Tally<Channel>();
  for (const channel of common.keys()) {
    if (channel === 'Direct') continue;
    ratios.add(channel, first.of(channel) / Math.max(1, last.of(channel)));
  }
  const { key } = ratios.largest();
  mustBe('assisting channel', key, plantedTraffic.assistingChannel);
  return {
    channel: key,
    first_click_revenue: revenueText(first.of(key)),
    last_click_revenue: revenueText(last.of(key)),
  };
}

function typicalJourney(journeys: readonly Journey[]) {
  const paths = new Tally();
  for (const { touches, previous } of journeys) {
    const since = touches.filter(({ session }) => previous === null || session.at > previous.at);
    const path = since
      .map(({ channel }) => channel)
      .filter((channel, index, channels) => channel !== channels[index - 1]);
    if (path.length === 3) paths.add(path.join(' > '), 1);
  }
  const { key, count } = paths.largest();
  mustBe('typical journey', key, plantedTraffic.typicalJourney.join(' > '));
  return { path: [...plantedTraffic.typicalJourney], journeys_count: count };
}

/**
 * Unusual is more than five median deviations away from the median of the same weekday in the eight weeks
 * before.
 */
function anomalyDay(human: readonly Session[]) {
  const { date } = plantedTraffic.anomaly;
  const day = dayOf(date);
  const days = new Tally<number>();
  for (const session of human) days.add(localDay(session.at), 1);
  const before = [1, 2, 3, 4, 5, 6, 7, 8].map((weeks) => days.of(day - 7 * weeks));
  const usual = median(before);
  const deviation = median(before.map((count) => Math.abs(count - usual)));
  const isUnusual = days.of(day) > usual + 5 * deviation;
  mustBe('anomaly day', isUnusual ? 'unusual' : 'usual', 'unusual');
  return { date, sessions_count: days.of(day), usual_sessions_count: usual };
}

function worstBotDay(sessions: readonly Session[]) {
  const days = new Tally();
  for (const session of sessions) if (session.isBot) days.add(dateText(localDay(session.at)), 1);
  const { key, count } = days.largest();
  mustBe('worst day of bots', key, plantedTraffic.botDays[0]);
  return { date: key, suspected_bot_sessions_count: count };
}

function growingSource(human: readonly Session[]) {
  const source = plantedTraffic.growingSource;
  const quarters = new Tally();
  for (const session of human) {
    if (session.source.source === source) quarters.add(quarterOf(localDay(session.at)), 1);
  }
  const sessions_by_quarter = [...quarters.sums];
  const [first, last] = [sessions_by_quarter[0]?.[1] ?? 0, sessions_by_quarter.at(-1)?.[1] ?? 0];
  mustBe('growing source', last > 3 * first ? 'growth' : 'no growth', 'growth');
  return { source, sessions_by_quarter };
}

function quarterOf(day: number): string {
  const date = dateText(day);
  return `${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`;
}

function campaigns({ lastBySource }: Clicks, adCosts: readonly AdCostRow[]) {
  const costs = new Tally();
  for (const { campaign, cost } of adCosts) {
    if (campaign !== null) costs.add(campaign, Math.round(Number(cost) * 100));
  }
  const found = [...costs.sums].map(([campaign, cost]) => {
    const row = adCosts.find((candidate) => candidate.campaign === campaign);
    const revenue = [...lastBySource.sums]
      .filter(([source]) => source.campaign === campaign)
      .reduce((sum, [, ofSource]) => sum + ofSource, 0);
    return {
      return_on_ad_spend: revenue / cost,
      truth: {
        source: row?.source ?? '',
        medium: row?.medium ?? '',
        campaign,
        ad_cost: moneyText(cost),
        last_click_revenue: revenueText(revenue),
      },
    };
  });
  found.sort((a, b) => b.return_on_ad_spend - a.return_on_ad_spend);
  const best_campaign = at(found, 0).truth;
  const worst_campaign = at(found, found.length - 1).truth;
  mustBe('best campaign', best_campaign.campaign, plantedTraffic.bestCampaign);
  mustBe('worst campaign', worst_campaign.campaign, plantedTraffic.worstCampaign);
  return { best_campaign, worst_campaign };
}
