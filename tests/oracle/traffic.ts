// Sessions after interpretation: who came, through which channel, which orders they are credited with.
import { decimal, type Money, money } from './decimals.ts';
import { cell, loadedRows } from './loaded-rows.ts';
import { importedMoment, localDate, type Moment } from './moments.ts';
import type { Order } from './orders.ts';
import { type Shop, shopOf } from './shop.ts';
import type { Row, Store } from './store.ts';
import { compareText } from './text-order.ts';
import { visitorsOf } from './visitors.ts';

/** The sources of random stores with their channels, decided by hand; the rules have a test of their own. */
const channels: Record<string, string> = {
  '|': 'Direct',
  'google|cpc': 'Paid Search',
  'google|organic': 'Organic Search',
  'news|email': 'Email',
  'other|email': 'Email',
  'sms|sms': 'SMS',
  'heureka.cz|referral': 'Price comparison',
  'blog.example|referral': 'Referral',
  'seznam.cz|referral': 'Organic Search',
  'x|': 'Unassigned',
  '|cpc': 'Paid Other',
};
/** Where people go in the middle of a visit: to pay and to sign in. */
const detours = ['gopay.cz', 'gopay.com', 'accounts.google.com'];
const ownHost = 'shop.cz';

export type Visit = {
  sessionId: string;
  /** The sessions of the import that it is made of: the first, and what came back from a detour. */
  parts: string[];
  visitor: string;
  moment: Moment;
  localDate: string;
  /** Whole seconds. */
  start: bigint;
  openUntil: bigint;
  /** The latest that is known of it. */
  until: Moment;
  /** What the import says, whatever was ordered. */
  isFlagged: boolean;
  isDetour: boolean;
  /** Came from an internal host, whatever its channel became. */
  isInternal: boolean;
  labels: {
    channel: string;
    source: string;
    medium: string;
    campaign: string;
    source_medium: string;
    landing_page: string;
    referrer_domain: string;
    device: string;
    country: string;
  };
  pageViews: number;
  engagement: Money;
  hasCart: boolean;
  hasCheckout: boolean;
  isIdentified: boolean;
  isSuspected: boolean;
  isConverting: boolean;
  /** An order names it. Others are placed while it is open. */
  isNamed: boolean;
  isEngaged: boolean;
  firstMoment: Moment;
  firstDate: string;
};

export type CreditedOrder = {
  order: Order;
  second: bigint;
  /** Everybody whose sessions lead to it. */
  people: Set<string>;
  own: Visit | null;
  /** The order names its own session. Else only the time says that it was placed in it. */
  isNaming: boolean;
  last: Visit | null;
  first: Visit | null;
};

export type Traffic = { shop: Shop; visits: Visit[]; orders: CreditedOrder[]; sessionsUntil: Moment | null };

const seconds = (moment: Moment) => moment / 1_000_000n - (moment % 1_000_000n < 0n ? 1n : 0n);

export function trafficOf(store: Store): Traffic {
  const shop = shopOf(store);
  const visits = visitsOf(store, shop);
  const orders = shop.validOrders.map((order) => credited(order, visits, shop));
  // An order makes its session a human's before anybody is credited.
  for (const { own, isNaming } of orders) {
    if (own === null) continue;
    own.isConverting = true;
    own.isNamed ||= isNaming;
    own.isEngaged = true;
    own.isSuspected = false;
  }
  for (const order of orders) credit(order, visits);
  for (const visit of visits) {
    const own = visits.filter(({ visitor }) => visitor === visit.visitor);
    const first = own.find(({ isSuspected }) => !isSuspected) ?? own[0] ?? visit;
    visit.firstMoment = first.moment;
    visit.firstDate = first.localDate;
  }
  const starts = store.sessions.map((row) => importedMoment(row.started_at ?? '', shop.timezone));
  const sessionsUntil = starts.reduce<Moment | null>(
    (last, one) => (last === null || one > last ? one : last),
    null,
  );
  return { shop, visits, orders, sessionsUntil };
}

function visitsOf(store: Store, shop: Shop): Visit[] {
  const visitors = visitorsOf(store, shop.orders);
  const sessions = loadedRows(store.sessions, (row) => row.session_id ?? '').map((row): Visit => {
    const moment = importedMoment(row.started_at ?? '', shop.timezone);
    const ended = cell(row.ended_at);
    const end = ended === null ? null : importedMoment(ended, shop.timezone);
    const visitor = visitors.ofVisitorId(row.visitor_id ?? '');
    const pageViews = Number(cell(row.page_views) ?? 1);
    const engagement = money(decimal(cell(row.engagement_s) ?? '0'));
    return {
      sessionId: row.session_id ?? '',
      parts: [row.session_id ?? ''],
      visitor,
      moment,
      localDate: localDate(moment, shop.timezone),
      start: seconds(moment),
      openUntil: end === null || end < moment ? seconds(moment) + 1800n : seconds(end),
      until: end === null || end < moment ? moment : end,
      isFlagged: row.suspected_bot === 'true',
      isDetour: isDetour(row),
      isInternal: isInternal(row),
      labels: labelsOf(row),
      pageViews,
      engagement,
      hasCart: row.cart === 'true',
      hasCheckout: row.checkout === 'true',
      isIdentified: !visitor.startsWith('visitor:'),
      isSuspected: row.suspected_bot === 'true',
      isConverting: false,
      isNamed: false,
      isEngaged: engagement > 100_000n || pageViews >= 2,
      firstMoment: moment,
      firstDate: '',
    };
  });
  sessions.sort((a, b) => Number(a.moment - b.moment) || compareText(a.sessionId, b.sessionId));
  const visits = continued(sessions);
  const channelOf = new Map<string, string>();
  for (const visit of visits) {
    const { channel } = visit.labels;
    visit.labels.channel = channel === 'Internal' ? (channelOf.get(visit.visitor) ?? channel) : channel;
    channelOf.set(visit.visitor, visit.labels.channel);
    if (visit.labels.channel === 'Internal') channelOf.delete(visit.visitor);
  }
  return visits;
}

