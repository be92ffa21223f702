// The answers of the tools about subscribers, by walking through what happened to every single person.
import { type Change, type Channel, consentHistories, quotedLikeOurs, suppressedAt } from './consents.ts';
import { customersOf } from './customers.ts';
import { round4 } from './decimals.ts';
import { cell } from './loaded-rows.ts';
import { messagesOf } from './messages.ts';
import { argumentRange, importedMoment, localDate, type Moment, type Range } from './moments.ts';
import { type Breakdown, periodsOf } from './periods.ts';
import { dataUntil, membersAt, profileOf, wholeSecond } from './rfm.ts';
import { shopOf } from './shop.ts';
import type { Store } from './store.ts';
import { compareText } from './text-order.ts';

interface Arguments {
  business_id: string;
  from_date: string;
  to_date: string;
  channel: Channel;
}

const SECOND = 1_000_000n;
const DAY = 86_400n * SECOND;
const share = (part: number, whole: number) => (whole === 0 ? null : round4((100 * part) / whole));
/** A bound without fraction, as what happened is compared: by the whole second. */
export const afterRange = ({ to }: Range): Moment => to - (((to % SECOND) + SECOND) % SECOND) + SECOND;

/** Where a change lies: before what is asked about, in it, or after it. */
type Place = (change: Change) => 'before' | 'in' | 'after';

const inRange =
  (range: Range): Place =>
  ({ moment }) =>
    moment < range.from ? 'before' : moment < afterRange(range) ? 'in' : 'after';

class Flow {
  atStart = 0;
  first = 0;
  again = 0;
  readonly exits: Record<string, number> = {};
  readonly people = new Set<string>();
  readonly before = new Set<string>();
  readonly left = new Set<string>();
  requests = 0;
  confirmed = 0;

  fields() {
    const { unsubscribed = 0, bounced = 0, complained = 0, suppressed = 0, pending = 0 } = this.exits;
    const removed = suppressed + pending;
    const growth = this.first + this.again - unsubscribed - bounced - complained - removed;
    const churned = [...this.left].filter((customer) => this.before.has(customer)).length;
    return {
      subscribed_at_start_count: this.atStart,
      subscribed_count: this.first,
      resubscribed_count: this.again,
      unsubscribed_count: unsubscribed,
      bounced_out_count: bounced,
      complained_count: complained,
      removed_count: removed,
      net_growth: growth,
      subscribed_at_end_count: this.atStart + growth,
      churn_rate: share(churned, this.atStart),
      early_exit_count: this.left.size - churned,
    };
  }
}

/** @param exit what ended the change, within what is asked about */
type RowOf = (change: Change, customer: string, exit: Change | null) => string;

/** The flows by row: a subscription counts in the row where it began. */
function flows(histories: Map<string, Change[]>, place: Place, rowOf: RowOf): Map<string, Flow> {
  const rows = new Map<string, Flow>();
  const flowOf = (row: string) => {
    const flow = rows.get(row) ?? new Flow();
    rows.set(row, flow);
    return flow;
  };
  for (const [customer, changes] of histories) {
    let hasSubscribed = false;
    for (const [index, change] of changes.entries()) {
      if (place(change) === 'after') break;
      const next = changes[index + 1];
      const endsIn = next !== undefined && place(next) === 'in';
      const exit = endsIn && change.state === 'subscribed' ? next : null;
      if (change.state === 'pending' && place(change) === 'in') {
        const flow = flowOf(rowOf(change, customer, exit));
        flow.people.add(customer);
        flow.requests += 1;
        if (endsIn && next.state === 'subscribed') flow.confirmed += 1;
      }
      if (change.state !== 'subscribed') continue;
      const isFirst = !hasSubscribed;
      hasSubscribed = true;
      if (next !== undefined && place(next) === 'before') continue;
      const flow = flowOf(rowOf(change, customer, exit));
      flow.people.add(customer);
      if (place(change) === 'before') {
        flow.atStart += 1;
        flow.before.add(customer);
      } else if (isFirst) flow.first += 1;
      else flow.again += 1;
      if (!endsIn) continue;
      flow.exits[next.state] = (flow.exits[next.state] ?? 0) + 1;
      flow.left.add(customer);
    }
  }
  return rows;
}

