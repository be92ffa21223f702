import { describe, expect, test } from 'vitest';
import { categoryStatistics } from './category-statistics.ts';
import { everything, february, january, march, only, range, store } from './hand-made-months.ts';
import { productStatistics, productStatisticsTrend } from './product-statistics.ts';

describe('product statistics', () => {
  test('P1 in February, sold once for euros', () => {
    const args = { ...february, filter_external_product_ids: ['P1', 'unknown'] };
    expect(only(productStatistics(store, args).products)).toMatchObject({
      external_product_id: 'P1',
      unique_orders_count: 1,
      new_orders_count: 1,
      returning_orders_count: 0,
      total_quantity: 2,
      estimated_revenue: 608.28, // 2 × 12 × 25.345
      unique_customers_count: 1,
      new_customers_count: 1,
      returning_customers_count: 0,
      avg_order_value: 1013.8,
      impressions: 3,
      reach: 2,
      total_engagement_time_s: 1835, // 1800 (capped) + 9.9 + 25.5 = 1835.4
      total_engagement_score: 14, // (1+6) + (1+0) + (1+2) + 3 for the cart
      avg_engagement_time_s: 611.8,
      avg_engagement_score: 4.6667,
      conversion_rate: 50, // v-eva bought, v-anon did not
      first_order_occurrences: 1,
      second_order_occurrences: 0,
      estimated_gross_profit: 294.002, // 608.28 less a tenth, the discount of the order, − 2 × 5 × 25.345 (= 253.45)
      revenue_with_known_cost: 100,
      estimated_gross_profit_margin: 53.7037, // 294.002 / 547.452
      price: 299,
      purchase_price: 120,
      gross_profit: 179,
      gross_profit_margin: 59.8662, // 179 / 299
      brand: 'Kubík & syn',
      categories: ['Trička', 'Výprodej'],
      discontinued: false,
    });
  });
  test('profit by purchase prices of all three places', () => {
    const profit = (args: typeof january, id: string) =>
      only(productStatistics(store, { ...args, filter_external_product_ids: [id] }).products)
        .estimated_gross_profit;
    expect(profit(february, 'P6')).toBe(-235.032); // 16 × 25.345 = 405.52 less a tenth, less 600 of the catalogue
    expect(profit(range('2024-06-30', '2024-06-30'), 'P9')).toBe(120); // 200 − 80 of the history
    expect(profit(range('2024-07-01', '2024-07-01'), 'P9')).toBe(105); // 200 − 95, from this very moment
    expect(profit(range('2024-12-31', '2024-12-31'), 'P9')).toBe(100); // 2 × (200 − 150 of the line)
    expect(profit(january, 'P4')).toBe(0); // not known
  });
  test('put what is not known last and within no bounds', () => {
    // Sold: P4 without a known cost, P1 with; P6 is not sold at all, which is a profit of 0.
    const ids = (args: object) =>
      productStatistics(store, {
        ...january,
        filter_external_product_ids: ['P1', 'P4', 'P6'],
        ...args,
      }).products.map((row) => row.external_product_id);
    for (const [sort_order, expected] of [
      ['asc', ['P6', 'P1', 'P4']],
      ['desc', ['P1', 'P6', 'P4']],
    ] as const) {
      expect(ids({ sort_by: 'estimated_gross_profit', sort_order })).toEqual(expected);
    }
    expect(ids({ filter_metrics: [{ metric: 'estimated_gross_profit', to_value: 0 }] })).toEqual(['P6']);
    const row = only(categoryStatistics(store, { ...january, filter_categories: ['Dům, byt'] }).categories);
    expect(row).toMatchObject({ revenue_with_known_cost: 0, estimated_gross_profit_margin: null });
  });
  test('margins divide by the revenue of which the cost is known', () => {
    const args = { ...range('2024-01-01', '2024-02-29'), filter_categories: ['Dům, byt'] };
    // 1000 of 1200.50 is of P9, whose profit is 600.
    expect(only(categoryStatistics(store, args).categories)).toMatchObject({
      revenue_with_known_cost: 83.2986,
      estimated_gross_profit_margin: 60,
    });
  });
  test('a view by somebody tied by a cancelled order, and an order by the visitor of another', () => {
    // P4 in March: viewed by v-karel (O-007 cancelled, O-008 has P4) and v-petr (O-10 has P4). X1 has no
    // view.
    const args = { ...march, filter_external_product_ids: ['P4', 'X1'] };
    const rows = productStatistics(store, args).products;
    expect(rows).toMatchObject([
      { external_product_id: 'P4', unique_orders_count: 2, reach: 2, conversion_rate: 100 },
      {
        external_product_id: 'X1',
        unique_orders_count: 1,
        reach: 0,
        conversion_rate: 0,
        price: 0,
        brand: '(not set)',
      },
    ]);
  });
  test('one person with two visitor ids is one of reach', () => {
    const args = { ...march, filter_external_product_ids: ['P10'] };
    expect(only(productStatistics(store, args).products)).toMatchObject({
      impressions: 2,
      reach: 1,
      total_engagement_score: 11, // (1+3) + 1 + 2 + 2 + 2
      avg_engagement_score: 5.5,
      conversion_rate: 0,
      gross_profit: null,
    });
  });
  test('a customer of before the range is a returning one', () => {
    const args = { ...range('2024-08-01', '2024-08-31'), filter_external_product_ids: ['P3'] };
    // Jana (O-027) buys P3 for the first time, but not for the first time in the shop.
    expect(only(productStatistics(store, args).products)).toMatchObject({
      new_orders_count: 0,
      unique_customers_count: 1,
      new_customers_count: 0,
      returning_customers_count: 1,
    });
  });
  test('filters, sorting and paging', () => {
    const ids = (args: object) =>
      productStatistics(store, { ...everything, limit: 1000, ...args }).products.map(
        (row) => row.external_product_id,
      );
    const all = ['P5', 'P4', 'P1', 'P9', 'P2', 'P3', 'P11', 'P6', 'X1', 'P7']; // 9 7 6 5 4 3 2 2 2 1 orders
    all.push('P10', 'P8', 'X2', 'X5', 'ﬀ1', '🐴1'); // X3 and X4 are not known
    expect(ids({})).toEqual(all);
    expect(ids({ limit: undefined })).toEqual(all.slice(0, 10));
    expect(ids({ limit: 3, offset: 14 })).toEqual(all.slice(14));
    expect(ids({ filter_metrics: [{ metric: 'total_quantity', to_value: 0 }] })).toEqual(all.slice(10));
    expect(ids({ filter_metrics: [{ metric: 'gross_profit', to_value: 5 }] })).toEqual(['P6', 'ﬀ1']);
    expect(ids({ filter_discontinued: true, sort_by: 'price', sort_order: 'asc' })).toEqual(['🐴1', 'P6']);
    expect(ids({ filter_brands: ['kubík & syn'], filter_categories: [] })).toEqual(['ﬀ1']);
    expect(ids({ filter_categories: ['trička', 'Ostatní'] })).toEqual(['P11', 'ﬀ1', '🐴1']);
    const byPurchasePrice = ids({ sort_by: 'purchase_price', sort_order: 'asc' });
    expect(byPurchasePrice.slice(0, 3)).toEqual(['ﬀ1', 'P7', '🐴1']);
    const withoutPurchasePrice = ['P10', 'P4', 'X1', 'X2', 'X5'];
    expect(byPurchasePrice.slice(-5)).toEqual(withoutPurchasePrice); // nulls last in both orders
    expect(ids({ sort_by: 'purchase_price' }).slice(-5)).toEqual(withoutPurchasePrice);
  });
  test('trend: known products in the order asked for, then months', () => {
    const { periods } = productStatisticsTrend(store, {
      ...range('2024-06-15', '2024-07-15'),
      breakdown: 'month',
      external_product_ids: ['P9', 'unknown', 'P4', 'P9'],
    });
    expect(periods).toMatchObject([
      { external_product_id: 'P9', period: '2024-06', estimated_gross_profit: 120, conversion_rate: 100 },
      { external_product_id: 'P9', period: '2024-07', estimated_gross_profit: 105, conversion_rate: 0 },
      { external_product_id: 'P4', period: '2024-06', estimated_gross_profit: null, total_quantity: 0 },
      // 1.5 × 6.6667 × 24.5 = 245.001225; the purchase price is not known
      {
        external_product_id: 'P4',
        period: '2024-07',
        estimated_gross_profit: null,
        estimated_revenue: 245.0012,
      },
    ]);
    expect(periods[3]).toMatchObject({ total_quantity: 2, avg_order_value: 245.0025 });
  });
});
