import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pValueOf, type Sample } from '../../../../tests/oracle/campaign-statistics.ts';
import { emptyStore, type Row, type Store } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';

let test: TestInstance;
let shop: Business;
/** The same, with all money a hundred times as much. */
let rich: Business;
let empty: Business;

beforeAll(async () => {
  test = await createTestInstance();
  shop = await load(tests());
  const { refunds: _, ...store } = tests();
  rich = await load({
    ...store,
    refunds: [],
    orders: store.orders.map((row) => ({
      ...row,
      total: row.total?.includes('.') ? row.total : `${row.total}00`,
    })),
  });
  empty = await test.createBusiness();
});

afterAll(() => test[Symbol.asyncDispose]());

async function load(store: Store): Promise<Business> {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, store);
  return business;
}

type Fields = Record<string, unknown>;
type Answer = Fields & { variants: Fields[] };

const run = (campaign_id: string, args: object = {}, business = shop) =>
  test.run('campaign_variant_statistics', { business_id: business.business_id, campaign_id, ...args });
const ask = async (campaign_id: string, args: object = {}, business = shop) =>
  (await run(campaign_id, args, business)).result as Answer;

const only = (row: Fields | undefined, ...keys: string[]) =>
  Object.fromEntries(keys.map((key) => [key, row?.[key]]));
const VERDICT = [
  'metric_value',
  'difference',
  'difference_low',
  'difference_high',
  'p_value',
  'is_significant',
  'needed_per_variant',
  'needed_per_variant_10_percent',
];

/** A message of a variant, and how many of those who got it did what. */
interface Variant extends Row<'messages'> {
  readonly campaign_id: string;
  readonly message_id: string;
  readonly sent?: number;
  readonly bounced?: number;
  readonly clicked?: number;
  /** Totals of orders: one for each of the first who clicked. */
  readonly orders?: readonly string[];
}

/**
 * Each campaign is a test of its own, in which everybody gets one message.
 *
 * - `two`: A 10 of 200 clicked, B 25 of 200; the winner went to 300 others, of whom all clicked.
 * - `three`: 30, 45 and 60 of 300.
 * - `few`: 100 and 99 delivered.
 * - `none`: nobody clicked or bought.
 * - `sms`: two texts, of 150 each.
 * - `steps`: an automation with two steps, each with variants.
 * - `giant`: the largest amounts that are allowed.
 * - `money`: 20 orders, and 21 that are larger; `poor`: 19 of 1 against 25 of 1000.
 * - `alike`: the winner does among the rest what it did in the test.
 */