const shownCampaign = (id: string | null | undefined) =>
  id ? quotedLikeOurs(id, ['(stayed)', '(no campaign)', '(other)']) : '(no campaign)';

const STATES = ['subscribed', 'pending', 'unsubscribed', 'bounced', 'complained', 'suppressed'];

export function subscriberStatistics(store: Store, args: Arguments & { group_by: string; limit?: number }) {
  const timezone = store.business.timezone ?? 'UTC';
  const range = argumentRange(args.from_date, args.to_date, timezone);
  const place = inRange(range);
  const histories = consentHistories(store, args.channel);
  const stateAtEnd = new Map(
    [...histories].map(([customer, changes]) => [
      customer,
      changes.findLast((change) => place(change) !== 'after')?.state,
    ]),
  );
  const countries = countriesOf(store);
  const segments = segmentsBefore(store, range);
  const campaignOf = exitCampaigns(store, args.channel);
  const rowsBy: Record<string, RowOf> = {
    source: ({ source }: Change) => source,
    popup: ({ popup }: Change) => popup,
    country: (_: Change, customer: string) => countries(customer),
    state: (_: Change, customer: string) => stateAtEnd.get(customer) ?? '',
    rfm_segment: (_, customer) => segments.get(customer) ?? '(no order)',
    exit_reason: (_, __, exit) =>
      exit === null ? '(stayed)' : quotedLikeOurs(exit.reason, ['(stayed)', '(other)']),
    exit_campaign: (_, customer, exit) =>
      exit === null ? '(stayed)' : shownCampaign(campaignOf(customer, exit.moment)),
    none: () => '(all)',
  };
  const rowOf = rowsBy[args.group_by];
  const whole = flows(histories, place, () => '(all)').get('(all)') ?? new Flow();
  // Nobody is there at the end of rows by how people left, but in one: then those of most people come first.
  const isByExit = args.group_by.startsWith('exit');
  const rows = [...flows(histories, place, rowOf ?? (() => ''))]
    .map(([key, flow]) => ({
      people: isByExit ? flow.people.size : 0,
      key,
      campaign_name:
        args.group_by === 'exit_campaign'
          ? (store.campaigns.find(({ campaign_id }) => shownCampaign(campaign_id) === key)?.name ?? null)
          : null,
      ...flow.fields(),
      confirmation_rate: share(flow.confirmed, flow.requests),
      is_hidden: false,
    }))
    .sort(
      (a, b) =>
        b.subscribed_at_end_count - a.subscribed_at_end_count ||
        b.people - a.people ||
        compareText(a.key, b.key),
    )
    .map(({ people: _, ...row }) => row);
  const known = knownAt(store, afterRange(range));
  const inState = (state: string) => [...stateAtEnd.values()].filter((held) => held === state).length;
  const states = STATES.map((state) => ({ state, profiles_count: inState(state) }));
  const never = [...known].filter((customer) => stateAtEnd.get(customer) === undefined).length;
  const subscribers = [...stateAtEnd].flatMap(([customer, state]) =>
    state === 'subscribed' ? [customer] : [],
  );
  const blocked = suppressedAt(store, afterRange(range));
  return {
    business_id: args.business_id,
    channel: args.channel,
    ...whole.fields(),
    reachable_count: subscribers.filter((customer) => !blocked.has(customer)).length,
    suppressed_count: blocked.size,
    states: [...states, { state: 'never_subscribed', profiles_count: never }],
    activity: activityOf(store, args.channel, range, subscribers, histories),
    rows: rows.slice(0, args.limit ?? 20),
  };
}

