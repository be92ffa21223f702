import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Row, type Store } from '../../../../tests/oracle/store.ts';
import { ofAnybody } from '../../../../tests/support/of-anybody.ts';
import { fewerInQuick, isQuick } from '../../../../tests/support/runs.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import { mostQuintilePeriods } from '../queries/segment-trend.ts';

/** Small shops whose answers are worked out by hand. */
interface Segment {
  readonly segment: string;
  readonly customers_count: number;
  readonly [field: string]: unknown;
}
interface Statistics {
  readonly as_of: string;
  readonly rfm_profile_id: string;
  readonly segments: readonly Segment[];
  readonly [field: string]: unknown;
}

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

/** Orders as `customer moment total`, of customers known by their shop's id. */
function shopOf(orders: readonly string[], more: Partial<Store> = {}, timezone = 'UTC'): Store {
  return {
    ...emptyStore({ timezone, primary_currency: 'CZK' }),
    orders: orders.map((text, index) => {
      const [external_customer_id, ordered_at, total = '100', status] = text.split(' ');
      return { order_id: `o${index}`, external_customer_id, ordered_at, total, status } as Row<'orders'>;
    }),
    ...more,
  };
}

async function load(store: Store): Promise<string> {
  const business = await test.createBusiness({ timezone: String(store.business.timezone), currency: 'CZK' });
  await test.importStore(business, store);
  return business.business_id;
}

const statistics = async (business_id: string, args: object = {}) =>
  (await test.ask(ofAnybody('rfm_segment_statistics'), { business_id, ...args })) as Statistics;

/** Segments that have customers. */
const sizes = ({ segments }: Statistics) =>
  Object.fromEntries(
    segments.filter((row) => row.customers_count > 0).map((row) => [row.segment, row.customers_count]),
  );

const profile = async (business_id: string, rfm_profile_id: string | null = null) =>
  ((await test.ask('get_rfm_profile', { business_id, rfm_profile_id })) as { rfm_profile: Row<never> })
    .rfm_profile as Record<string, unknown>;

