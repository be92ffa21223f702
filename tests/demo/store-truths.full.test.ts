import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tool } from '../../src/answers/tool.ts';
import type { ImportReport } from '../../src/snapshot/import-report.ts';
import type { OrderRow, RefundRow } from '../../tools/made-shop/generator/tables.ts';
import type { DemoShopTruth } from '../../tools/made-shop/generator/truth.ts';
import { writeDemoShop } from '../../tools/made-shop/generator/write-demo-shop.ts';
import { ofAnybody } from '../support/of-anybody.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * What the generator knows of the made shop, asked of the tools. The other files of this folder count the
 * same truths over the written rows, so a tool that disagrees here is wrong, or asked wrongly.
 */

/** The whole history. */
const H = { from_date: '2024-10-01T00:00:00', to_date: '2026-09-30T23:59:59' };

type Numbers = Readonly<Record<string, number>>;
interface Traffic {
  readonly totals: Numbers;
  readonly untracked_orders_count: number;
  readonly untracked_revenue: number;
  readonly sessions: readonly (Readonly<Record<string, number | null>> & { key: never })[];
}
interface TrafficPeriod {
  readonly period: string;
  readonly sessions_count: number;
  readonly suspected_bot_sessions_count: number;
  readonly is_anomalous: boolean;
}

let test: TestInstance;
let business_id: string;
let truth: DemoShopTruth;
let report: ImportReport;

beforeAll(async () => {
  test = await createTestInstance();
  const folder = join(test.madeFiles, 'demo-shop');
  truth = await writeDemoShop(folder, { scale: 0.3 });
  const business = await test.createBusiness({
    timezone: truth.shop.timezone,
    currency: truth.shop.currency,
    link: 'https://kamenice-outdoor.example.com',
  });
  report = await test.importFolder(business, folder);
  business_id = business.business_id;
});

afterAll(() => test[Symbol.asyncDispose]());

const ask = async <Answer>(tool: string | Tool, args: object = {}) =>
  (await test.ask(tool, { business_id, ...args })) as Answer;

/** Tools round the revenue of each order to four decimals, truths have all five. */
function expectMoney(found: number | null | undefined, exact: string): void {
  expect(Math.abs(Number(found) - Number(exact)), `${found} for ${exact}`).toBeLessThan(0.01);
}

/** As tools write moments that are whole seconds. */
function momentText(text: string): string {
  return new Date(text).toISOString().replace('.000Z', 'Z');
}

/** The row in which a number is largest. */
function largest<Row>(rows: readonly Row[], by: (row: Row) => number): Row {
  const [first] = rows.toSorted((a, b) => by(b) - by(a));
  if (first === undefined) throw new Error('no rows');
  return first;
}

it('every row that was written is loaded, and no column is passed over', () => {
  const loaded = Object.entries(report.tables).map(([table, counts]) => [table, counts.loaded]);
  expect(Object.fromEntries(loaded)).toEqual(truth.rows);
  expect(report.warnings).toEqual([]);
});

