import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Notes that count a part of a whole are silent where it is under one percent of it, as counted over the rows
 * that were loaded.
 */

let test: TestInstance;
let business_id: string;
let store: Store;

/** Each month has 150 orders of 150 customers; what else happened is written for each month. */
const MONTHS = {
  /** One order without a customer, one credit note, one old profile: all of under 1 %. */
  noise: { month: '2025-05', strangers: 1, strangersTotal: '50', notes: 1, noteAmount: '5', oldProfiles: 1 },
  /** As many, but of much money. */
  money: {
    month: '2025-06',
    strangers: 1,
    strangersTotal: '5000',
    notes: 1,
    noteAmount: '500',
    oldProfiles: 0,
  },
  /** There is little money, but there are more of them. */
  count: { month: '2025-07', strangers: 4, strangersTotal: '1', notes: 4, noteAmount: '1', oldProfiles: 7 },
} as const;
type Month = keyof typeof MONTHS;

function storeOfMonths(): Store {
  const made = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  for (const { month, strangers, strangersTotal, notes, noteAmount, oldProfiles } of Object.values(MONTHS)) {
    const ordered_at = `${month}-10T10:00:00`;
    for (let place = 0; place < 150; place += 1) {
      const order_id = `${month} ${place}`;
      const email = `${month}-${place}@example.com`;
      made.orders.push({ order_id, email, ordered_at, total: '100', status: 'paid' });
      made.refunds.push({ refund_id: order_id, order_id, refunded_at: ordered_at, amount: '10' });
      if (place < oldProfiles)
        made.profiles.push({ profile_id: email, email, created_at: '2020-01-01T10:00:00' });
    }
    for (let place = 0; place < strangers; place += 1)
      made.orders.push({ order_id: `${month} s${place}`, ordered_at, total: strangersTotal, status: 'paid' });
    for (let place = 0; place < notes; place += 1) {
      const order_id = `${month} n${place}`;
      made.orders.push({ order_id, ordered_at, total: '0', status: 'credit_note' });
      made.refunds.push({ refund_id: order_id, order_id, refunded_at: ordered_at, amount: noteAmount });
    }
  }
  return made;
}

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  store = storeOfMonths();
  await test.importStore(business, store);
  business_id = business.business_id;
});

afterAll(() => test[Symbol.asyncDispose]());

async function notesOf(month: Month, words: RegExp, tool = 'order_statistics', more = {}) {
  const days = { from_date: `${MONTHS[month].month}-01`, to_date: `${MONTHS[month].month}-28` };
  const { notes = [] } = await test.run(tool, { business_id, ...days, ...more });
  return notes.filter((note) => words.test(note));
}

const ofMonth = (month: Month) => ({
  orders: store.orders.filter(({ ordered_at }) => ordered_at?.startsWith(MONTHS[month].month)),
  refunds: store.refunds.filter(({ refunded_at }) => refunded_at?.startsWith(MONTHS[month].month)),
});
const sum = (values: readonly (string | undefined)[]) =>
  values.reduce((all, value) => all + Number(value), 0);

it.each([
  ['order_statistics', {}],
  ['order_distribution_statistics', { dimension: 'country' }],
  ['rfm_segment_transitions', {}],
  ['first_purchase_cohorts', { cohort_period: 'month' }],
])(
  '%s tells of orders without a customer only where they are 1 % of the orders or the revenue',
  async (tool, more) => {
    for (const month of ['noise', 'money', 'count'] as const) {
      const valid = ofMonth(month).orders.filter(({ status }) => status === 'paid');
      const strangers = valid.filter(({ email }) => email === undefined);
      const [count, money] = [
        strangers.length / valid.length,
        sum(strangers.map(({ total }) => total)) / sum(valid.map(({ total }) => total)),
      ];
      const isTold = count >= 0.01 || money >= 0.01;
      expect(isTold).toBe(month !== 'noise');
      expect(await notesOf(month, /no known customer/, tool, more), month).toEqual(
        isTold ? [expect.stringMatching(new RegExp(`^${strangers.length} orders? worth `))] : [],
      );
    }
  },
);

it('tells of refunds on credit notes only where they are 1 % of the refunds, or of what was paid back', async () => {
  for (const month of ['noise', 'money', 'count'] as const) {
    const { refunds } = ofMonth(month);
    const left = refunds.filter(({ order_id }) => order_id?.includes(' n'));
    const shares = [
      left.length / refunds.length,
      sum(left.map(({ amount }) => amount)) / sum(refunds.map(({ amount }) => amount)),
    ];
    const isTold = shares.some((share) => share >= 0.01);
    expect(isTold).toBe(month !== 'noise');
    expect(await notesOf(month, /are on credit notes/), month).toHaveLength(isTold ? 1 : 0);
  }
});

it('tells of new customers with an older profile only where they are 1 % of the new ones', async () => {
  for (const month of ['noise', 'money', 'count'] as const) {
    const isTold = MONTHS[month].oldProfiles >= 0.01 * 150;
    expect(isTold).toBe(month === 'count');
    expect(await notesOf(month, /have a profile from before/), month).toHaveLength(isTold ? 1 : 0);
  }
});
