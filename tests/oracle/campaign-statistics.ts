// One-off campaigns with their lift, automations, and A/B variants, from the raw rows.
import { consentHistories } from './consents.ts';
import { customersOf } from './customers.ts';
import { amount, round4 } from './decimals.ts';
import { normalTailsOf, studentTailsOf } from './integrals.ts';
import { cell } from './loaded-rows.ts';
import {
  type Channel,
  type Messages,
  messagesOf,
  type RangeArguments,
  resultsOf,
  type Send,
} from './messages.ts';
import { argumentRange, importedMoment, isInRange, localDate, type Moment } from './moments.ts';
import { percentile } from './quantiles.ts';
import { abandonedCarts, readEverything } from './segment-query.ts';
import { audienceWithoutFew } from './small-groups.ts';
import type { Row, Store } from './store.ts';

const DAY = 86_400_000_000n;

interface Entry {
  customer: string;
  moment: Moment;
  outcome: string;
  isCompleted: boolean;
}

const channelOf = ({ campaign_type = '' }: Row<'campaigns'>): Channel =>
  campaign_type.endsWith('sms') ? 'sms' : 'email';
const earliest = (moments: Moment[]) => moments.toSorted((first, next) => Number(first - next))[0] as Moment;

function entriesOf(store: Store, campaignId: string | undefined, timezone: string): Entry[] {
  const customers = customersOf(store);
  return store.audience_members
    .filter(({ campaign_id }) => campaign_id === campaignId)
    .map((row) => ({
      customer: customers.ofReference(row) ?? '',
      moment: importedMoment(row.entered_at ?? '', timezone),
      outcome: row.outcome ?? '',
      isCompleted: cell(row.completed_at) !== null,
    }));
}

/** What both channels tell alike; an SMS has no opens, and who opts out unsubscribes. */
function common(store: Store, messages: Messages, channel: Channel, sends: Send[]): object {
  const all = resultsOf(store, messages, channel, sends);
  const shared = Object.fromEntries(
    [
      ...['sent_count', 'delivered_count', 'unique_clicks_count', 'click_rate', 'attributed_orders_count'],
      ...['attributed_revenue', 'click_attributed_revenue', 'average_order_value', 'conversion_rate'],
      ...['revenue_per_recipient', 'revenue_per_person', 'refunded_revenue'],
    ].map((key) => [key, all[key]]),
  );
  const isSms = channel === 'sms';
  return {
    ...shared,
    unique_opens_count: isSms ? 0 : all.unique_opens_count,
    open_rate: isSms ? null : all.open_rate,
    unsubscribes_count: isSms ? all.opt_outs_count : all.unsubscribes_count,
    unsubscribe_rate: isSms ? all.opt_out_rate : all.unsubscribe_rate,
  };
}

/** One-off campaigns first sent in the range, by id. */
export function targetedCampaigns(store: Store, args: RangeArguments): Map<string, object> {
  const messages = messagesOf(store);
  const { timezone } = messages.traffic.shop;
  const range = argumentRange(args.from_date, args.to_date, timezone);
  const rows = new Map<string, object>();
  for (const campaign of store.campaigns) {
    const campaignId = campaign.campaign_id ?? '';
    if (!campaign.campaign_type?.startsWith('targeted')) continue;
    const every = messages.sends.filter((send) => send.campaignId === campaignId);
    const sends = every.filter(({ channel }) => channel === channelOf(campaign));
    if (sends.length === 0) continue;
    if (!isInRange(earliest(every.map(({ moment }) => moment)), range)) continue;
    const entries = entriesOf(store, campaignId, timezone);
    const treated = new Set(sends.map(({ customer }) => customer ?? ''));
    const skipped = new Set(entries.map(({ customer }) => customer).filter((one) => !treated.has(one)));
    const held = entries.filter(({ outcome, customer }) => outcome === 'control' && !treated.has(customer));
    const control = new Set(held.map(({ customer }) => customer));
    const sentTo = (one: string) =>
      earliest(sends.filter(({ customer }) => customer === one).map(({ moment }) => moment));
    const heldFrom = (one: string) =>
      earliest(held.filter(({ customer }) => customer === one).map(({ moment }) => moment));
    const lift =
      control.size === 0
        ? null
        : liftOf(boughtBy(messages, treated, sentTo), boughtBy(messages, control, heldFrom));
    rows.set(campaignId, {
      ...common(store, messages, channelOf(campaign), sends),
      ...audienceWithoutFew(treated.size + skipped.size, skipped.size, control.size, lift),
    });
  }
  return rows;
}

