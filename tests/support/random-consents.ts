import * as fc from 'fast-check';
import { importedMoment } from '../oracle/moments.ts';
import type { Row, Store } from '../oracle/store.ts';
import { randomMessages } from './random-messages.ts';

const pick = <Value>(...values: Value[]) => fc.constantFrom(...values);
const maybe = (...values: string[]) => fc.constantFrom(undefined, ...values);

/**
 * Few people and moments, so that much happens to each, also at once: at midnights, bounds of ranges, clock
 * changes.
 */
const person = pick(
  { profile_id: 'c1' },
  { email: 'c1@example.com' },
  { email: ' C2@Example.com ' },
  { phone: '+420 777 000 111' },
  { email: 'somebody@example.com', phone: '+420777000111' },
  { email: 'only-here@example.com' },
);
const moment = fc
  .tuple(
    pick('2024-01-31', '2024-02-28', '2024-02-29', '2024-03-01', '2024-03-31', '2024-10-27', '2024-12-31'),
    pick(
      'T00:00:00',
      'T07:59:59.999',
      'T08:00:00',
      'T08:00:00.400',
      'T08:00:01',
      'T02:30:00',
      'T23:59:59.700',
      'T23:00:00Z',
    ),
  )
  .map(([date, time]) => date + time);

const consent = fc
  .record({
    who: person,
    channel: pick('email', 'email', 'sms'),
    at: moment,
    state: pick(
      ...['subscribed', 'subscribed', 'subscribed', 'pending', 'pending'],
      ...['unsubscribed', 'unsubscribed', 'bounced', 'complained', 'suppressed'],
    ),
    source: maybe('popup', 'Pop-up', 'checkout', 'import', 'unheard of'),
    source_detail: maybe('pop', 'Welcome', '(not set)', ' '),
    reason: maybe('too many', 'moved', '(stayed)'),
  })
  .map(({ who, ...row }) => ({ ...row, ...who }));

const membership = fc
  .record({
    who: pick(
      { profile_id: 'c1' },
      { email: 'c1@example.com' },
      { email: 'c2@example.com' },
      { email: 'x@example.com' },
    ),
    code: pick('news', 'vip', 'gone'),
    at: moment,
    kind: pick('subscribed', 'subscribed', 'unsubscribed'),
    source: maybe('popup', 'preference centre', ' '),
    reason: maybe('too many', 'link'),
  })
  .map(({ who, ...row }) => ({ ...row, ...who }));

const list = (...value: string[]) => ({ type: 'interest_list', operator: 'is_subscribed', value });
const query = (...targetingBlocks: object[]) => JSON.stringify({ segments: [{ targetingBlocks }] });
const TARGETS: Record<string, string> = {
  e1: query(list('news'), list('vip', 'news')),
  e2: query({ ...list('news'), negate: true }, { ...list('vip'), operator: 'is_not_subscribed' }),
  s1: query({ ...list('vip'), operator: 'is_not_subscribed', negate: true }),
  s2: query({ ...list('vip'), operator: 'was_unsubscribed' }, list('nowhere')),
};

const popup: Row<'campaigns'> = {
  ...{ campaign_id: 'pop', campaign_type: 'popup', name: 'Welcome', state: 'active' },
  created_at: '2024-01-01T00:00:00',
};

/**
 * Random messages, traffic and orders with consents of the same people and others, who also join and leave
 * lists.
 */
export function randomConsents(timezone: string): fc.Arbitrary<Store> {
  // The key of the row, so that none replaces another: two texts can be one moment.
  const key = ({ profile_id, email, phone, at }: Row<'consent_events'>) =>
    JSON.stringify([profile_id, email, phone, String(importedMoment(at ?? '', timezone))]);
  return fc
    .record({
      store: randomMessages(timezone),
      consents: fc.uniqueArray(consent, {
        minLength: 40,
        maxLength: 120,
        size: 'max',
        selector: (row) => row.channel + key(row),
      }),
      created: fc.array(maybe('2024-02-29T08:00:00', '2024-03-31T08:00:01', '2025-05-01T00:00:00'), {
        maxLength: 5,
      }),
      unread: fc.nat(7),
      memberships: fc.uniqueArray(membership, {
        minLength: 15,
        maxLength: 60,
        size: 'max',
        selector: (row) => row.code + key(row),
      }),
      channels: fc.tuple(maybe('email', 'sms', 'email|sms'), maybe('sms', 'push')),
    })
    .map(({ store, consents, created, unread, memberships, channels }) => ({
      ...store,
      profiles: store.profiles.map((row, index) => ({ ...row, created_at: created[index] })),
      // Who gets many messages and does nothing; of others it is a rare chance.
      sends: [
        ...store.sends,
        ...Array.from({ length: unread }, (_, index) => ({
          ...{ send_id: `unread-${index}`, message_id: 'm1', email: 'only-here@example.com' },
          ...{ sent_at: `2024-02-2${index + 1}T08:00:00`, outcome: 'delivered' },
        })),
      ],
      consent_events: consents,
      campaigns: [
        ...store.campaigns.map((row) => ({ ...row, segment_query: TARGETS[row.campaign_id ?? ''] })),
        popup,
      ],
      interest_lists: [
        { code: 'news', name: 'News', channels: channels[0] },
        { code: 'vip', name: 'VIP', channels: channels[1] },
        { code: 'empty', name: 'Nobody' },
      ],
      interest_list_events: memberships,
    }));
}
