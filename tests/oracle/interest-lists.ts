// The answer of interest_list_statistics, by walking through what happened to every single person.
import { consentHistories, suppressedAt } from './consents.ts';
import { customersOf } from './customers.ts';
import { amount, round4 } from './decimals.ts';
import { cell, listCell } from './loaded-rows.ts';
import { type Messages, messagesOf } from './messages.ts';
import { argumentRange, importedMoment, type Moment } from './moments.ts';
import { listWithoutFew } from './small-groups.ts';
import type { Store } from './store.ts';
import { afterRange } from './subscribers.ts';
import { compareText } from './text-order.ts';

interface Membership {
  customer: string;
  from: Moment;
  to: Moment | null;
  source: string;
  /** Why it ended. */
  reason: string;
}

const share = (part: number, whole: number) => (whole === 0 ? null : round4((100 * part) / whole));

/** The rows stand by code, as rows come that are sorted by it. */
export function interestListRows(store: Store, args: { from_date: string; to_date: string }) {
  const messages = messagesOf(store);
  const { shop } = messages.traffic;
  const range = argumentRange(args.from_date, args.to_date, shop.timezone);
  const [start, end] = [range.from, afterRange(range)];
  const within = (moment: Moment) => start <= moment && moment < end;
  const lists = store.interest_lists.toSorted((a, b) => compareText(a.code ?? '', b.code ?? ''));
  return lists.map((list) => {
    const memberships = membershipsOf(store, list.code ?? '').filter(
      ({ from, to }) => from < end && (to === null || to >= start),
    );
    const before = memberships.filter(({ from }) => from < start);
    const joined = memberships.filter(({ from }) => within(from));
    const left = memberships.filter(({ to }) => to !== null && within(to));
    const members = memberships.filter(({ to }) => to === null || to >= end).map(({ customer }) => customer);
    const hasConsented = consented(store, list.channels, end);
    const isBlocked = suppressedAt(store, end);
    const orders = shop.validOrders.filter(
      ({ moment, customer }) =>
        within(moment) &&
        memberships.some(
          (one) => one.customer === customer && one.from <= moment && (one.to === null || moment < one.to),
        ),
    );
    const sources = Map.groupBy(joined, ({ source }) => source);
    const reasons = Map.groupBy(left, ({ reason }) => reason);
    const row = {
      code: list.code,
      name: list.name,
      subscribed_at_start_count: before.length,
      subscribed_count: joined.length,
      unsubscribed_count: left.length,
      net_growth: joined.length - left.length,
      subscribed_at_end_count: members.length,
      churn_rate: share(before.filter((one) => left.includes(one)).length, before.length),
      consented_count: members.filter((customer) => hasConsented.has(customer)).length,
      reachable_count: members.filter((one) => hasConsented.has(one) && !isBlocked.has(one)).length,
      suppressed_count: members.filter((customer) => isBlocked.has(customer)).length,
      customers_count: members.filter((customer) => {
        const first = shop.firstOrders.get(customer);
        return first !== undefined && first.moment < end;
      }).length,
      orders_count: orders.length,
      orders_revenue: amount(orders.reduce((sum, { revenue }) => sum + revenue, 0n)),
      ...messagesTo(store, messages, list.code ?? '', within),
      sources: [...sources]
        .map(([source, own]) => ({ source, subscribed_count: own.length }))
        .sort((a, b) => b.subscribed_count - a.subscribed_count || compareText(a.source, b.source))
        .slice(0, 10),
      leave_reasons: [...reasons]
        .map(([reason, own]) => ({ reason, unsubscribed_count: own.length }))
        .sort((a, b) => b.unsubscribed_count - a.unsubscribed_count || compareText(a.reason, b.reason))
        .slice(0, 10),
    };
    return listWithoutFew(row, before.filter((one) => left.includes(one)).length);
  });
}

