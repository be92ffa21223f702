import * as fc from 'fast-check';
import type { Store } from '../oracle/store.ts';
import { randomStores } from './random-stores.ts';

const pick = <Value>(...values: Value[]) => fc.constantFrom(...values);
const maybe = (...values: string[]) => fc.constantFrom(undefined, ...values);

/**
 * Dates that are 30 days apart, also over a clock change, and times at the edges of days, seconds and half
 * hours.
 */
const dates = [
  '2024-01-30',
  '2024-02-01',
  '2024-02-29',
  '2024-03-01',
  '2024-03-30',
  '2024-03-31',
  '2024-04-01',
];
const times = [
  'T00:00:00',
  'T02:30:00',
  'T08:00:00',
  'T08:10:00',
  'T08:29:59.900',
  'T23:59:59.700',
  'T22:00:00Z',
];

const session = fc
  .record({
    visitor_id: pick('v1', 'v2', 'v3', 'v-c1', 'v-c2'),
    who: pick({}, {}, {}, { profile_id: 'c1' }, { email: ' C2@example.com' }, { email: 'new@example.com' }),
    date: pick(...dates, '2024-10-27', '2024-12-31'),
    time: pick(...times),
    lasts: fc.boolean(),
    touch: pick(
      {},
      {},
      { source: 'google', medium: 'cpc', campaign: 'spring' },
      { source: 'google', medium: 'cpc', campaign: 'summer' },
      { source: 'google', medium: 'organic', campaign: '(not set)' },
      { source: 'news', medium: 'email', campaign: 'may' },
      { source: 'news', medium: 'email', campaign: 'june' },
      { source: 'other', medium: 'email', campaign: 'may' },
      { source: 'sms', medium: 'sms', campaign: 'text' },
      { source: 'sms', medium: 'sms' },
      { source: 'heureka.cz', medium: 'referral', referrer_host: 'www.heureka.cz' },
      { source: 'blog.example', medium: 'referral' },
      { referrer_host: 'www.seznam.cz' },
      { referrer_host: 'gate.gopay.cz' },
      { referrer_host: 'gate.gopay.cz', source: 'google', medium: 'cpc' },
      { referrer_host: 'accounts.google.com', source: 'x' },
      { source: 'gw.gopay.com', medium: 'referral' },
      { source: 'x', referrer_host: 'www.shop.cz' },
      { source: 'x' },
      { medium: 'cpc' },
      { source: '(direct)', medium: '(none)' },
    ),
    landing_path: maybe('/', '/a?utm_source=x', '/a#b', '/b'),
    device: maybe('desktop', 'mobile'),
    country: maybe('CZ', 'SK'),
    page_views: maybe('0', '1', '2', '7'),
    engagement_s: maybe('0', '10', '10.0001', '61.5'),
    cart: maybe('true', 'false'),
    checkout: maybe('true'),
    suspected_bot: maybe('true', 'false', 'false'),
  })
  .map(({ who, date, time, lasts, touch, ...row }) => ({
    ...{ ...row, ...who, ...touch, started_at: date + time },
    ended_at: lasts ? `${date}T23:59:59.900${time.endsWith('Z') ? 'Z' : ''}` : undefined,
  }));

const cost = fc.record({
  day: pick(...dates),
  source: pick('google', 'google-display'),
  medium: pick('cpc'),
  campaign: maybe('spring', 'autumn'),
  cost: pick('0', '12.5', '100', '-3'),
  clicks: maybe('0', '7', '20'),
  impressions: maybe('0', '1000', '2500'),
});

const order = fc.record({
  index: fc.nat(30),
  ordered_at: fc.tuple(pick(...dates), pick(...times)).map(([date, time]) => date + time),
  session: fc.option(fc.nat(30)),
  visitor_id: maybe('v1', 'v2', 'v3', 'v-c1'),
});

const seen = fc.record({
  reference: fc.nat(30),
  by: pick('o', '#', ''),
  visitor_id: pick('v1', 'v2', 'v4', 'v-c2'),
  session: fc.option(fc.nat(30)),
  at: fc.tuple(pick(...dates), pick(...times)).map(([date, time]) => date + time),
});

/**
 * Random stores with sessions of their visitors, orders that name sessions or were seen in some, by their id
 * or number, and advertising costs.
 */
export function randomTraffic(timezone: string): fc.Arbitrary<Store> {
  return fc
    .record({
      store: randomStores(timezone),
      sessions: fc.array(session, { minLength: 1, maxLength: 40 }),
      costs: fc.uniqueArray(cost, {
        maxLength: 6,
        selector: ({ day, source, medium, campaign }) => JSON.stringify([day, source, medium, campaign]),
      }),
      moved: fc.array(order, { maxLength: 25 }),
      visits: fc.array(seen, { maxLength: 12 }),
    })
    .map(({ store, sessions, costs, moved, visits }) => {
      const orders = store.orders.map((row, index) => {
        const {
          session,
          index: _,
          ...other
        } = moved.find((candidate) => candidate.index === index) ?? {
          session: null,
          index,
        };
        // None, one that comes again, or the id of another order.
        const number = [undefined, `#${index % 7}`, `o${(index + 2) % 9}`][index % 3];
        return { ...row, number, ...other, session_id: session === null ? undefined : `s${session}` };
      });
      return {
        ...store,
        orders,
        sessions: sessions.map((row, index) => ({ ...row, session_id: `s${index}` })),
        order_visits: visits.map(({ reference, by, session, ...row }) => ({
          ...{ ...row, reference: by === 'o' ? `o${reference}` : `${by}${reference % 7}` },
          session_id: session === null ? undefined : `s${session}`,
        })),
        ad_costs: costs,
      };
    });
}
