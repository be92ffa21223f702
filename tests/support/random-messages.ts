import * as fc from 'fast-check';
import type { Row, Store } from '../oracle/store.ts';
import { randomTraffic } from './random-traffic.ts';

const pick = <Value>(...values: Value[]) => fc.constantFrom(...values);
const maybe = (...values: string[]) => fc.constantFrom(undefined, ...values);

/**
 * Days and weeks apart, also over a clock change, at the edges of windows, bursts and what happens at once.
 */
const dates = ['2024-02-22', '2024-02-29', '2024-03-01', '2024-03-30', '2024-03-31', '2024-04-01'];
const moment = (...times: string[]) =>
  fc.tuple(pick(...dates), pick(...times)).map(([date, time]) => date + time);

const campaigns: Row<'campaigns'>[] = [
  {
    ...{ campaign_id: 'e1', campaign_type: 'targeted-emailing', name: 'News' },
    ...{ utm_source: 'news', utm_medium: 'email', utm_campaign: 'may' },
  },
  // Fits what the one before fits better.
  { campaign_id: 'e2', campaign_type: 'incremental-emailing', name: 'Cart', utm_campaign: 'may' },
  { campaign_id: 's1', campaign_type: 'targeted-sms', name: 'Promo', utm_campaign: 'text' },
  { campaign_id: 's2', campaign_type: 'incremental-sms', name: 'Reminder', utm_source: 'sms' },
];
const messages: Row<'messages'>[] = [
  { message_id: 'm1', campaign_id: 'e1', channel: 'email', subject: 'One' },
  { message_id: 'm2', campaign_id: 'e1', channel: 'email', subject: 'Two' },
  { message_id: 'm3', campaign_id: 'e2', channel: 'email', subject: 'Three' },
  { message_id: 'm4', campaign_id: 's1', channel: 'sms' },
  { message_id: 'm5', campaign_id: 's2', channel: 'sms' },
];
const links: Row<'links'>[] = ['m1', 'm2', 'm3', 'm4', 'm5'].flatMap((message_id) =>
  ['a', 'b', 'c', 'unsubscribe'].map((path) => ({
    ...{ link_id: `${message_id}-${path}`, message_id, url: `https://shop.cz/${path}` },
  })),
);

const person = pick(
  { email: 'c1@example.com' },
  { email: ' C2@Example.com ' },
  { profile_id: 'c1' },
  { phone: '+420 777 000 111' },
  { email: 'somebody@example.com', phone: '+420777000111' },
);

const send = fc
  .record({
    who: person,
    message_id: pick('m1', 'm1', 'm2', 'm3', 'm4', 'm5'),
    sent_at: moment('T08:00:00', 'T07:59:00', 'T00:00:00', 'T23:59:59.700'),
    delivered_at: fc.option(moment('T08:00:00', 'T08:00:01'), { nil: undefined, freq: 2 }),
    outcome: maybe('delivered', 'delivered', 'hard', 'soft', 'block', 'failed', 'pending'),
    sms_segments: maybe('1', '3'),
    cost: maybe('0.5', '1.25'),
  })
  .map(({ who, ...row }) => ({ ...row, ...who }));

const event = fc.record({
  send: fc.nat(1000),
  kind: pick('open', 'open', 'click', 'click', 'click', 'unsubscribe', 'complaint'),
  date: pick('own', 'own', 'own', ...dates),
  time: pick(
    'T08:00:00',
    'T08:00:02.999',
    'T08:00:03',
    'T08:00:07',
    'T08:00:08',
    'T08:00:08.1',
    'T08:10:00',
    'T12:00:00',
  ),
  target: pick('a', 'b', 'c', 'unsubscribe', 'other', 'none'),
  names: pick('link', 'url'),
  is_machine: maybe('false', 'false', 'true'),
  is_bot: maybe('false', 'false', 'false', 'true'),
});

const withdrawal = fc
  .record({
    who: person,
    channel: pick('sms', 'sms', 'email'),
    at: moment('T08:00:00', 'T12:00:00'),
    state: pick('unsubscribed', 'unsubscribed', 'complained', 'subscribed'),
    send: fc.option(fc.nat(30)),
  })
  .map(({ who, ...row }) => ({ ...row, ...who }));

/** Random traffic with messages to its customers, what they and machines did with them, and withdrawals. */
export function randomMessages(timezone: string): fc.Arbitrary<Store> {
  return fc
    .record({
      store: randomTraffic(timezone),
      sends: fc.array(send, { minLength: 1, maxLength: 20 }),
      events: fc.array(event, { maxLength: 60 }),
      withdrawals: fc.uniqueArray(withdrawal, { maxLength: 5, selector: ({ at, channel }) => at + channel }),
      moved: fc.array(fc.tuple(person, moment('T08:00:00', 'T08:10:00', 'T12:00:00', 'T20:00:00')), {
        maxLength: 12,
      }),
    })
    .map(({ store, sends, events, withdrawals, moved }) => ({
      ...store,
      orders: [
        ...store.orders,
        ...moved.map(([who, ordered_at], index) => ({
          ...{ order_id: `own-${index}`, ordered_at, total: String(2 ** index), ...who },
        })),
      ],
      campaigns: campaigns.map((row) => ({ ...row, state: 'active', created_at: '2024-01-01T00:00:00' })),
      messages,
      links,
      sends: sends.map((row, index) => ({ ...row, send_id: `send-${index}` })),
      message_events: events.map(({ send, date, time, target, names, ...row }, index) => {
        const number = send % sends.length;
        const { message_id, sent_at } = sends[number] ?? { message_id: '', sent_at: '' };
        const isLink = names === 'link' && target !== 'other';
        return {
          ...{ ...row, event_id: `event-${index}`, send_id: `send-${number}` },
          at: (date === 'own' ? sent_at.slice(0, 10) : date) + time,
          link_id: target === 'none' || !isLink ? undefined : `${message_id}-${target}`,
          url: target === 'none' || isLink ? undefined : `https://shop.cz/${target}`,
        };
      }),
      consent_events: withdrawals.map(({ send, ...row }) => ({
        ...row,
        send_id: send === null ? undefined : `send-${send}`,
      })),
    }));
}
