// Agents ask for all time with the first and the last year that a date can be written with.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/catalogue.ts';
import { emptyStore } from '../oracle/store.ts';
import { sampleArguments } from '../support/sample-arguments.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;
let shop: string;
let empty: string;

beforeAll(async () => {
  test = await createTestInstance();
  const newYork = { timezone: 'America/New_York', currency: 'USD' };
  empty = (await test.createBusiness(newYork)).business_id;
  const business = await test.createBusiness(newYork);
  shop = business.business_id;
  await test.importStore(business, {
    ...emptyStore({ timezone: 'America/New_York', primary_currency: 'USD' }),
    orders: [{ order_id: 'a', ordered_at: '2024-05-01T10:00:00', total: '10', visitor_id: 'v' }],
    campaigns: [
      {
        ...{ campaign_id: 'C1', name: 'C1', campaign_type: 'popup', state: 'active' },
        created_at: '2024-05-01T00:00:00',
      },
    ],
    sessions: [{ session_id: 's', visitor_id: 'v', started_at: '2024-05-01T09:59:00' }],
  });
});

afterAll(() => test[Symbol.asyncDispose]());

/** An empty business has no campaign to ask about. */
const isOfOneCampaign = (tool: string) => tool === 'get_campaign_statistics';
const ranged = CATALOGUE.filter(({ input }) => 'to_date' in input.shape);
const hasPeriods = ({ shape }: { readonly shape: object }) =>
  'breakdown' in shape || 'cohort_period' in shape;

describe.each(
  ranged.map(({ name, input }) => [name, hasPeriods(input) ? '9999-12-31T00:00:00' : '0001-01-01T00:00:00']),
)('%s', (tool, from_date) => {
  it('answers a range that ends with the year 9999, also for a business without rows', async () => {
    for (const business_id of isOfOneCampaign(tool) ? [shop] : [shop, empty]) {
      const call = { ...sampleArguments(tool, business_id), from_date, to_date: '9999-12-31T23:59:59' };
      expect(await test.ask(tool, call)).toMatchObject({ business_id });
    }
  });
});

it('a range of all time contains the only order', async () => {
  const ever = { business_id: shop, from_date: '0001-01-01T00:00:00', to_date: '9999-12-31T23:59:59' };
  expect(await test.ask('order_statistics', ever)).toMatchObject({ orders_count: 1 });
});
