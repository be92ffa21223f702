import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { type CaseYear, SideBySide } from '../../../../tests/support/side-by-side.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import { readRange } from '../../../time/range.ts';
import { daysOfMonth, hoursOfWeek, weekdays } from '../queries/occurrences.ts';

interface Row {
  readonly key: string;
  readonly from_value: number | null;
  readonly to_value: number | null;
  readonly orders_count: number;
  readonly revenue: number;
  readonly revenue_after_refunds: number | null;
  readonly unique_customers_count: number | null;
  readonly occurrences: number | null;
  readonly valid: boolean;
}

interface Distribution {
  readonly bin_size: number | null;
  readonly orders_count: number;
  readonly revenue: number;
  readonly order_value: Record<string, number | null>;
  readonly rows: Row[];
}

let test: TestInstance;
let emptyBusiness: string;
/** All cases share this business. */
let shared: string;
const cases = new SideBySide();

beforeAll(async () => {
  test = await createTestInstance();
  emptyBusiness = await businessWith({});
  shared = await businessWith(cases.rows);
});

afterAll(() => test[Symbol.asyncDispose]());

async function businessWith(store: Partial<Store>): Promise<string> {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const empty = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  if (store.orders !== undefined) await test.importStore(business, { ...empty, ...store });
  return business.business_id;
}

const YEAR = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };
/** Asks of a business, or of the year of a case. */
async function ask(of: string | CaseYear, dimension: string, args: object = {}): Promise<Distribution> {
  const question = { ...YEAR, dimension, ...args };
  const call =
    typeof of === 'string'
      ? { business_id: of, ...question }
      : of.argumentsOf({ business_id: shared, ...question });
  return (await test.ask('order_distribution_statistics', call)) as Distribution;
}

/** A test of orders that do not touch those of others. */
function itBeside(name: string, rows: Partial<Store>, check: (year: CaseYear) => Promise<void>): void {
  const year = cases.add(rows);
  it(name, () => check(year));
}

/** Orders of one customer each, with these totals or other cells. */
const ordersWith = (cells: Store['orders']) =>
  cells.map((row, index) => ({
    order_id: `o${String(index).padStart(4, '0')}`,
    ordered_at: '2024-05-05T12:00:00',
    external_customer_id: `c${index}`,
    total: '100',
    ...row,
  }));
/** The five customers that a row needs to be shown. */
const FIVE = [1, 2, 3, 4, 5];
const totals = (...values: number[]) => ordersWith(values.map((total) => ({ total: String(total) })));
const counts = ({ rows }: Distribution) => rows.map(({ key, orders_count }) => [key, orders_count]);

