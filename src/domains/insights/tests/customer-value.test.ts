import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { randomNumbers } from '../../../../tests/support/seeded.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/** What customers were worth, and are expected to be, against sums over the rows that were loaded. */
let test: TestInstance;
let long: string;
let short: string;
let staying: string;

const RANGE = { from_date: '2024-01-01', to_date: '2024-06-30' };
const UNTIL = '2025-12-31';

/** A purchase by hand: who, on which day of 2024 and later, for how much, where. */
interface Purchase {
  readonly who: string;
  readonly day: string;
  readonly total: number;
  readonly country: string;
  readonly refund: number;
}

/**
 * The same numbers in every run, without chance: a walk through the digits of multiples of an irrational
 * number.
 */
const digit = (seed: number, most: number) => Math.floor(((seed * 0.6180339887498949) % 1) * most);

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** 400 customers of the first half of 2024; one in three comes again, the fifth of them often. */
const purchases: readonly Purchase[] = Array.from({ length: 400 }, (_, number) => {
  const first = addDays('2024-01-01', digit(number + 1, 180));
  const times = number % 3 > 0 ? 1 : number % 5 === 0 ? 8 : 2 + digit(number + 7, 3);
  return Array.from({ length: times }, (_, time) => ({
    who: `c${number}`,
    day: addDays(first, time === 0 ? 0 : time * (20 + digit(number + time, 60))),
    total: 50 + digit(number * 3 + time, 100),
    country: number % 4 === 0 ? 'SK' : 'CZ',
    refund: number % 10 === 0 && time === 0 ? 10 : 0,
  }));
})
  .flat()
  .filter(({ day }) => day <= UNTIL);

/**
 * 300 customers who never leave: each comes by chance at a rate of their own, and many have not been seen for
 * long.
 */
function stayingPurchases(): Purchase[] {
  const next = randomNumbers(11);
  return Array.from({ length: 300 }, (_, number) => {
    const days: number[] = [Math.floor(next() * 180)];
    const pause = -60 / Math.log(1 - 0.95 * next());
    for (let day = Number(days[0]); day < 730; days.push(Math.floor(day)))
      day += 1 - pause * Math.log(1 - next());
    return days.map((day) => ({
      who: `s${number}`,
      day: addDays('2024-01-01', day),
      total: 100,
      country: 'CZ',
      refund: 0,
    }));
  })
    .flat()
    .filter(({ day }) => day <= UNTIL);
}

function storeOf(bought: readonly Purchase[]): Store {
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  for (const [index, { who, day, total, country, refund }] of bought.entries()) {
    const order_id = `o${index}`;
    const ordered_at = `${day}T12:00:00`;
    store.orders.push({
      order_id,
      ordered_at,
      external_customer_id: who,
      total: String(total),
      country,
      status: 'paid',
    });
    if (refund > 0)
      store.refunds.push({
        refund_id: `r${index}`,
        order_id,
        refunded_at: ordered_at,
        amount: String(refund),
      });
  }
  // The data end on a day that everybody knows.
  store.orders.push({ order_id: 'last', ordered_at: `${UNTIL}T12:00:00`, total: '1', status: 'paid' });
  store.ad_costs.push({ day: '2024-03-01', source: 'google', medium: 'cpc', cost: '4000' });
  return store;
}

beforeAll(async () => {
  test = await createTestInstance();
  const load = async (bought: readonly Purchase[]) => {
    const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
    await test.importStore(business, storeOf(bought));
    return business.business_id;
  };
  long = await load(purchases);
  short = await load(purchases.slice(0, 5));
  staying = await load(stayingPurchases());
});

afterAll(() => test[Symbol.asyncDispose]());

interface Group {
  readonly group: string | null;
  readonly customers_count: number;
  readonly ad_cost_per_new_customer: number | null;
  readonly after: readonly Record<string, number | null>[];
  readonly expected_orders: number | null;
  readonly expected_revenue: number | null;
  readonly expected_active_share: number | null;
}

