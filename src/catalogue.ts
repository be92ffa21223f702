import { listBusinesses } from './tools/businesses/list-businesses.ts';
import { firstPurchaseCohorts } from './tools/order-patterns/first-purchase-cohorts.ts';
import { orderDistributionStatistics } from './tools/order-patterns/order-distribution-statistics.ts';
import { productAffinityStatistics } from './tools/order-patterns/product-affinity-statistics.ts';
import { repeatPurchaseCycle } from './tools/order-patterns/repeat-purchase-cycle.ts';
import { orderStatistics } from './tools/orders/order-statistics.ts';
import { orderStatisticsTrend } from './tools/orders/order-statistics-trend.ts';
import { brandStatistics } from './tools/product-analytics/brand-statistics.ts';
import { brandStatisticsTrend } from './tools/product-analytics/brand-statistics-trend.ts';
import { categoryStatistics } from './tools/product-analytics/category-statistics.ts';
import { categoryStatisticsTrend } from './tools/product-analytics/category-statistics-trend.ts';
import { listProductBrands } from './tools/product-analytics/list-product-brands.ts';
import { listProductCategories } from './tools/product-analytics/list-product-categories.ts';
import { masterProductStatistics } from './tools/product-analytics/master-product-statistics.ts';
import { masterProductStatisticsTrend } from './tools/product-analytics/master-product-statistics-trend.ts';
import { productStatistics } from './tools/product-analytics/product-statistics.ts';
import { productStatisticsTrend } from './tools/product-analytics/product-statistics-trend.ts';
import { getProduct } from './tools/products/get-product.ts';
import { listProducts } from './tools/products/list-products.ts';
import { getRfmProfile } from './tools/rfm/get-rfm-profile.ts';
import { listRfmProfiles } from './tools/rfm/list-rfm-profiles.ts';
import { rfmSegmentStatistics } from './tools/rfm/rfm-segment-statistics.ts';
import { rfmSegmentStatisticsTrend } from './tools/rfm/rfm-segment-statistics-trend.ts';
import { rfmSegmentTransitions } from './tools/rfm/rfm-segment-transitions.ts';
import type { Tool } from './tools/tool.ts';
import { channelTransitionMatrix } from './tools/traffic/channel-transition-matrix.ts';
import { journeyStatistics } from './tools/traffic/journey-statistics.ts';
import { sessionStatistics } from './tools/traffic/session-statistics.ts';
import { sessionStatisticsTrend } from './tools/traffic/session-statistics-trend.ts';

/** Every tool, in the order in which clients see them. Registration, permissions and tests derive from this list. */
export const CATALOGUE: readonly Tool[] = [
  listBusinesses,
  orderStatistics,
  orderStatisticsTrend,
  productStatistics,
  productStatisticsTrend,
  categoryStatistics,
  categoryStatisticsTrend,
  brandStatistics,
  brandStatisticsTrend,
  masterProductStatistics,
  masterProductStatisticsTrend,
  repeatPurchaseCycle,
  firstPurchaseCohorts,
  orderDistributionStatistics,
  productAffinityStatistics,
  sessionStatistics,
  sessionStatisticsTrend,
  journeyStatistics,
  channelTransitionMatrix,
  listRfmProfiles,
  getRfmProfile,
  rfmSegmentStatistics,
  rfmSegmentStatisticsTrend,
  rfmSegmentTransitions,
  listProductCategories,
  listProductBrands,
  listProducts,
  getProduct,
];
