// Who meets a segment query: the specification's conditions, one by one, over the loaded rows.
import { Temporal } from 'temporal-polyfill';
import { consentStatesNow } from './consents.ts';
import { customersOf } from './customers.ts';
import { decimal, type Money, money } from './decimals.ts';
import { cell, listCell, loadedRows } from './loaded-rows.ts';
import { type Messages, messagesOf } from './messages.ts';
import { importedMoment, localDate, type Moment, utcText } from './moments.ts';
import { dataUntil, type Member, membersAt, profileOf } from './rfm.ts';
import type { Row, Store } from './store.ts';
import { compareText } from './text-order.ts';

// biome-ignore lint/suspicious/noExplicitAny: blocks are as loose as the language
export type Block = { type: string; negate?: boolean } & Record<string, any>;
export type Query = { segments: { targetingBlocks: Block[] }[] };
type Period = { last_days?: number; more_than_days_ago?: number; from?: string; to?: string };

const SECOND = 1_000_000n;
const HOUR = 3600n * SECOND;
const wholeSecond = (moment: Moment) => moment - (((moment % SECOND) + SECOND) % SECOND);
const texts = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String);

interface Everything {
  store: Store;
  timezone: string;
  messages: Messages;
  everyone: Set<string>;
  asOf: Moment;
  profiles: Map<string, Row<'profiles'>[]>;
  consents: Map<string, string>;
  subscriptions: Map<string, { moment: Moment; channel: string; source: string; detail: string | null }>;
  members: Map<string, Map<string, Member>>;
  /** Values that enough profiles have. */
  shared: Map<string, Set<string>>;
}

export function readEverything(store: Store): Everything {
  const timezone = store.business.timezone ?? 'UTC';
  const messages = messagesOf(store);
  const customers = customersOf(store);
  const { shop } = messages.traffic;
  const named = [
    ...shop.orders.map(({ customer }) => customer),
    ...store.profiles.map((row) => customers.ofProfile(row.profile_id ?? '')),
    ...store.identities
      .filter(({ kind }) => kind === 'visitor')
      .map((row) => customers.ofProfile(row.profile_id ?? '')),
    ...[...store.sessions, ...store.interest_list_events].map((row) =>
      customers.ofReference({ profile_id: row.profile_id, email: row.email }),
    ),
    ...[...store.consent_events, ...store.sends].map((row) =>
      customers.ofReference({ profile_id: row.profile_id, email: row.email, phone: row.phone }),
    ),
  ];
  const at = (text: string | undefined) => importedMoment(text ?? '', timezone);
  const moments = [
    ...shop.orders.map(({ moment }) => moment),
    ...store.sessions.map((row) => at(row.started_at)),
    ...shop.events.map(({ moment }) => moment),
    ...messages.sends.flatMap(({ moment, events }) => [moment, ...events.map((event) => event.moment)]),
    ...[...store.consent_events, ...store.interest_list_events].map((row) => at(row.at)),
  ];
  const profiles = loadedRows(store.profiles, (row) => row.profile_id ?? '').sort((a, b) =>
    compareText(a.profile_id ?? '', b.profile_id ?? ''),
  );
  return {
    store,
    timezone,
    messages,
    everyone: new Set(named.filter((customer) => customer !== null)),
    asOf: wholeSecond(moments.reduce((last, moment) => (moment > last ? moment : last), 0n)),
    profiles: Map.groupBy(profiles, (row) => customers.ofProfile(row.profile_id ?? '')),
    consents: consentStatesNow(store),
    subscriptions: subscriptionsOf(store, timezone),
    members: new Map(),
    shared: new Map(),
  };
}

export function asOfText({ asOf }: Everything): string {
  return utcText(asOf);
}