describe('occurrences', () => {
  const range = (from_date: string, to_date: string) => readRange({ from_date, to_date }, 'Europe/Prague');
  const hour = (from: string, to: string, weekday: number, of: number, timezone = 'Europe/Prague') =>
    hoursOfWeek(readRange({ from_date: from, to_date: to }, timezone), timezone)[(weekday - 1) * 24 + of];

  it('a year has 366 days and, with one hour lost and one won, 8784 hours', () => {
    const year = range(YEAR.from_date, YEAR.to_date);
    const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
    expect(sum(hoursOfWeek(year, 'Europe/Prague'))).toBe(8784);
    // 2024 began on a Monday and was a leap year, so Mondays and Tuesdays are 53.
    expect(weekdays(year, 'Europe/Prague')).toEqual([53, 53, 52, 52, 52, 52, 52]);
    const days = daysOfMonth(year, 'Europe/Prague');
    expect(days.slice(27)).toEqual([12, 12, 11, 7]);
    expect(days.slice(0, 28)).toEqual(new Array(28).fill(12));
  });

  it('the hour that clocks skip does not occur, the one that they repeat occurs twice', () => {
    expect(hour('2024-03-31T00:00:00', '2024-03-31T23:59:59', 7, 1)).toBe(1);
    expect(hour('2024-03-31T00:00:00', '2024-03-31T23:59:59', 7, 2)).toBe(0);
    expect(hour('2024-10-27T00:00:00', '2024-10-27T23:59:59', 7, 2)).toBe(2);
    expect(hour('2024-10-27T00:00:00', '2024-10-27T23:59:59', 7, 3)).toBe(1);
    // Clocks change by half an hour in Lord Howe.
    expect(hour('2024-04-07T00:00:00', '2024-04-07T23:59:59', 7, 1, 'Australia/Lord_Howe')).toBe(2);
  });

  it('only the hours inside the range occur on the first and the last day, and a partial hour counts', () => {
    const counts = hoursOfWeek(range('2024-05-06T09:30:00', '2024-05-07T10:00:00'), 'Europe/Prague');
    const occurring = counts.flatMap((count, index) => (count > 0 ? [index] : []));
    expect(occurring).toEqual(Array.from({ length: 26 }, (_, index) => index + 9));
    expect(weekdays(range('2024-05-06T23:59:59', '2024-05-07T00:00:00'), 'Europe/Prague')).toEqual([
      1, 1, 0, 0, 0, 0, 0,
    ]);
  });

  it('a range inside the hour that clocks skip has no hours and no weekdays', () => {
    const skipped = range('2024-03-31T02:10:00', '2024-03-31T02:20:00');
    expect(new Set(hoursOfWeek(skipped, 'Europe/Prague'))).toEqual(new Set([0]));
    expect(new Set(weekdays(skipped, 'Europe/Prague'))).toEqual(new Set([0]));
  });

  it('a calendar day that a place skipped does not occur (Samoa, 30 December 2011)', () => {
    const samoa = readRange(
      { from_date: '2011-12-29T00:00:00', to_date: '2011-12-31T23:59:59' },
      'Pacific/Apia',
    );
    expect(weekdays(samoa, 'Pacific/Apia')).toEqual([0, 0, 0, 1, 0, 1, 0]);
  });

  it('weekdays of all years from 1 to 9999 add up to all days of these years', () => {
    const ever = range('0001-01-01T00:00:00', '9999-12-31T23:59:59');
    expect(weekdays(ever, 'Europe/Prague').reduce((a, b) => a + b)).toBe(3_652_059);
  });
});

describe('times', () => {
  it('are in the time zone of the business, have a row for each value, and are never cut by the limit', async () => {
    const business_id = await businessWith({
      orders: ordersWith([
        { ordered_at: '2024-05-05T22:30:00Z' },
        { ordered_at: '2024-10-27T02:30:00+02:00' },
        { ordered_at: '2024-10-27T02:30:00+01:00' },
      ]),
    });
    const hours = await ask(business_id, 'weekday_hour', { limit: 1 });
    expect(hours.rows).toHaveLength(168);
    expect(hours.rows.filter(({ orders_count }) => orders_count > 0)).toMatchObject([
      // 6 May, half past midnight, in Prague. From then to the last order there are 25 Mondays, and 25
      // Sundays, one of which has two such hours.
      { key: '1-00', weekday: 1, hour: 0, orders_count: 1, occurrences: 25, orders_share: 33.3333 },
      { key: '7-02', weekday: 7, hour: 2, orders_count: 2, occurrences: 26, orders_share: 66.6667 },
    ]);
    expect(hours.rows[1]).toMatchObject({
      ...{ key: '1-01', weekday: 1, hour: 1, from_value: null, to_value: null },
      ...{ orders_count: 0, orders_share: 0, revenue: 0, revenue_share: 0, average_order_value: null },
      ...{ unique_customers_count: 0, avg_items_per_order: null, refunded_revenue: null },
      ...{ valid: true, occurrences: 25 },
    });
    expect((await ask(business_id, 'weekday', { limit: 1 })).rows.map(({ key }) => key)).toEqual([
      ...'1234567',
    ]);
    expect((await ask(business_id, 'hour', { limit: 1 })).rows.map(({ key }) => key).slice(8, 11)).toEqual([
      '08',
      '09',
      '10',
    ]);
    const days = await ask(business_id, 'day_of_month', { limit: 1 });
    expect(days.rows).toHaveLength(31);
    expect(days.rows[26]).toMatchObject({ key: '27', orders_count: 2, occurrences: 6 });
  });
});