function membershipsOf(store: Store, code: string): Membership[] {
  const customers = customersOf(store);
  const timezone = store.business.timezone ?? 'UTC';
  const events = store.interest_list_events
    .filter((row) => row.code === code)
    .map(({ profile_id, email, at, kind, source, reason }) => ({
      customer: customers.ofReference({ profile_id, email }) ?? '',
      moment: importedMoment(at ?? '', timezone),
      kind: kind ?? '',
      source: cell(source?.trim()) ?? 'unknown',
      reason: cell(reason?.trim()),
    }))
    // At one moment, leaving comes last and decides. Among equal ones the first source in the alphabet
    // decides, then the first reason.
    .sort(
      (a, b) =>
        Number(a.moment - b.moment) ||
        compareText(a.kind, b.kind) ||
        compareText(b.source, a.source) ||
        compareText(b.reason ?? '\u{10ffff}', a.reason ?? '\u{10ffff}'),
    );
  const memberships: Membership[] = [];
  for (const [index, { customer, moment, kind, source, reason }] of events.entries()) {
    const isOvertaken = events
      .slice(index + 1)
      .some((later) => later.customer === customer && later.moment === moment);
    if (isOvertaken) continue;
    const current = memberships.find((one) => one.customer === customer && one.to === null);
    if (kind === 'subscribed' && current === undefined)
      memberships.push({ customer, from: moment, to: null, source, reason: '' });
    if (kind === 'unsubscribed' && current !== undefined) {
      current.to = moment;
      current.reason = reason ?? source;
    }
  }
  return memberships;
}

/** Subscribed at that moment in a channel of the list. */
function consented(store: Store, channels: string | undefined, end: Moment): Set<string> {
  const known = listCell(channels).filter((name) => name === 'email' || name === 'sms');
  return new Set(
    (known.length === 0 ? (['email'] as const) : known).flatMap((channel) =>
      [...consentHistories(store, channel)].flatMap(([customer, changes]) => {
        const state = changes.findLast(({ moment }) => moment < end)?.state;
        return state === 'subscribed' ? [customer] : [];
      }),
    ),
  );
}

function messagesTo(
  store: Store,
  { sends, credits }: Messages,
  code: string,
  within: (moment: Moment) => boolean,
) {
  const campaigns = store.campaigns.filter(({ segment_query }) => takesMembers(segment_query, code));
  const ids = new Set(campaigns.map(({ campaign_id }) => campaign_id));
  const sent = sends.filter(({ campaignId, moment }) => ids.has(campaignId) && within(moment));
  const delivered = sent.filter(({ outcome }) => outcome === 'delivered');
  const emails = delivered.filter(({ channel }) => channel === 'email');
  const people =
    (kinds: string[], isContent = false) =>
    (send: (typeof sent)[number]) =>
      send.events.some(
        (event) => kinds.includes(event.kind) && !event.isMachine && (event.isContent || !isContent),
      );
  const credited = [...(credits.configured ?? [])].filter(([, { send }]) => sent.includes(send));
  return {
    delivered_count: delivered.length,
    open_rate: share(emails.filter(people(['open', 'click'])).length, emails.length),
    click_rate: share(sent.filter(people(['click'], true)).length, delivered.length),
    unsubscribe_rate: share(sent.filter(({ isUnsubscribed }) => isUnsubscribed).length, delivered.length),
    attributed_revenue: amount(credited.reduce((sum, [{ revenue }]) => sum + revenue, 0n)),
  };
}

function takesMembers(query: string | undefined, code: string): boolean {
  const { segments } = JSON.parse(cell(query) ?? '{"segments":[]}') as {
    segments: { targetingBlocks: { operator: string; negate?: boolean; value: string[] }[] }[];
  };
  return segments
    .flatMap(({ targetingBlocks }) => targetingBlocks)
    .some(({ operator, negate = false, value }) => {
      const isMember = { is_subscribed: !negate, is_not_subscribed: negate }[operator] ?? false;
      return isMember && value.includes(code);
    });
}