const VARIANTS: readonly Variant[] = [
  {
    campaign_id: 'two',
    message_id: 'two-a',
    variant: 'A',
    subject: 'Cheap',
    allocation: '50',
    sent: 204,
    bounced: 4,
    clicked: 10,
    orders: ['100', '50'],
  },
  {
    campaign_id: 'two',
    message_id: 'two-b',
    variant: 'B',
    subject: 'Dear',
    allocation: '50',
    sent: 200,
    clicked: 25,
    orders: ['10', '20', '30', '40'],
  },
  {
    campaign_id: 'two',
    message_id: 'two-w',
    variant: 'B',
    subject: 'Dear',
    is_winner_send: 'true',
    sent: 300,
    clicked: 300,
  },
  { campaign_id: 'two', message_id: 'two-x', subject: 'To see how it looks', sent: 1 },
  { campaign_id: 'three', message_id: 'three-c', variant: 'C', sent: 300, clicked: 60 },
  { campaign_id: 'three', message_id: 'three-b', variant: 'B', sent: 300, clicked: 45 },
  { campaign_id: 'three', message_id: 'three-a', variant: 'A', sent: 300, clicked: 30 },
  { campaign_id: 'three', message_id: 'three-d', variant: 'D', subject: 'Not sent' },
  { campaign_id: 'few', message_id: 'few-a', variant: 'A', sent: 100, clicked: 50 },
  { campaign_id: 'few', message_id: 'few-b', variant: 'B', sent: 100, bounced: 1, clicked: 5 },
  { campaign_id: 'none', message_id: 'none-a', variant: 'A', sent: 120 },
  { campaign_id: 'none', message_id: 'none-b', variant: 'B', sent: 120 },
  { campaign_id: 'none', message_id: 'none-c', variant: 'C', is_winner_send: 'true' },
  { campaign_id: 'sms', message_id: 'sms-a', variant: 'A', channel: 'sms', sent: 150, clicked: 15 },
  { campaign_id: 'sms', message_id: 'sms-b', variant: 'B', channel: 'sms', sent: 150, clicked: 30 },
  { campaign_id: 'sms', message_id: 'sms-mail', variant: 'C', sent: 100, clicked: 100 },
  { campaign_id: 'steps', message_id: 'steps-1a', variant: 'A', position: '1', sent: 100, clicked: 10 },
  { campaign_id: 'steps', message_id: 'steps-1b', variant: 'B', position: '1', sent: 100, clicked: 40 },
  { campaign_id: 'steps', message_id: 'steps-2a', variant: 'A', position: '2', sent: 100, clicked: 20 },
  { campaign_id: 'steps', message_id: 'steps-2b', variant: 'B', position: '2', sent: 100, clicked: 20 },
  {
    ...{ campaign_id: 'giant', message_id: 'giant-a', variant: 'A', sent: 100, clicked: 20 },
    orders: Array.from({ length: 20 }, () => '9999999999999.75'),
  },
  {
    ...{ campaign_id: 'giant', message_id: 'giant-b', variant: 'B', sent: 100, clicked: 20 },
    orders: Array.from({ length: 20 }, () => '1'),
  },
  {
    ...{ campaign_id: 'money', message_id: 'money-a', variant: 'A', sent: 200, clicked: 20 },
    orders: Array.from({ length: 20 }, (_, index) => `${10 * (index + 1)}`),
  },
  {
    ...{ campaign_id: 'money', message_id: 'money-b', variant: 'B', sent: 200, clicked: 21 },
    orders: Array.from({ length: 21 }, (_, index) => `${12 * (index + 1)}`),
  },
  {
    ...{ campaign_id: 'poor', message_id: 'poor-a', variant: 'A', sent: 200, clicked: 19 },
    orders: Array.from({ length: 19 }, () => '1'),
  },
  {
    ...{ campaign_id: 'poor', message_id: 'poor-b', variant: 'B', sent: 200, clicked: 25 },
    orders: Array.from({ length: 25 }, () => '1000'),
  },
  { campaign_id: 'alike', message_id: 'alike-a', variant: 'A', sent: 100, clicked: 5 },
  { campaign_id: 'alike', message_id: 'alike-b', variant: 'B', sent: 100, clicked: 20 },
  {
    ...{ campaign_id: 'alike', message_id: 'alike-w', variant: 'B', is_winner_send: 'true' },
    ...{ sent: 200, clicked: 38 },
  },
  { campaign_id: 'pop', message_id: 'pop-a', variant: 'A', channel: 'popup' },
  ...Array.from({ length: 51 }, (_, index) => ({
    ...{ campaign_id: 'many', message_id: `many-${index}`, variant: String(index).padStart(2, '0') },
  })),
];

/** What each message of a variant brought. */
function valuesOf(messageId: string): Sample {
  const { sent = 0, orders = [] } = VARIANTS.find(({ message_id }) => message_id === messageId) as Variant;
  return { successes: 0, values: Array.from({ length: sent }, (_, index) => Number(orders[index] ?? 0)) };
}