/** Who comes back from a detour within 30 minutes of the last hit goes on with the visit before. */
function continued(sessions: Visit[]): Visit[] {
  const visits: Visit[] = [];
  const before = new Map<string, { visit: Visit; until: Moment }>();
  for (const session of sessions) {
    const last = before.get(session.visitor);
    const isContinued =
      session.isDetour && last !== undefined && session.start <= seconds(last.until) + 1800n;
    const visit = isContinued ? last.visit : session;
    if (isContinued) goOn(visit, session);
    else visits.push(visit);
    const until = last !== undefined && last.until > session.until ? last.until : session.until;
    before.set(session.visitor, { visit, until });
  }
  return visits;
}

function goOn(visit: Visit, part: Visit): void {
  visit.parts.push(part.sessionId);
  visit.pageViews += part.pageViews;
  visit.engagement += part.engagement;
  visit.hasCart ||= part.hasCart;
  visit.hasCheckout ||= part.hasCheckout;
  visit.isSuspected ||= part.isSuspected;
  visit.isFlagged ||= part.isFlagged;
  visit.isEngaged = visit.engagement > 100_000n || visit.pageViews >= 2;
  if (part.openUntil > visit.openUntil) visit.openUntil = part.openUntil;
  if (part.until > visit.until) visit.until = part.until;
}

function isDetour(row: Row<'sessions'>): boolean {
  return detours.some((name) => isOf(name, row));
}

/** Whether a site or one below it referred the session. */
function isOf(site: string, row: Row<'sessions'>): boolean {
  const host = cell(row.referrer_host) ?? (row.medium === 'referral' ? (cell(row.source) ?? '') : '');
  return host === site || host.endsWith(`.${site}`);
}

/** The labels are `Internal` for all who came from an internal host. */
function labelsOf(row: Row<'sessions'>): Visit['labels'] {
  const given = (text: string | undefined) =>
    ['(direct)', '(none)', '(not set)'].includes(text ?? '') ? null : cell(text);
  let [source, medium] = [given(row.source), given(row.medium)];
  const referrer = cell(row.referrer_host)?.replace(/^www\./, '') ?? null;
  if (source === null && medium === null && referrer !== null && !isInternal(row)) {
    [source, medium] = [referrer, 'referral'];
  }
  const channel = isInternal(row) ? 'Internal' : channels[`${source ?? ''}|${medium ?? ''}`];
  if (channel === undefined) throw new Error(`no channel for ${source} / ${medium}`);
  const nothing = isInternal(row) ? '(internal)' : '(direct)';
  const sourceLabel = source ?? (medium === null ? nothing : '(not set)');
  return {
    channel,
    source: sourceLabel,
    medium: medium ?? '(not set)',
    campaign: given(row.campaign) ?? '(not set)',
    source_medium: source === null && medium === null ? nothing : `${sourceLabel} / ${medium ?? '(not set)'}`,
    landing_page: cell(row.landing_path)?.replace(/[?#].*/, '') ?? '(not set)',
    referrer_domain: referrer ?? '(not set)',
    device: cell(row.device) ?? '(not set)',
    country: cell(row.country) ?? '(not set)',
  };
}

function isInternal(row: Row<'sessions'>): boolean {
  return isDetour(row) || isOf(ownHost, row);
}

/** The order with its people and its own session. */
function credited(order: Order, visits: Visit[], shop: Shop): CreditedOrder {
  const second = seconds(order.moment);
  const named = visits.find(({ parts }) => parts.includes(order.sessionId ?? '')) ?? null;
  const known = [order.customer, shop.visitorOfOrder(order), named?.visitor];
  const people = new Set(known.flatMap((one) => one ?? []));
  const open = visits.filter(
    ({ visitor, start, openUntil }) => people.has(visitor) && start <= second && second <= openUntil,
  );
  const human = open.filter(({ isSuspected }) => !isSuspected);
  const own = named ?? human.at(-1) ?? open.at(-1) ?? null;
  return { order, second, people, own, isNaming: named !== null, last: null, first: null };
}

function credit(credited: CreditedOrder, visits: Visit[]): void {
  const { people, own, second } = credited;
  const touches = visits.filter(
    (visit) =>
      visit === own ||
      (!visit.isSuspected &&
        people.has(visit.visitor) &&
        visit.start <= second &&
        visit.start >= second - 30n * 86_400n),
  );
  const external = touches.filter((visit) => !visit.isInternal);
  credited.first = touches[0] ?? null;
  credited.last =
    external.findLast(({ labels }) => labels.channel !== 'Direct') ??
    external.at(-1) ??
    touches.at(-1) ??
    null;
}
