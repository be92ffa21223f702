// Messages after interpretation: what became of each send, and which send each order is credited to.
import { customersOf } from './customers.ts';
import { amount, decimal, type Money, money, round4 } from './decimals.ts';
import { cell, loadedRows } from './loaded-rows.ts';
import { argumentRange, importedMoment, isInRange, localDate, type Moment } from './moments.ts';
import { customersIn, type Order } from './orders.ts';
import { type Breakdown, periodOf, periodsOf } from './periods.ts';
import type { Business, Row, Store } from './store.ts';
import { compareText } from './text-order.ts';
import { type Traffic, trafficOf, type Visit } from './traffic.ts';

export type Channel = 'email' | 'sms';

interface Event {
  kind: string;
  moment: Moment;
  target: string | null;
  isContent: boolean;
  isMachine: boolean;
}

export interface Send {
  id: string;
  messageId: string;
  campaignId: string;
  channel: Channel;
  isAutomation: boolean;
  isByClicks: boolean;
  customer: string | null;
  moment: Moment;
  deliveredAt: Moment;
  outcome: string;
  /** Before what people did proves that it arrived. */
  rawOutcome: string;
  events: Event[];
  isUnsubscribed: boolean;
  isComplained: boolean;
  segments: number;
  cost: Money | null;
}

interface Touch {
  send: Send;
  kind: string;
  moment: Moment;
}

type Scenario = { click: number; open: number; machine: number; delivery: number };

/** Hours before the order. */
function scenariosOf({
  click = 168,
  open = 24,
  delivery = 0,
}: Business['windows'] = {}): Record<string, Scenario> {
  return {
    click_24h: { click: 24, open: 0, machine: 0, delivery: 0 },
    click_configured: { click, open: 0, machine: 0, delivery: 0 },
    configured: { click, open, machine: 0, delivery },
    configured_with_machine_opens: { click, open, machine: open, delivery },
    configured_with_delivery_12h: { click, open, machine: 0, delivery: Math.max(12, delivery) },
  };
}
const ORDER_OF_KINDS = ['click', 'open', 'machine', 'delivery'];
const SECOND = 1_000_000n;

export interface Messages {
  traffic: Traffic;
  sends: Send[];
  credits: Record<string, Map<Order, Touch>>;
  refunds: Map<string, Money>;
}

export function messagesOf(store: Store): Messages {
  const traffic = trafficOf(store);
  const sends = sendsOf(store, traffic.shop.timezone);
  const touches = sends.flatMap(touchesOf);
  const credits = Object.fromEntries(
    Object.entries(scenariosOf(store.business.windows)).map(([name, scenario]) => [
      name,
      new Map(
        traffic.shop.validOrders.flatMap((order) => {
          const touch = creditedTouch(order, touches, scenario);
          return touch === undefined ? [] : [[order, touch] as const];
        }),
      ),
    ]),
  );
  return { traffic, sends, credits, refunds: refundsOf(store, traffic.shop.orders) };
}

/** What was paid back of each order until now. */
export function refundsOf(store: Store, orders: readonly Order[]): Map<string, Money> {
  const refunds = new Map<string, Money>();
  for (const row of loadedRows(store.refunds, (row) => row.refund_id ?? '')) {
    const order = orders.find(({ orderId }) => orderId === row.order_id);
    const rate = order?.rate;
    if (order === undefined || rate === null || rate === undefined) continue;
    const value = decimal(row.amount ?? '');
    const paidBack = money({ units: value.units * rate.units, scale: value.scale + rate.scale });
    refunds.set(order.orderId, (refunds.get(order.orderId) ?? 0n) + paidBack);
  }
  return refunds;
}