/** Raw counts of what the tool answers. */
export function estimateOf(data: Everything, query: Query, exclusion: Query | null) {
  const count = (isMeant: (who: string) => boolean) => [...data.everyone].filter(isMeant).length;
  const isMeant = (who: string) =>
    meetsQuery(data, query, who) && !(exclusion !== null && meetsQuery(data, exclusion, who));
  const customers = new Set(data.messages.traffic.shop.validOrders.map(({ customer }) => customer));
  const isBlocked = (who: string) =>
    ['email', 'sms'].some((channel) =>
      ['bounced', 'complained', 'suppressed'].includes(data.consents.get(`${channel} ${who}`) ?? ''),
    );
  const reachable = (who: string, channel: string) =>
    data.consents.get(`${channel} ${who}`) === 'subscribed' && !isBlocked(who);
  return {
    profiles_count: count(isMeant),
    email_reachable_count: count((who) => isMeant(who) && reachable(who, 'email')),
    sms_reachable_count: count((who) => isMeant(who) && reachable(who, 'sms')),
    customers_count: count((who) => isMeant(who) && customers.has(who)),
    blocks: query.segments.flatMap(({ targetingBlocks }, segment_index) =>
      targetingBlocks.map((block, block_index) => ({
        segment_index,
        block_index,
        alone_count: count((who) => meets(data, block, who)),
        cumulative_count: count((who) =>
          targetingBlocks.slice(0, block_index + 1).every((one) => meets(data, one, who)),
        ),
      })),
    ),
  };
}

export function meetsQuery(data: Everything, query: Query, who: string): boolean {
  return query.segments.some(({ targetingBlocks }) =>
    targetingBlocks.every((block) => meets(data, block, who)),
  );
}

function meets(data: Everything, block: Block, who: string): boolean {
  const condition = CONDITIONS[block.type];
  if (condition === undefined) throw new Error(`no condition ${block.type}`);
  return condition(data, block, who) !== (block.negate ?? false);
}

function isIn(data: Everything, moment: Moment | null | undefined, period: Period | undefined): boolean {
  if (moment === null || moment === undefined) return false;
  if (period === undefined) return true;
  const second = wholeSecond(moment);
  const daysBefore = (days: number) => {
    const now = new Temporal.Instant(data.asOf * 1000n).toZonedDateTimeISO(data.timezone);
    const then = now
      .toPlainDateTime()
      .subtract({ days: Math.min(days, 100_000) })
      .toZonedDateTime(data.timezone);
    return then.epochNanoseconds / 1000n;
  };
  if (period.last_days !== undefined) return second >= daysBefore(period.last_days) && second <= data.asOf;
  if (period.more_than_days_ago !== undefined) return second < daysBefore(period.more_than_days_ago);
  const [from, to] = boundsOf(data, period.from, period.to);
  return (from === null || second >= from) && (to === null || second <= to);
}