async function ask(business_id: string, more: object = {}) {
  const { result, notes = [] } = await test.run('customer_value', { business_id, ...RANGE, ...more });
  return { ...(result as unknown as { groups: Group[]; model: Record<string, number | null> }), notes };
}

/** The worth is computed by loops over the purchases. */
function worthAfter(days: number, isOf: (one: Purchase) => boolean) {
  const byCustomer = [...Map.groupBy(purchases.filter(isOf), ({ who }) => who).values()];
  const spans = byCustomer.map((own) => {
    const [first = ''] = own.map(({ day }) => day).toSorted();
    const within = own.filter(({ day }) => day <= addDays(first, days));
    return {
      isMature: addDays(first, days) <= UNTIL,
      spent: within.reduce((sum, { total }) => sum + total, 0),
      refunded: within.reduce((sum, { refund }) => sum + refund, 0),
    };
  });
  const mature = spans.filter(({ isMature }) => isMature);
  const mean = (value: (one: (typeof mature)[number]) => number) =>
    mature.reduce((sum, one) => sum + value(one), 0) / mature.length;
  return {
    customers: mature.length,
    revenue: mean(({ spent }) => spent),
    afterRefunds: mean(({ spent, refunded }) => spent - refunded),
  };
}

describe('the history', () => {
  it('is what the customers of each country spent, counted by hand', async () => {
    const { groups } = await ask(long, { by: 'country' });
    expect(groups.map(({ group, customers_count }) => [group, customers_count])).toEqual([
      ['CZ', 300],
      ['SK', 100],
    ]);
    for (const { group, after } of groups) {
      for (const values of after) {
        const truth = worthAfter(Number(values.days), ({ country }) => country === group);
        expect(values.mature_customers_count).toBe(truth.customers);
        expect(values.revenue_per_customer).toBeCloseTo(truth.revenue, 3);
        expect(values.after_refunds_per_customer).toBeCloseTo(truth.afterRefunds, 3);
        expect(values.revenue_per_customer_low).toBeLessThan(truth.revenue);
        expect(values.revenue_per_customer_high).toBeGreaterThan(truth.revenue);
        // No product has a cost.
        expect([values.gross_profit_per_customer, values.known_share]).toEqual([null, null]);
      }
    }
  });

  it('is that of first_purchase_cohorts, month by month', async () => {
    const { groups } = await ask(long, { by: 'cohort' });
    const { cohorts } = (await test.ask('first_purchase_cohorts', {
      business_id: long,
      ...RANGE,
      days: [90],
    })) as {
      cohorts: { cohort: string; customers_count: number; ltv_90: number }[];
    };
    expect(
      groups.map(({ group, customers_count, after }) => [
        group,
        customers_count,
        after[1]?.revenue_per_customer,
      ]),
    ).toEqual(cohorts.map(({ cohort, customers_count, ltv_90 }) => [cohort, customers_count, ltv_90]));
  });

  it('says what part is of first orders, counted by hand, and which groups are too young', async () => {
    const { notes } = await ask(long, { by: 'country' });
    const within = [...Map.groupBy(purchases, ({ who }) => who).values()].flatMap((own) => {
      const sorted = own.toSorted((one, other) => one.day.localeCompare(other.day));
      const first = sorted[0]?.day ?? '';
      return sorted
        .filter(({ day }) => day <= addDays(first, 365))
        .map(({ total }, place) => ({ total, isFirst: place === 0 }));
    });
    const sum = (rows: typeof within) => rows.reduce((all, { total }) => all + total, 0);
    const part = Math.round((100 * sum(within.filter(({ isFirst }) => isFirst))) / sum(within));
    expect(notes).toContain(
      `revenue_per_customer is of first and later orders together: of all rows after 365 days, ${part} % is of first orders.`,
    );
    const isYoung = (note: string) => note.startsWith('Too young');
    expect(notes.filter(isYoung)).toEqual([]);
    const late = { from_date: '2024-01-01', to_date: '2025-12-31', by: 'cohort' };
    const { notes: young, groups } = await ask(long, late);
    expect(groups.every(({ customers_count }) => customers_count > 0)).toBe(true);
    // All came first by the end of June 2024, and are observed for a year by then.
    expect(young.filter(isYoung)).toEqual([]);
  });

  it('has what a new customer cost, where costs can be told apart', async () => {
    const [all] = (await ask(long)).groups;
    expect(all?.ad_cost_per_new_customer).toBe(10);
    const byCountry = (await ask(long, { by: 'country' })).groups;
    expect(byCountry.map(({ ad_cost_per_new_customer }) => ad_cost_per_new_customer)).toEqual([null, null]);
  });
});