function sendsOf(store: Store, timezone: string): Send[] {
  const customers = customersOf(store);
  const sends = store.sends.map((row): Send => {
    const message = store.messages.find(({ message_id }) => message_id === row.message_id);
    const campaign = store.campaigns.find(({ campaign_id }) => campaign_id === message?.campaign_id);
    const channel = message?.channel as Channel;
    const moment = importedMoment(row.sent_at ?? '', timezone);
    const delivered = cell(row.delivered_at);
    const deliveredAt = delivered === null ? moment : importedMoment(delivered, timezone);
    const links = store.links.filter(({ message_id }) => message_id === row.message_id);
    return {
      id: row.send_id ?? '',
      messageId: row.message_id ?? '',
      campaignId: campaign?.campaign_id ?? '',
      channel,
      isAutomation: campaign?.campaign_type?.startsWith('incremental') ?? false,
      isByClicks: ['transactional', 'double_opt_in'].includes(campaign?.category ?? ''),
      customer: customers.ofReference(row),
      moment,
      deliveredAt,
      outcome: outcomeOf(channel, cell(row.outcome)),
      rawOutcome: outcomeOf(channel, cell(row.outcome)),
      events: eventsOf(store, row, links, deliveredAt, timezone),
      isUnsubscribed: false,
      isComplained: false,
      segments: Number(cell(row.sms_segments) ?? 1),
      cost: cell(row.cost) === null ? null : money(decimal(row.cost ?? '')),
    };
  });
  sends.sort((a, b) => Number(a.moment - b.moment) || compareText(a.id, b.id));
  withdraw(store, sends, timezone);
  for (const send of sends) {
    send.isUnsubscribed ||= send.events.some(({ kind }) => kind === 'unsubscribe');
    send.isComplained ||= send.events.some(({ kind }) => kind === 'complaint');
    const isProven = send.events.some(
      ({ kind, isMachine }) => ['open', 'click'].includes(kind) && !isMachine,
    );
    if (isProven || send.isUnsubscribed || send.isComplained) send.outcome = 'delivered';
  }
  return sends;
}

function outcomeOf(channel: Channel, outcome: string | null): string {
  if (channel === 'sms') {
    if (outcome === null || outcome === 'pending') return 'pending';
    return outcome === 'delivered' ? outcome : 'failed';
  }
  if (outcome === 'hard') return 'hard';
  return outcome === 'soft' || outcome === 'block' || outcome === 'failed' ? 'soft' : 'delivered';
}

function eventsOf(
  store: Store,
  send: Row<'sends'>,
  links: Row<'links'>[],
  delivered: Moment,
  timezone: string,
): Event[] {
  const raw = store.message_events
    .filter(({ send_id }) => send_id === send.send_id)
    .map((row) => {
      const link =
        links.find(({ link_id }) => link_id === row.link_id) ?? links.find(({ url }) => url === row.url);
      const url = link?.url ?? cell(row.url) ?? '';
      const moment = importedMoment(row.at ?? '', timezone);
      return {
        kind: row.kind ?? '',
        moment,
        target: link?.link_id ?? cell(row.url),
        isContent: !url.includes('unsubscribe'),
        isFlagged: row.is_machine === 'true' || row.is_bot === 'true',
        isInstant: moment < delivered + 3n * SECOND,
      };
    });
  const clicks = raw.filter(({ kind }) => kind === 'click');
  const isBurst = (moment: Moment) =>
    clicks.some(({ moment: start }) => {
      const within = clicks.filter((click) => start <= click.moment && click.moment <= start + 5n * SECOND);
      const targets = new Set(within.map(({ target }) => target).filter((target) => target !== null));
      return targets.size >= 3 && start <= moment && moment <= start + 5n * SECOND;
    });
  const isBot = (event: (typeof raw)[number]) =>
    event.isFlagged || (event.kind === 'click' && (event.isInstant || isBurst(event.moment)));
  const somebodyReads = raw.some(
    (event) => ['open', 'click'].includes(event.kind) && !event.isInstant && !isBot(event),
  );
  return raw.map((event) => ({
    ...event,
    isMachine: isBot(event) || (event.kind === 'open' && event.isInstant && !somebodyReads),
  }));
}

/** Consent events that name a send, and withdrawals of SMS that name none. */
function withdraw(store: Store, sends: Send[], timezone: string): void {
  const customers = customersOf(store);
  for (const row of store.consent_events) {
    const moment = importedMoment(row.at ?? '', timezone);
    const named = sends.find(({ id }) => id === row.send_id);
    if (named !== undefined) {
      named.isUnsubscribed ||= row.state === 'unsubscribed';
      named.isComplained ||= row.state === 'complained';
    } else if (row.channel === 'sms' && row.state === 'unsubscribed' && cell(row.send_id) === null) {
      const customer = customers.ofReference(row);
      const last = sends
        .filter((send) => send.channel === 'sms' && send.outcome !== 'failed' && send.customer === customer)
        .filter((send) => send.moment <= moment)
        .at(-1);
      if (last !== undefined && moment - last.moment <= 72n * 3600n * SECOND) last.isUnsubscribed = true;
    }
  }
}

