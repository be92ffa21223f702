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

async function notesUntil(to_date: string): Promise<readonly string[] | undefined> {
  const range = { business_id: business.business_id, from_date: '2024-01-01T00:00:00', to_date };
  return (await test.run('order_statistics', range)).notes;
}

it('says where the loaded orders end, by the days of the business, when a range goes beyond', async () => {
  expect(await notesUntil('2024-01-31T23:59:59')).toEqual(['No orders are loaded for this business yet.']);
  // 09:00 on 31 January in Auckland, still 30 January in UTC.
  const order = { order_id: 'a', ordered_at: '2024-01-30T20:00:00Z', total: '1' };
  await test.importStore(business, {
    ...emptyStore({ timezone: business.timezone, primary_currency: 'NZD' }),
    orders: [order],
  });
  expect(await notesUntil('2024-01-31T23:59:59')).toEqual([]);
  expect(await notesUntil('2024-01-31T10:59:59Z')).toEqual([]);
  const note = [
    expect.stringMatching(/^Orders are loaded from 2024-01-30T20:00:00Z to 2024-01-30T20:00:00Z; /),
  ];
  expect(await notesUntil('2024-02-01T00:00:00')).toEqual(note);
  expect(await notesUntil('2024-01-31T11:00:00Z')).toEqual(note);
});
