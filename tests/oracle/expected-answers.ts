// Every tool that the oracle knows, by the tool's name.
import { brandStatistics, brandStatisticsTrend } from './brand-statistics.ts';
import { categoryStatistics, categoryStatisticsTrend } from './category-statistics.ts';
import { firstPurchaseCohorts } from './first-purchase-cohorts.ts';
import { masterProductStatistics, masterProductStatisticsTrend } from './master-product-statistics.ts';
import { orderDistributionStatistics } from './order-distribution-statistics.ts';
import { orderStatistics, orderStatisticsTrend } from './order-statistics.ts';
import { productAffinityStatistics } from './product-affinity-statistics.ts';
import { productStatistics, productStatisticsTrend } from './product-statistics.ts';
import { repeatPurchaseCycle } from './repeat-purchase-cycle.ts';

export const expectedAnswers = {
  order_statistics: orderStatistics,
  order_statistics_trend: orderStatisticsTrend,
  product_statistics: productStatistics,
  product_statistics_trend: productStatisticsTrend,
  category_statistics: categoryStatistics,
  category_statistics_trend: categoryStatisticsTrend,
  brand_statistics: brandStatistics,
  brand_statistics_trend: brandStatisticsTrend,
  master_product_statistics: masterProductStatistics,
  master_product_statistics_trend: masterProductStatisticsTrend,
  repeat_purchase_cycle: repeatPurchaseCycle,
  first_purchase_cohorts: firstPurchaseCohorts,
  order_distribution_statistics: orderDistributionStatistics,
  product_affinity_statistics: productAffinityStatistics,
};
