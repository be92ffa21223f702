// Customers whose visits are not known have no channel: answers by channel say how many, before anybody
// divides costs by the others.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;
let shop: string;
let without: string;
const SETTINGS = { timezone: 'Europe/Prague', primary_currency: 'CZK' };

/** Forty customers of May and ten of June, each with one order; the first twelve of May have no visit. */
function sold(): Store {
  const store = emptyStore(SETTINGS);
  for (let place = 0; place < 50; place++) {
    const day = place < 40 ? `2026-05-${String(1 + (place % 28)).padStart(2, '0')}` : '2026-06-10';
    const id = `o${place}`;
    store.orders.push({
      ...{ order_id: id, email: `${id}@example.com`, ordered_at: `${day}T12:00:00`, total: '100' },
      ...(place < 12 ? {} : { session_id: id }),
    });
    if (place < 12) continue;
    store.sessions.push({
      ...{ session_id: id, visitor_id: id, started_at: `${day}T11:50:00`, source: 'google' },
      ...{ medium: 'cpc', campaign: 'c' },
    });
  }
  for (const day of ['2026-05-02', '2026-06-10'])
    store.ad_costs.push({ day, source: 'google', medium: 'cpc', campaign: 'c', cost: '10', clicks: '5' });
  return store;
}

beforeAll(async () => {
  test = await createTestInstance();
  const load = async (store: Store) => {
    const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
    await test.importStore(business, store);
    return business.business_id;
  };
  shop = await load(sold());
  const { orders } = sold();
  const unvisited = orders.map(({ session_id: _session, ...order }) => order);
  without = await load({ ...emptyStore(SETTINGS), orders: unvisited });
});

afterAll(() => test[Symbol.asyncDispose]());

async function notesOf(
  business_id: string,
  tool: string,
  more: object,
  range = ['2026-05-01', '2026-05-31'],
) {
  const id = tool === 'query_metrics' ? { business_ids: [business_id] } : { business_id };
  const [from_date, to_date] = range;
  const { notes = [] } = await test.run(tool, { ...id, from_date, to_date, ...more });
  return notes.filter((note) => /no known visit|^No sessions/.test(note));
}

const BY_CHANNEL = [
  ['customer_value', { by: 'last_click_channel' }],
  ['customer_value', { by: 'first_click_channel' }],
  ['first_purchase_cohorts', { segment_by: 'first_channel', cohort_period: 'month' }],
] as const;

it('the note is told for customers by channel, and for what one costs', async () => {
  const { result } = await test.run('customer_value', {
    ...{ business_id: shop, by: 'last_click_channel', from_date: '2026-05-01', to_date: '2026-05-31' },
  });
  const { groups } = result as { groups: { group: string; customers_count: number }[] };
  expect(groups.map(({ customers_count }) => customers_count).toSorted()).toEqual([12, 28]);
  for (const [tool, more] of [
    ...BY_CHANNEL,
    ['session_statistics', { group_by: 'source' }],
    ['query_metrics', { metrics: ['cost_per_new_customer'] }],
    ['query_metrics', { metrics: ['new_customers_count'], group_by: ['channel'] }],
  ] as const)
    expect(await notesOf(shop, tool, more), `${tool} ${JSON.stringify(more)}`).toEqual([
      '12 of 40 new customers of the range have no known visit, and so no channel: customers by channel are too few, and costs per new customer look too high.',
    ]);
});

it('the note is not told where no channel is asked for, and where all are known', async () => {
  for (const [tool, more] of [
    // What all cost / all new customers needs no channel.
    ['customer_value', {}],
    ['customer_value', { by: 'cohort' }],
    ['first_purchase_cohorts', { cohort_period: 'month' }],
    ['session_statistics', { group_by: 'device' }],
    ['query_metrics', { metrics: ['revenue'], group_by: ['channel'] }],
  ] as const)
    expect(await notesOf(shop, tool, more), tool).toEqual([]);
  for (const [tool, more] of BY_CHANNEL)
    expect(await notesOf(shop, tool, more, ['2026-06-01', '2026-06-30']), tool).toEqual([]);
});

it('the note says that no channel is known where no sessions are loaded', async () => {
  for (const [tool, more] of BY_CHANNEL)
    expect(await notesOf(without, tool, more), tool).toEqual([
      'No sessions are loaded, so the channel of no customer is known.',
    ]);
  expect(await notesOf(without, 'customer_value', { by: 'cohort' })).toEqual([]);
});