describe('a shop on the edges of thresholds and window', () => {
  const times = (customer: string, count: number, date: string) =>
    Array.from({ length: count }, (_, index) => `${customer} ${date}T08:0${index}:00`);
  /**
   * The end of the data is noon of 31 December 2024, a leap year: 365 x 24 hours before is noon of 1 January.
   */
  const orders = [
    'clock 2024-12-31T12:00:00 1 cancelled',
    'days30 2024-12-01T00:00:00',
    'days31 2024-11-30T23:59:59.999',
    'days90 2024-10-02T23:00:00',
    'days91 2024-10-01T23:00:00',
    'days180 2024-07-04T00:00:00',
    'days181 2024-07-03T23:59:59',
    'edge 2024-01-01T12:00:00 7',
    'outside 2024-01-01T11:59:59.999 7',
    'lost 2023-05-01T00:00:00',
    'lost 2023-05-02T00:00:00 900',
    'back 2023-05-01T00:00:00',
    'back 2024-12-31T11:59:59',
    'never 2024-12-30T00:00:00 5 cancelled',
    ...times('two', 2, '2024-12-20'),
    ...times('four', 4, '2024-12-20'),
    ...times('five', 5, '2024-12-20'),
    ...times('seven', 7, '2024-03-01'),
    ...times('eight', 8, '2024-03-01'),
    ...times('loyal', 5, '2024-10-01'),
    ...times('three', 3, '2024-09-01'),
  ];
  let business_id: string;
  let all: Statistics;

  beforeAll(async () => {
    business_id = await load(shopOf(orders));
    all = await statistics(business_id);
  });

  it('puts each customer where the table of the specification does', () => {
    expect(all.as_of).toBe('2024-12-31T12:00:00Z');
    expect(sizes(all)).toEqual({
      champions: 1, // five
      loyal: 1,
      potential_loyalist: 2, // two, four
      new: 2, // days30, back
      promising: 2, // days31, days90
      need_attention: 1, // three
      about_to_sleep: 2, // days91, days180
      cant_lose: 1, // eight
      at_risk: 1, // seven
      hibernating: 2, // days181, edge
      lost: 2, // lost, outside
    });
  });

  it('tells what segments are worth, and who came back', () => {
    const of = (key: string) => all.segments.find(({ segment }) => segment === key);
    expect(of('hibernating')).toMatchObject({ orders_count: 2, revenue: 107, avg_recency_days: 273 });
    expect(of('lost')).toMatchObject({
      ...{ orders_count: 0, revenue: 0, revenue_share: 0, avg_frequency: 0, avg_monetary: 0 },
      ...{ average_order_value: null, reactivated_customers_count: 0 },
      // 2 May 2023 is 609 days before, 1 January 2024 365.
      avg_recency_days: 487,
    });
    expect(of('new')).toMatchObject({ reactivated_customers_count: 1, avg_recency_days: 15, revenue: 200 });
    expect(of('potential_loyalist')).toMatchObject({
      ...{ orders_count: 6, avg_frequency: 3, avg_monetary: 300, average_order_value: 100 },
      customers_share: 11.7647,
    });
  });

  it('shows the bounds of scores as they are applied', () => {
    expect(all.recency_scores).toMatchObject([
      { score: 1, from_value: 366, to_value: null, customers_count: 0 },
      { score: 2, from_value: 181, to_value: 365, customers_count: 4 },
      { score: 3, from_value: 91, to_value: 180, customers_count: 4 },
      { score: 4, from_value: 31, to_value: 90, customers_count: 2 },
      { score: 5, from_value: null, to_value: 30, customers_count: 5 },
    ]);
    expect(all.frequency_scores).toMatchObject([
      { score: 1, from_value: null, to_value: 1, customers_count: 8 },
      { score: 2, from_value: 2, to_value: 2, customers_count: 1 },
      { score: 3, from_value: 3, to_value: 4, customers_count: 2 },
      { score: 4, from_value: 5, to_value: 7, customers_count: 3 },
      { score: 5, from_value: 8, to_value: null, customers_count: 1 },
    ]);
  });

  it('moves the window with the day of as_of, and ends with the data', async () => {
    // No two moments of a day differ: an order between them would tell whose it is.
    for (const as_of of ['2024-12-31T11:59:59.999', '2024-12-31T00:00:00', '2024-12-31'])
      expect(await statistics(business_id, { as_of })).toEqual(all);
    const { result, notes } = await test.run(ofAnybody('rfm_segment_statistics'), {
      business_id,
      as_of: '2024-12-30T08:00:00',
    });
    expect(result).toMatchObject({ as_of: '2024-12-30T23:59:59Z' });
    expect(notes?.[0]).toBe(
      'What follows people is told by whole days of the business: as_of is the end of 2024-12-30.',
    );
    const later = await statistics(business_id, { as_of: '2030-01-01T00:00:00' });
    expect(later).toEqual(all);
    expect(await statistics(business_id, { as_of: '2023-04-30T23:59:59' })).toMatchObject({
      as_of: '2023-04-30T23:59:59Z',
      scored_customers_count: 0,
    });
  });

  it('ends a running period with the data, and leaves out periods that have not begun', async () => {
    const { result, notes } = await test.run(ofAnybody('rfm_segment_statistics_trend'), {
      ...{ business_id, breakdown: 'month', filter_segments: ['lost', 'gone', 'new'] },
      ...{ from_date: '2024-11-15T00:00:00', to_date: '2025-02-01T00:00:00' },
    });
    const { periods } = result as { periods: object[] };
    const december = { period: '2024-12', period_end_at: '2024-12-31T12:00:00Z' };
    expect(periods).toMatchObject([
      { period: '2024-11', period_end_at: '2024-11-30T23:59:59Z', segment: 'new', customers_count: 1 },
      { period: '2024-11', segment: 'lost', customers_count: 2, revenue: 0 },
      { ...december, segment: 'new', customers_count: 2, revenue: 200 },
      { ...december, segment: 'lost', customers_count: 2 },
    ]);
    expect(notes?.join('\n')).toContain(
      'Unknown in filter_segments, so without rows: ["gone"]; segments are champions, loyal, ',
    );
    expect(notes?.join('\n')).toContain('what the range has after that is not known yet');
  });
});

