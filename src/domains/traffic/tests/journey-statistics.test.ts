import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Row } from '../../../../tests/oracle/store.ts';
import { ofAnybody } from '../../../../tests/support/of-anybody.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';

/**
 * Journeys of May, told by hand. S = google / organic, E = news / email, D = direct:
 *
 *   v1  S 1 May, S 2 May, E 3 May -> order of 100 on 4 May; D 5 May -> order of 50 in it
 *   v2  S 1 May, E 2 May -> order of 30 in it, and one of 7 an hour later, without a visit of its own
 *   v3  S 1 April, D 20 May, S 25 May, without an order
 *   v4  S 10 May -> order of 999 on 2 June
 *   v5  S 1 May -> order on 20 June: too late for it
 *   v6  E 3 May, a suspected bot's
 */
const S = { source: 'google', medium: 'organic', campaign: 'one' };
const E = { source: 'news', medium: 'email', campaign: 'two' };
const D = {};
let count = 0;
const visit = (visitor_id: string, started_at: string, touch: Row<'sessions'>): Row<'sessions'> => {
  count += 1;
  return { session_id: `s${count}`, visitor_id, started_at, ...touch };
};
const order = (visitor_id: string, ordered_at: string, total: string): Row<'orders'> => ({
  ...{ order_id: `${visitor_id} ${ordered_at}`, visitor_id, email: `${visitor_id}@x.cz`, ordered_at, total },
});

let test: TestInstance;
let business: Business;

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    sessions: [
      visit('v1', '2024-05-01T10:00:00', S),
      visit('v1', '2024-05-02T10:00:00', S),
      visit('v1', '2024-05-03T10:00:00', E),
      visit('v1', '2024-05-05T10:00:00', D),
      visit('v2', '2024-05-01T10:00:00', S),
      visit('v2', '2024-05-02T10:00:00', E),
      visit('v3', '2024-04-01T10:00:00', S),
      visit('v3', '2024-05-20T10:00:00', D),
      visit('v3', '2024-05-25T10:00:00', S),
      visit('v4', '2024-05-10T10:00:00', S),
      visit('v5', '2024-05-01T10:00:00', S),
      visit('v6', '2024-05-03T10:00:00', { ...E, suspected_bot: 'true' }),
    ],
    orders: [
      order('v1', '2024-05-04T10:00:00', '100'),
      order('v1', '2024-05-05T10:30:00', '50'),
      order('v2', '2024-05-02T10:15:00', '30'),
      order('v2', '2024-05-02T11:15:00', '7'),
      order('v4', '2024-06-02T10:00:00', '999'),
      order('v5', '2024-06-20T10:00:00', '1'),
    ],
  });
});

afterAll(() => test[Symbol.asyncDispose]());

interface Journeys {
  readonly total_count: number;
  readonly journeys: ({ path: string[] } & Record<string, number | null>)[];
}

const MAY = { from_date: '2024-05-01T00:00:00', to_date: '2024-05-31T23:59:59' };
const ask = async (args: object = {}) =>
  (await test.ask(ofAnybody('journey_statistics'), {
    business_id: business.business_id,
    ...MAY,
    ...args,
  })) as Journeys;
const countsOf = ({ journeys }: Journeys) =>
  Object.fromEntries(journeys.map(({ path, journeys_count }) => [path.join(' > '), journeys_count]));