describe('order_value', () => {
  describe.each([
    // The 99th percentile of 1 … 100 is 99.01; 5 would give exactly 20 bins.
    [Array.from({ length: 100 }, (_, index) => index + 1), 5, 20, '95-100', '100+'],
    [[99.99, 99.99], 5, 20, '95-100', undefined],
    [[100, 100], 10, 11, '100-110', undefined],
    [[0, 0], 1, 1, '0-1', undefined],
    [[0.3, 0.3], 0.02, 16, '0.3-0.32', undefined],
    [[47.5], 2.5, 20, '47.5-50', undefined],
  ])('totals %j: round bins of %f', (values, width, bins, last, open) => {
    itBeside('hold every order', { orders: totals(...values) }, async (year) => {
      const answer = await ask(year, 'order_value');
      const closed = answer.rows.filter(({ to_value }) => to_value !== null);
      expect(answer.bin_size).toBe(width);
      expect(closed).toHaveLength(bins);
      expect(closed.at(-1)?.key).toBe(last);
      expect(answer.rows.find(({ to_value }) => to_value === null)?.key).toBe(open);
      expect(answer.rows.reduce((sum, row) => sum + row.orders_count, 0)).toBe(values.length);
    });
  });

  itBeside(
    'takes a width, has lower bounds inside and upper ones outside, and a row below zero',
    { orders: totals(-5, 0, 0.09, 0.1, 0.3, 0.29) },
    async (year) => {
      const answer = await ask(year, 'order_value', { bin_size: 0.1, limit: 1 });
      expect(counts(answer)).toEqual([
        ['<0', 1],
        ['0-0.1', 2],
        ['0.1-0.2', 1],
        ['0.2-0.3', 1],
        ['0.3-0.4', 1],
      ]);
      expect(answer.rows[0]).toMatchObject({ from_value: null, to_value: 0 });
      expect(answer.rows[1]).toMatchObject({ from_value: 0, to_value: 0.1 });
    },
  );

  itBeside(
    'opens the last bin after 200, so that one large order does not make thousands',
    { orders: totals(1, 199.99, 200, 9_999_999) },
    async (year) => {
      const answer = await ask(year, 'order_value', { bin_size: 1 });
      expect(answer.rows).toHaveLength(201);
      expect(answer.rows.at(-1)).toMatchObject({
        key: '200+',
        from_value: 200,
        to_value: null,
        orders_count: 2,
      });
    },
  );

  itBeside('interpolates percentiles', { orders: totals(10, 20, 30, 40.5) }, async (year) => {
    const { order_value } = await ask(year, 'hour');
    expect(order_value).toEqual({
      ...{
        min: 10,
        p10: 13,
        p25: 17.5,
        median: 25,
        p75: 32.625,
        p90: 37.35,
        p99: 40.185,
        max: 40.5,
        mean: 25.125,
      },
    });
  });

  it.each([
    ['order_value', 0, 'bin_size must be between 0.01 and 1000000000, with at most two decimals'],
    ['order_value', -1, 'bin_size must be between 0.01 and 1000000000, with at most two decimals'],
    ['order_value', 0.005, 'bin_size must be between 0.01 and 1000000000, with at most two decimals'],
    ['order_value', 1e12, 'bin_size must be between 0.01 and 1000000000, with at most two decimals'],
    ['order_value', 'x', 'bin_size must be a number'],
    ['hour', 10, 'bin_size is only for dimension order_value, goods_value, items_count'],
  ])('%s with bin_size %j: %s', async (dimension, bin_size, message) => {
    await expect(ask(emptyBusiness, dimension, { bin_size })).rejects.toThrow(message);
  });
});

