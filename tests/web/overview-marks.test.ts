import { expect, it } from 'vitest';
import { ENGLISH } from '../../src/messages/messages.ts';
import { isOtherByDay, isOtherByRevenue } from '../../src/overview/change.ts';
import { withoutEmptyShare } from '../../src/overview/known-costs.ts';
import { withMarks } from '../../src/overview/marks.ts';
import type { Card } from '../../src/overview/overview.ts';

/** Numbers by hand: what stands at a number of the overview, and when. */
const RANGE = {
  days: { from_date: '2026-09-01', to_date: '2026-09-30' },
  before: { from_date: '2026-08-02', to_date: '2026-08-31' },
  store: {
    ...{ name: 'Shop', currency: 'EUR', timezone: 'UTC', locale: 'en-GB' },
    ...{ data_until: null, history_starts_at: null },
  },
  lateRefundsFrom: '2026-09-08',
  newFrom: '2024-04-17',
  messages: ENGLISH,
} as const;

const card = (key: string, value: number | null, before: number | null = 1) =>
  ({ key, value, before, marks: [] }) as unknown as Card;

function marksOf(
  cards: readonly Card[],
  beside: Partial<Parameters<typeof withMarks>[1]> = {},
  range: Partial<Parameters<typeof withMarks>[2]> = {},
) {
  const none = {
    orderingVisits: null,
    largestOrder: null,
    isLargestPaidBack: false,
    isPaidBackInDays: false,
  };
  const marked = withMarks(cards, { ...none, ...beside }, { ...RANGE, ...range });
  return Object.fromEntries(marked.map(({ key, marks }) => [key, marks]));
}

it('refunds that fell say from which day on more will come, whatever part of the store they are of', () => {
  const late = (range: object, before: number | null = 200) =>
    marksOf([card('refunds', 100, before)], {}, range).refunds;
  expect(late({})).toEqual([
    'Orders since 8 September 2026 will still have refunds, so a fall is not fewer returns yet.',
  ]);
  expect(late({ days: { from_date: '2026-08-09', to_date: '2026-09-07' } })).toEqual([]);
  expect(late({ lateRefundsFrom: null })).toEqual([]);
  // They rose, so there is no fall to be misread.
  expect(late({}, 50)).toEqual([]);
});

it('profit says of which share of the revenue it is, and both shares where they differ', () => {
  const profit = (now: number | null, before: number | null) =>
    marksOf([card('profit', 423_650), card('known', now, before)]).profit;
  expect(profit(87.8338, 83.49)).toEqual([
    'Of the revenue whose costs are known: 87.8\u00a0%, and 83.5\u00a0% before. Part of the change is that alone.',
  ]);
  expect(profit(87.8, 87.1)).toEqual(['Of the 87.8\u00a0% of revenue whose costs are known.']);
  expect(profit(100, 99.5)).toEqual([]);
  expect(profit(null, null)).toEqual([]);
});

it('one order that makes much of the revenue is said, and what an average order is without it', () => {
  const marks = (revenue: number, orders: number, largestOrder: number) =>
    marksOf([card('revenue', revenue), card('orders', orders), card('average', revenue / orders)], {
      largestOrder,
    });
  // A fiftieth of 6,943 orders is as much as 285 usual ones.
  expect(marks(4_107_855, 6943, 168_469.6)).toEqual({
    revenue: ['One order is £168,470 of it: 4\u00a0%.'.replace('£', '€')],
    orders: [],
    average: ['Without the largest order: €567.47.'],
  });
  expect(Number(((4_107_855 - 168_469.6) / 6942).toFixed(2))).toBe(567.47);
  // A fiftieth of 100 orders is no more than two usual ones, and a half of two is one of two.
  expect(marks(100_000, 100, 2000)).toEqual({ revenue: [], orders: [], average: [] });
  expect(marks(200, 2, 100).revenue).toEqual([]);
  expect(marks(1000, 4, 700).revenue).toEqual(['One order is €700 of it: 70\u00a0%.']);
});