/** The RFM segment of the default profile just before the range, or with the last loaded order. */
function segmentsBefore(store: Store, { from }: Range): Map<string, string> {
  const shop = shopOf(store);
  const until = dataUntil(shop);
  if (until === null) return new Map();
  // What happened in the second in which the range begins, at a fraction of it, is before the range too.
  const before = wholeSecond(from - 1n);
  const isAfterAllOrders = until < before;
  const members = membersAt(shop, isAfterAllOrders ? until : before, profileOf(store, shop, null));
  return new Map(members.map(({ customer, segment }) => [customer, segment]));
}

/**
 * Finds by whose message somebody left at a moment: the last one unsubscribed or complained of in the day
 * before.
 */
function exitCampaigns(store: Store, channel: Channel) {
  const timezone = store.business.timezone ?? 'UTC';
  const customers = customersOf(store);
  const sends = messagesOf(store).sends.filter((send) => send.channel === channel);
  const bySend = (send_id: string | undefined) => sends.findIndex(({ id }) => id === send_id);
  const exits = [
    ...store.message_events
      .filter(({ kind }) => kind === 'unsubscribe' || kind === 'complaint')
      .map((row) => ({ place: bySend(row.send_id), moment: importedMoment(row.at ?? '', timezone) })),
    ...store.consent_events
      .filter(({ state }) => state === 'unsubscribed' || state === 'complained')
      .map((row) => {
        const moment = importedMoment(row.at ?? '', timezone);
        if (cell(row.send_id) !== null) return { place: bySend(row.send_id), moment };
        const { profile_id, email, phone } = row;
        const customer = customers.ofReference({ profile_id, email, phone });
        const isText = channel === 'sms' && row.channel === 'sms' && row.state === 'unsubscribed';
        const place = sends.findLastIndex(
          (send) =>
            isText && send.customer === customer && send.rawOutcome !== 'failed' && send.moment <= moment,
        );
        const isRecent = place >= 0 && moment - (sends[place]?.moment ?? 0n) <= 3n * DAY;
        return { place: isRecent ? place : -1, moment };
      }),
  ].filter(({ place }) => place >= 0);
  return (customer: string, moment: Moment): string | null => {
    const own = exits
      .filter((exit) => sends[exit.place]?.customer === customer)
      .filter((exit) => exit.moment <= moment && exit.moment > moment - DAY)
      .sort((a, b) => Number(a.moment - b.moment) || a.place - b.place);
    return sends[own.at(-1)?.place ?? -1]?.campaignId ?? null;
  };
}

function activityOf(
  store: Store,
  channel: Channel,
  range: Range,
  subscribers: string[],
  histories: Map<string, Change[]>,
) {
  const { traffic, sends } = messagesOf(store);
  const { shop, visits } = traffic;
  const end = afterRange(range);
  const engagements = [
    ...sends.flatMap(({ customer, events }) =>
      events
        .filter(({ kind, isMachine }) => ['open', 'click'].includes(kind) && !isMachine)
        .map(({ moment }) => ({ who: customer, moment })),
    ),
    ...visits
      .filter(({ isIdentified, isSuspected }) => isIdentified && !isSuspected)
      .map(({ visitor, moment }) => ({ who: visitor, moment })),
    ...shop.validOrders.map(({ customer, moment }) => ({ who: customer, moment })),
  ].filter(({ moment }) => moment < end);
  const lastOf = new Map<string | null, Moment>();
  for (const { who, moment } of engagements) {
    if (moment >= (lastOf.get(who) ?? moment)) lastOf.set(who, moment);
  }
  const engagedIn = (days: bigint) =>
    subscribers.filter((customer) => {
      const last = lastOf.get(customer);
      return last !== undefined && last >= end - SECOND - days * DAY;
    }).length;
  const received = (customer: string) =>
    sends.filter(
      (send) =>
        send.customer === customer &&
        send.channel === channel &&
        send.outcome === 'delivered' &&
        send.moment < end,
    ).length;
  const firstOrder = (customer: string) => {
    const first = shop.firstOrders.get(customer)?.moment;
    return first !== undefined && first < end ? first : undefined;
  };
  const joined = (customer: string) =>
    histories
      .get(customer)
      ?.find((change) => change.state === 'subscribed' && inRange(range)(change) === 'in')?.moment;
  const buyers = subscribers.filter((customer) => firstOrder(customer) !== undefined).length;
  return {
    engaged_30d_count: engagedIn(30n),
    engaged_90d_count: engagedIn(90n),
    engaged_180d_count: engagedIn(180n),
    engaged_365d_count: engagedIn(365n),
    never_engaged_count: subscribers.filter((customer) => !lastOf.has(customer) && received(customer) >= 5)
      .length,
    customers_count: buyers,
    customers_share: share(buyers, subscribers.length),
    subscribed_then_first_order_count: subscribers.filter((customer) => {
      const [since, first] = [joined(customer), firstOrder(customer)];
      return since !== undefined && first !== undefined && first > since;
    }).length,
  };
}