describe('items_count and order_number', () => {
  const quantities = ['2', '0.5', '250', '-1'];
  itBeside(
    'count pieces of product lines in whole numbers, without gaps',
    {
      orders: ordersWith([{}, {}, {}, {}, {}]),
      order_items: [
        ...quantities.map((quantity, index) => ({
          ...{ order_id: `o000${index}`, line_no: '1', external_product_id: 'P', quantity, unit_price: '1' },
        })),
        { order_id: 'o0000', line_no: '2', kind: 'shipping', quantity: '1', unit_price: '1' },
      ],
    },
    async (year) => {
      const answer = await ask(year, 'items_count', { limit: 1 });
      expect(answer.rows).toHaveLength(202);
      expect(counts(answer).filter(([, orders]) => orders !== 0)).toEqual([
        ['<0', 1],
        ['0', 2],
        ['2', 1],
        ['200+', 1],
      ]);
      expect(answer.rows[3]).toMatchObject({ key: '2', from_value: 2, to_value: 3, avg_items_per_order: 2 });
    },
  );

  const orders = ordersWith(
    [0, 1, 2, 3].map((day) => ({ external_customer_id: 'a', ordered_at: `2024-01-0${day + 1}` })),
  );
  itBeside('number the orders of customers', { orders }, async (year) => {
    expect(counts(await ask(year, 'order_number'))).toEqual([
      ['1', 1],
      ['2', 1],
      ['3', 1],
      ['4', 1],
    ]);
    expect(counts(await ask(year, 'order_number', { filter_customer_type: 'returning' }))).toEqual([
      ['1', 0],
      ['2', 1],
      ['3', 1],
      ['4', 1],
    ]);
    expect((await ask(year, 'order_number', { filter_customer_type: 'new' })).orders_count).toBe(1);
  });
});