describe('converted journeys', () => {
  it('are all visits since the order before, with repeats told once', async () => {
    const answer = await ask();
    expect(answer).toMatchObject({
      ...{ touch: 'channel', outcome: 'converted', lookback_days: 30, total_count: 3 },
      ...{ journeys_count: 4, converted_journeys_count: 4, revenue: 187, identified_share: 100 },
      ...{ no_touch_orders_count: 1, no_touch_revenue: 7 },
      ...{ single_touch_share: 33.3333, avg_touches: 1.6667 },
      // The median is of 3 days, 30 minutes, and 1 day with 15 minutes.
      median_days_to_conversion: 1.0104,
    });
    expect(answer.journeys).toEqual([
      {
        path: ['Organic Search', 'Email'],
        ...{ touches_count: 2, journeys_count: 2, journeys_share: 50, converted_journeys_count: 2 },
        ...{ conversion_rate: null, revenue: 130, new_customers_count: 2, avg_days_to_conversion: 2.0052 },
      },
      {
        path: ['(no touch)'],
        ...{ touches_count: 0, journeys_count: 1, journeys_share: 25, converted_journeys_count: 1 },
        ...{ conversion_rate: null, revenue: 7, new_customers_count: 0, avg_days_to_conversion: null },
      },
      {
        path: ['Direct'],
        ...{ touches_count: 1, journeys_count: 1, journeys_share: 25, converted_journeys_count: 1 },
        ...{ conversion_rate: null, revenue: 50, new_customers_count: 0, avg_days_to_conversion: 0.0208 },
      },
    ]);
  });

  it('are told by source and medium or by campaign, with repeats when asked for', async () => {
    const touch = { collapse_repeats: false };
    expect(countsOf(await ask({ ...touch, touch: 'source_medium' }))).toEqual({
      'google / organic > google / organic > news / email': 1,
      'google / organic > news / email': 1,
      '(direct)': 1,
      '(no touch)': 1,
    });
    expect(countsOf(await ask({ ...touch, touch: 'campaign' }))).toEqual({
      'one > one > two': 1,
      'one > two': 1,
      '(not set)': 1,
      '(no touch)': 1,
    });
  });

  it('keep their last touches when they are long', async () => {
    const answer = await ask({ collapse_repeats: false, max_touches: 2 });
    expect(countsOf(answer)).toEqual({
      '(no touch)': 1,
      '(…) > Organic Search > Email': 1,
      'Organic Search > Email': 1,
      Direct: 1,
    });
    expect(answer).toMatchObject({ avg_touches: 2, total_count: 4 });
    expect(answer.journeys.map(({ touches_count }) => touches_count)).toEqual([0, 2, 1, 2]);
  });

  it('end at the lookback, to the second', async () => {
    expect(countsOf(await ask({ lookback_days: 2, collapse_repeats: false }))).toEqual({
      'Organic Search > Email': 2,
      Direct: 1,
      '(no touch)': 1,
    });
    const order = { from_date: '2024-05-04T10:00:00', to_date: '2024-05-04T10:00:00' };
    expect(countsOf(await ask({ ...order, lookback_days: 1 }))).toEqual({ Email: 1 });
    const june = { from_date: '2024-06-01T00:00:00', to_date: '2024-06-30T23:59:59' };
    expect(countsOf(await ask(june))).toEqual({ 'Organic Search': 1 });
    expect(await ask({ ...june, lookback_days: 90 })).toMatchObject({ journeys_count: 2, revenue: 1000 });
  });
});

describe('the meaning of a touch', () => {
  /**
   * Each of the four orders has all visits of the visitor in the 30 days before it, also those before an
   * earlier order.
   */
  const visitsBefore = { 'v1, 4 May': 3, 'v1, 5 May': 4, 'v2, first': 2, 'v2, second': 2 };

  it('is told before all else, since who counts visits before orders gets more', async () => {
    const { result, notes = [] } = await test.run(ofAnybody('journey_statistics'), {
      ...{ business_id: business.business_id, ...MAY },
    });
    expect(result).toMatchObject({ collapse_repeats: true, max_touches: 8, lookback_days: 30 });
    expect(notes[0]).toBe(
      'Touches are visits since the previous order of the visitor, and several from one place in a row are one touch (collapse_repeats: false counts each): visits alone are more.',
    );
    const touches = async (args: object) =>
      (await ask(args)).journeys.reduce(
        (sum, { touches_count, journeys_count }) => sum + (touches_count ?? 0) * (journeys_count ?? 0),
        0,
      );
    const visits = Object.values(visitsBefore).reduce((sum, count) => sum + count, 0);
    // 11 visits; 6 of them since the order before, of which one is of the channel of the one before it.
    expect([visits, await touches({ collapse_repeats: false }), await touches({})]).toEqual([11, 6, 5]);
    const each = await test.run(ofAnybody('journey_statistics'), {
      ...{ business_id: business.business_id, ...MAY, collapse_repeats: false },
    });
    expect(each.notes?.[0]).toBe(
      'Touches are visits since the previous order of the visitor: visits alone are more.',
    );
    const matrix = await test.run(ofAnybody('channel_transition_matrix'), {
      ...{ business_id: business.business_id, ...MAY },
    });
    expect(matrix.notes?.[0]).toBe(each.notes?.[0]);
  });
});