describe('the expected value', () => {
  it('adds up over groups to that of all, and grows with the days', async () => {
    const [all] = (await ask(long)).groups;
    const parts = (await ask(long, { by: 'country' })).groups;
    const sum = (key: 'expected_orders' | 'expected_revenue') =>
      parts.reduce((total, part) => total + (part[key] ?? Number.NaN), 0);
    // Each has bins of its own, whose means differ a little.
    expect(sum('expected_orders') / (all?.expected_orders ?? 0)).toBeCloseTo(1, 2);
    expect(sum('expected_revenue') / (all?.expected_revenue ?? 0)).toBeCloseTo(1, 2);
    const [later] = (await ask(long, { days_ahead: 730 })).groups;
    expect(later?.expected_orders).toBeGreaterThan(all?.expected_orders ?? Number.NaN);
  });

  it('is tried on the second half of the history', async () => {
    const { model } = await ask(long);
    const middle = addDays(
      '2024-01-01',
      Math.floor((Date.parse(UNTIL) - Date.parse('2024-01-01')) / 86_400_000 / 2),
    );
    const later = purchases.filter(({ day }) => day > middle);
    expect(model.held_out_actual).toBe(new Set(later.map(({ who, day }) => `${who} ${day}`)).size);
    expect(model.held_out_customers_count).toBe(400);
    expect(model.held_out_error).toBeLessThan(model.held_out_error_as_before ?? 0);
  });

  it('tells no active customers where the history does not tell that any leave, and says who has been silent for long', async () => {
    const [told] = (await ask(long)).groups;
    expect(told?.expected_active_share).toBeGreaterThan(50);
    const { groups, notes } = await ask(staying);
    expect(groups[0]?.expected_active_share).toBeNull();
    expect(groups[0]?.expected_orders).toBeGreaterThan(0);
    const lastDays = [...Map.groupBy(stayingPurchases(), ({ who }) => who).values()].map(
      (own) =>
        own
          .map(({ day }) => day)
          .toSorted()
          .at(-1) ?? '',
    );
    const silent = lastDays.filter((day) => addDays(day, 180) < UNTIL).length;
    const percent = /also the (\d+) % of all customers/.exec(notes.join())?.[1];
    expect(silent).toBeGreaterThan(20);
    // Bins have means of some days, so a customer near the bound may fall on either side.
    expect(Math.abs(Number(percent) - (100 * silent) / lastDays.length)).toBeLessThan(3);
    expect((await ask(long)).notes.join()).not.toContain('does not tell who has left');
  });

  it('is nothing where too few came again, and a note says what is needed', async () => {
    const { groups, model, notes } = await ask(short);
    expect(groups.map(({ expected_orders }) => expected_orders)).toEqual(groups.map(() => null));
    expect(model.r).toBeNull();
    expect(notes).toContainEqual(
      expect.stringMatching(/^Nothing is expected: a model needs 100 customers who came again/),
    );
  });

  it('is of nobody where a store is empty', async () => {
    const empty = await test.createBusiness();
    const { groups, notes } = await ask(empty.business_id);
    expect(groups).toEqual([]);
    expect(notes).toContain('No orders are loaded, so nothing is expected.');
  });
});

describe('few people', () => {
  it('have no numbers, and neither has the part by which theirs would follow', async () => {
    const { groups } = await ask(short);
    for (const { customers_count, after } of groups) {
      expect(customers_count).toBeNull();
      for (const { days, ...values } of after)
        expect(Object.values(values)).toEqual(Object.values(values).map(() => null));
    }
  });
});
