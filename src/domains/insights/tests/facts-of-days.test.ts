import { describe, expect, it } from 'vitest';
import { DEFAULT_WINDOWS } from '../../../business/attribution-windows.ts';
import { readRange } from '../../../time/range.ts';
import { factsOfDays, type Known } from '../queries/explained/facts-of-days.ts';
import { daysIn, historyBefore, weekGroups, weeklySums } from '../queries/explained/weeks-before.ts';

/** What stands beside the numbers: facts of the days of both ranges. */
const ZONE = 'Europe/Prague';
const range = (from_date: string, to_date: string) => readRange({ from_date, to_date }, ZONE);
const APRIL = range('2026-04-01', '2026-04-30');
const MAY = range('2026-05-01', '2026-05-31');
const HISTORY = historyBefore([APRIL, MAY], ZONE);

const orders = (date: string) => (new Date(`${date}T00:00:00Z`).getUTCDay() === 0 ? 0 : 20);
const isSaturday = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay() === 6;
const steady = (date: string) => ({
  ...{ revenue: 100 * orders(date), orders_count: orders(date) },
  ...{ sessions_count: 400, cart_sessions_count: 100, checkout_sessions_count: 60 },
});
type Day = Readonly<Record<string, number>>;
const daysWith = (changed: Readonly<Record<string, Day>>) =>
  new Map([HISTORY, APRIL, MAY].flatMap(daysIn).map((date) => [date, { ...steady(date), ...changed[date] }]));

/** The days as visits and orders of each, as the store would be asked for them. */
function visitsOf(days: ReadonlyMap<string, Day>): Known['visits'] {
  return [...days].map(([day, counts]) => ({
    ...{ day, sessions_count: 0, cart_sessions_count: 0, checkout_sessions_count: 0 },
    ...{ converting_sessions_count: 0, orders_count: 0, ...counts },
  }));
}

function textsOf(kind: string, { days = daysWith({}), ...known }: Partial<Known>): string[] {
  const all = { first: '2025-11-01', last: '2026-05-31' };
  return factsOfDays({
    metric: 'revenue',
    ranges: [APRIL, MAY],
    totals: [{ revenue: 60_000 }, { revenue: 62_000 }],
    days,
    visits: visitsOf(days as never),
    history: HISTORY,
    timezone: ZONE,
    facts: {
      ...{ loaded_tables: [], history_starts_at: '2025-11-01T00:00:00Z' },
      ...{ orders_until: '2026-06-01T00:00:00Z', sessions_until: '2026-06-01T00:00:00Z' },
      spans: { sessions: { from: '2025-11-01T00:00:00Z', until: '2026-06-01T00:00:00Z' } },
      ...{ messages_until: null, popups_until: null, consents_until: null, list_events_until: null },
      ...{ latest_at: '', timezone: ZONE, primary_currency: 'CZK', attribution_windows: DEFAULT_WINDOWS },
      vat_rate: null,
    },
    wording: { noun: 'revenue', unit: 'money', currency: 'CZK' },
    loaded: { orders: all, sessions: all },
    ...{ noted: [], currencies: null, prices: [], soldLess: [] },
    ...known,
  }).flatMap((fact) => (fact.kind === kind ? [fact.text] : []));
}

describe('days', () => {
  it('are told when there are more of them, or others', () => {
    expect(textsOf('length', {})).toEqual(['The range has 31 days, the compared one 30.']);
    const busy = new Map(
      [...daysWith({})].map(([date, day]) => [
        date,
        { ...day, revenue: isSaturday(date) ? 6000 : day.revenue },
      ]),
    );
    expect(textsOf('weekdays', {})).toEqual([]);
    expect(textsOf('weekdays', { days: busy })).toEqual([
      '4 Wednesdays beside 5, 4 Thursdays beside 5, 5 Fridays beside 4, 5 Saturdays beside 4, 5 Sundays beside 4: by what days of the week brought in the 16 weeks before, that alone is +4,000.00 CZK.',
    ]);
    expect(textsOf('holidays', {})[0]).toContain(
      'Public holidays of CZ in the range: Svátek práce 2026-05-01',
    );
  });

  it('are told when they have no order though their weekday has some', () => {
    const none = { revenue: 0, orders_count: 0 };
    expect(textsOf('missing_days', {})).toEqual([]);
    expect(textsOf('missing_days', { days: daysWith({ '2026-05-12': none, '2026-05-17': none }) })).toEqual([
      'Without any order, though the same days of the week before have some: 2026-05-12. Data may be missing.',
    ]);
    expect(
      textsOf('missing_days', {
        loaded: { orders: { first: '2025-11-01', last: '2026-05-30' }, sessions: null },
      }),
    ).toEqual([
      '1 day of the ranges lies outside of the loaded orders, which are of 2025-11-01 to 2026-05-30.',
    ]);
  });

  it('are told when far fewer visits have a checkout, beside orders that were as usual', () => {
    expect(textsOf('tracking', {})).toEqual([]);
    const broken = { checkout_sessions_count: 2 };
    const days = daysWith({ '2026-05-12': broken, '2026-05-13': broken });
    expect(textsOf('tracking', { days })).toEqual([
      'Visits with a checkout were far fewer than on the same weekdays before on 2026-05-12, 2026-05-13; these days have 40 orders, usually 40: tracking may have broken.',
    ]);
    const lost = { ...broken, orders_count: 1 };
    expect(textsOf('tracking', { days: daysWith({ '2026-05-12': lost }) })).toEqual([
      'Visits with a checkout were far fewer than on the same weekdays before on 2026-05-12; these days have 1 order, usually 20.',
    ]);
  });
});

