import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/**
 * In both Januaries ten people order ten days after their visit. The visits are loaded from 1 January 2025
 * on, so four are missing.
 */
let test: TestInstance;
let business_id: string;
const LOADED_FROM = '2025-01-01';

function shop(): Store {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'CZK' });
  for (const year of [2025, 2026])
    for (let place = 0; place < 10; place++) {
      const ordered = new Date(Date.UTC(year, 0, 7 + place, 12));
      const visited = new Date(ordered.getTime() - 10 * 86_400_000);
      const [id, email] = [`${year}-${place}`, `p${year}-${place}@example.com`];
      store.orders.push({ order_id: id, email, ordered_at: ordered.toISOString(), total: '100' });
      if (visited.toISOString() < LOADED_FROM) continue;
      store.sessions.push({
        ...{ session_id: id, visitor_id: id, email, started_at: visited.toISOString() },
        ...{ source: 'newsletter', medium: 'email' },
      });
    }
  // Somebody who never orders looked in on the first day that is loaded.
  store.sessions.push({ session_id: 'first', visitor_id: 'first', started_at: `${LOADED_FROM}T08:00:00Z` });
  return store;
}

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
  await test.importStore(business, shop());
  ({ business_id } = business);
});

afterAll(() => test[Symbol.asyncDispose]());

const JANUARY = { from_date: '2026-01-01', to_date: '2026-01-31', compare: 'previous_year' };
const NOTE =
  'Visits are loaded from 2025-01-01 on, so orders until 2025-01-30 look back less than 30 days: more of the compared range is (untracked) for that alone, and less of it is at channels.';

async function asked(more: object) {
  const { result, notes = [] } = await test.run('query_metrics', {
    ...{ business_ids: [business_id], metrics: ['orders_count'], ...JANUARY, ...more },
  });
  return { rows: (result as { rows: unknown[][] }).rows, notes };
}

it('says that a compared range has fewer visits to look back to, where orders are put down to visits', async () => {
  const { rows, notes } = await asked({ group_by: ['channel'] });
  const { orders, sessions } = shop();
  const untracked = (year: number) =>
    orders.filter(
      ({ order_id = '' }) =>
        order_id.startsWith(`${year}`) && !sessions.some(({ session_id }) => session_id === order_id),
    ).length;
  expect([untracked(2026), untracked(2025)]).toEqual([0, 4]);
  expect(rows.find(([channel]) => channel === '(untracked)')?.slice(1, 3)).toEqual([0, 4]);
  expect(notes).toContain(NOTE);
  expect((await asked({ metrics: ['last_click_revenue'] })).notes).toContain(NOTE);
  const statement = { business_id, ...JANUARY, by: 'channel' };
  expect((await test.run('profit_statement', statement)).notes).toContain(NOTE);
});

it('is silent where nothing is put down to visits, nothing is compared, or both ranges look back as far', async () => {
  const silent = [
    {},
    { group_by: ['channel'], compare: 'none' },
    { group_by: ['channel'], from_date: '2025-01-03', to_date: '2025-01-04', compare: 'previous_period' },
    { group_by: ['channel'], from_date: '2026-01-10', to_date: '2026-01-31', compare: 'previous_period' },
  ];
  for (const more of silent) expect((await asked(more)).notes).not.toContain(NOTE);
});