describe('orders and products', () => {
  it('totals', async () => {
    const { orders_count, revenue, unique_customers_count } = truth.totals;
    const found = await ask<Numbers>('order_statistics', H);
    expect(found).toMatchObject({ orders_count, unique_customers_count });
    expectMoney(found.orders_revenues, revenue);
  });

  it('busiest month', async () => {
    const { month, orders_count } = truth.busiest_month;
    const { periods } = await ask<{ periods: { period: string; orders_count: number }[] }>(
      'order_statistics_trend',
      { ...H, breakdown: 'month' },
    );
    expect(largest(periods, (row) => row.orders_count)).toMatchObject({ period: month, orders_count });
  });

  it('everything that was paid back, by the day of the refund, also of orders cancelled meanwhile', async () => {
    const rowsOf = async <Row>(table: string): Promise<Row[]> =>
      (await readFile(join(test.madeFiles, `demo-shop/${table}.ndjson`), 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    const orders = await rowsOf<OrderRow>('orders');
    const refunds = await rowsOf<RefundRow>('refunds');
    const orderOf = new Map(orders.map((order) => [order.order_id, order]));
    const september = refunds.flatMap(({ order_id, refunded_at, amount }) => {
      const order = orderOf.get(order_id);
      if (order === undefined || order.is_test || !refunded_at.startsWith('2026-09')) return [];
      return [
        { paidBack: Number(amount) * Number(order.fx_rate ?? 1), isCancelled: order.status === 'cancelled' },
      ];
    });
    const sum = (some: typeof september) => some.reduce((total, { paidBack }) => total + paidBack, 0);
    const ofCancelled = sum(september.filter(({ isCancelled }) => isCancelled));
    const found = await ask<Numbers>('order_statistics', {
      ...{ from_date: '2026-09-01T00:00:00', to_date: '2026-09-30T23:59:59' },
    });
    expect(ofCancelled).toBeGreaterThan(0);
    expectMoney(found.refunded_revenue_by_refund_date, sum(september).toFixed(4));
    expectMoney(found.refunded_revenue_of_cancelled_orders, ofCancelled.toFixed(4));
    expectMoney(
      found.revenue_after_refunds_by_refund_date,
      (Number(found.orders_revenues) - sum(september) + ofCancelled).toFixed(4),
    );
  });

  it('best-selling product of a month', async () => {
    const { month, external_product_id, name, total_quantity } = truth.best_selling_product;
    const { products } = await ask<{ products: object[] }>('product_statistics', {
      ...{ from_date: `${month}-01T00:00:00`, to_date: `${month}-31T23:59:59` },
      ...{ sort_by: 'total_quantity', limit: 1 },
    });
    expect(products).toMatchObject([{ external_product_id, total_quantity }]);
    expect(await ask('list_products', { search: name })).toMatchObject({
      products: [{ external_product_id, name }],
    });
  });

  it('the most viewed of the products that never sold', async () => {
    const { external_product_id, impressions } = truth.never_sold_product;
    const { products } = await ask<{ products: object[] }>('product_statistics', {
      ...{ ...H, sort_by: 'impressions', limit: 1 },
      filter_metrics: [{ metric: 'total_quantity', to_value: 0 }],
    });
    expect(products).toMatchObject([{ external_product_id, impressions, unique_orders_count: 0 }]);
  });

  it('best brand of a quarter', async () => {
    const { from_date, to_date, brand, estimated_revenue } = truth.best_brand;
    const { brands } = await ask<{ brands: { brand: string; estimated_revenue: number }[] }>(
      'brand_statistics',
      {
        ...{ from_date: `${from_date}T00:00:00`, to_date: `${to_date}T23:59:59` },
        ...{ sort_by: 'estimated_revenue', limit: 1 },
      },
    );
    expect(brands[0]?.brand).toBe(brand);
    expectMoney(brands[0]?.estimated_revenue, estimated_revenue);
  });

  it('a price rise', async () => {
    const { external_product_id, date, price_before, price_after } = truth.price_rise;
    const { product } = await ask<{ product: { price_history: { valid_from: string; price: number }[] } }>(
      'get_product',
      { external_product_id },
    );
    expect(product).toMatchObject({ price: Number(price_after) });
    expect(product.price_history.map(({ price }) => price)).toEqual([
      Number(price_after),
      Number(price_before),
    ]);
    // Midnight in the winter of Prague.
    expect(product.price_history[0]?.valid_from).toBe(momentText(`${date}T00:00:00+01:00`));
  });

  it('the size of the catalogue', async () => {
    const count = async (tool: string, args: object = {}) =>
      (await ask<{ total_count: number }>(tool, { limit: 1, ...args })).total_count;
    expect({
      products_count: await count('list_products'),
      discontinued_count: await count('list_products', { filter_discontinued: true }),
      out_of_stock_count: await count('list_products', { filter_in_stock: false }),
      categories_count: await count('list_product_categories'),
      brands_count: await count('list_product_brands'),
    }).toEqual(truth.catalogue);
  });
});

describe('how customers buy', () => {
  it('busiest hour, most used way to pay, most used coupon', async () => {
    const { busiest_hour, most_used_payment_method } = truth.buying;
    const coupon = truth.most_used_coupon;
    for (const [dimension, key, { orders_count }] of [
      ['hour', String(busiest_hour.hour).padStart(2, '0'), busiest_hour],
      ['payment_method', most_used_payment_method.payment_method, most_used_payment_method],
      ['coupon', coupon.coupon_code, coupon],
    ] as const) {
      const { rows } = await ask<{ rows: { key: string; orders_count: number }[] }>(
        'order_distribution_statistics',
        { ...H, dimension },
      );
      const named = rows.filter((row) => row.key !== '(not set)');
      // Two hours can be equally busy.
      expect(Math.max(...named.map((row) => row.orders_count))).toBe(orders_count);
      expect(named).toContainEqual(expect.objectContaining({ key, orders_count }));
    }
  });

  it('has its pauses from the first order to the second', async () => {
    const { eligible_customers_count, returned_customers_count, median_days } = truth.buying.first_repurchase;
    expect(await ask('repeat_purchase_cycle', { ...H, from_order_number: 1 })).toMatchObject({
      ...{ eligible_customers_count, returned_customers_count },
      median_days_to_next_order: median_days,
    });
  });

  // The two have no master product, so they are the same at both levels.
  it.each(['product', 'master_product'])('the pair bought together most often, by %s', async (level) => {
    const { external_product_ids, baskets_count, orders_counts, pair_orders_count } =
      truth.buying.bought_together;
    const [one, other] = external_product_ids;
    const [ofOne, ofOther] = orders_counts;
    const found = await ask<{ pairs: { antecedent: string; consequent: string }[] }>(
      'product_affinity_statistics',
      {
        ...{ ...H, relation: 'same_order', level, sort_by: 'pair_orders_count', limit: 1 },
      },
    );
    expect(found).toMatchObject({ baskets_count });
    const [pair] = found.pairs;
    const [counts, names] = [{ [String(one)]: ofOne, [String(other)]: ofOther }, [one, other].map(String)];
    expect([pair?.antecedent, pair?.consequent].map(String).sort()).toEqual(names.sort());
    expect(pair).toMatchObject({
      pair_orders_count,
      antecedent_orders_count: counts[String(pair?.antecedent)],
      consequent_orders_count: counts[String(pair?.consequent)],
    });
  });

  it('the product that is bought again and again', async () => {
    const { external_product_id, rebuying_orders_count, median_days } = truth.buying.replenished_product;
    const { pairs } = await ask<{ pairs: { consequent: string }[] }>('product_affinity_statistics', {
      ...{ ...H, relation: 'next_order', level: 'product', limit: 1000 },
      filter_antecedents: [external_product_id],
    });
    expect(pairs.find(({ consequent }) => consequent === external_product_id)).toMatchObject({
      antecedent: external_product_id,
      pair_orders_count: rebuying_orders_count,
      median_days_between: median_days,
    });
  });

  it('a category that is sold for the first time', async () => {
    const { category, first_month, orders_count } = truth.buying.new_category;
    const { periods } = await ask<{ periods: { period: string; unique_orders_count: number }[] }>(
      'category_statistics_trend',
      { ...H, breakdown: 'month', categories: [category] },
    );
    const sold = periods.filter((row) => row.unique_orders_count > 0);
    expect(sold[0]?.period).toBe(first_month);
    expect(sold.reduce((sum, row) => sum + row.unique_orders_count, 0)).toBe(orders_count);
  });

  it('champions who stay away', async () => {
    const { from_date, to_date, champions_count, lapsed_count } = truth.buying.lapsed_champions;
    const found = await ask<{
      from_as_of: string;
      segments: { segment: string; customers_at_start_count: number }[];
      transitions: { from_segment: string | null; to_segment: string; customers_count: number }[];
    }>(ofAnybody('rfm_segment_transitions'), {
      // The tool starts from the second before from_date.
      from_date: new Date(Date.parse(from_date) + 1_000).toISOString(),
      to_date,
    });
    expect(found.from_as_of).toBe(momentText(from_date));
    const champions = found.segments.find(({ segment }) => segment === 'champions');
    expect(champions?.customers_at_start_count).toBe(champions_count);
    const lapsed = found.transitions.filter(
      ({ from_segment, to_segment }) =>
        from_segment === 'champions' && ['at_risk', 'cant_lose', 'hibernating'].includes(to_segment),
    );
    expect(lapsed.reduce((sum, { customers_count }) => sum + customers_count, 0)).toBe(lapsed_count);
  });
});

describe('a review of customers should see', () => {
  it('the loyal who are at risk at the end of a month', async () => {
    const { from_date, to_date, loyal_count, at_risk_count } = truth.buying.loyal_at_risk;
    const { segments, transitions } = await ask<{
      segments: { segment: string; customers_at_start_count: number }[];
      transitions: { from_segment: string; to_segment: string; customers_count: number | null }[];
    }>('rfm_segment_transitions', {
      from_date: `${from_date}T00:00:00`,
      to_date: `${to_date}T23:59:59`,
    });
    const loyal = segments.find(({ segment }) => segment === 'loyal');
    expect(loyal?.customers_at_start_count).toBe(loyal_count);
    const gone = transitions.find((row) => row.from_segment === 'loyal' && row.to_segment === 'at_risk');
    expect(gone).toMatchObject({ direction: 'down' });
    // No number is said of one to four people.
    expect(gone?.customers_count).toBe(at_risk_count < 5 ? null : at_risk_count);
  });

  it('the month whose new customers came back most', async () => {
    const { cohort, customers_count, returned_customers_count } = truth.buying.best_cohort;
    const { cohorts } = await ask<{
      cohorts: {
        cohort: string;
        customers_count: number;
        retention: { days: number; retention_rate: number; is_mature: boolean }[];
      }[];
    }>('first_purchase_cohorts', { from_date: '2025-01-01T00:00:00', to_date: H.to_date });
    const rates = cohorts.flatMap(({ retention, ...row }) => {
      const within = retention.find(({ days }) => days === 90);
      return within?.is_mature ? [{ ...row, rate: within.retention_rate }] : [];
    });
    expect(largest(rates, ({ rate }) => rate)).toMatchObject({
      ...{ cohort, customers_count },
      rate: Math.round((1_000_000 * returned_customers_count) / customers_count) / 10_000,
    });
  });
});

describe('the answers about visitors and orders have', () => {
  const byGroup = (group_by: string) => ask<Traffic>('session_statistics', { ...H, group_by, limit: 1000 });
  const value = (row: Numbers | Traffic['sessions'][number], key: string) => Number(row[key] ?? 0);

  it('sessions, suspected bots and orders that nobody saw coming', async () => {
    const { sessions_count, suspected_bot_sessions_count, untracked_orders } = truth.traffic;
    const found = await byGroup('none');
    expect(found.totals).toMatchObject({ sessions_count, suspected_bot_sessions_count });
    expect(found.untracked_orders_count).toBe(untracked_orders.orders_count);
    expectMoney(found.untracked_revenue, untracked_orders.revenue);
  });

  it('best channel by last click, the one that converts best, and the one that assists', async () => {
    const { best_channel, best_conversion, assisting_channel } = truth.traffic;
    const { sessions, totals } = await byGroup('channel');
    const best = largest(
      sessions.filter(({ key }) => key !== 'Direct'),
      (row) => value(row, 'last_click_revenue'),
    );
    expect(best).toMatchObject({ key: best_channel.channel, orders_count: best_channel.orders_count });
    expectMoney(best.last_click_revenue, best_channel.last_click_revenue);

    const common = sessions.filter(
      (row) => value(row, 'sessions_count') >= value(totals, 'sessions_count') / 100,
    );
    const { channel, sessions_count, converting_sessions_count } = best_conversion;
    expect(largest(common, (row) => value(row, 'conversion_rate'))).toMatchObject({
      ...{ key: channel, sessions_count, converting_sessions_count },
    });

    const assisting = largest(
      common,
      (row) => value(row, 'first_click_revenue') / Math.max(0.01, value(row, 'last_click_revenue')),
    );
    expect(assisting.key).toBe(assisting_channel.channel);
    expectMoney(assisting.first_click_revenue, assisting_channel.first_click_revenue);
    expectMoney(assisting.last_click_revenue, assisting_channel.last_click_revenue);
  });

  it('the best and the worst campaign for the money', async () => {
    const { best_campaign, worst_campaign } = truth.traffic;
    const { sessions } = await byGroup('campaign');
    const paid = sessions.filter((row) => row.key !== '(not set)' && row.ad_cost !== null);
    const best = largest(paid, (row) => value(row, 'return_on_ad_spend'));
    const worst = largest(paid, (row) => -value(row, 'return_on_ad_spend'));
    for (const [found, { source, medium, campaign, ad_cost, last_click_revenue }] of [
      [best, best_campaign],
      [worst, worst_campaign],
    ] as const) {
      expect(found).toMatchObject({ key: campaign, campaign, source, medium, ad_cost: Number(ad_cost) });
      expectMoney(found.last_click_revenue, last_click_revenue);
    }
  });

  it('the typical way to an order over three channels', async () => {
    const { path, journeys_count } = truth.traffic.typical_journey;
    const { journeys } = await ask<{ journeys: { touches_count: number; journeys_count: number }[] }>(
      'journey_statistics',
      {
        ...{ ...H, touch: 'channel', outcome: 'converted', lookback_days: 30, collapse_repeats: true },
        limit: 1000,
      },
    );
    const ofThree = journeys.filter((row) => row.touches_count === 3);
    expect(largest(ofThree, (row) => row.journeys_count)).toMatchObject({ path, journeys_count });
  });

  const byDay = async (from: string, to: string) =>
    (
      await ask<{ periods: TrafficPeriod[] }>('session_statistics_trend', {
        ...{ from_date: `${from}T00:00:00`, to_date: `${to}T23:59:59`, breakdown: 'day' },
      })
    ).periods;

  it('a day that is not like others', async () => {
    const { date, sessions_count } = truth.traffic.anomaly_day;
    const days = await byDay('2026-04-01', '2026-06-30');
    expect(largest(days, (row) => row.sessions_count)).toMatchObject({
      ...{ period: date, sessions_count, is_anomalous: true },
    });
  });

  it('the worst day of bots', async () => {
    const { date, suspected_bot_sessions_count } = truth.traffic.worst_bot_day;
    const days = await byDay('2026-01-01', '2026-03-31');
    expect(largest(days, (row) => row.suspected_bot_sessions_count)).toMatchObject({
      ...{ period: date, suspected_bot_sessions_count },
    });
  });

  it('a source that grows over the quarters', async () => {
    const { source, sessions_by_quarter } = truth.traffic.growing_source;
    const { periods } = await ask<{ periods: TrafficPeriod[] }>('session_statistics_trend', {
      ...{ ...H, breakdown: 'month', filter_sources: [source] },
    });
    const quarters = Map.groupBy(
      periods,
      ({ period }) => `${period.slice(0, 4)}-Q${Math.ceil(Number(period.slice(5)) / 3)}`,
    );
    const found = [...quarters].map(([quarter, months]) => [
      quarter,
      months.reduce((sum, { sessions_count }) => sum + sessions_count, 0),
    ]);
    expect(found).toEqual(sessions_by_quarter);
  });

  it('the contributions of channels, invariant 9', async () => {
    const { transitions, channels } = await ask<{
      transitions: { from: string; probability: number }[];
      channels: { channel: string; removal_effect: number; markov_revenue: number }[];
    }>(ofAnybody('channel_transition_matrix'), H);
    for (const [from, steps] of Map.groupBy(transitions, (step) => step.from)) {
      const all = steps.reduce((sum, { probability }) => sum + probability, 0);
      expect(all, from).toBeCloseTo(100, 2);
    }
    const { revenue } = await ask<{ revenue: number }>('journey_statistics', { ...H, outcome: 'converted' });
    const divided = channels.reduce((sum, { markov_revenue }) => sum + markov_revenue, 0);
    expect(Math.abs(divided - revenue)).toBeLessThan(0.01);
  });
});

it.each(['email', 'sms'] as const)(
  'people may be written to by %s, and the days say how it came to that',
  async (channel) => {
    const { subscribed_at_end_count, states } = await ask<{
      subscribed_at_end_count: number;
      states: { state: string; profiles_count: number }[];
    }>('subscriber_statistics', { ...H, channel });
    const asked = states.filter(
      ({ state, profiles_count }) => state !== 'never_subscribed' && profiles_count > 0,
    );
    expect(Object.fromEntries(asked.map(({ state, profiles_count }) => [state, profiles_count]))).toEqual(
      truth.subscribers[channel],
    );
    const { periods } = await ask<{ periods: Numbers[] }>('subscriber_statistics_trend', {
      ...{ ...H, channel, breakdown: 'week' },
    });
    expect(periods.at(-1)?.subscribed_at_end_count).toBe(subscribed_at_end_count);
    expect(subscribed_at_end_count).toBe(truth.subscribers[channel].subscribed);
  },
);