it('keeps all of the window scored where clocks changed, though 366 dates lie between', async () => {
  const store = shopOf(
    ['early 2024-03-30T23:30:00', 'late 2025-03-31T00:30:00'],
    {
      rfm_profiles: [
        { rfm_profile_id: 'p', name: 'P', is_default: 'true', recency_thresholds_days: '[1,2,3,365]' },
      ],
    },
    'Europe/Prague',
  );
  const business_id = await load(store);
  const { recency_scores } = await statistics(business_id);
  expect(recency_scores).toMatchObject([
    { score: 1, customers_count: 0 },
    { score: 2, customers_count: 1 },
    {},
    {},
    {},
  ]);
  const { periods } = (await test.ask(ofAnybody('rfm_segment_statistics_trend'), {
    ...{ business_id, breakdown: 'day', filter_segments: ['hibernating', 'new'] },
    ...{ from_date: '2025-03-31T00:00:00', to_date: '2025-03-31T23:59:59' },
  })) as { periods: object[] };
  expect(periods).toMatchObject([
    { segment: 'new', customers_count: 1 },
    { segment: 'hibernating', customers_count: 1 },
  ]);
});

describe('fifths of customers', () => {
  const PROFILE = { rfm_profile_id: 'fifths', name: 'Fifths', scoring: 'quintiles' };
  /** Seven customers: two groups of two, then three of one. */
  const orders = ['a 2024-01-01 10', 'b 2024-01-02 10', 'c 2024-01-03 10', 'd 2024-01-03 20'].concat([
    'e 2024-01-05 30',
    'e 2024-01-06 30',
    'f 2024-01-07 5',
    'g 2024-01-08 500',
  ]);
  let business_id: string;

  beforeAll(async () => {
    business_id = await load(
      shopOf(
        orders.map((order) => order.replace(/(-\d\d) /, '$1T00:00:00 ')),
        { rfm_profiles: [PROFILE] },
      ),
    );
  });

  it('never part equal customers, who have the score of their middle rank', async () => {
    const call = { rfm_profile_id: 'fifths', include_cells: true };
    const { recency_scores, frequency_scores, monetary_scores, cells, segments } = await statistics(
      business_id,
      call,
    );
    // Sorted by money they are f | a b c | d e | g: a, b and c are the second to the fourth of seven, the
    // middle one is in the second fifth.
    expect(monetary_scores).toEqual([
      { score: 1, from_value: 5, to_value: 5, customers_count: 1, revenue: 5 },
      { score: 2, from_value: 10, to_value: 10, customers_count: 3, revenue: 30 },
      { score: 3, from_value: null, to_value: null, customers_count: 0, revenue: 0 },
      { score: 4, from_value: 20, to_value: 60, customers_count: 2, revenue: 80 },
      { score: 5, from_value: 500, to_value: 500, customers_count: 1, revenue: 500 },
    ]);
    // Sorted by recency they are a | b | c d | e f | g.
    expect(recency_scores).toMatchObject([
      { from_value: 7, to_value: 7 },
      { from_value: 6, to_value: 6 },
      { from_value: 5, to_value: 5 },
      { from_value: 1, to_value: 2 },
      { from_value: 0, to_value: 0 },
    ]);
    // Six ordered once: the middle of them is in the third fifth.
    expect(frequency_scores).toMatchObject([
      { customers_count: 0 },
      { customers_count: 0 },
      { from_value: 1, to_value: 1, customers_count: 6 },
      { customers_count: 0 },
      { from_value: 2, to_value: 2, customers_count: 1 },
    ]);
    const shown = (cells as Record<string, number>[]).map(
      ({ recency, frequency, monetary }) => `${recency}${frequency}${monetary}`,
    );
    expect(shown.sort()).toEqual(['132', '232', '332', '334', '431', '454', '535']);
    // Who ordered once is new or promising, however many do so.
    const inSegments = (segments as { segment: string; customers_count: number }[])
      .filter(({ customers_count }) => customers_count > 0)
      .map(({ segment, customers_count }) => [segment, customers_count]);
    expect(inSegments).toEqual([
      ['loyal', 1],
      ['new', 1],
      ['promising', 1],
      ['about_to_sleep', 2],
      ['hibernating', 2],
    ]);
  });

  it('say how many share a value that is more than a fifth', async () => {
    const notes = async (args: object) =>
      ((await test.run(ofAnybody('rfm_segment_statistics'), { business_id, ...args })).notes ?? []).filter(
        (note) => note.includes('share'),
      );
    expect(await notes({ rfm_profile_id: 'fifths' })).toEqual([
      'Fifths are not equal where customers are: of 7 scored, 2 share the recency of 5 days and 6 share the frequency of 1 order and 3 share the revenue of 10 CZK; equal customers have the score of their middle rank.',
    ]);
    expect(await notes({})).toEqual([]);
  });

  it('are taken anew for every period, of which there may not be too many', async () => {
    const call = { business_id, rfm_profile_id: 'fifths', breakdown: 'day' };
    const range = { from_date: '2023-11-10T00:00:00', to_date: '2024-01-08T23:59:59' };
    const { periods } = (await test.ask(ofAnybody('rfm_segment_statistics_trend'), {
      ...call,
      ...range,
    })) as {
      periods: { period: string; segment: string; customers_count: number }[];
    };
    // By 2 January a and b have ordered once, b later.
    expect(periods).toHaveLength(60 * 11);
    expect(periods.filter((row) => row.period === '2024-01-02' && row.customers_count > 0)).toMatchObject([
      { segment: 'promising', customers_count: 1 },
      { segment: 'hibernating', customers_count: 1 },
    ]);
    await expect(
      test.ask(ofAnybody('rfm_segment_statistics_trend'), {
        ...call,
        ...range,
        from_date: '2023-11-09T00:00:00',
      }),
    ).rejects.toThrow(
      'a profile with quintiles takes at most 60 periods for so many customers; use a coarser breakdown',
    );
  });
});