it('notes of the merchant, prices, currencies, e-mails and stock are told with names in quotes', () => {
  const noted = [{ first_date: '2026-05-04', last_date: '2026-05-06', name: 'Fair\n"new"' }];
  expect(textsOf('calendar', { noted })).toEqual([
    'Noted in the range: "Fair \\"new\\"" 2026-05-04 to 2026-05-06; in the compared one: none.',
  ]);
  const price = {
    ...{ external_product_id: 'p1', name: 'Tent', changed_at: '2026-05-03T22:30:00Z' },
    ...{ price_before: 100, price: 140, revenue_before: 5 },
  };
  expect(textsOf('prices', { prices: [price] })).toEqual([
    '1 price of the catalogue changed in the range, of what sold best before: "Tent" 100 to 140 on 2026-05-04.',
  ]);
  const paid = (euros: number) =>
    new Map([
      ['EUR', { revenue: euros }],
      ['CZK', { revenue: 100 - euros }],
    ]);
  expect(textsOf('currency', { currencies: [paid(10), paid(25)] })).toEqual([
    '25.0 % was paid in other currencies, 10.0 % before; it is told at the rates of the orders, which move it too.',
  ]);
  expect(textsOf('currency', { currencies: [paid(0), paid(0)] })).toEqual([]);
  const sent = { emails_sent_count: 12_000, email_campaigns_count: 1 };
  expect(textsOf('campaigns', { totals: [{ revenue: 1 }, { revenue: 1, ...sent }] })).toEqual([
    'Sent in the range: 12,000 e-mails of 1 campaign; in the compared one: 0 e-mails of 0 campaigns.',
  ]);
  const sold = {
    ...{ name: 'p1 Tent', days: [28, 5] as const, lastSold: '2026-05-06', in_stock: false },
    stock_as_of: '2026-05-07T10:00:00Z',
  };
  expect(textsOf('stock', { soldLess: [sold] })).toEqual([
    '"p1 Tent" was sold on 28 of 30 days before and on 5 of 31 now, last on 2026-05-06; its stock last changed or was told on 2026-05-07: out of stock.',
  ]);
  expect(textsOf('stock', { soldLess: [{ ...sold, days: [10, 9], in_stock: true }] })).toEqual([]);
});

describe('the past', () => {
  it('is of 16 whole weeks before both ranges, or before the later one where the other is long before', () => {
    expect(`${HISTORY.firstDate} ${HISTORY.lastDate}`).toBe('2025-12-08 2026-03-29');
    const year = historyBefore([range('2025-05-01', '2025-05-31'), MAY], ZONE);
    expect(`${year.firstDate} ${year.lastDate}`).toBe('2026-01-05 2026-04-26');
  });

  it('has the weeks that are known whole, and where these are few, those of the ranges', () => {
    const known = (from: string | null) =>
      weekGroups(HISTORY, [APRIL, MAY], from).map(({ mondays }) => mondays.length);
    expect(known(null)).toEqual([]);
    expect(known('2025-01-01')).toEqual([16]);
    expect(known('2025-12-09')).toEqual([15]);
    expect(known('2026-03-20')).toEqual([1, 3, 4]);
    const [group] = weekGroups(HISTORY, [APRIL, MAY], '2025-01-01');
    expect(weeklySums(daysWith({}), 'orders_count', group as never)).toEqual(new Array(16).fill(120));
  });
});