function tests(): Store {
  const campaign = (campaign_id: string, campaign_type: string, state: string): Row<'campaigns'> => ({
    ...{ campaign_id, campaign_type, state, name: campaign_id, created_at: '2024-01-01T00:00:00Z' },
  });
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  store.campaigns = [
    ...['two', 'many', 'giant', 'money', 'poor', 'alike'].map((id) =>
      campaign(id, 'targeted-emailing-ab', 'sent'),
    ),
    campaign('three', 'targeted-emailing-ab', 'active'),
    campaign('few', 'targeted-emailing-ab', 'finished'),
    campaign('none', 'targeted-emailing-ab', 'scheduled'),
    campaign('sms', 'targeted-sms', 'archived'),
    campaign('steps', 'incremental-emailing', 'active'),
    campaign('pop', 'popup', 'active'),
    campaign('bare', 'targeted-emailing', 'sent'),
  ];
  for (const { sent = 0, bounced = 0, clicked = 0, orders = [], ...message } of VARIANTS) {
    store.messages.push({ channel: 'email', ...message });
    for (let index = 0; index < sent; index += 1) {
      const send_id = `${message.message_id}-${index}`;
      const email = `${send_id}@x.cz`;
      const outcome = index >= sent - bounced ? 'hard' : 'delivered';
      store.sends.push({
        send_id,
        message_id: message.message_id,
        email,
        outcome,
        sent_at: '2024-05-10T08:00:00Z',
      });
      if (index < clicked) {
        const at = '2024-05-10T09:00:00Z';
        store.message_events.push({ event_id: send_id, send_id, kind: 'click', at });
      }
      if (index < orders.length) {
        store.orders.push({
          order_id: send_id,
          email,
          total: orders[index],
          ordered_at: '2024-05-11T08:00:00Z',
        });
      }
    }
  }
  // A second order of one who bought: one value of both.
  const again = { email: 'two-a-0@x.cz', total: '7', ordered_at: '2024-05-12T08:00:00Z' };
  store.orders.push({ order_id: 'again', ...again });
  store.refunds.push({ refund_id: 'r', order_id: 'again', refunded_at: '2024-05-13T08:00:00Z', amount: '7' });
  // The end of the data.
  store.orders.push({ order_id: 'late', ordered_at: '2024-06-30T08:00:00Z', total: '0' });
  const last = { event_id: 'late', send_id: 'two-x-0', kind: 'open', at: '2024-06-30T08:00:00Z' };
  store.message_events.push(last);
  return store;
}

