import * as fc from 'fast-check';
import type { Row, Store } from '../oracle/store.ts';
import { randomMessages } from './random-messages.ts';

const pick = <Value>(...values: Value[]) => fc.constantFrom(...values);

/**
 * A week and 30 days before orders of `randomMessages`, also over a clock change, and beside them by less
 * than a second.
 */
const dates = ['2024-01-30', '2024-02-01', '2024-02-22', '2024-02-23', '2024-02-29', '2024-03-01'].concat(
  ...['2024-03-24', '2024-03-25', '2024-03-30', '2024-03-31'],
);
const moment = (...times: string[]) =>
  fc.tuple(pick(...dates), pick(...times)).map(([date, time]) => date + time);

const person = pick(
  { email: 'c1@example.com' },
  { email: ' C2@Example.com ' },
  { profile_id: 'c1' },
  { email: 'somebody@example.com' },
  { email: 'new@example.com' },
);

const event = fc
  .record({
    campaign_id: pick('p1', 'p1', 'p2', 'unknown'),
    visitor_id: pick('v1', 'v2', 'v-c1', 'v-c2', 'nobody'),
    who: fc.oneof(fc.constant({}), person),
    kind: pick('display', 'close', 'submit', 'submit', 'submit'),
    at: moment('T08:00:00', 'T08:00:00.500', 'T07:59:59.900', 'T07:00:00', 'T09:00:00', 'T23:59:59.700'),
    device: fc.constantFrom(undefined, 'mobile', 'desktop', 'tv'),
  })
  .map(({ who, ...row }) => ({ ...row, ...who }));

const consent = fc
  .record({
    who: person,
    channel: pick('email', 'email', 'sms'),
    at: moment('T08:00:00.100', 'T08:00:01', 'T07:59:59', 'T12:00:01', 'T20:00:00'),
    state: pick('subscribed', 'subscribed', 'pending', 'unsubscribed', 'complained'),
  })
  .map(({ who, ...row }) => ({ ...row, ...who }));

/** The tags of some sessions of `randomTraffic`: whole, in part, of another source, none. */
const TAGS: Readonly<Record<string, Row<'campaigns'>>> = {
  e1: { utm_source: 'news', utm_medium: 'email', utm_campaign: 'may' },
  e2: { utm_campaign: 'spring' },
  s1: { utm_source: 'sms', utm_campaign: 'summer' },
  s2: { utm_source: 'google', utm_medium: 'cpc' },
  p1: { utm_medium: 'cpc', utm_campaign: 'summer' },
};

/** Random messages beside popups, the consents that these may have led to, and tags of campaigns. */
export function randomPopups(timezone: string): fc.Arbitrary<Store> {
  return fc
    .record({
      store: randomMessages(timezone),
      events: fc.array(event, { minLength: 8, maxLength: 40 }),
      consents: fc.uniqueArray(consent, {
        ...{ minLength: 5, maxLength: 20 },
        selector: ({ at, channel }) => at + channel,
      }),
      ordered: fc.array(fc.tuple(person, moment('T08:00:00', 'T07:59:59.800', 'T08:00:01')), {
        maxLength: 12,
      }),
    })
    .map(({ store, events, consents, ordered }) => ({
      ...store,
      orders: [
        ...store.orders,
        ...ordered.map(([who, ordered_at], index) => ({
          ...{ order_id: `popup-${index}`, ordered_at, total: `${2 ** index}.0050`, ...who },
        })),
      ],
      campaigns: [
        ...store.campaigns,
        ...['p1', 'p2'].map((campaign_id) => ({
          ...{ campaign_id, campaign_type: 'popup', name: campaign_id, state: 'active' },
          created_at: '2024-01-01T00:00:00',
        })),
      ].map((row) => ({ ...row, ...TAGS[row.campaign_id ?? ''] })),
      popup_events: events.map((row, index) => ({ ...row, event_id: `event-${index}` })),
      consent_events: [...store.consent_events, ...consents],
    }));
}
