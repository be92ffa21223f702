import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore } from '../../../../tests/oracle/store.ts';
import { CDNOW, readCdnow, writeCdnow } from '../../../../tests/support/cdnow.ts';
import { ofAnybody } from '../../../../tests/support/of-anybody.ts';
import { isQuick } from '../../../../tests/support/runs.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

interface Purchase {
  readonly customer: string;
  /** Days since 1970. */
  readonly day: number;
  readonly month: string;
  readonly cents: number;
}

interface Cohort {
  readonly cohort: string;
  readonly customers_count: number;
  readonly repeat_customers_count: number;
  readonly observed_days: number;
  readonly first_orders_revenue: number;
  readonly may_contain_old_customers: boolean;
  readonly retention: {
    days: number;
    returned_customers_count: number;
    retention_rate: number;
    is_mature: boolean;
  }[];
  readonly ltv: { days: number; revenue_per_customer: number; is_mature: boolean }[];
  readonly periods: {
    period_index: number;
    active_customers_count: number;
    orders_count: number;
    revenue: number;
    is_complete: boolean;
  }[];
}

describe.skipIf(isQuick || !existsSync(CDNOW))(
  'CDNOW (skipped where its file is not beside the repository)',
  () => {
    let test: TestInstance;
    let cohorts: Cohort[];
    /** The purchases are listed by customer, oldest first. */
    const purchases = new Map<string, Purchase[]>();

    beforeAll(async () => {
      const rows = readCdnow();
      for (const { customer, date, dollars } of rows) {
        const day = Date.parse(date) / 86_400_000;
        const cents = Math.round(Number(dollars) * 100);
        purchases.set(customer, [
          ...(purchases.get(customer) ?? []),
          { customer, day, month: date.slice(0, 7), cents },
        ]);
      }
      test = await createTestInstance();
      const folder = join(test.folder, 'cdnow');
      writeCdnow(rows, folder);
      const business = await test.createBusiness({ currency: 'USD' });
      await test.importFolder(business, folder);
      const answer = (await test.ask(ofAnybody('first_purchase_cohorts'), {
        business_id: business.business_id,
        from_date: '1997-01-01T00:00:00',
        to_date: '1998-06-30T23:59:59',
        max_periods: 18,
      })) as { cohorts: Cohort[] };
      cohorts = answer.cohorts;
    });

    afterAll(() => test[Symbol.asyncDispose]());

    const inCohort = (cohort: string) => [...purchases.values()].filter(([first]) => first?.month === cohort);
    const daysLater = (own: readonly Purchase[]) =>
      own.map((purchase) => ({ ...purchase, days: purchase.day - (own[0]?.day ?? 0) }));

    it('has the published number of customers, all of the first quarter of 1997, and of one-time buyers', () => {
      expect(cohorts.map(({ cohort }) => cohort)).toEqual(['1997-01', '1997-02', '1997-03']);
      const sum = (key: 'customers_count' | 'repeat_customers_count') =>
        cohorts.reduce((total, cohort) => total + cohort[key], 0);
      expect(sum('customers_count')).toBe(23_570);
      // Fader and Hardie's data set: 11,908 of its customers never bought again.
      expect(sum('customers_count') - sum('repeat_customers_count')).toBe(11_908);
    });

    it('counts who came back within each number of days as a plain loop does', () => {
      for (const cohort of cohorts) {
        const customers = inCohort(cohort.cohort);
        expect(cohort.customers_count).toBe(customers.length);
        for (const { days, returned_customers_count, retention_rate } of cohort.retention) {
          const returned = customers.filter((own) => (daysLater(own)[1]?.days ?? Infinity) <= days).length;
          expect(returned_customers_count, `${cohort.cohort} ${days}`).toBe(returned);
          expect(retention_rate).toBeCloseTo((100 * returned) / customers.length, 3);
        }
      }
    });

    it('adds up money in windows, lifetime value and first orders as a plain loop does', () => {
      for (const cohort of cohorts) {
        const customers = inCohort(cohort.cohort).map(daysLater);
        const cents = (own: readonly Purchase[]) => own.reduce((sum, purchase) => sum + purchase.cents, 0);
        const all = customers.flat();
        expect(cohort.first_orders_revenue).toBe(cents(customers.map(([first]) => first as Purchase)) / 100);
        for (const { days, revenue_per_customer } of cohort.ltv) {
          const within = cents(all.filter((purchase) => purchase.days <= days)) / 100;
          expect(revenue_per_customer).toBeCloseTo(within / customers.length, 3);
        }
        for (const period of cohort.periods) {
          const later = customers.flatMap((own) => own.slice(1));
          const window = later.filter(({ days }) => Math.floor(days / 30) === period.period_index);
          expect(period.orders_count).toBe(window.length);
          expect(period.revenue).toBe(cents(window) / 100);
          expect(period.active_customers_count).toBe(new Set(window.map(({ customer }) => customer)).size);
        }
      }
    });

    it('tells which values are mature, and that the history may begin too late', () => {
      const [january, , march] = cohorts;
      // 31 January 1997 to 30 June 1998, and 31 March 1997 to 30 June 1998.
      expect(january?.observed_days).toBe(515);
      expect(march?.observed_days).toBe(456);
      expect(march?.retention.every(({ is_mature }) => is_mature)).toBe(true);
      expect(cohorts.map(({ may_contain_old_customers }) => may_contain_old_customers)).toEqual([
        true,
        true,
        true,
      ]);
    });
  },
);