describe('campaign_variant_statistics', () => {
  it('has everything of each variant, and the winner apart', async () => {
    const { variants, ...answer } = await ask('two');
    expect(answer).toEqual({
      ...{ winner_value_in_test: 12.5, winner_value_after: 100 },
      ...{ business_id: shop.business_id, data_until: '2024-06-30T08:00:00Z', campaign_id: 'two' },
      ...{ campaign_name: 'two', metric: 'click_rate', phase: 'winner_sent', winner_variant: 'B' },
    });
    expect(variants.map((row) => [row.message_id, row.variant, row.is_winner_send])).toEqual([
      ['two-a', 'A', false],
      ['two-b', 'B', false],
      ['two-w', 'B', true],
    ]);
    expect(variants[0]).toEqual({
      ...{ variant: 'A', message_id: 'two-a', subject: 'Cheap', allocation: 50, is_winner_send: false },
      metric_value: 5,
      ...{ difference: -7.5, difference_low: -13.3669, difference_high: -2.0455 },
      // z = -0.075 / √(35/400 x 365/400 x 2/200 x 400/399) = -2.6511
      ...{ p_value: 0.008, is_significant: true },
      // These are needed to tell 12.5 % from 5 %, or from 13.75 %.
      ...{ needed_per_variant: 222, needed_per_variant_10_percent: 11_455 },
      ...{ sent_count: 204, unique_recipients_count: 204, delivered_count: 200 },
      ...{ hard_bounces_count: 4, soft_bounces_count: 0, opens_count: 0, unique_opens_count: 10 },
      ...{ machine_opens_count: 0, unique_machine_only_opens_count: 0, clicks_count: 10 },
      ...{ unique_clicks_count: 10, bot_clicks_count: 0, unsubscribes_count: 0, spam_complaints_count: 0 },
      ...{ delivery_rate: 98.0392, bounce_rate: 1.9608, open_rate: 5, raw_open_rate: 5, click_rate: 5 },
      ...{ click_to_open_rate: 100, unsubscribe_rate: 0, spam_complaint_rate: 0 },
      ...{ attributed_orders_count: 3, attributed_revenue: 157, click_attributed_revenue: 157 },
      ...{ average_order_value: 52.3333, conversion_rate: 1, revenue_per_recipient: 0.785 },
      // 157 / 204
      revenue_per_person: 0.7696,
      ...{ refunded_revenue: 7, is_mature: true },
    });
    expect(only(variants[1], ...VERDICT)).toEqual({
      ...{ metric_value: 12.5, difference: 7.5, difference_low: 2.0455, difference_high: 13.3669 },
      ...{ p_value: 0.008, is_significant: true },
      ...{ needed_per_variant: 222, needed_per_variant_10_percent: 31_234 },
    });
    expect(only(variants[2], ...VERDICT)).toEqual({
      ...{ metric_value: 100, difference: null, difference_low: null, difference_high: null },
      ...{ p_value: null, is_significant: null },
      ...{ needed_per_variant: null, needed_per_variant_10_percent: null },
    });
  });

  it('compares by other metrics', async () => {
    const opens = await ask('two', { metric: 'open_rate' });
    expect(opens.variants[1]).toMatchObject({ metric_value: 12.5, difference: 7.5, p_value: 0.008 });
    // 2 and 4 of 200, of which 3 are expected: Fisher's test, by SciPy.
    const conversions = await ask('two', { metric: 'conversion_rate' });
    expect(conversions.variants[0]).toMatchObject({ metric_value: 1, difference: -1, p_value: 0.6851 });
    // Welch's test, below, of 10 to 200 among 200, and of 10 to 210, each a fifth larger, among 200.
    const revenue = await ask('money', { metric: 'revenue_per_recipient' });
    const [first, second] = ['money-a', 'money-b'].map((id) => valuesOf(id));
    expect(revenue.variants[0]).toMatchObject({
      ...{ metric_value: 10.5, difference: -3.36, is_significant: false },
      p_value: Number(pValueOf(first as Sample, second as Sample, true).toFixed(4)),
    });
    expect(revenue.variants[1]).toMatchObject({ difference: 3.36, p_value: revenue.variants[0]?.p_value });
    expect(revenue.variants[1]?.difference_low).toBeLessThan(0);
  });

  it('gives no verdict on money under 20 orders of a variant', async () => {
    const money = { metric: 'revenue_per_recipient' };
    // 3 and 4 orders; 19 against 25.
    for (const [campaign, counts] of [
      ['two', [3, 4]],
      ['poor', [19, 25]],
    ] as const) {
      const { result, notes } = await run(campaign, money);
      const rows = (result as Answer).variants.slice(0, 2);
      expect(rows.map((row) => row.attributed_orders_count)).toEqual(counts);
      for (const row of rows) {
        expect(row).toMatchObject({ p_value: null, is_significant: null });
        expect(row).toMatchObject({ difference_low: null, difference_high: null });
        expect(row.difference).not.toBe(0);
      }
      expect(notes).toContain(
        'Money is not judged where a variant or the best other one has fewer than 20 orders: one order more or less would turn it round. Do not say which variant earns more; clicks tell earlier.',
      );
    }
    expect((await run('money', money)).notes ?? []).toEqual([
      expect.stringMatching(/^Variants are compared with each other, /),
    ]);
    // The same messages are enough to tell of clicks.
    expect((await ask('poor')).variants[0]).toMatchObject({ is_significant: false });
  });

  it('has the winner in the test beside the winner sent to the rest', async () => {
    // 25 of 200 clicked, then 300 of 300.
    const clicks = await run('two');
    expect(clicks.result).toMatchObject({ winner_value_in_test: 12.5, winner_value_after: 100 });
    expect(clicks.notes).toContainEqual(
      'The winner B had a click_rate of 12.5 in the test, and of 100 when it went to the rest: they differ by more than chance (p 0.0001). Who got it later, and when, differs: do not expect the value of the test of those whom you send it to.',
    );
    const bought = await run('two', { metric: 'conversion_rate' });
    expect(bought.result).toMatchObject({ winner_value_in_test: 2, winner_value_after: 0 });
    // 4 of 200 and 0 of 300: Fisher's test, 0.0253.
    expect(bought.notes).toContainEqual(expect.stringMatching(/^The winner B had a conversion_rate of 2 in/));
    // There are too few orders to say anything about money.
    const money = await run('two', { metric: 'revenue_per_recipient' });
    expect(money.result).toMatchObject({ winner_value_in_test: 0.5, winner_value_after: 0 });
    expect(money.notes).not.toContainEqual(expect.stringMatching(/^The winner/));
    // They are like the test, so there is no warning.
    const alike = await run('alike');
    expect(alike.result).toMatchObject({ winner_value_in_test: 20, winner_value_after: 19 });
    expect(alike.notes ?? []).toEqual([]);
    // These were not sent.
    expect(await ask('none')).toMatchObject({ winner_value_in_test: null, winner_value_after: null });
    expect(await ask('three')).toMatchObject({ winner_value_in_test: null, winner_value_after: null });
  });

  it('has larger differences and the same p for larger amounts of money', async () => {
    const metric = { metric: 'revenue_per_recipient' };
    const rows = async (business: Business) => (await ask('money', metric, business)).variants;
    const large = await rows(rich);
    for (const [index, row] of (await rows(shop)).entries()) {
      for (const key of ['metric_value', 'difference', 'difference_low', 'difference_high']) {
        // "7" and "00" are 700; small numbers are rounded to four decimals.
        expect(Number(large[index]?.[key])).toBeCloseTo(100 * Number(row[key]), 1);
      }
      expect(large[index]?.p_value).toBe(row.p_value);
    }
  });

  it('corrects for all pairs of more than two', async () => {
    const { variants, phase, winner_variant } = await ask('three');
    expect([phase, winner_variant]).toEqual(['testing', null]);
    // Alone: A and C 0.0006, A and B 0.0643, B and C 0.1073; each of three pairs counts three times.
    expect(variants.map((row) => only(row, 'variant', ...VERDICT))).toMatchObject([
      { variant: 'A', metric_value: 10, difference: -10, p_value: 0.0018, is_significant: true },
      { variant: 'B', metric_value: 15, difference: -5, p_value: 0.322, is_significant: false },
      { variant: 'C', metric_value: 20, difference: 5, p_value: 0.322, is_significant: false },
      { variant: 'D', metric_value: null, difference: null, p_value: null, is_significant: null },
    ]);
    expect(variants[3]).toMatchObject({
      ...{ sent_count: 0, click_rate: null, attributed_revenue: 0, refunded_revenue: 0, is_mature: false },
    });
  });

  it('tests nothing with fewer than 100 delivered, and still says how far apart they are', async () => {
    const { variants, phase } = await ask('few');
    expect(phase).toBe('finished');
    expect(variants[0]).toMatchObject({
      ...{ delivered_count: 100, difference: 44.9495, p_value: null, is_significant: null },
    });
    expect(variants[1]).toMatchObject({ delivered_count: 99, difference: -44.9495, p_value: null });
    expect(variants[1]?.difference_low).toBeLessThan(-44.9495);
    expect(variants[1]?.difference_high).toBeGreaterThan(-44.9495);
  });

  it('sees no difference where nothing happened', async () => {
    const { variants, phase, winner_variant } = await ask('none', { metric: 'conversion_rate' });
    // The winner was chosen, but not sent.
    expect([phase, winner_variant]).toEqual(['testing', 'C']);
    // None of 120 did.
    expect(variants[0]).toMatchObject({
      ...{ metric_value: 0, difference: 0, difference_low: -3.1145, difference_high: 3.1145 },
      ...{ p_value: 1, is_significant: false },
    });
    const revenue = await ask('none', { metric: 'revenue_per_recipient' });
    expect(only(revenue.variants[0], ...VERDICT)).toEqual({
      ...{ metric_value: 0, difference: 0, difference_low: null, difference_high: null },
      ...{ p_value: null, is_significant: null },
      ...{ needed_per_variant: null, needed_per_variant_10_percent: null },
    });
  });

  it('squares the largest amounts', async () => {
    const { variants } = await ask('giant', { metric: 'revenue_per_recipient' });
    // The values of one variant are 20 times 10^13 in a hundred, those of the other 20 times 1: the means are
    // 2 x 10^12 and 0.2.
    expect(variants[0]).toMatchObject({ is_significant: true, p_value: 0.0001 });
    expect(Number(variants[0]?.difference) / 2e12).toBeCloseTo(1, 9);
    // SciPy 1.17.1: t(0.975; 99) = 1.984216951566; √(16 x 10^24 x 100/99 / 100) x t.
    expect(Number(variants[0]?.difference_low) / (2e12 - 1.984216951566 * 4.020151261e11)).toBeCloseTo(1, 8);
  });

  it('compares texts of SMS, with the activity of SMS', async () => {
    const { variants, phase } = await ask('sms');
    expect(phase).toBe('finished');
    expect(variants.map(({ message_id }) => message_id)).toEqual(['sms-a', 'sms-b']);
    expect(variants[1]).toMatchObject({
      ...{ metric_value: 20, difference: 10, is_significant: true, segments_count: 150, opt_outs_count: 0 },
    });
    expect(variants[1]).not.toHaveProperty('open_rate');
    const { result, notes } = await run('sms', { metric: 'open_rate' });
    expect((result as Answer).variants[0]).toMatchObject({
      metric_value: null,
      difference: null,
      p_value: null,
    });
    expect(notes).toEqual(['SMS have no known opens: compare them by another metric.']);
  });

  it('compares variants of one step of an automation', async () => {
    const { variants } = await ask('steps');
    expect(variants.map((row) => [row.message_id, row.difference])).toEqual([
      ['steps-1a', -30],
      ['steps-2a', 0],
      ['steps-1b', 30],
      ['steps-2b', 0],
    ]);
    // Never 0.
    expect(variants.map(({ p_value }) => p_value)).toEqual([0.0001, 1, 0.0001, 1]);
  });

  it('says what is in no row', async () => {
    expect((await run('two')).notes).toContain(
      'Messages of the campaign that say no variant, so are in no row: 1.',
    );
    for (const campaign of ['bare', 'pop']) {
      const { result, notes } = await run(campaign);
      expect(result).toMatchObject({ variants: [], winner_variant: null });
      expect(notes).toEqual(['The campaign has no e-mails or SMS that are variants of each other.']);
    }
    const { result, notes } = await run('many');
    expect((result as Answer).variants.length).toBe(50);
    expect(notes).toEqual(['The campaign has 51 variants, of which the first 50 are compared.']);
  });

  it('refuses what does not exist', async () => {
    for (const campaign_id of ['nowhere', '', 'TWO', "two' or '1'='1"]) {
      await expect(ask(campaign_id)).rejects.toThrow(/^campaign not found$/);
    }
    await expect(ask('two', {}, empty)).rejects.toThrow(/^campaign not found$/);
    await expect(ask('two', { metric: 'attributed_revenue' })).rejects.toThrow(
      /^metric must be one of open_rate, click_rate, conversion_rate, revenue_per_recipient$/,
    );
  });
});