/** The first and the last second, of days as a whole. */
function boundsOf({ timezone }: Everything, from?: string, to?: string): [Moment | null, Moment | null] {
  const local = (text: string, time: string, side: 'earlier' | 'later') => {
    const written = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T${time}` : text;
    if (/(Z|[+-]\d\d:\d\d)$/.test(written)) return Temporal.Instant.from(written).epochNanoseconds / 1000n;
    const plain = Temporal.PlainDateTime.from(written);
    const zoned = plain.toZonedDateTime(timezone, { disambiguation: side });
    if (zoned.toPlainDateTime().equals(plain)) return zoned.epochNanoseconds / 1000n;
    // Skipped by the clock: the change itself, or the last second before it.
    const change = plain
      .toZonedDateTime(timezone, { disambiguation: 'earlier' })
      .getTimeZoneTransition('next');
    if (change === null) throw new Error('a skipped time without a change');
    return change.epochNanoseconds / 1000n - (side === 'earlier' ? 0n : SECOND);
  };
  return [
    from === undefined ? null : local(from, '00:00:00', 'earlier'),
    to === undefined ? null : local(to, '23:59:59', 'later'),
  ];
}

function compared(operator: string, value: number | { from: number; to: number }, number: number): boolean {
  if (typeof value === 'object') return value.from <= number && number <= value.to;
  return { eq: number === value, gte: number >= value, lte: number <= value }[operator] ?? false;
}

/** The same for money, of which everything counts. */
function comparedMoney(
  operator: string,
  value: number | { from: number; to: number },
  total: Money,
  times: bigint,
): boolean {
  const exact = (bound: number) => money(decimal(String(bound))) * times;
  if (typeof value === 'object') return exact(value.from) <= total && total <= exact(value.to);
  return operator === 'gte' ? total >= exact(value) : total <= exact(value);
}

const sum = (amounts: Money[]) => amounts.reduce((total, amount) => total + amount, 0n);

type Test = (data: Everything, block: Block, who: string) => boolean;

const ordersOf = ({ messages }: Everything, who: string) =>
  messages.traffic.shop.validOrders.filter(({ customer }) => customer === who);
const ordersIn = (data: Everything, who: string, period: Period | undefined) =>
  ordersOf(data, who).filter(({ moment }) => isIn(data, moment, period));
const sendsOf = ({ messages }: Everything, who: string) =>
  messages.sends.filter(({ customer }) => customer === who);
const eventsOf = ({ messages }: Everything, who: string) =>
  messages.traffic.shop.events.filter(({ visitor }) => visitor === who);
const visitsOf = ({ messages }: Everything, who: string) =>
  messages.traffic.visits.filter(({ visitor, isSuspected }) => visitor === who && !isSuspected);

/** How often each of the named things was meant, and how often any of them. */
function productTimes({ messages }: Everything, of: Block['of'], productIds: string[]) {
  const things = (['product', 'master_product', 'category', 'brand'] as const).flatMap((kind) =>
    of[kind] === undefined ? [] : [...new Set(texts(of[kind]))].map((id) => ({ kind, id })),
  );
  const isThing = ({ kind, id }: (typeof things)[number], productId: string) => {
    const product = messages.traffic.shop.products.get(productId);
    if (product === undefined) throw new Error(`no product ${productId}`);
    if (kind === 'product') return productId === id;
    if (kind === 'master_product') return product.masterId === id;
    return kind === 'brand' ? product.brand === id : product.categoryNames.includes(id);
  };
  return {
    any: productIds.filter((id) => things.some((thing) => isThing(thing, id))).length,
    each: things.map((thing) => productIds.filter((id) => isThing(thing, id)).length),
  };
}

function didWithProducts(
  data: Everything,
  { operator, of, min_count = 1 }: Block,
  productIds: string[],
): boolean {
  const { any, each } = productTimes(data, of, productIds);
  return operator === 'all' ? each.every((times) => times >= min_count) : any >= min_count;
}

function didInCampaign(data: Everything, { operator, value, link, period }: Block, who: string): boolean {
  const sends = sendsOf(data, who).filter(({ campaignId }) => texts(value).includes(campaignId));
  const links = link === undefined ? null : texts(link);
  const isTarget = (messageId: string, target: string | null, isContent: boolean) => {
    if (links === null) return isContent;
    const row = data.store.links.find(
      ({ link_id, message_id }) => link_id === target && message_id === messageId,
    );
    return target !== null && (links.includes(target) || links.includes(row?.url ?? ''));
  };
  const deeds = (send: (typeof sends)[number]) =>
    send.events.filter(({ kind, isMachine, target, isContent }) =>
      operator.endsWith('opened')
        ? ['open', 'click'].includes(kind) && !isMachine
        : kind === 'click' && !isMachine && isTarget(send.messageId, target, isContent),
    );
  if (operator.startsWith('not_')) {
    const sent = sends.filter(({ moment }) => isIn(data, moment, period));
    return sent.length > 0 && sent.every((send) => deeds(send).length === 0);
  }
  return sends.flatMap(deeds).some(({ moment }) => isIn(data, moment, period));
}

export function abandonedCarts(data: Everything, who: string): Moment[] {
  const { shop, visits } = data.messages.traffic;
  const rows = new Map(
    data.store.product_events.map((row) => [row, importedMoment(row.at ?? '', data.timezone)]),
  );
  const isKnown = data.store.product_events.some(({ kind }) => kind === 'add_to_cart');
  const changes = isKnown
    ? [...rows].flatMap(([row, moment], index) => {
        const event = shop.events[index];
        if (event?.visitor !== who || !['add_to_cart', 'remove_from_cart'].includes(event.kind)) return [];
        return [
          { id: row.event_id ?? '', moment, thing: event.productId, isAdded: event.kind === 'add_to_cart' },
        ];
      })
    : visits
        .filter(({ hasCart, isFlagged, visitor }) => hasCart && !isFlagged && visitor === who)
        .map(({ sessionId, until }) => ({ id: sessionId, moment: until, thing: 'session', isAdded: true }));
  changes.sort((a, b) => Number(a.moment - b.moment) || compareText(a.id, b.id));
  const orders = shop.orders
    .filter((order) => order.customer === who || shop.visitorOfOrder(order) === who)
    .map(({ moment }) => moment);
  const nextOrder = (moment: Moment) => orders.find((ordered) => ordered >= moment) ?? null;
  const left: Moment[] = [];
  let cart = new Set<string>();
  for (const [index, { moment, thing, isAdded }] of changes.entries()) {
    const before = changes[index - 1];
    if (before !== undefined && nextOrder(before.moment) !== nextOrder(moment)) cart = new Set();
    if (isAdded) cart.add(thing);
    else cart.delete(thing);
    const next = changes[index + 1];
    const ordered = nextOrder(moment);
    const isChangedSoon =
      next !== undefined && nextOrder(next.moment) === ordered && next.moment < moment + HOUR;
    const isOrderedSoon = ordered !== null && ordered < moment + HOUR;
    if (cart.size > 0 && !isChangedSoon && !isOrderedSoon) left.push(moment);
  }
  return left;
}

/**
 * What is known of a profile by a name: a column, else an attribute; of several rows the first that knows it.
 */
function attributeOf({ profiles }: Everything, who: string, name: string): unknown {
  const rows = profiles.get(who) ?? [];
  const isKnown = (value: unknown) => value !== null && value !== undefined && value !== '';
  const columns = ['country', 'language', 'gender', 'birthday'] as const;
  const column = columns.find((candidate) => candidate === name);
  const own = column === undefined ? [] : rows.map((row) => cell(row[column]));
  const given = rows.map((row) => {
    const json: unknown = JSON.parse(cell(row.attributes) ?? 'null');
    return typeof json === 'object' && json !== null && Object.hasOwn(json, name)
      ? (json as Record<string, unknown>)[name]
      : null;
  });
  const value = [...own, ...given].find(isKnown);
  return Array.isArray(value) && value.filter(isKnown).length === 0 ? undefined : value;
}

/** A value that this many people have is no secret of a few. Rarer values match nobody. */
const LEAST_SHARING = 5;

/** The values that enough profiles have, of what each of them has. */
function sharedValues(valuesOfEach: Iterable<readonly string[]>): Set<string> {
  const holders = new Map<string, number>();
  for (const values of valuesOfEach) {
    for (const value of new Set(values)) holders.set(value, (holders.get(value) ?? 0) + 1);
  }
  return new Set([...holders].filter(([, count]) => count >= LEAST_SHARING).map(([value]) => value));
}

/** Computed once for a store and a key. */
function remembered(data: Everything, key: string, compute: () => Set<string>): Set<string> {
  const known = data.shared.get(key) ?? compute();
  data.shared.set(key, known);
  return known;
}

/** The texts by which the known attribute can be found. */
function attributeTexts(data: Everything, who: string, name: string): string[] {
  const known = attributeOf(data, who, name);
  if (known === undefined || known === null) return [];
  const isObject = (one: unknown) => typeof one === 'object' && one !== null;
  return [known]
    .flat()
    .filter((one) => one !== null && one !== '' && !isObject(one))
    .map(String);
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function member(data: Everything, who: string, profileId: string | undefined): Member | undefined {
  const { shop } = data.messages.traffic;
  const until = dataUntil(shop);
  const isKnown =
    profileId === undefined ||
    data.store.rfm_profiles.some(({ rfm_profile_id }) => rfm_profile_id === profileId);
  const isOurs =
    profileId === 'default' && !data.store.rfm_profiles.some(({ is_default }) => is_default === 'true');
  if (until === null || !(isKnown || isOurs)) return undefined;
  const key = String(profileId);
  const members =
    data.members.get(key) ??
    new Map(
      membersAt(shop, until, profileOf(data.store, shop, profileId ?? null)).map((one) => [
        one.customer,
        one,
      ]),
    );
  data.members.set(key, members);
  return members.get(who);
}

function listEvents({ store, timezone }: Everything, who: string, code: string) {
  const customers = customersOf(store);
  if (!store.interest_lists.some((list) => list.code === code)) return [];
  return store.interest_list_events
    .filter(
      (row) =>
        row.code === code && customers.ofReference({ profile_id: row.profile_id, email: row.email }) === who,
    )
    .map((row) => ({ kind: row.kind ?? '', moment: importedMoment(row.at ?? '', timezone) }))
    .sort((a, b) => Number(a.moment - b.moment) || compareText(a.kind, b.kind));
}

const STRICTEST_FIRST = ['suppressed', 'complained', 'bounced', 'unsubscribed', 'pending', 'subscribed'];
const SOURCES = ['popup', 'checkout', 'registration', 'form', 'import', 'api', 'manual'];

/** The first subscription of each person in each channel. */
function subscriptionsOf(store: Store, timezone: string): Everything['subscriptions'] {
  const customers = customersOf(store);
  const events = store.consent_events.map((row) => ({
    person: `${row.channel} ${customers.ofReference({ profile_id: row.profile_id, email: row.email, phone: row.phone })}`,
    channel: row.channel ?? '',
    moment: importedMoment(row.at ?? '', timezone),
    state: row.state ?? '',
    source: SOURCES.find((source) => source === cell(row.source)?.toLowerCase()) ?? null,
    detail: cell(row.source_detail?.trim()),
  }));
  const nullsLast = (text: string | null) => text ?? '\u{10ffff}';
  const found: Everything['subscriptions'] = new Map();
  for (const [person, own] of Map.groupBy(events, (event) => event.person)) {
    own.sort(
      (a, b) =>
        Number(a.moment - b.moment) ||
        STRICTEST_FIRST.indexOf(a.state) - STRICTEST_FIRST.indexOf(b.state) ||
        compareText(nullsLast(a.source), nullsLast(b.source)) ||
        compareText(nullsLast(a.detail), nullsLast(b.detail)),
    );
    const deciding = own.filter(({ moment }, index) => own[index - 1]?.moment !== moment);
    const first = deciding.findIndex(({ state }) => state === 'subscribed');
    const joined = deciding[first];
    if (joined === undefined) continue;
    const earlier = deciding.slice(0, first);
    const isBlocked = earlier.some(({ state }) => STRICTEST_FIRST.indexOf(state) < 3);
    const requests = earlier.slice(earlier.findLastIndex(({ state }) => state !== 'pending') + 1);
    const request = isBlocked ? undefined : requests[0];
    const source = joined.source ?? request?.source ?? null;
    const isFromRequest =
      request !== undefined && (joined.source === null || joined.source === request.source);
    const detail = joined.source === null && request !== undefined ? request.detail : joined.detail;
    found.set(person, {
      moment: joined.moment,
      channel: joined.channel,
      source: source ?? 'unknown',
      detail: isFromRequest ? (detail ?? request.detail) : detail,
    });
  }
  return found;
}

function firstSubscription({ subscriptions }: Everything, who: string) {
  return ['email', 'sms']
    .flatMap((channel) => subscriptions.get(`${channel} ${who}`) ?? [])
    .sort((a, b) => Number(a.moment - b.moment) || compareText(a.channel, b.channel))[0];
}

const tagsOf = ({ profiles }: Everything, who: string) =>
  (profiles.get(who) ?? []).flatMap((row) => listCell(row.tags));

function couponsOf(data: Everything, who: string, period: Period | undefined): string[] {
  const rows = loadedRows(data.store.orders, (row) => row.order_id ?? '');
  const ids = new Set(ordersIn(data, who, period).map(({ orderId }) => orderId));
  return rows.filter((row) => ids.has(row.order_id ?? '')).flatMap((row) => listCell(row.coupon_codes));
}

const CONDITIONS: Record<string, Test> = {
  interest_list: (data, { operator, value }, who) => {
    const lists = texts(value).map((code) => listEvents(data, who, code));
    if (operator === 'was_unsubscribed') {
      return lists.some((events) => events.some(({ kind }) => kind === 'unsubscribed'));
    }
    return lists.some((events) => events.at(-1)?.kind === 'subscribed') === (operator === 'is_subscribed');
  },
  consent: ({ consents }, { value }, who) =>
    (consents.get(`${value.channel} ${who}`) ?? 'never_subscribed') === value.state,
  suppressed: ({ consents }, { value }, who) =>
    ['email', 'sms'].some((channel) =>
      ['suppressed', 'complained', 'bounced'].includes(consents.get(`${channel} ${who}`) ?? ''),
    ) === value,
  subscribed_at: (data, { operator, value, channel, period }, who) =>
    (channel === undefined ? ['email', 'sms'] : [channel]).some((one) => {
      const moment = data.subscriptions.get(`${one} ${who}`)?.moment;
      if (moment === undefined) return false;
      if (operator === 'in_period') return isIn(data, moment, period);
      const [first] = boundsOf(data, value);
      const [, last] = boundsOf(data, undefined, value);
      return operator === 'before' ? wholeSecond(moment) < (first ?? 0n) : wholeSecond(moment) > (last ?? 0n);
    }),
  source: (data, { operator, value }, who) => {
    const shared = remembered(data, 'source details', () =>
      sharedValues([...data.everyone].map((one) => [firstSubscription(data, one)?.detail ?? []].flat())),
    );
    const first = firstSubscription(data, who);
    const isOne =
      first !== undefined &&
      (texts(value).some((key) => key.toLowerCase() === first.source) ||
        (shared.has(first.detail ?? '') && texts(value).includes(first.detail ?? '')));
    return isOne === (operator === 'is');
  },
  last_activity: (data, { period }, who) => {
    const moments = [
      ...visitsOf(data, who).map(({ moment }) => moment),
      ...ordersOf(data, who).map(({ moment }) => moment),
      ...sendsOf(data, who).flatMap(({ events }) =>
        events
          .filter(({ kind, isMachine }) => ['open', 'click'].includes(kind) && !isMachine)
          .map(({ moment }) => moment),
      ),
    ];
    const last = moments.reduce<Moment | null>(
      (latest, one) => (latest === null || one > latest ? one : latest),
      null,
    );
    return isIn(data, last, period);
  },
  order_count: (data, { operator, value, period }, who) =>
    compared(operator, value, ordersIn(data, who, period).length),
  order_value_total: (data, { operator, value, period }, who) =>
    comparedMoney(operator, value, sum(ordersIn(data, who, period).map(({ revenue }) => revenue)), 1n),
  average_order_value: (data, { operator, value, period }, who) => {
    const orders = ordersIn(data, who, period);
    const total = sum(orders.map(({ revenue }) => revenue));
    return orders.length > 0 && comparedMoney(operator, value, total, BigInt(orders.length));
  },
  first_order_at: (data, { period }, who) => isIn(data, ordersOf(data, who)[0]?.moment, period),
  last_order_at: (data, { period }, who) => isIn(data, ordersOf(data, who).at(-1)?.moment, period),
  bought: (data, block, who) => {
    const orders = new Set(ordersIn(data, who, block.period));
    const lines = data.messages.traffic.shop.lines.filter(({ order }) => orders.has(order));
    return didWithProducts(
      data,
      block,
      lines.map(({ productId }) => productId),
    );
  },
  ...Object.fromEntries(
    Object.entries({
      viewed: ['view'],
      added_to_cart: ['add_to_cart'],
      watched: ['wishlist', 'watchdog'],
    }).map(([type, kinds]): [string, Test] => [
      type,
      (data, block, who) => {
        const events = eventsOf(data, who).filter(
          ({ kind, moment }) => kinds.includes(kind) && isIn(data, moment, block.period),
        );
        return didWithProducts(
          data,
          block,
          events.map(({ productId }) => productId),
        );
      },
    ]),
  ),
  cart_abandoned: (data, { period }, who) =>
    abandonedCarts(data, who).some((moment) => isIn(data, moment, period) && moment + HOUR <= data.asOf),
  rfm_segment: (data, { operator, value }, who) =>
    texts(value.segments).includes(member(data, who, value.rfm_profile_id)?.segment ?? '') ===
    (operator === 'is'),
  rfm_score: (data, { operator, value }, who) => {
    const score = member(data, who, value.rfm_profile_id)?.[value.dimension as 'recency'] ?? 0;
    return score > 0 && compared(operator, value.score, score);
  },
  campaign: (data, block, who) => {
    const ids = texts(block.value);
    if (block.operator === 'sent') {
      return sendsOf(data, who).some(
        ({ campaignId, moment }) => ids.includes(campaignId) && isIn(data, moment, block.period),
      );
    }
    if (block.operator === 'ordered') {
      return ordersIn(data, who, block.period).some((order) =>
        ids.includes(data.messages.credits.configured?.get(order)?.send.campaignId ?? '-'),
      );
    }
    return didInCampaign(data, block, who);
  },
  messages_received: (data, { operator, value, channel, period }, who) => {
    const received = sendsOf(data, who).filter(
      (send) =>
        send.outcome === 'delivered' &&
        (channel === undefined || send.channel === channel) &&
        isIn(data, send.moment, period),
    );
    return compared(operator, value, received.length);
  },
  session: (data, { value = 1, channel, source, landing_page, period }, who) => {
    const isOne = (names: unknown, label: string) => names === undefined || texts(names).includes(label);
    const visits = visitsOf(data, who).filter(
      ({ labels, moment }) =>
        isOne(channel, labels.channel) &&
        isOne(source, labels.source) &&
        isOne(landing_page, labels.landing_page) &&
        isIn(data, moment, period),
    );
    return visits.length >= value;
  },
  tag: (data, { operator, value }, who) => {
    const shared = remembered(data, 'tags', () =>
      sharedValues([...data.everyone].map((one) => tagsOf(data, one))),
    );
    const tag = typeof value === 'string' ? value : value.name;
    return (shared.has(tag) && tagsOf(data, who).includes(tag)) === (operator === 'has');
  },
  attribute: (data, { operator, value: { name, value } }, who) => {
    const known = attributeOf(data, who, name);
    if (known === undefined || known === null) return false;
    if (operator === 'exists') return true;
    const shared = remembered(data, `attribute ${name}`, () =>
      sharedValues([...data.everyone].map((one) => attributeTexts(data, one, name))),
    );
    const findable = attributeTexts(data, who, name).filter((text) => shared.has(text));
    if (operator === 'contains') {
      return findable.some((text) => plain(text).includes(plain(String(value).trim())));
    }
    return !Array.isArray(known) && findable.some((text) => texts(value).includes(text));
  },
  birthday: ({ profiles, asOf, timezone }, { value }, who) => {
    const birthday = (profiles.get(who) ?? []).map((row) => cell(row.birthday)).find((date) => date !== null);
    if (birthday === undefined || birthday === null) return false;
    const born = Temporal.PlainDate.from(birthday);
    const today = Temporal.PlainDate.from(localDate(asOf, timezone));
    // 29 February is constrained to the 28th in a common year.
    const days = [0, 1].map((years) => {
      const day = Temporal.PlainDate.from({ year: today.year + years, month: born.month, day: born.day });
      return today.until(day, { largestUnit: 'day' }).days;
    });
    return days.some((inDays) => inDays >= 0 && inDays <= value);
  },
  coupon_used: (data, { value, period }, who) => {
    const shared = remembered(data, 'coupons', () =>
      sharedValues([...data.everyone].map((one) => couponsOf(data, one, undefined))),
    );
    return couponsOf(data, who, period).some((code) => shared.has(code) && texts(value).includes(code));
  },
  segment: (data, { operator, value }, who) => {
    const isInAny = texts(value).some((id) => {
      const row = data.store.segments.find(({ segment_id }) => segment_id === id);
      return row !== undefined && meetsQuery(data, JSON.parse(row.segment_query ?? '') as Query, who);
    });
    return isInAny === (operator === 'in');
  },
};