it('a cohort near the end of the data has mature numbers of the customers who were observed for long enough', async () => {
  await using test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  const order = (who: string, day: string, total: string) => ({
    ...{ order_id: `${who} ${day}`, external_customer_id: who, ordered_at: `2024-${day}T12:00:00`, total },
  });
  await test.importStore(business, {
    ...emptyStore(business),
    // Known until 10 February: 40, 36, 30 and 10 days after the first orders.
    orders: [
      ...[order('a', '01-01', '10'), order('a', '01-20', '5'), order('b', '01-05', '10')],
      ...[
        order('c', '01-11', '1'),
        order('d', '01-31', '100'),
        order('d', '02-01', '7'),
        order('e', '02-10', '1'),
      ],
    ],
  });
  const { cohorts } = (await test.ask(ofAnybody('first_purchase_cohorts'), {
    ...{
      business_id: business.business_id,
      from_date: '2024-01-01T00:00:00',
      to_date: '2024-02-10T23:59:59',
    },
  })) as { cohorts: Cohort[] };
  expect(cohorts[0]).toMatchObject({ cohort: '2024-01', customers_count: 4, observed_days: 10 });
  expect(cohorts[0]?.retention.slice(0, 2)).toEqual([
    {
      ...{ days: 30, returned_customers_count: 2, retention_rate: 50, is_mature: false },
      ...{ mature_customers_count: 3, mature_retention_rate: 33.3333 },
    },
    {
      ...{ days: 60, returned_customers_count: 2, retention_rate: 50, is_mature: false },
      ...{ mature_customers_count: 0, mature_retention_rate: null },
    },
  ]);
  expect(cohorts[0]?.ltv[0]).toEqual({
    ...{ days: 30, revenue_per_customer: 33.25, is_mature: false },
    // 10 + 5, 10 and 1.
    ...{ mature_customers_count: 3, mature_revenue_per_customer: 8.6667 },
  });

  // The only customer of the second week came on its Thursday, so has had 30 days; the week has been over for
  // 27.
  const weeks = (await test.ask(ofAnybody('first_purchase_cohorts'), {
    ...{ business_id: business.business_id, cohort_period: 'week' },
    ...{ from_date: '2024-01-08T00:00:00', to_date: '2024-01-14T23:59:59' },
  })) as { cohorts: Cohort[] };
  const [second] = weeks.cohorts;
  expect(second).toMatchObject({ cohort: '2024-W02', customers_count: 1, observed_days: 27 });
  const matureOf = (rows: { days: number; is_mature: boolean }[] = []) =>
    rows.filter(({ is_mature }) => is_mature).map(({ days }) => days);
  expect([matureOf(second?.retention), matureOf(second?.ltv)]).toEqual([[30], [30]]);
  expect(second?.periods.filter(({ is_complete }) => is_complete)).toHaveLength(4);
});