function touchesOf(send: Send): Touch[] {
  const touches = send.events.flatMap(({ kind, isMachine, isContent, moment }): Touch[] => {
    if (kind === 'click' && isContent && !isMachine) return [{ send, kind, moment }];
    if (kind === 'open' && send.channel === 'email' && !send.isByClicks)
      return [{ send, kind: isMachine ? 'machine' : kind, moment }];
    return [];
  });
  const isDelivery = send.channel === 'sms' && send.outcome === 'delivered' && !send.isByClicks;
  return isDelivery ? [...touches, { send, kind: 'delivery', moment: send.deliveredAt }] : touches;
}

function creditedTouch(order: Order, touches: Touch[], scenario: Scenario): Touch | undefined {
  const near = touches.filter(({ send, kind, moment }) => {
    const hours = scenario[kind as keyof Scenario];
    const before = order.moment - moment;
    return (
      order.customer !== null &&
      send.customer === order.customer &&
      hours > 0 &&
      before >= 0n &&
      before <= BigInt(hours) * 3600n * SECOND
    );
  });
  const later = (a: Touch, b: Touch) =>
    Number(b.moment - a.moment) ||
    ORDER_OF_KINDS.indexOf(a.kind) - ORDER_OF_KINDS.indexOf(b.kind) ||
    Number(b.send.moment - a.send.moment) ||
    compareText(b.send.id, a.send.id);
  return near.sort(later)[0];
}

const share = (part: number, whole: number) => (whole === 0 ? null : round4((100 * part) / whole));
const quotient = (part: number, whole: number) => (whole === 0 ? null : round4(part / whole));
const total = (orders: Iterable<Order>): number => {
  let sum = 0n;
  for (const { revenue } of orders) sum += revenue;
  return amount(sum);
};

export interface RangeArguments {
  from_date: string;
  to_date: string;
  by_campaign?: boolean;
  breakdown?: Breakdown | null;
}

const LAST_CLICK = { email: 'Email', sms: 'SMS' };
const TOLD = {
  email: ['click_24h', 'click_configured', 'configured', 'configured_with_machine_opens'],
  sms: ['click_24h', 'configured', 'configured_with_delivery_12h'],
};

