import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { grantAccess } from '../../src/control/people/accounts.ts';
import { addManager } from '../../src/control/people/managers.ts';
import { Person } from '../oauth/person.ts';
import { emptyStore } from '../oracle/store.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** What an owner sees of the sales, on a page without scripts. */
let test: TestInstance;
let server: TestServer;
let shop: Business;
let owner: Person;
let keeper: Person;

/** Ordered at noon of the fifth of a month, by customers of whom the first comes back each month. */
const ORDERS = [
  ['2024-11', [500]],
  ['2025-09', [70, 80]],
  ['2025-10', [100, 200, 300]],
  ['2025-12', [50]],
  ['2026-09', [1000, 2000]],
] as const;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  server = await startTestServer(test);
  const { control } = test.instance;
  shop = await test.createBusiness({ name: 'Shop', timezone: 'Europe/Prague', currency: 'CZK' });
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  store.orders = ORDERS.flatMap(([month, totals]) =>
    totals.map((total, index) => ({
      order_id: `${month}-${index}`,
      ordered_at: `${month}-05T12:00:00Z`,
      external_customer_id: `c${index}`,
      total: String(total),
      currency: 'CZK',
    })),
  );
  await test.importStore(shop, store);
  [owner, keeper] = [await Person.join(control), await Person.join(control)];
  await grantAccess(control, owner.account_id, shop.business_id, ['DISPLAY_ANALYTICS_DASHBOARD']);
  for (const person of [owner, keeper]) {
    await addManager(control, person.account_id, shop.business_id);
    await person.open(`${server.baseUrl}/stores`);
  }
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const pageOf = async (person: Person) =>
  (await person.browser.get(`${server.baseUrl}/stores/${shop.business_id}`)).text;

/** The cells of the table that says them, by row. */
function tableCalled(page: string, start: string): Map<string, (number | null)[]> {
  const table = page.split('<table>').find((part) => part.includes(`<caption>${start}`)) ?? '';
  const rows = table.split('<tr>').slice(2);
  return new Map(
    rows.map((row) => [
      /<th scope="row">(.*?)<\/th>/.exec(row)?.[1] ?? '',
      [...row.matchAll(/<td([^>]*)>/g)].map(([, cell = '']) => {
        const value = /data-value="(.*?)"/.exec(cell)?.[1];
        return value === undefined ? null : Number(value);
      }),
    ]),
  );
}

it('revenue and orders of twelve months stand beside the year before, as the orders add up', async () => {
  const page = await pageOf(owner);
  const revenue = [...tableCalled(page, 'Revenue').values()];
  expect(revenue).toHaveLength(12);
  // October 2025 to September 2026; September is not over, so that it says so.
  expect(revenue.map(([now]) => now)).toEqual([600, 0, 50, ...Array(8).fill(0), 3000]);
  // The first order is of November 2024: of the month before nobody knows.
  expect(revenue.map(([, before]) => before)).toEqual([null, 500, ...Array(9).fill(0), 150]);
  const orders = [...tableCalled(page, 'Orders<').values()];
  expect(orders.map(([now]) => now)).toEqual([3, 0, 1, ...Array(8).fill(0), 2]);
});

it('customers are new or come back', async () => {
  const table = tableCalled(await pageOf(owner), 'New customers');
  // As the lines above say them: September is not over.
  expect([...table.keys()]).toEqual([...tableCalled(await pageOf(owner), 'Orders<').keys()]);
  expect([...table.keys()].at(-1)).toContain('(not over yet)');
  const customers = [...table.values()];
  // The third of October has never bought before; the first two have.
  expect(customers.at(0)).toEqual([1, 2]);
  expect(customers.at(-1)).toEqual([0, 2]);
});

it('what is drawn is in the table, and there is no script', async () => {
  const page = await pageOf(owner);
  const drawn = [...page.matchAll(/<svg[^>]*class="chart".*?<\/svg>/gs)].map(([svg]) => svg);
  expect(drawn).toHaveLength(2);
  const inTables = new Set(
    [...page.replace(/<svg[^>]*class="chart".*?<\/svg>/gs, '').matchAll(/data-value="(.*?)"/g)].map(
      ([, value]) => value,
    ),
  );
  for (const svg of drawn) {
    const values = [...svg.matchAll(/data-value="(.*?)"/g)].map(([, value]) => value);
    expect(values.length).toBeGreaterThan(12);
    expect(values.filter((value) => !inTables.has(value))).toEqual([]);
  }
  expect(page).not.toMatch(/<script|style="/);
});

it('what the answers say beside their numbers is said below the picture', async () => {
  const page = await pageOf(owner);
  expect(page).toContain('The first loaded order is of');
  // September goes on.
  expect(page).toContain(
    '<li>Orders are loaded until 5 Sept 2026, 14:00. What came after that is not known yet',
  );
});

it('who manages the store without reading it sees no number of it', async () => {
  const page = await pageOf(keeper);
  expect(page).toContain('may not see its numbers');
  expect(page).not.toMatch(/class="chart"|3000|3,000/);
});