describe('names', () => {
  const methods = ['(other)', '(other)', '(other)', 'card', 'card', '', '', 'cash', '(not set)', '"(other)"'];
  itBeside(
    'are one row beyond the limit, and no real name passes for it',
    {
      orders: ordersWith(methods.map((payment_method) => ({ payment_method }))),
    },
    async (year) => {
      expect(counts(await ask(year, 'payment_method'))).toEqual([
        ['"(other)"', 3],
        ['(not set)', 2],
        ['card', 2],
        ['""(other)""', 1],
        ['"(not set)"', 1],
        ['cash', 1],
      ]);
      const cut = await ask(year, 'payment_method', { limit: 2 });
      expect(counts(cut)).toEqual([
        ['"(other)"', 3],
        ['(not set)', 2],
        ['(other)', 5],
      ]);
      expect(cut.rows.at(-1)).toMatchObject({ revenue: 500, orders_share: 50, unique_customers_count: 5 });
    },
  );

  const five = ['card', 'cash', 'cash', 'wire', 'loan', 'loan', 'gift'];
  itBeside(
    'are counted beyond the limit, and a note says that the limit does not apply to bins',
    { orders: ordersWith(five.map((payment_method) => ({ payment_method }))) },
    async (year) => {
      const notesOf = async (dimension: string, limit: number) => {
        const call = year.argumentsOf({ business_id: shared, ...YEAR, dimension, limit });
        const { notes = [] } = await test.run('order_distribution_statistics', call);
        return notes.filter((note) => note.includes('limit is'));
      };
      expect(await notesOf('payment_method', 2)).toEqual([
        '(other) stands for 3 more values of payment_method, each with no more orders than those before it: limit is 2.',
      ]);
      expect(await notesOf('payment_method', 5)).toEqual([]);
      expect(await notesOf('order_number', 1)).toEqual([]);
      expect(await notesOf('weekday', 1)).toEqual([
        'limit is of names, such as coupons and countries, and not of the rows of weekday: all of these are here.',
      ]);
    },
  );

  const codes = ['A|B|C', 'A|B', 'A', 'B|C|D', '', 'D|D'];
  itBeside(
    'coupons overlap: shares are of orders, and the rest counts an order once',
    {
      orders: ordersWith(FIVE.flatMap(() => codes.map((coupon_codes) => ({ coupon_codes })))),
    },
    async (year) => {
      const answer = await ask(year, 'coupon');
      expect(counts(answer)).toEqual([
        ['A', 15],
        ['B', 15],
        ['C', 10],
        ['D', 10],
        ['(not set)', 5],
      ]);
      expect(answer.rows[0]).toMatchObject({ orders_share: 50, revenue_share: 50 });
      // C, D and none: of three in six orders, one of which has both.
      expect(counts(await ask(year, 'coupon', { limit: 2 }))).toEqual([
        ['A', 15],
        ['B', 15],
        ['(other)', 20],
      ]);
    },
  );

  describe('a coupon or country of few customers', () => {
    const by = (customers: number, name: string, orders = 1) =>
      Array.from({ length: customers * orders }, (_, index) => ({
        ...{ coupon_codes: name, country: name },
        external_customer_id: customers === 0 ? '' : `${name}-${index % customers}`,
      }));
    const guests = Array.from({ length: 2 }, () => ({
      coupon_codes: 'GUESTS',
      country: 'GUESTS',
      external_customer_id: '',
    }));
    const year = cases.add({
      // The largest of the shop, by four people, as a wholesaler's country is.
      orders: ordersWith([...by(4, 'WELCOME10', 10), ...by(1, 'JANE', 3), ...by(5, 'SUMMER'), ...guests]),
    });

    it('has a row with its orders and revenue, in which the number of customers is hidden', async () => {
      for (const dimension of ['coupon', 'country']) {
        const answer = await ask(year, dimension);
        expect(
          answer.rows.map((row) => [row.key, row.orders_count, row.revenue, row.unique_customers_count]),
        ).toEqual([
          ['WELCOME10', 40, 4000, null],
          ['SUMMER', 5, 500, 5],
          ['JANE', 3, 300, null],
          ['GUESTS', 2, 200, 0],
        ]);
        const sum = (key: 'orders_count' | 'revenue') =>
          answer.rows.reduce((total, row) => total + Number(row[key]), 0);
        expect([sum('orders_count'), sum('revenue')]).toEqual([answer.orders_count, answer.revenue]);
      }
    });
  });

  itBeside(
    'statuses list what is not valid, but no test orders, and are never cut',
    {
      orders: ordersWith([
        { status: 'paid' },
        { status: 'paid' },
        { status: 'cancelled' },
        { status: 'returned' },
        { status: 'pending', is_test: 'true' },
      ]),
      refunds: [{ refund_id: 'r', order_id: 'o0002', refunded_at: '2024-06-01T00:00:00', amount: '30' }],
    },
    async (year) => {
      const answer = await ask(year, 'status', { limit: 1 });
      expect(answer).toMatchObject({ orders_count: 3, revenue: 300, order_value: { max: 100 } });
      expect(answer.rows).toMatchObject([
        { key: 'paid', orders_count: 2, orders_share: 50, valid: true, refunded_revenue: 0 },
        { key: 'cancelled', orders_count: 1, orders_share: 25, valid: false, refunded_revenue: 30 },
        { key: 'returned', orders_count: 1, orders_share: 25, valid: true, refunded_revenue: 0 },
      ]);
      // 70 of the cancelled order are not paid back, and nobody keeps them: what is kept adds up to that of
      // order_statistics.
      expect(answer.rows.map(({ revenue_after_refunds }) => revenue_after_refunds)).toEqual([200, null, 100]);
      const question = year.argumentsOf({ business_id: shared, ...YEAR, dimension: 'status' });
      const { notes = [] } = await test.run('order_distribution_statistics', question);
      expect(notes.filter((note) => note.includes('valid is false'))).toEqual([
        'In no revenue: orders of status "cancelled" (valid is false). revenue, tax, shipping and discount there are what was ordered, nobody keeps it, and revenue_after_refunds is null; revenue_share is of all rows with these.',
      ]);
      // A cancelled order counts for no customer, new or returning.
      expect(counts(await ask(year, 'status', { filter_customer_type: 'new' }))).toEqual([
        ['paid', 2],
        ['returned', 1],
      ]);
    },
  );

  itBeside(
    'currency and country are those of the order; an order without a currency has that of the business',
    {
      orders: ordersWith(
        FIVE.flatMap(() => [{ currency: 'EUR', fx_rate: '25', country: 'SK' }, {}, { currency: 'CZK' }]),
      ),
      profiles: [{ profile_id: 'p', external_customer_id: 'c1', country: 'DE' }],
    },
    async (year) => {
      expect(counts(await ask(year, 'currency'))).toEqual([
        ['CZK', 10],
        ['EUR', 5],
      ]);
      expect(counts(await ask(year, 'country'))).toEqual([
        ['(not set)', 10],
        ['SK', 5],
      ]);
    },
  );
});

