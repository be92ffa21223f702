import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { emptyStore } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;
let business: Business;

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness({ timezone: 'Pacific/Auckland', currency: 'NZD' });
});

afterAll(() => test[Symbol.asyncDispose]());

async function notesUntil(
  to_date: string,
  tool = 'order_statistics',
  more = {},
): Promise<readonly string[] | undefined> {
  const range = { business_id: business.business_id, from_date: '2024-01-01T00:00:00', to_date, ...more };
  return (await test.run(tool, range)).notes;
}

const SHIFTED = expect.stringMatching(/^The range is not of whole days of the store/);

it('says where the loaded orders end, by the days of the business, when a range goes beyond', async () => {
  expect(await notesUntil('2024-01-31T23:59:59')).toEqual(['No orders are loaded for this business yet.']);
  // 09:00 on 31 January in Auckland, still 30 January in UTC.
  const order = { order_id: 'a', profile_id: 'p', ordered_at: '2024-01-30T20:00:00Z', total: '1' };
  await test.importStore(business, {
    ...emptyStore({ timezone: business.timezone, primary_currency: 'NZD' }),
    orders: [order],
  });
  expect(await notesUntil('2024-01-31T23:59:59')).toEqual([]);
  expect(await notesUntil('2024-01-31T10:59:59Z')).toEqual([]);
  const note = [
    expect.stringMatching(/^Orders are loaded from 2024-01-30T20:00:00Z to 2024-01-30T20:00:00Z; /),
  ];
  expect(await notesUntil('2024-02-01T00:00:01')).toEqual(note);
  expect(await notesUntil('2024-01-31T11:00:01Z')).toEqual([SHIFTED, ...note]);
});

it('says that nothing is known of a range before the first loaded order', async () => {
  const note =
    "Orders are loaded from 2024-01-30T20:00:00Z on; the range ends before that, and nothing is known of it: its zeros are not the store's.";
  expect(await notesUntil('2024-01-30T23:59:59')).toEqual([note]);
  expect(await notesUntil('2024-01-30T23:59:59', 'product_statistics')).toContain(note);
  expect(await notesUntil('2024-01-30T23:59:59', 'email_revenue_statistics')).toContain(note);
});

it('is about the data that a tool reads, and no other', async () => {
  const beyond = '2024-03-31T23:59:59';
  const orders = expect.stringMatching(/^Orders are loaded from /);
  expect(await notesUntil(beyond)).toEqual([orders]);
  expect(await notesUntil(beyond, 'session_statistics')).toEqual([
    orders,
    "No sessions are loaded, so nothing is known of visits and last clicks: their zeros are not the store's.",
  ]);
  expect(await notesUntil(beyond, 'email_channel_statistics')).toContain(
    'No messages are loaded for this business yet.',
  );
  expect((await notesUntil(beyond, 'email_channel_statistics'))?.join()).not.toContain('Orders are loaded');
  // What orders, visits and messages say together is not known without one of them.
  const visits = expect.stringMatching(/^No sessions are loaded/);
  const views = expect.stringMatching(/^No product events are loaded/);
  expect(await notesUntil(beyond, 'email_revenue_statistics')).toContainEqual(visits);
  expect(await notesUntil(beyond, 'product_statistics')).toContainEqual(views);
  // Whoever ordered lately is active.
  expect(await notesUntil(beyond, 'subscriber_statistics')).toContainEqual(orders);
});

it('says that a day whose first second is the end is not in the range, by the clock of the business', async () => {
  const note =
    'to_date is 2024-01-31 at 00:00:00: that day is not included beyond its first second. For the whole day ask until 2024-01-31T23:59:59.';
  expect(await notesUntil('2024-01-31T00:00:00')).toEqual([note]);
  // With an offset, that is told: see offset-notes.test.ts.
  expect(await notesUntil('2024-01-30T11:00:00Z')).toEqual([SHIFTED]);
  expect(await notesUntil('2024-01-31T00:00:00Z')).toEqual([SHIFTED]);
  expect(await notesUntil('2024-01-31T00:00:00', 'order_statistics_trend', { breakdown: 'day' })).toEqual([
    'to_date is 2024-01-31 at 00:00:00; the whole period of that day is included.',
  ]);
});