/** ORDER_DATE_REVENUE with scenarios and periods. */
export function orderDateRevenue(store: Store, channel: Channel, args: RangeArguments): object {
  const { traffic, credits, refunds } = messagesOf(store);
  const { shop } = traffic;
  const range = argumentRange(args.from_date, args.to_date, shop.timezone);
  const lastClicks = new Map(traffic.orders.map(({ order, last }) => [order, last?.labels.channel ?? null]));
  const touchOf = (order: Order, scenario: string) => {
    const touch = credits[scenario]?.get(order);
    return touch?.send.channel === channel ? touch : undefined;
  };
  const placed = shop.validOrders.filter(({ moment }) => isInRange(moment, range));
  const credited = placed.filter((order) => touchOf(order, 'configured'));
  const byClick = credited.filter((order) => touchOf(order, 'configured')?.kind === 'click');
  const clicked = placed.filter((order) => lastClicks.get(order) === LAST_CLICK[channel]);
  const automated = credited.filter((order) => touchOf(order, 'configured')?.send.isAutomation);
  const contested = credited.filter((order) => {
    const last = lastClicks.get(order) ?? null;
    return last !== null && ![LAST_CLICK[channel], 'Direct', 'Internal', 'Unassigned'].includes(last);
  });
  const refunded = amount(credited.reduce((sum, { orderId }) => sum + (refunds.get(orderId) ?? 0n), 0n));
  const hasRefunds = store.refunds.length > 0;
  return {
    total_orders_count: placed.length,
    total_revenue: total(placed),
    attributed_orders_count: credited.length,
    attributed_revenue: total(credited),
    attributed_revenue_share: share(total(credited), total(placed)),
    average_order_value: quotient(total(credited), credited.length),
    new_orders_count: credited.filter(({ sequence }) => sequence === 1).length,
    returning_orders_count: credited.filter(({ sequence }) => sequence !== 1).length,
    unique_customers_count: customersIn(credited).size,
    click_attributed_orders_count: byClick.length,
    click_attributed_revenue: total(byClick),
    targeted_revenue: total(credited.filter((order) => !automated.includes(order))),
    incremental_revenue: total(automated),
    last_click_orders_count: clicked.length,
    last_click_revenue: total(clicked),
    contested_revenue: total(contested),
    refunded_revenue: hasRefunds ? refunded : null,
    net_attributed_revenue: hasRefunds ? round4(total(credited) - refunded) : null,
    attribution_scenarios: TOLD[channel].map((scenario) => {
      const orders = placed.filter((order) => touchOf(order, scenario));
      return { scenario, orders_count: orders.length, revenue: total(orders) };
    }),
    campaigns: args.by_campaign
      ? campaignRows(
          store,
          credited.map((order) => [touchOf(order, 'configured')?.send.campaignId ?? '', order]),
          traffic.orders.flatMap(({ order, last }) =>
            last && clicked.includes(order) ? [[last, order]] : [],
          ),
          contested,
        )
      : null,
    periods: args.breakdown
      ? periodsOf(range, args.breakdown, shop.timezone).map(({ period, period_start }) => {
          const isIn = (order: Order) =>
            periodOf(order.localDate, args.breakdown as Breakdown).period === period;
          const all = shop.validOrders.filter(isIn);
          const own = all.filter((order) => touchOf(order, 'configured'));
          return {
            ...{ period, period_start, attributed_orders_count: own.length, attributed_revenue: total(own) },
            ...{ total_revenue: total(all), attributed_revenue_share: share(total(own), total(all)) },
            last_click_revenue: total(all.filter((order) => lastClicks.get(order) === LAST_CLICK[channel])),
          };
        })
      : null,
  };
}

/**
 * What each campaign is credited with beside the last clicks with its tag; those of no known tag are a row of
 * their own.
 */
function campaignRows(
  store: Store,
  credited: [campaignId: string, order: Order][],
  clicked: [last: Visit, order: Order][],
  contested: Order[],
): object[] {
  const clicks = clicked.map(([last, order]) => [taggedCampaign(store, last), order] as const);
  const ids = new Set([...credited.map(([id]) => id), ...clicks.map(([id]) => id)]);
  const rows = [...ids].map((id) => {
    const own = credited.flatMap(([campaign, order]) => (campaign === id ? order : []));
    const byClick = clicks.flatMap(([campaign, order]) => (campaign === id ? order : []));
    const disputed = own.filter((order) => contested.includes(order));
    const name = store.campaigns.find(({ campaign_id }) => campaign_id === id)?.name;
    return {
      campaign_id: id,
      campaign_name: id === null ? '(unknown tags)' : name,
      ...{ attributed_orders_count: own.length, attributed_revenue: total(own) },
      ...{ last_click_orders_count: byClick.length, last_click_revenue: total(byClick) },
      ...{ contested_orders_count: disputed.length, contested_revenue: total(disputed) },
    };
  });
  return rows.sort(
    (a, b) =>
      b.attributed_revenue - a.attributed_revenue ||
      b.last_click_revenue - a.last_click_revenue ||
      Number(a.campaign_id === null) - Number(b.campaign_id === null) ||
      compareText(a.campaign_id ?? '', b.campaign_id ?? ''),
  );
}

/** The campaign of the visit's tag: the one that fits in most parts, the latest, the first by its id. */
function taggedCampaign(store: Store, { labels }: Visit): string | null {
  const parts = ['source', 'medium', 'campaign'] as const;
  const given = (row: Row<'campaigns'>) => parts.filter((part) => cell(row[`utm_${part}`]) !== null);
  const fitting = store.campaigns.filter(
    (row) =>
      given(row).includes('campaign') && given(row).every((part) => row[`utm_${part}`] === labels[part]),
  );
  const [best] = fitting.sort(
    (a, b) =>
      given(b).length - given(a).length ||
      compareText(b.created_at ?? '', a.created_at ?? '') ||
      compareText(a.campaign_id ?? '', b.campaign_id ?? ''),
  );
  return best?.campaign_id ?? null;
}