it('one large order that was paid back is said at the revenue, and at the refunds of its days', () => {
  const cards = [card('revenue', 4_107_855), card('orders', 6943), card('refunds', 207_000)];
  const marks = (beside: object) => marksOf(cards, { largestOrder: 168_469.6, ...beside });
  const paidBack = 'One order is €168,470 of it: 4\u00a0%. It was paid back.';
  expect(marks({ isLargestPaidBack: true, isPaidBackInDays: true })).toEqual({
    revenue: [paidBack],
    orders: [],
    refunds: ['€168,470 of it is one order.'],
  });
  expect(marks({ isLargestPaidBack: true })).toEqual({ revenue: [paidBack], orders: [], refunds: [] });
  expect(marks({}).refunds).toEqual([]);
});

it('a number that is compared with nothing says why', () => {
  const before = { from_date: '2024-03-01', to_date: '2024-03-31' };
  const marks = marksOf(
    [card('new', 5, null), card('visits', 7, null), card('orders', null, null)],
    {},
    { before },
  );
  expect(marks).toEqual({
    new: ['Nothing before: who is new is known from 17 April 2024 on.'],
    visits: ['Not known of the days before.'],
    orders: [],
  });
  expect(marksOf([card('visits', 7, null)], {}, { before: null }).visits).toEqual([]);
});

it('the share of known costs is not known where no costs are, and stays where some are', () => {
  const shown = (value: number | null, before: number | null) => {
    const one = withoutEmptyShare({ ...card('known', value, before), change: 0 });
    return [one.value, one.before];
  };
  expect(shown(0, 0)).toEqual([null, null]);
  expect(shown(0, null)).toEqual([null, null]);
  expect(shown(0, 40)).toEqual([0, 40]);
  expect(shown(40, 0)).toEqual([40, 0]);
  expect(withoutEmptyShare(card('refunds', 0, 0)).value).toBe(0);
});

it('a sum that fell and rose by day is told apart, as one that rose and fell by day', () => {
  const september = { from_date: '2026-09-01', to_date: '2026-09-30' };
  const august = { from_date: '2026-08-01', to_date: '2026-08-31' };
  const [longer, shorter] = [
    { days: september, before: august },
    { days: august, before: september },
  ];
  // By day they are 3.3 and 3.226, and the reverse.
  expect(isOtherByDay(card('orders', 99, 100), longer)).toBe(true);
  expect(isOtherByDay(card('orders', 100, 99), shorter)).toBe(true);
  // By day they are 3 and 3.226.
  expect(isOtherByDay(card('orders', 90, 100), longer)).toBe(false);
  expect(isOtherByDay(card('orders', 110, 100), longer)).toBe(false);
  // An average and people who count once are no sums of days, and equal days have one reading.
  expect(isOtherByDay(card('average', 99, 100), longer)).toBe(false);
  expect(isOtherByDay(card('returning', 99, 100), longer)).toBe(false);
  expect(isOtherByDay(card('orders', 99, 100), { days: august, before: august })).toBe(false);
  expect(isOtherByDay(card('orders', 99, null), longer)).toBe(false);
});

it('refunds that rise no more than revenue are neither better nor worse', () => {
  const refunds = card('refunds', 130, 100);
  expect(isOtherByRevenue(refunds, [card('revenue', 1400, 1000)])).toBe(true);
  expect(isOtherByRevenue(refunds, [card('revenue', 1200, 1000)])).toBe(false);
  expect(isOtherByRevenue(card('refunds', 90, 100), [card('revenue', 800, 1000)])).toBe(true);
  expect(isOtherByRevenue(refunds, [card('revenue', 0, 1000)])).toBe(false);
  expect(isOtherByRevenue(card('orders', 130, 100), [card('revenue', 1400, 1000)])).toBe(false);
});