describe('journeys without an order', () => {
  it('are one of each visitor: what came before the last visit of the range', async () => {
    expect(countsOf(await ask({ outcome: 'not_converted' }))).toEqual({
      'Direct > Organic Search': 1,
      // The order of v5 came too late; that of v4 belongs to June.
      'Organic Search': 1,
    });
    expect(countsOf(await ask({ outcome: 'not_converted', lookback_days: 60 }))).toEqual({
      'Organic Search > Direct > Organic Search': 1,
    });
    const half = { to_date: '2024-05-22T00:00:00' };
    expect(countsOf(await ask({ ...half, outcome: 'not_converted' }))).toEqual({
      Direct: 1,
      'Organic Search': 1,
    });
  });

  it('stand beside the others, with rates, when all are asked for', async () => {
    const answer = await ask({ outcome: 'all', sort_by: 'avg_days_to_conversion', sort_order: 'asc' });
    expect(answer.journeys.map(({ path, conversion_rate }) => [path.join(' > '), conversion_rate])).toEqual([
      ['Direct', 100],
      ['Organic Search > Email', 100],
      ['(no touch)', 100],
      ['Direct > Organic Search', 0],
      ['Organic Search', 0],
    ]);
    expect(answer).toMatchObject({ journeys_count: 6, converted_journeys_count: 4, identified_share: 80 });
  });
});

describe('the list', () => {
  it('is cut into pages, ties in the order of the paths', async () => {
    const paths = async (args: object) =>
      (await ask({ outcome: 'all', sort_by: 'touches_count', ...args })).journeys.map(({ path }) =>
        path.join(' > '),
      );
    const all = [
      'Direct > Organic Search',
      'Organic Search > Email',
      'Direct',
      'Organic Search',
      '(no touch)',
    ];
    expect(await paths({})).toEqual(all);
    expect(await paths({ limit: 2, offset: 1 })).toEqual(all.slice(1, 3));
    expect(await paths({ offset: 5 })).toEqual([]);
    expect(await ask({ outcome: 'all', offset: 5 })).toMatchObject({ total_count: 5, journeys_count: 6 });
  });

  it('is empty in an empty shop, whatever other shops have', async () => {
    const empty = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
    expect(await ask({ business_id: empty.business_id, outcome: 'all' })).toMatchObject({
      ...{ data_until: null, journeys_count: 0, revenue: 0, single_touch_share: null, avg_touches: null },
      ...{ median_days_to_conversion: null, identified_share: null, total_count: 0, journeys: [] },
    });
  });

  it.each([
    [{ touch: 'source' }, 'touch must be one of channel, source_medium, campaign'],
    [{ outcome: 'lost' }, 'outcome must be one of converted, not_converted, all'],
    [{ lookback_days: 91 }, 'lookback_days must be between 1 and 90'],
    [{ max_touches: 1 }, 'max_touches must be between 2 and 20'],
    [{ max_touches: 21 }, 'max_touches must be between 2 and 20'],
    [
      { sort_by: 'path' },
      'sort_by must be one of journeys_count, revenue, avg_days_to_conversion, touches_count',
    ],
  ])('refuses %o', async (args, message) => {
    await expect(ask(args)).rejects.toThrow(message);
  });
});