/** What a channel sent in the range, by campaign and as a whole: activity and SEND_REVENUE. */
export function sendResults(
  store: Store,
  channel: Channel,
  args: RangeArguments,
): { campaigns: Map<string, object>; whole: object; periods: object[] | null } {
  const messages = messagesOf(store);
  const { timezone } = messages.traffic.shop;
  const range = argumentRange(args.from_date, args.to_date, timezone);
  const own = messages.sends.filter((send) => send.channel === channel);
  const sent = own.filter(({ moment }) => isInRange(moment, range));
  const activity = ACTIVITY[channel];
  const byCampaign = Map.groupBy(sent, ({ campaignId }) => campaignId);
  const { breakdown } = args;
  return {
    campaigns: new Map(
      [...byCampaign].map(([campaignId, sends]) => [campaignId, resultsOf(store, messages, channel, sends)]),
    ),
    whole: activity(sent),
    periods: breakdown
      ? periodsOf(range, breakdown, timezone).map(({ period, period_start }) => ({
          ...{ period, period_start },
          ...activity(
            own.filter(({ moment }) => periodOf(localDate(moment, timezone), breakdown).period === period),
          ),
        }))
      : null,
  };
}

/** Activity and SEND_REVENUE of messages of one channel. */
export function resultsOf(
  store: Store,
  messages: Messages,
  channel: Channel,
  sends: Send[],
): Record<string, number | null> {
  return { ...ACTIVITY[channel](sends), ...sendRevenue(store, messages, sends) };
}

/** The results of messages whose windows were over at `until`, the end of the data that an answer tells. */
export function matureResults(
  store: Store,
  channel: Channel,
  args: RangeArguments,
  until: string,
): Map<string, Record<string, number | null>> {
  const messages = messagesOf(store);
  const range = argumentRange(args.from_date, args.to_date, messages.traffic.shop.timezone);
  const { click = 168, open = 24, delivery = 0 } = store.business.windows ?? {};
  const longest = BigInt(Math.max(click, open, delivery)) * 3600n * SECOND;
  const end = BigInt(Date.parse(until)) * 1000n;
  const sent = messages.sends.filter((send) => send.channel === channel && isInRange(send.moment, range));
  return new Map(
    [...Map.groupBy(sent, ({ campaignId }) => campaignId)].map(([campaignId, sends]) => {
      const mature = sends.filter(({ moment }) => moment + longest < end);
      const { conversion_rate, revenue_per_recipient } = sendRevenue(store, messages, mature);
      return [
        campaignId,
        {
          mature_delivered_count: mature.filter(({ outcome }) => outcome === 'delivered').length,
          mature_conversion_rate: conversion_rate ?? null,
          mature_revenue_per_recipient: revenue_per_recipient ?? null,
        },
      ];
    }),
  );
}

const ACTIVITY = { email: emailActivity, sms: smsActivity };

/** The activity of a campaign that sent nothing. */
export function noActivity(channel: Channel): object {
  return channel === 'email' ? emailActivity([]) : smsActivity([]);
}

function eventCounts(sends: Send[]) {
  const of = (send: Send, kind: string, isMachine: boolean) =>
    send.events.filter((event) => event.kind === kind && event.isMachine === isMachine);
  const content = (events: Event[]) => events.filter(({ isContent }) => isContent).length;
  return sends.map((send) => ({
    send,
    opens: of(send, 'open', false).length,
    machineOpens: of(send, 'open', true).length,
    clicks: content(of(send, 'click', false)),
    botClicks: content(of(send, 'click', true)),
    isOpened: of(send, 'open', false).length + of(send, 'click', false).length > 0,
  }));
}

