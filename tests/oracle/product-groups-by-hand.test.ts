import { describe, expect, test } from 'vitest';
import { brandStatistics, brandStatisticsTrend } from './brand-statistics.ts';
import { categoryStatistics, categoryStatisticsTrend } from './category-statistics.ts';
import { round4 } from './decimals.ts';
import { april, everything, march, only, range, store } from './hand-made-months.ts';
import { masterProductStatistics, masterProductStatisticsTrend } from './master-product-statistics.ts';
import { productStatistics } from './product-statistics.ts';

describe('product groups', () => {
  test('category "Dům, byt" in January and February: P4 in O-001 and O-006, P9 in O-004', () => {
    const args = { ...range('2024-01-01', '2024-02-29'), filter_categories: ['Dům, byt'] };
    expect(only(categoryStatistics(store, args).categories)).toMatchObject({
      category: 'Dům, byt',
      unique_orders_count: 3,
      total_quantity: 7, // 1 + 0.5 + 5
      estimated_revenue: 1200.5, // 150.50 + 50 + 1000
      avg_order_value: 499.8333, // (449.50 + 50 + 1000) / 3
      estimated_gross_profit: 600, // 1000 − 5 × 80; P4 is not known
      products_count: 2,
      avg_price: 175.25,
      avg_gross_profit_margin: 50, // of P9 alone
    });
  });
  test('category trend by day over the leap day', () => {
    const { periods } = categoryStatisticsTrend(store, {
      ...range('2024-02-28', '2024-03-01'),
      breakdown: 'day',
      categories: ['Trička', 'no such'],
    });
    expect(periods.map((row) => [row.category, row.period, row.estimated_revenue, row.reach])).toEqual([
      ['Trička', '2024-02-28', 0, 0],
      ['Trička', '2024-02-29', 608.28, 2],
      ['Trička', '2024-03-01', 0, 0],
    ]);
    expect(periods[1]?.total_engagement_time_s).toBe(1835.4);
  });
  test('the brand "(not set)" in April holds P5, X1, X2 and X5', () => {
    const args = { ...april, filter_brands: ['(not set)'] };
    expect(only(brandStatistics(store, args).brands)).toMatchObject({
      brand: '(not set)',
      products_count: 4,
      avg_price: 99.9, // P5, the only one in the catalogue
      avg_gross_profit_margin: 54.955, // 54.90 / 99.90
      unique_orders_count: 2,
      estimated_revenue: 199.8,
      estimated_gross_profit: 109.8,
      impressions: 1,
      total_engagement_time_s: 1800,
      total_engagement_score: 9, // 7 for the view of X2, 2 for the wish of X5
    });
  });
  test('brand trend', () => {
    const args = { ...range('2024-03-31', '2024-04-01'), breakdown: 'day', brands: ['Kubík & syn'] } as const;
    expect(brandStatisticsTrend(store, { ...args, brands: ['Kubík & syn'] }).periods).toMatchObject([
      // P2 in O-017: 299 − 125; viewed by Petr (70 s) and v-anon (10.0001 s)
      { brand: 'Kubík & syn', estimated_gross_profit: 174, impressions: 2, total_engagement_time_s: 80.0001 },
      { brand: 'Kubík & syn', estimated_gross_profit: null, impressions: 0, unique_orders_count: 0 },
    ]);
  });
  test('master M1 in March: O-011 P1, O-9 twice P1, O-017 P2 and P3', () => {
    const args = { ...march, filter_external_master_product_ids: ['M1'] };
    expect(only(masterProductStatistics(store, args).master_products)).toMatchObject({
      external_master_product_id: 'M1',
      unique_orders_count: 3,
      new_orders_count: 1, // O-017; the others are second orders
      second_order_occurrences: 2,
      total_quantity: 5,
      estimated_revenue: 1397, // 299 + 500 + 598
      estimated_gross_profit: 752, // 179 + (130 + 100) + (174 + 169)
      avg_order_value: 465.6667, // (299 + 500 + 598) / 3
      unique_customers_count: 3,
      new_customers_count: 3, // all three bought for the first time in March, though not these products
      returning_customers_count: 0,
      impressions: 4,
      reach: 2,
      total_engagement_time_s: 160,
      total_engagement_score: 19, // (1+6) + (1+4) + (1+4) + (1+1)
      conversion_rate: 50,
      products_count: 3,
      avg_price: 299,
      avg_gross_profit_margin: 58.194, // (179 + 174 + 169) / 3 / 299
    });
    const outlet = masterProductStatistics(store, { ...march, filter_brands: ['Kubík Outlet'] });
    expect(only(outlet.master_products)).toMatchObject({
      external_master_product_id: 'M1',
      unique_orders_count: 1,
      estimated_revenue: 299,
      products_count: 1,
      total_engagement_score: 10,
    });
  });
  test('a product without master is a master, here also of P11', () => {
    const { periods } = masterProductStatisticsTrend(store, {
      ...april,
      breakdown: 'month',
      external_master_product_ids: ['P4', 'P11'],
    });
    // O-018 P11 150.50 − 75.25; O-022 P4 75 USD × 23.456789, cost unknown
    expect(only(periods)).toMatchObject({
      external_master_product_id: 'P4',
      unique_orders_count: 2,
      estimated_revenue: 1909.7592,
      estimated_gross_profit: 75.25,
    });
  });
  test('sums over products agree with brands and masters', () => {
    const args = { ...everything, limit: 1000 };
    const total = (rows: { estimated_revenue: number }[]) =>
      round4(rows.reduce((revenue, row) => revenue + row.estimated_revenue, 0));
    const products = total(productStatistics(store, args).products);
    expect(total(brandStatistics(store, args).brands)).toBe(products);
    expect(total(masterProductStatistics(store, args).master_products)).toBe(products);
  });
});