function boughtBy({ traffic }: Messages, people: Set<string>, since: (one: string) => Moment) {
  const bought = [...people].map((one) => {
    const from = since(one);
    return traffic.shop.validOrders.filter(
      ({ customer, moment }) => customer === one && moment >= from && moment <= from + 7n * DAY,
    );
  });
  return {
    people: people.size,
    buyers: bought.filter((orders) => orders.length > 0).length,
    orders: bought.flat().length,
    revenue: amount(bought.flat().reduce((sum, { revenue }) => sum + revenue, 0n)),
  };
}

function liftOf(treated: ReturnType<typeof boughtBy>, control: ReturnType<typeof boughtBy>): object {
  const scale = treated.people / control.people;
  return {
    treated_conversion_rate: round4((100 * treated.buyers) / treated.people),
    control_conversion_rate: round4((100 * control.buyers) / control.people),
    incremental_orders: withoutDust(treated.orders - control.orders * scale),
    incremental_revenue: withoutDust(treated.revenue - control.revenue * scale),
    // Random stores have fewer than a hundred people.
    p_value: null,
  };
}

/**
 * The acts of automations in the range, by id.
 *
 * @param messagesUntil the end of the loaded messages, as a tool about them tells it
 */
export function incrementalCampaigns(
  store: Store,
  args: RangeArguments,
  messagesUntil: string,
): Map<string, object> {
  const messages = messagesOf(store);
  const { timezone } = messages.traffic.shop;
  const range = argumentRange(args.from_date, args.to_date, timezone);
  const lastKnown = earliest([range.to, importedMoment(messagesUntil, timezone)]);
  const rows = new Map<string, object>();
  for (const campaign of store.campaigns) {
    const campaignId = campaign.campaign_id ?? '';
    if (!campaign.campaign_type?.startsWith('incremental')) continue;
    const every = messages.sends.filter((send) => send.campaignId === campaignId);
    const channel = channelOf(campaign);
    const sends = every.filter((send) => send.channel === channel && isInRange(send.moment, range));
    const entries = entriesOf(store, campaignId, timezone);
    const entered = entries.filter(({ moment }) => isInRange(moment, range));
    const people = new Set(entered.map(({ customer }) => customer));
    const sentTo = entered.filter(({ outcome }) => outcome === 'sent').map(({ customer }) => customer);
    const completed = entered.filter(({ isCompleted }) => isCompleted).map(({ customer }) => customer);
    rows.set(campaignId, {
      entered_count: entries.length > 0 ? people.size : new Set(sends.map(({ customer }) => customer)).size,
      skipped_count: people.size - new Set(sentTo).size,
      completed_count: entries.some(({ isCompleted }) => isCompleted) ? new Set(completed).size : null,
      ...common(store, messages, channel, sends),
      is_silent: isSilent(store, campaign, every, { lastKnown, end: range.to, timezone }),
    });
  }
  return rows;
}

/**
 * Active, and quiet on at least 7 days up to the last known one, which are at least twice its usual pause
 * (the 90th percentile), though what triggers it happened, where that is known. With fewer than 5 days of
 * sending there is no usual pause: then it must have no targeting and 5 triggers.
 */