it('splits cohorts by the channel of the first order, by its last click', async () => {
  await using test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  const order = (email: string, day: number) => ({
    ...{ order_id: `${email} ${day}`, email, visitor_id: email, total: '1' },
    ordered_at: `2024-05-${String(day).padStart(2, '0')}T12:00:00Z`,
  });
  const visit = (visitor_id: string, day: number, medium: string) => ({
    ...{ session_id: `${visitor_id} ${day}`, visitor_id, source: 'google', medium },
    started_at: `2024-05-${String(day).padStart(2, '0')}T12:00:00Z`,
  });
  await test.importStore(business, {
    ...emptyStore({ timezone: 'UTC', primary_currency: 'EUR' }),
    orders: [
      order('a@x.cz', 3),
      order('a@x.cz', 9),
      order('b@x.cz', 4),
      order('c@x.cz', 4),
      order('d@x.cz', 5),
    ],
    // The only session of c came after the first order.
    sessions: [
      ...[visit('a@x.cz', 1, 'organic'), visit('a@x.cz', 2, 'email'), visit('a@x.cz', 8, 'cpc')],
      ...[visit('b@x.cz', 4, 'email'), visit('c@x.cz', 6, 'email'), visit('d@x.cz', 5, 'cpc')],
    ],
  });
  const by = async (segment_by: string) => {
    const { cohorts } = (await test.ask(ofAnybody('first_purchase_cohorts'), {
      business_id: business.business_id,
      ...{ from_date: '2024-05-01T00:00:00', to_date: '2024-05-31T23:59:59', segment_by },
    })) as { cohorts: (Cohort & { segment: string })[] };
    return cohorts.map(({ segment, customers_count }) => [segment, customers_count]);
  };
  const byLastClick = [
    ['Email', 2],
    ['(not set)', 1],
    ['Paid Search', 1],
  ];
  expect(await by('first_channel')).toEqual(byLastClick);
  expect(await by('first_order_last_click_channel')).toEqual(byLastClick);
  // The first visit of a was organic.
  expect(await by('first_order_first_click_channel')).toEqual([
    ['(not set)', 1],
    ['Email', 1],
    ['Organic Search', 1],
    ['Paid Search', 1],
  ]);
});

it('the whole range as one cohort has the days to the second order and the customers with three orders', async () => {
  await using one = await createTestInstance();
  const business = await one.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
  // Five came in the range. Four of them came back after 2, 10, 20 and 40 days, and one of these a third
  // time.
  const days: Readonly<Record<string, readonly string[]>> = {
    a: ['2024-01-10', '2024-01-12', '2024-06-01'],
    b: ['2024-02-01', '2024-02-11'],
    c: ['2024-03-01', '2024-03-21'],
    d: ['2024-03-31', '2024-05-10'],
    e: ['2024-03-15'],
    before: ['2024-01-09', '2024-02-01'],
    after: ['2024-04-01', '2024-06-30'],
  };
  for (const [customer, own] of Object.entries(days))
    for (const day of own)
      store.orders.push({
        ...{ order_id: `${customer} ${day}`, external_customer_id: customer, ordered_at: `${day}T12:00:00` },
        ...{ total: '10', status: 'paid' },
      });
  await one.importStore(business, store);
  const ask = async (args: object) =>
    (await one.ask(ofAnybody('first_purchase_cohorts'), {
      ...{ business_id: business.business_id, from_date: '2024-01-10', to_date: '2024-03-31' },
      ...args,
    })) as { cohorts: object[] };
  expect(await ask({ cohort_period: 'all', max_periods: 2 })).toMatchObject({
    cohort_period: 'all',
    cohorts: [
      {
        ...{ cohort: 'all', cohort_start: '2024-01-10', customers_count: 5, repeat_customers_count: 4 },
        // This is from 31 March to 30 June.
        observed_days: 91,
        median_days_to_second_order: 15,
        three_orders_rate: 20,
        periods: [
          { period_index: 0, active_customers_count: 3 },
          { period_index: 1, active_customers_count: 1 },
        ],
      },
    ],
  });
  // A breakdown by month widens the range to whole months.
  expect((await ask({ cohort_period: 'month' })).cohorts).toMatchObject([
    { cohort: '2024-01', customers_count: 2, median_days_to_second_order: 12.5, three_orders_rate: 50 },
    { cohort: '2024-02', customers_count: 1, median_days_to_second_order: 10, three_orders_rate: 0 },
    { cohort: '2024-03', customers_count: 3, median_days_to_second_order: 30, three_orders_rate: 0 },
  ]);
  await expect(ask({ cohort_period: 'all', window: 'calendar' })).rejects.toThrow(
    'window must be days where cohort_period is all',
  );
});
