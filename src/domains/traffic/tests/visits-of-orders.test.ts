import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Row } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/**
 * Orders whose numbers are ids of others, as where a shop counts both: which visit each was placed in, by
 * hand.
 */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

async function revenueBySource(visits: Row<'order_visits'>[]): Promise<unknown> {
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
  const visit = (name: string, at: string) => ({
    ...{ session_id: name, visitor_id: name, source: name, medium: 'x', started_at: `2024-05-01T${at}:00` },
  });
  await test.importStore(business, {
    ...emptyStore({ timezone: 'UTC', primary_currency: 'CZK' }),
    orders: [
      { order_id: '100', number: '105', ordered_at: '2024-05-01T08:10:00', total: '1', email: 'ann@x.cz' },
      { order_id: '105', number: '110', ordered_at: '2024-05-01T12:10:00', total: '10', email: 'bob@x.cz' },
    ],
    sessions: [visit('first', '08:00'), visit('second', '12:00')],
    order_visits: visits,
  });
  const range = { from_date: '2024-05-01T00:00:00', to_date: '2024-05-01T23:59:59' };
  const { sessions, untracked_revenue } = (await test.ask('session_statistics', {
    ...{ business_id: business.business_id, ...range, group_by: 'source' },
  })) as { sessions: { key: string; last_click_revenue: number }[]; untracked_revenue: number };
  return {
    ...Object.fromEntries(sessions.map(({ key, last_click_revenue }) => [key, last_click_revenue])),
    untracked_revenue,
  };
}

const seen = (reference: string, session: string, at: string) => ({
  ...{ reference, session_id: session, visitor_id: session, at: `2024-05-01T${at}:00` },
});

it('each order is of the visit that is nearest in time, also where another one has its id', async () => {
  const visits = [seen('105', 'first', '08:10'), seen('110', 'second', '12:10')];
  expect(await revenueBySource(visits)).toEqual({ first: 1, second: 10, untracked_revenue: 0 });
});

it('an order whose own visit is not known does not take that of another', async () => {
  const visits = [seen('105', 'first', '08:10')];
  expect(await revenueBySource(visits)).toMatchObject({ first: 1, second: 0 });
});

it('orders that are named by their ids are found as well', async () => {
  const visits = [seen('#100', 'first', '08:10'), seen('#105', 'second', '12:10')];
  expect(await revenueBySource(visits)).toEqual({ first: 1, second: 10, untracked_revenue: 0 });
});