it('bounds the work for fifths by customers and periods', () => {
  expect([0, 10, 83_334, 1_000_000, 20_000_000].map(mostQuintilePeriods)).toEqual([60, 60, 59, 5, 1]);
});

describe('profiles', () => {
  const revenues = (amounts: readonly number[]) =>
    shopOf(amounts.map((amount, index) => `c${index} 2024-05-0${1 + (index % 9)}T00:00:00 ${amount}`));

  it('part the customers into fifths by two digits of money by default', async () => {
    const business_id = await load(revenues([1234, 4567, 7, 0.5, 25, 105, 888, 995, 12.49, 12.5]));
    // Sorted they are 0.5, 7 | 12.49, 12.5 | 25, 105 | 888, 995 | 1234, 4567; the last of each fifth counts.
    expect(await profile(business_id)).toMatchObject({
      rfm_profile_id: 'default',
      is_default: true,
      created_at: '2024-05-09T00:00:00Z',
      last_calculated_at: '2024-05-09T00:00:00Z',
      window_days: 365,
      scoring: 'thresholds',
      recency_thresholds_days: [30, 90, 180, 365],
      frequency_thresholds: [2, 3, 5, 8],
      monetary_thresholds: [7, 13, 110, 1000],
    });
  });

  it.each(
    fewerInQuick(
      [
        ['nearly equal, below a power of ten', [99, 99, 99, 99, 99], [99, 100, 110, 120]],
        ['less, nothing and little', [-5, 0, 0.2535, 1234.5678], [-5, 0, 0.25, 1200]],
        ['equal', [100, 100, 100, 100, 100, 100], [100, 110, 120, 130]],
        ['tiny', [0.0001, 0.0001], [0.0001, 0.0002, 0.0003, 0.0004]],
        ['nothing and less', [-50, -50, 0, 0], [-50, -49, 0, 1]],
      ],
      2,
    ),
  )('have ascending thresholds where revenues are %s', async (_, amounts, expected) => {
    expect((await profile(await load(revenues(amounts)))).monetary_thresholds).toEqual(expected);
  });

  it('have the latest of several loaded defaults as the default, and money follows their own window', async () => {
    const rfm_profiles = [
      { rfm_profile_id: 'old', name: 'Old', is_default: 'true', created_at: '2024-01-01T00:00:00Z' },
      {
        rfm_profile_id: 'new',
        name: 'New',
        is_default: 'true',
        created_at: '2024-02-01T00:00:00Z',
        window_days: '1',
      },
      { rfm_profile_id: 'none', name: "Robert'); drop table orders; --", is_default: 'true' },
    ];
    const business_id = await load({ ...revenues([10, 20, 30, 40, 50, 60, 70, 80, 90]), rfm_profiles });
    const { rfm_profiles: listed } = (await test.ask('list_rfm_profiles', { business_id })) as {
      rfm_profiles: Record<string, unknown>[];
    };
    expect(listed.map((row) => [row.rfm_profile_id, row.is_default, row.monetary_thresholds])).toEqual([
      ['new', true, [80, 81, 90, 91]],
      ['none', false, [20, 40, 60, 80]],
      ['old', false, [20, 40, 60, 80]],
    ]);
    expect(listed[1]).toMatchObject({
      name: "Robert'); drop table orders; --",
      created_at: '2024-05-09T00:00:00Z',
    });
    expect((await statistics(business_id)).rfm_profile_id).toBe('new');
    expect((await statistics(business_id)).scored_customers_count).toBe(2);
  });

  it.skipIf(isQuick)(
    'stand beside the usual one when they are loaded without a default, unless they have its id',
    async () => {
      const loaded = (rfm_profile_id: string) => [{ rfm_profile_id, name: 'Mine', window_days: '30' }];
      const list = async (rfm_profiles: Store['rfm_profiles']) => {
        const business_id = await load({ ...revenues([1]), rfm_profiles });
        const answer = await test.ask('list_rfm_profiles', { business_id });
        return (answer as { rfm_profiles: Record<string, unknown>[] }).rfm_profiles.map((row) => [
          row.rfm_profile_id,
          row.name,
          row.is_default,
        ]);
      };
      expect(await list(loaded('mine'))).toEqual([
        ['default', 'Default', true],
        ['mine', 'Mine', false],
      ]);
      expect(await list(loaded('default'))).toEqual([['default', 'Mine', true]]);
    },
  );

  it('cannot be found by another business', async () => {
    const other = await load({
      ...revenues([1]),
      rfm_profiles: [{ rfm_profile_id: 'secret', name: 'Secret' }],
    });
    const business_id = await load(revenues([1]));
    await expect(profile(other, 'secret')).resolves.toMatchObject({ name: 'Secret' });
    const range = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59', breakdown: 'month' };
    for (const [tool, args] of [
      ['get_rfm_profile', {}],
      ['rfm_segment_statistics', {}],
      ['rfm_segment_statistics_trend', range],
      ['rfm_segment_transitions', { from_date: range.from_date, to_date: range.to_date }],
    ] as const) {
      const call = test.ask(tool, { business_id, rfm_profile_id: 'secret', ...args });
      await expect(call, tool).rejects.toThrow('rfm profile not found');
    }
  });
});