function emailActivity(sends: Send[]): Record<string, number | null> {
  const counted = eventCounts(sends);
  const sent = sends.length;
  const hard = sends.filter(({ outcome }) => outcome === 'hard').length;
  const soft = sends.filter(({ outcome }) => outcome === 'soft').length;
  const delivered = sent - hard - soft;
  const opened = counted.filter(({ isOpened }) => isOpened).length;
  const onlyMachines = counted.filter(
    ({ isOpened, machineOpens, send }) => !isOpened && machineOpens > 0 && send.outcome === 'delivered',
  ).length;
  const clicked = counted.filter(({ clicks }) => clicks > 0).length;
  const unsubscribed = sends.filter(({ isUnsubscribed }) => isUnsubscribed).length;
  const complained = sends.filter(({ isComplained }) => isComplained).length;
  const sum = (key: 'opens' | 'machineOpens' | 'clicks' | 'botClicks') =>
    counted.reduce((result, row) => result + row[key], 0);
  return {
    sent_count: sent,
    unique_recipients_count: new Set(sends.map(({ customer }) => customer)).size,
    delivered_count: delivered,
    hard_bounces_count: hard,
    soft_bounces_count: soft,
    opens_count: sum('opens'),
    unique_opens_count: opened,
    machine_opens_count: sum('machineOpens'),
    unique_machine_only_opens_count: onlyMachines,
    clicks_count: sum('clicks'),
    unique_clicks_count: clicked,
    bot_clicks_count: sum('botClicks'),
    unsubscribes_count: unsubscribed,
    spam_complaints_count: complained,
    delivery_rate: share(delivered, sent),
    bounce_rate: share(hard + soft, sent),
    open_rate: share(opened, delivered),
    raw_open_rate: share(opened + onlyMachines, delivered),
    click_rate: share(clicked, delivered),
    click_to_open_rate: share(clicked, opened),
    unsubscribe_rate: share(unsubscribed, delivered),
    spam_complaint_rate: share(complained, delivered),
  };
}

function smsActivity(sends: Send[]): Record<string, number | null> {
  const counted = eventCounts(sends);
  const ended = (outcome: string) => sends.filter((send) => send.outcome === outcome).length;
  const delivered = ended('delivered');
  const clicked = counted.filter(({ clicks }) => clicks > 0).length;
  const segments = sends.reduce((sum, send) => sum + send.segments, 0);
  const optedOut = sends.filter(({ isUnsubscribed }) => isUnsubscribed).length;
  const cost = costOf(sends);
  return {
    sent_count: sends.length,
    unique_recipients_count: new Set(sends.map(({ customer }) => customer)).size,
    segments_count: segments,
    delivered_count: delivered,
    failed_count: ended('failed'),
    pending_count: ended('pending'),
    clicks_count: counted.reduce((sum, { clicks }) => sum + clicks, 0),
    unique_clicks_count: clicked,
    bot_clicks_count: counted.reduce((sum, { botClicks }) => sum + botClicks, 0),
    opt_outs_count: optedOut,
    cost,
    delivery_rate: share(delivered, sends.length),
    click_rate: share(clicked, delivered),
    opt_out_rate: share(optedOut, delivered),
    failure_rate: share(ended('failed'), sends.length),
    avg_segments_per_message: quotient(segments, sends.length),
    cost_per_delivered: cost === null ? null : quotient(cost, delivered),
  };
}

function costOf(sends: { cost: Money | null }[]): number | null {
  const costs = sends.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return costs.length === 0 ? null : amount(costs.reduce((sum, cost) => sum + cost, 0n));
}

function sendRevenue(
  store: Store,
  { credits, refunds }: Messages,
  sends: Send[],
): Record<string, number | null> {
  const credited = [...(credits.configured ?? [])].filter(([, { send }]) => sends.includes(send));
  const orders = credited.map(([order]) => order);
  const byClick = credited.filter(([, { kind }]) => kind === 'click').map(([order]) => order);
  const delivered = sends.filter(({ outcome }) => outcome === 'delivered').length;
  const refunded = orders.reduce((sum, { orderId }) => sum + (refunds.get(orderId) ?? 0n), 0n);
  return {
    attributed_orders_count: orders.length,
    attributed_revenue: total(orders),
    click_attributed_revenue: total(byClick),
    average_order_value: quotient(total(orders), orders.length),
    conversion_rate: share(new Set(credited.map(([, { send }]) => send)).size, delivered),
    revenue_per_recipient: quotient(total(orders), delivered),
    revenue_per_person: quotient(total(orders), new Set(sends.map(({ customer }) => customer)).size),
    refunded_revenue: store.refunds.length > 0 ? amount(refunded) : null,
  };
}
