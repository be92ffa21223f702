// What consent events come to: every state that a customer was in, one after the other.
import { customersOf } from './customers.ts';
import { cell } from './loaded-rows.ts';
import { importedMoment, type Moment } from './moments.ts';
import type { Row, Store } from './store.ts';
import { compareText } from './text-order.ts';

export type Channel = 'email' | 'sms';

export interface Change {
  state: string;
  moment: Moment;
  /** The source of the subscription, or of the request to confirm one. */
  source: string;
  popup: string;
  /** What was said at this moment. */
  reason: string | null;
}

const MILD_TO_STRICT = ['subscribed', 'pending', 'unsubscribed', 'bounced', 'complained', 'suppressed'];
const SOURCES = ['popup', 'checkout', 'registration', 'form', 'import', 'api', 'manual'];

interface Event {
  state: string;
  moment: Moment;
  source: string | null;
  detail: string | null;
  reason: string | null;
}

/** The changes of each customer in a channel, in the order of time. */
export function consentHistories(store: Store, channel: Channel): Map<string, Change[]> {
  const customers = customersOf(store);
  const timezone = store.business.timezone ?? 'UTC';
  const events = new Map<string, Event[]>();
  for (const row of store.consent_events) {
    const customer = customers.ofReference({
      profile_id: row.profile_id,
      email: row.email,
      phone: row.phone,
    });
    if (row.channel !== channel || customer === null) continue;
    events.set(customer, [...(events.get(customer) ?? []), eventOf(row, timezone)]);
  }
  return new Map([...events].map(([customer, own]) => [customer, changesOf(own, store)]));
}

function eventOf(row: Row<'consent_events'>, timezone: string): Event {
  const source = (cell(row.source) ?? '').toLowerCase().replaceAll(/[^a-z]/g, '');
  return {
    state: row.state ?? '',
    moment: importedMoment(row.at ?? '', timezone),
    source: SOURCES.includes(source) ? source : null,
    detail: cell(row.source_detail?.trim()),
    reason: cell(row.reason?.trim()),
  };
}

/** Mild events of a moment first, so that the strict ones decide; of equal ones the first in the alphabet. */
function inOrder(a: Event, b: Event): number {
  const last = '\u{10ffff}';
  return (
    Number(a.moment - b.moment) ||
    MILD_TO_STRICT.indexOf(a.state) - MILD_TO_STRICT.indexOf(b.state) ||
    compareText(b.source ?? last, a.source ?? last) ||
    compareText(b.detail ?? last, a.detail ?? last) ||
    compareText(b.reason ?? last, a.reason ?? last)
  );
}

function changesOf(events: Event[], store: Store): Change[] {
  const changes: { event: Event; state: string; asked: Event | null }[] = [];
  let block: string | null = null;
  const ordered = events.toSorted(inOrder);
  for (const [index, event] of ordered.entries()) {
    const { state } = event;
    if (state === 'subscribed') block = null;
    const isBlock = ['bounced', 'complained', 'suppressed'].includes(state);
    const isStricter = block === null || MILD_TO_STRICT.indexOf(state) > MILD_TO_STRICT.indexOf(block);
    if (isBlock && isStricter) block = state;
    // What the moment comes to is known with its last event.
    if (ordered[index + 1]?.moment === event.moment) continue;
    const before = changes.at(-1);
    const after = block ?? state;
    if (after === before?.state) continue;
    const asked = after === 'subscribed' && before?.state === 'pending' ? before.event : null;
    changes.push({ event, state: after, asked });
  }
  return changes.map(({ event, state, asked }) => {
    const source = event.source ?? asked?.source ?? null;
    const isOwn = event.source !== null && event.source !== asked?.source;
    const detail =
      isOwn || asked === null
        ? event.detail
        : event.source === null
          ? asked.detail
          : (event.detail ?? asked.detail);
    return {
      ...{ state, moment: event.moment, source: source ?? 'unknown' },
      popup: source === 'popup' ? popupName(detail, store) : '(no popup)',
      reason: event.reason,
    };
  });
}

function popupName(detail: string | null, store: Store): string {
  const popup = store.campaigns.find((row) => row.campaign_type === 'popup' && row.campaign_id === detail);
  const name = popup?.name ?? detail ?? null;
  return quotedLikeOurs(name, ['(no popup)', '(other)']);
}

/** A name that could be taken for one of ours, or for one that has its marks, is between quotation marks. */
export function quotedLikeOurs(name: string | null, ours: string[]): string {
  if (name === null) return '(not set)';
  return ['(not set)', ...ours].includes(name.replaceAll(/^"+|"+$/g, '')) ? `"${name}"` : name;
}

/** The state of each `channel customer` who has one. */
export function consentStatesNow(store: Store): Map<string, string> {
  return new Map(
    (['email', 'sms'] as const).flatMap((channel) =>
      [...consentHistories(store, channel)].map(
        ([customer, changes]) => [`${channel} ${customer}`, changes.at(-1)?.state ?? ''] as const,
      ),
    ),
  );
}

export function subscribedNow(store: Store, channel: Channel): Set<string> {
  const histories = [...consentHistories(store, channel)];
  return new Set(
    histories.flatMap(([customer, changes]) => (changes.at(-1)?.state === 'subscribed' ? [customer] : [])),
  );
}

/** Who must not be written to at that moment, by e-mail or SMS. */
export function suppressedAt(store: Store, end: Moment): Set<string> {
  return new Set(
    (['email', 'sms'] as const).flatMap((channel) =>
      [...consentHistories(store, channel)].flatMap(([customer, changes]) => {
        const state = changes.findLast(({ moment }) => moment < end)?.state ?? '';
        return ['bounced', 'complained', 'suppressed'].includes(state) ? [customer] : [];
      }),
    ),
  );
}