it('customers can be reached who subscribed last and were not blocked since', async () => {
  const at = (day: number) => `2024-01-${String(day).padStart(2, '0')}T00:00:00Z`;
  const emails = ['plain', 'left', 'again', 'blocked', 'unblocked', 'tie', 'pending', 'other'];
  const events: [string, string, number][] = [
    ['plain', 'subscribed', 1],
    ['left', 'subscribed', 1],
    ['left', 'unsubscribed', 2],
    ['again', 'unsubscribed', 1],
    ['again', 'subscribed', 2],
    ['blocked', 'subscribed', 1],
    ['blocked', 'bounced', 2],
    ['blocked', 'pending', 3],
    ['unblocked', 'complained', 1],
    ['unblocked', 'subscribed', 2],
    ['tie', 'suppressed', 1],
    ['pending', 'pending', 1],
    ['reader', 'subscribed', 1], // never ordered
  ];
  const store: Store = {
    ...emptyStore({ timezone: 'UTC', primary_currency: 'CZK' }),
    orders: emails.map((name, index) => ({
      ...{
        order_id: `o${index}`,
        ordered_at: '2024-05-01T00:00:00',
        total: '1',
        email: `${name}@example.com`,
      },
    })),
    profiles: [{ profile_id: 'p-tie', email: 'tie@example.com' }],
    consent_events: [
      ...events.map(([name, state, day]) => ({
        ...{ email: ` ${name.toUpperCase()}@example.com`, channel: 'email', at: at(day), state },
      })),
      { profile_id: 'p-tie', channel: 'email', at: at(1), state: 'subscribed' },
      { email: 'other@example.com', channel: 'sms', at: at(1), state: 'subscribed' },
      { profile_id: 'p-tie', channel: 'sms', at: at(1), state: 'subscribed' },
    ],
  };
  const business_id = await load(store);
  const { segments } = await statistics(business_id);
  expect(segments.find(({ segment }) => segment === 'new')).toMatchObject({
    customers_count: 8,
    email_subscribed_count: 3, // plain, again, unblocked
    sms_subscribed_count: 2, // other, tie
  });
  const without = await test.run(ofAnybody('rfm_segment_statistics'), {
    business_id: await load(shopOf(['a 2024-01-01'])),
  });
  expect(without.notes).toContain('No consent events are loaded, so nobody is known to be subscribed.');
});