const line = (order: number, line_no: string, unit_price: string) => ({
  ...{ order_id: `o000${order}`, line_no, kind: 'discount', quantity: '1', unit_price },
});
itBeside(
  'an order whose discount lines take nothing off has no known discount',
  {
    orders: ordersWith([{}, {}, {}, { discount: '7' }]),
    // Taken off and charged by hand; charged alone; taken off and given back; told by the order itself.
    order_items: [
      ...[line(0, '1', '-30'), line(0, '2', '10')],
      ...[line(1, '1', '50')],
      ...[line(2, '1', '-5'), line(2, '2', '5')],
      ...[line(3, '1', '50')],
    ],
  },
  async (year) => {
    expect(await ask(year, 'status')).toMatchObject({
      discount: 27,
      // The two orders whose discount is known were paid with 200, to which these 27 are added.
      discount_share: 11.8943,
      discounted_orders_count: 2,
    });
  },
);

itBeside(
  'a discount of zero in one order of five leaves the discounts of the store unknown',
  { orders: ordersWith([{ discount: '0', shipping: '0' }, { shipping: '9' }, {}, {}, {}]) },
  async (year) => {
    const call = year.argumentsOf({ business_id: shared, ...YEAR, dimension: 'weekday' });
    const { result, notes } = await test.run('order_distribution_statistics', call);
    const unknown = { discount: null, discount_share: null, discounted_orders_count: null };
    expect(result).toMatchObject({ ...unknown, shipping: 9, free_shipping_orders_count: null });
    expect(notes).toEqual(
      expect.arrayContaining([
        'Discounts are not known (told of 1 of 5 orders): null, not 0.',
        'Shipping is told of 2 of 5 orders: shipping is of these; how many had it free is not known.',
      ]),
    );
  },
);
itBeside(
  'a discount of zero in half of the orders counts as a known zero',
  { orders: ordersWith([{ discount: '0', shipping: '0' }, {}]) },
  async (year) => {
    expect(await ask(year, 'weekday')).toMatchObject({
      ...{ discount: 0, discount_share: 0, discounted_orders_count: 0 },
      ...{ shipping: 0, free_shipping_orders_count: 1 },
    });
  },
);

it('an empty shop has no rows of names or numbers, and its shares are null', async () => {
  const business_id = emptyBusiness;
  for (const dimension of ['order_value', 'items_count', 'order_number', 'status', 'coupon']) {
    expect(await ask(business_id, dimension)).toMatchObject({
      bin_size: null,
      orders_count: 0,
      revenue: 0,
      rows: [],
    });
  }
  const answer = await ask(business_id, 'weekday');
  expect(new Set(Object.values(answer.order_value))).toEqual(new Set([null]));
  expect(answer.rows).toHaveLength(7);
  expect(answer.rows[0]).toMatchObject({
    orders_count: 0,
    orders_share: null,
    revenue_share: null,
    occurrences: 0,
  });
});

it.each([
  [{ dimension: 'day' }, /^dimension must be one of weekday_hour, weekday, /],
  [{ dimension: undefined }, /^dimension must be one of weekday_hour, weekday, /],
  [{ filter_customer_type: 'old' }, /^filter_customer_type must be one of new, returning$/],
])('refuses %j', async (args, message) => {
  await expect(ask(emptyBusiness, 'hour', args)).rejects.toThrow(message);
});

describe('deciles of customers', () => {
  // The customer who spends more comes first; each spends in two orders.
  const spending = (customers: number) =>
    ordersWith(
      Array.from({ length: 2 * customers }, (_, index) => ({
        external_customer_id: `c${index % customers}`,
        total: String(1000 - (index % customers)),
      })),
    );

  itBeside('have five customers each at least', { orders: spending(53) }, async (year) => {
    const { rows } = await ask(year, 'customer_value_decile');
    // 53 are three times six and seven times five, with two orders each.
    expect(rows.map(({ key, orders_count }) => [key, orders_count])).toEqual(
      Array.from({ length: 10 }, (_, index) => [String(index + 1), index < 3 ? 12 : 10]),
    );
    expect(rows[0]).toMatchObject({ revenue: 2 * (1000 + 999 + 998 + 997 + 996 + 995) });
  });

  describe.each([49, 3])('with %i customers', (customers) => {
    itBeside(
      'is one row, since a tenth of so few customers could be a single person',
      { orders: spending(customers) },
      async (year) => {
        const { rows, revenue } = await ask(year, 'customer_value_decile');
        expect(rows).toMatchObject([{ key: '1-10', orders_count: 2 * customers, revenue }]);
      },
    );
  });
});