export function subscriberStatisticsTrend(store: Store, args: Arguments & { breakdown: Breakdown }) {
  const timezone = store.business.timezone ?? 'UTC';
  const range = argumentRange(args.from_date, args.to_date, timezone);
  const histories = consentHistories(store, args.channel);
  return {
    business_id: args.business_id,
    channel: args.channel,
    periods: periodsOf(range, args.breakdown, timezone).map(({ period, period_start, lastDay }) => {
      const place: Place = ({ moment }) => {
        const date = localDate(moment, timezone);
        return date < period_start ? 'before' : date <= lastDay ? 'in' : 'after';
      };
      const flow = flows(histories, place, () => '(all)').get('(all)') ?? new Flow();
      return { period, period_start, ...flow.fields() };
    }),
  };
}

/** Everyone whom a row names until a moment; who is named only without a time was always known. */
function knownAt(store: Store, end: Moment): Set<string> {
  const customers = customersOf(store);
  const timezone = store.business.timezone ?? 'UTC';
  const firstSeen = new Map<string, Moment | null>();
  const see = (customer: string | null, at: string | undefined) => {
    if (customer === null) return;
    const moment = cell(at) === null ? null : importedMoment(at ?? '', timezone);
    const first = firstSeen.get(customer) ?? null;
    firstSeen.set(
      customer,
      first === null || (moment !== null && moment < first) ? (moment ?? first) : first,
    );
  };
  for (const row of store.profiles) see(customers.ofProfile(row.profile_id ?? ''), row.created_at);
  for (const row of store.identities) {
    if (row.kind === 'visitor') see(customers.ofProfile(row.profile_id ?? ''), undefined);
  }
  for (const row of store.orders) see(customers.ofReference(row), row.ordered_at);
  for (const row of store.sessions) see(customers.ofReference(row), row.started_at);
  for (const { profile_id, email, phone, at } of store.consent_events)
    see(customers.ofReference({ profile_id, email, phone }), at);
  for (const row of store.sends) see(customers.ofReference(row), row.sent_at);
  for (const row of store.interest_list_events) see(customers.ofReference(row), row.at);
  return new Set([...firstSeen].flatMap(([customer, at]) => (at === null || at < end ? [customer] : [])));
}

/**
 * The country of the profile, else of the first valid order, else of a number; all numbers of random stores
 * are Czech.
 */
function countriesOf(store: Store): (customer: string) => string {
  const customers = customersOf(store);
  const { shop } = messagesOf(store).traffic;
  const numbers = [
    ...store.profiles.map((row) => ({ who: customers.ofProfile(row.profile_id ?? ''), phone: row.phone })),
    ...store.consent_events.map(({ profile_id, email, phone }) => ({
      who: customers.ofReference({ profile_id, email, phone }),
      phone,
    })),
  ];
  return (customer) => {
    const isCzech = numbers.some(({ who, phone }) => who === customer && /^(\+|00)420/.test(phone ?? ''));
    const country = customers.countryOf(customer) ?? shop.firstOrders.get(customer)?.country;
    return country ?? (isCzech ? 'CZ' : '(not set)');
  };
}