it('notes orders without a customer that were placed in its window, and no others', async () => {
  const nobody = (ordered_at: string, total: string) => ({ order_id: ordered_at, ordered_at, total });
  const orders = shopOf(['a 2024-12-30T12:00:00']);
  const business_id = await load({
    ...orders,
    orders: [
      ...orders.orders,
      // The window of 365 days that ends with 2024-12-29, and a second more on either side.
      nobody('2023-12-30T23:59:58', '1'),
      nobody('2023-12-30T23:59:59', '10'),
      nobody('2024-12-29T23:59:59', '100'),
      nobody('2024-12-30T00:00:00', '1000'),
    ],
  });
  const notes = async (as_of: string) =>
    (await test.run(ofAnybody('rfm_segment_statistics'), { business_id, as_of })).notes;
  expect((await notes('2024-12-29'))?.join()).toContain('2 orders worth 110 ');
});

it('refuses moments that are none, and trends of too many rows', async () => {
  const business_id = await load(shopOf(['a 2024-01-01T00:00:00']));
  await expect(statistics(business_id, { as_of: '1 January 2024' })).rejects.toThrow(
    'as_of is not a valid date-time',
  );
  const days = {
    business_id,
    from_date: '2022-10-04T00:00:00',
    to_date: '2024-01-01T23:59:59',
    breakdown: 'day',
  };
  await expect(
    test.ask(ofAnybody('rfm_segment_statistics_trend'), { ...days, from_date: '2022-10-05T00:00:00' }),
  ).resolves.toBeTruthy();
  await expect(test.ask(ofAnybody('rfm_segment_statistics_trend'), days)).rejects.toThrow(
    'the range gives more than 5000 rows; use a coarser breakdown',
  );
});