describe('channel_transition_matrix of the same journeys', () => {
  const matrix = async (args: object = {}) =>
    (await test.ask(ofAnybody('channel_transition_matrix'), {
      business_id: business.business_id,
      ...MAY,
      ...args,
    })) as {
      transitions: { from: string; to: string; transitions_count: number; probability: number }[];
      channels: Record<string, number | string | null>[];
    };

  /**
   * Walks: S S E !, S E !, D !, D S x, S x (v5). From the start: S 3/5, D 2/5. From S (5 leave): S 1/5, E
   * 2/5, exit 2/5. From E: conversion. From D (2 leave): conversion 1/2, S 1/2. P(S) = 2/5 / (1 - 1/5) = 1/2;
   * P(D) = 1/2 + 1/2 * 1/2 = 3/4; P = 3/5 * 1/2 + 2/5 * 3/4 = 0.6 = 3 of 5. Without S: 2/5 * 1/2 = 0.2.
   * If E is left out, P(S) = 0, and P is 2/5 * 1/2 = 0.2; if D is, it is 3/5 * 1/2 = 0.3. The order that has
   * no touch is not part of the effects: S 2/3, E 2/3, D 1/2. Of 180 they get 4/11, 4/11, 3/11, and the
   * first of the greatest gets the ten-thousandth that rounding leaves. The order without a touch converts
   * anyway, so the effects on all 4 orders are 3/4 of that.
   */
  it('is the one worked by hand', async () => {
    const answer = await matrix();
    expect(answer).toMatchObject({
      ...{ lookback_days: 30, journeys_count: 6, conversions_count: 4 },
      states: ['(start)', 'Organic Search', 'Direct', 'Email', '(conversion)', '(exit)'],
    });
    const steps = answer.transitions.map(({ from, to, transitions_count, probability }) => [
      `${from} > ${to}`,
      [transitions_count, probability],
    ]);
    expect(Object.fromEntries(steps)).toEqual({
      '(start) > Organic Search': [3, 50],
      '(start) > Direct': [2, 33.3333],
      '(start) > (conversion)': [1, 16.6667],
      'Organic Search > Organic Search': [1, 20],
      'Organic Search > Email': [2, 40],
      'Organic Search > (exit)': [2, 40],
      'Direct > Organic Search': [1, 50],
      'Direct > (conversion)': [1, 50],
      'Email > (conversion)': [2, 100],
    });
    const click = (last_click_revenue: number, first_click_revenue: number) => ({
      last_click_revenue,
      first_click_revenue,
    });
    expect(answer.channels).toEqual([
      {
        ...{ channel: 'Organic Search', journeys_count: 4, first_touch_count: 3, last_touch_count: 2 },
        ...{ removal_effect: 50, markov_revenue: 65.4546, ...click(0, 187) },
      },
      {
        ...{ channel: 'Direct', journeys_count: 2, first_touch_count: 2, last_touch_count: 1 },
        ...{ removal_effect: 37.5, markov_revenue: 49.0909, ...click(0, 0) },
      },
      {
        ...{ channel: 'Email', journeys_count: 2, first_touch_count: 0, last_touch_count: 2 },
        // The order of 50 counts too: its direct visit came two days after the e-mail.
        ...{ removal_effect: 50, markov_revenue: 65.4545, ...click(187, 0) },
      },
      {
        ...{ channel: '(no touch)', journeys_count: 1, first_touch_count: 1, last_touch_count: 1 },
        ...{ removal_effect: null, markov_revenue: 7, ...click(0, 0) },
      },
    ]);
  });

  it('has no exits and says nothing of losses when only orders are asked for', async () => {
    const answer = await matrix({ include_not_converted: false });
    expect(answer).toMatchObject({ journeys_count: 4, conversions_count: 4 });
    expect(JSON.stringify(answer)).not.toContain('(exit)');
    expect(
      answer.channels.map(({ removal_effect, markov_revenue }) => [removal_effect, markov_revenue]),
    ).toEqual(Array(4).fill([null, null]));
  });

  it('gathers all but the 30 most frequent sources and mediums', async () => {
    const many = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
    const sources = Array.from({ length: 33 }, (_, index) => `source-${String(index).padStart(2, '0')}`);
    // A last visit from source-32, so that it is more frequent than the others.
    const rows = [...sources, 'source-32'].map((source, index) =>
      visit(`m${index}`, '2024-05-01T10:00:00', { source, medium: 'x' }),
    );
    await test.importStore(many, {
      ...emptyStore({ timezone: 'UTC', primary_currency: 'EUR' }),
      sessions: [...rows, visit('m0', '2024-05-02T10:00:00', { source: 'source-30', medium: 'x' })],
    });
    const answer = await matrix({ business_id: many.business_id, touch: 'source_medium' });
    // source-32 and source-30 come first, then source-00 to source-27.
    expect(answer.channels).toHaveLength(31);
    expect(answer.channels.find(({ channel }) => channel === '(other)')).toMatchObject({
      ...{ journeys_count: 3, first_touch_count: 3, last_touch_count: 3, removal_effect: null },
    });
    expect(answer.channels.map(({ channel }) => channel)).not.toContain('source-28 / x');
  });

  it('has its fixed states only in an empty shop', async () => {
    const empty = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
    expect(await matrix({ business_id: empty.business_id })).toEqual({
      ...{ business_id: empty.business_id, data_until: null, lookback_days: 30, journeys_count: 0 },
      ...{
        conversions_count: 0,
        states: ['(start)', '(conversion)', '(exit)'],
        transitions: [],
        channels: [],
      },
    });
  });

  it.each([
    [{ touch: 'campaign' }, 'touch must be one of channel, source_medium'],
    [{ lookback_days: 0 }, 'lookback_days must be between 1 and 90'],
  ])('refuses %o', async (args, message) => {
    await expect(matrix(args)).rejects.toThrow(message);
  });
});
