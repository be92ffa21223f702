import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SnapshotFacts } from '../../src/business/snapshot-facts.ts';
import { currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { emptyStore, type Store } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** What is known of a snapshot when it is published: notes are made of it, and ask nothing. */

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
});
afterAll(() => test[Symbol.asyncDispose]());

const EMPTY = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });

async function factsOf(store: Partial<Store>): Promise<SnapshotFacts> {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, { ...EMPTY, ...store });
  const snapshot = await currentSnapshot(test.instance.control, business.business_id);
  return snapshot?.facts as SnapshotFacts;
}

const order = (order_id: string, day: string, person: string | null, status?: string) => ({
  ...{ order_id, ordered_at: `${day}T12:00:00`, total: '10' },
  ...(person === null ? {} : { email: `${person}@example.com` }),
  ...(status === undefined ? {} : { status }),
});
const dayOf = (place: number) => new Date(Date.UTC(2024, 0, 1 + place)).toISOString().slice(0, 10);

describe('the usual pause between orders of a customer', () => {
  /** Two orders of each customer, with these pauses between them, in days. */
  const ordersApart = (pauses: readonly number[]) =>
    pauses.flatMap((pause, index) => [
      order(`a${index}`, dayOf(0), `c${index}`),
      order(`b${index}`, dayOf(pause), `c${index}`),
    ]);

  it.each([
    // At place 0.9 × 4 = 3.6, between the fourth and the fifth.
    ['lies between two of five pauses, and is rounded up', [10, 20, 30, 40, 45], 43],
    ['is the last but one of eleven', [1, 2, 3, 4, 5, 6, 7, 8, 9, 100, 200], 100],
    ['of four customers is theirs, and unknown', [10, 20, 30, 40], null],
  ])('%s', async (_title, pauses, expected) => {
    expect((await factsOf({ orders: ordersApart(pauses) })).usual_pause_days).toBe(expected);
  });
});

it('knows of which days there are orders, and such as have no customer or do not count', async () => {
  const { days } = await factsOf({
    orders: [
      order('first', '2024-01-05', 'a'),
      order('nobody', '2024-02-05', null),
      order('last', '2024-03-05', 'a'),
      order('cancelled', '2024-04-05', null, 'cancelled'),
      order('note', '2024-05-05', null, 'credit_note'),
    ],
    refunds: [
      ...[
        ['first', '2024-01-10'],
        ['cancelled', '2024-06-10'],
        ['note', '2024-05-10'],
      ].map(([id, day]) => ({
        ...{ refund_id: `r-${id}`, order_id: String(id), refunded_at: `${day}T12:00:00`, amount: '1' },
      })),
    ],
  });
  expect(days).toEqual({
    valid_orders: { from: '2024-01-05', until: '2024-03-05', rows_count: 3 },
    orders_without_customer: { from: '2024-02-05', until: '2024-02-05', rows_count: 1 },
    refunds: { from: '2024-01-10', until: '2024-06-10', rows_count: 3 },
    credit_notes: { from: '2024-05-10', until: '2024-05-10', rows_count: 1 },
  });
});

it('knows the days without advertising costs, and the sources, those that cost most first', async () => {
  const cost = (day: string, source: string, cost: string) => ({ day, source, medium: 'cpc', cost });
  const { ad_costs } = await factsOf({
    ad_costs: [
      cost('2024-01-01', 'google', '5'),
      cost('2024-01-02', 'meta', '9'),
      cost('2024-01-04', 'google', '1'),
      cost('2024-01-10', 'google', '1'),
    ],
  });
  expect(ad_costs).toEqual({
    from: '2024-01-01',
    until: '2024-01-10',
    pauses: [
      { from: '2024-01-03', until: '2024-01-03' },
      { from: '2024-01-05', until: '2024-01-09' },
    ],
    sources: [
      { source: 'meta', from: '2024-01-02', until: '2024-01-02' },
      { source: 'google', from: '2024-01-01', until: '2024-01-10' },
    ],
  });
  expect((await factsOf({ orders: [order('a', '2024-01-05', 'a')] })).ad_costs).toBeNull();
});

describe('the pauses of automations', () => {
  const pausesOf = (sent: Readonly<Record<string, readonly string[]>>, campaign_type: string) =>
    factsOf({
      campaigns: Object.keys(sent).map((campaign_id) => ({
        ...{ campaign_id, campaign_type, name: campaign_id, state: 'active' },
        created_at: '2024-01-01T00:00:00Z',
      })),
      messages: Object.keys(sent).map((id) => ({
        ...{ message_id: id, campaign_id: id, channel: 'email', subject: id },
      })),
      sends: Object.entries(sent).flatMap(([message_id, days]) =>
        days.map((day, place) => ({
          ...{ send_id: `${message_id}-${place}`, message_id, email: `p${place}@x.cz` },
          sent_at: `${day}T12:00:00Z`,
        })),
      ),
    });
  const heap = (day: string) => Array.from({ length: 10 }, () => day);
  const SENT = {
    // Eight days apart, then seven: a week may pass without it being quiet.
    weekly: [...heap('2024-02-01'), '2024-02-09', '2024-02-16'],
    // Stopped on the day of the pause above.
    stopped: heap('2024-02-01'),
    seldom: ['2024-03-01', '2024-05-01'],
  };

  it('are those after which one could be called quiet', async () => {
    expect((await pausesOf(SENT, 'incremental-emailing')).automation_pauses).toEqual([
      { last_day: '2024-02-01', next_day: null },
      { last_day: '2024-02-16', next_day: null },
    ]);
    const { weekly } = SENT;
    expect((await pausesOf({ weekly }, 'incremental-emailing')).automation_pauses).toEqual([
      { last_day: '2024-02-01', next_day: '2024-02-09' },
      { last_day: '2024-02-16', next_day: null },
    ]);
  });

  it('are none of newsletters', async () => {
    expect((await pausesOf(SENT, 'targeted-emailing')).automation_pauses).toEqual([]);
  });
});