function isSilent(
  store: Store,
  campaign: Row<'campaigns'>,
  sends: Send[],
  { lastKnown, end, timezone }: { lastKnown: Moment; end: Moment; timezone: string },
): boolean {
  const dayOf = (moment: Moment) => Date.parse(localDate(moment, timezone)) / 86_400_000;
  // The range ends with the last microsecond of its second, messages with the last one.
  const known = lastKnown === end ? end + 1_000_000n : lastKnown;
  const before = sends
    .map(({ moment }) => moment)
    .filter((moment) => moment < end + 1_000_000n && dayOf(moment) <= dayOf(lastKnown));
  const last = before.toSorted((one, other) => Number(other - one))[0];
  const since = last ?? importedMoment(campaign.created_at ?? '', timezone);
  const quiet = dayOf(lastKnown) - dayOf(since);
  if (campaign.state !== 'active' || quiet < 7) return false;
  const days = [...new Set(before.map(dayOf))].sort((one, other) => one - other);
  // What carts, orders and consents do not tell of, those tell who entered to get a message.
  const entries = entriesOf(store, campaign.campaign_id, timezone);
  const entered = entries.filter(({ outcome }) => outcome === 'sent').map(({ moment }) => moment);
  const isTold = triggersOf(store, campaign) !== null;
  const told = triggersOf(store, campaign) ?? (entries.length === 0 ? null : entered);
  const trigger = JSON.parse(cell(campaign.trigger) ?? 'null') as { delay_minutes?: number } | null;
  // A cart is abandoned after an hour; what waits for an unknown time is given a week.
  const isOfCarts = campaign.category === 'abandoned_cart';
  const delay = isOfCarts ? Math.max(trigger?.delay_minutes ?? 0, 60) : (trigger?.delay_minutes ?? 7 * 1440);
  const minuteOf = (moment: Moment) => moment / 60_000_000n;
  const isDue = (at: Moment) => at < known && minuteOf(known) - minuteOf(at) > BigInt(delay);
  const triggers = told?.filter((at) => at > since && isDue(at)).length ?? null;
  if (days.length < 5) return cell(campaign.segment_query) === null && (triggers ?? 0) >= 5;
  const pauses = days.slice(1).map((day, index) => BigInt(day - (days[index] ?? day)));
  return quiet >= 2 * (percentile(pauses, 90, 1) ?? 0) && (triggers ?? 5) >= (isTold ? 1 : 5);
}

/**
 * When what triggers it happened to people who agreed to its messages; null where the store tells nothing of
 * that.
 */
function triggersOf(store: Store, campaign: Row<'campaigns'>): Moment[] | null {
  const data = readEverything(store);
  const { shop } = data.messages.traffic;
  const consents = consentHistories(store, channelOf(campaign));
  const agreed = (who: string, at: Moment) =>
    store.consent_events.length === 0 ||
    consents
      .get(who)
      ?.filter(({ moment }) => moment <= at)
      .at(-1)?.state === 'subscribed';
  const ordered = shop.validOrders.flatMap(({ customer, moment }) =>
    customer === null ? [] : [{ who: customer, moment }],
  );
  const carts = [...data.everyone].flatMap((who) =>
    abandonedCarts(data, who).map((moment) => ({ who, moment })),
  );
  const joined = [...consents.values()].flatMap(
    (changes) => changes.find(({ state }) => state === 'subscribed')?.moment ?? [],
  );
  const known = <One>(all: One[], chosen: (one: One) => Moment[]) =>
    all.length === 0 ? null : all.flatMap(chosen);
  const ofAgreed = ({ who, moment }: { who: string; moment: Moment }) =>
    agreed(who, moment) ? [moment] : [];
  if (campaign.category === 'abandoned_cart') return known(carts, ofAgreed);
  if (campaign.category === 'post_purchase' || campaign.category === 'review_request')
    return known(ordered, ofAgreed);
  if (campaign.category === 'transactional') return known(ordered, ({ moment }) => [moment]);
  return campaign.category === 'welcome' ? known(joined, (moment) => [moment]) : null;
}

/** A double whose last digits depend on the order of operations. */
const withoutDust = (value: number) => round4(Number(value.toPrecision(12)));

/** One variant of a test: what its delivered messages brought, each. */
export interface Sample {
  readonly successes: number;
  readonly values: readonly number[];
}

/**
 * The p-value of every pair, alone: of shares by the z-test, of money by Welch's. `values` are all delivered
 * messages.
 */
export function pValueOf(first: Sample, second: Sample, isMoney: boolean): number {
  const [m, n] = [first.values.length, second.values.length];
  if (!isMoney) {
    const pooled = (first.successes + second.successes) / (m + n);
    const error = Math.sqrt(pooled * (1 - pooled) * (1 / m + 1 / n) * ((m + n) / (m + n - 1)));
    return error === 0 ? 1 : normalTailsOf((first.successes / m - second.successes / n) / error);
  }
  const [a, b] = [first, second].map(({ values }) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return { mean, share: squares / (values.length - 1) / values.length };
  }) as [{ mean: number; share: number }, { mean: number; share: number }];
  const error = a.share + b.share;
  const degrees = error ** 2 / (a.share ** 2 / (m - 1) + b.share ** 2 / (n - 1));
  return studentTailsOf((a.mean - b.mean) / Math.sqrt(error), degrees);
}
