import * as fc from 'fast-check';
import type { Row, Store } from '../oracle/store.ts';
import { randomMessages } from './random-messages.ts';

const pick = <Value>(...values: Value[]) => fc.constantFrom(...values);

/** At the moments of sends and orders, and at the edges of ranges and of the 7 days after. */
const moment = fc
  .tuple(
    pick('2024-02-22', '2024-02-29', '2024-03-01', '2024-03-24', '2024-03-30', '2024-03-31', '2024-04-01'),
    pick('T08:00:00', 'T07:59:00', 'T00:00:00', 'T23:59:59.700', 'T22:59:59Z'),
  )
  .map(([date, time]) => date + time);

const entry = fc
  .record({
    campaign_id: pick('e1', 'e1', 'e2', 'e2', 's1', 's2', 'e3'),
    who: pick(
      { email: 'c1@example.com' },
      { email: ' C2@Example.com ' },
      { profile_id: 'c1' },
      { profile_id: 'c2' },
      { email: 'somebody@example.com' },
      // Nothing is ever sent to them.
      ...['d1', 'd2', 'd1', 'd2', 'd3'].map((person) => ({ email: `${person}@example.com` })),
    ),
    entered_at: moment,
    outcome: pick(
      'sent',
      'sent',
      'control',
      'control',
      'skipped_consent',
      'skipped_suppressed',
      'skipped_cap',
    ),
    completed_at: fc.constantFrom(undefined, undefined, '2024-04-02T08:00:00'),
  })
  .map(({ who, ...row }): Row<'audience_members'> => ({ ...row, ...who }));

/**
 * Random messages of campaigns with audiences and control groups, variants, and messages of the other
 * channel.
 */
export function randomExperiments(timezone: string): fc.Arbitrary<Store> {
  return fc
    .record({
      store: randomMessages(timezone),
      entries: fc.uniqueArray(entry, {
        maxLength: 30,
        selector: ({ outcome: _, completed_at: __, ...key }) => JSON.stringify(key),
      }),
      states: fc.array(pick('active', 'active', 'paused', 'sent'), { minLength: 5, maxLength: 5 }),
      categories: fc.array(pick('abandoned_cart', 'post_purchase', 'welcome', 'transactional', 'other'), {
        ...{ minLength: 5, maxLength: 5 },
      }),
      other: fc.nat(19),
      bought: fc.array(fc.tuple(pick('d1', 'd2', 'c1'), moment, pick('0', '12.5', '99.9999', '-3')), {
        maxLength: 10,
      }),
    })
    .map(({ store, entries, states, categories, other, bought }) => ({
      ...store,
      campaigns: [
        ...store.campaigns,
        { campaign_id: 'e3', campaign_type: 'incremental-emailing', name: 'Idle', created_at: '2024-01-01' },
      ].map((row, index) => ({
        ...row,
        ...{ state: states[index], category: categories[index], created_at: '2024-01-01T00:00:00' },
      })),
      messages: [
        ...store.messages.map((row, index) => ({ ...row, variant: ['A', 'B', 'A', 'A', 'B'][index] })),
        { message_id: 'm6', campaign_id: 'e1', channel: 'sms' },
        { message_id: 'm7', campaign_id: 's2', channel: 'email', variant: 'C' },
        { message_id: 'm8', campaign_id: 's1', channel: 'sms', variant: 'B' },
      ],
      sends: store.sends.map((row, index) =>
        index === other
          ? { ...row, message_id: 'm6' }
          : index === other + 1
            ? { ...row, message_id: 'm8' }
            : row,
      ),
      audience_members: entries,
      orders: [
        ...store.orders,
        ...bought.map(([person, ordered_at, total], index) => ({
          ...{ order_id: `b${index}`, ordered_at, total, email: `${person}@example.com` },
        })),
      ],
    }));
}
