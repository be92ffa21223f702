import { listBusinesses } from './tools/businesses/list-businesses.ts';
import { campaignStatisticsTrend } from './tools/campaign-statistics/campaign-statistics-trend.ts';
import { campaignVariantStatistics } from './tools/campaign-statistics/campaign-variant-statistics.ts';
import { getCampaignStatistics } from './tools/campaign-statistics/get-campaign-statistics.ts';
import { incrementalCampaignStatistics } from './tools/campaign-statistics/incremental-campaign-statistics.ts';
import { popupCampaignStatistics } from './tools/campaign-statistics/popup-campaign-statistics.ts';
import { targetedCampaignStatistics } from './tools/campaign-statistics/targeted-campaign-statistics.ts';
import { getCampaign } from './tools/campaigns/get-campaign.ts';
import { getCampaignContent } from './tools/campaigns/get-campaign-content.ts';
import { getCampaignTargeting } from './tools/campaigns/get-campaign-targeting.ts';
import { listCampaigns } from './tools/campaigns/list-campaigns.ts';
import { emailCampaignStatistics } from './tools/email/email-campaign-statistics.ts';
import { emailCampaignTypeStatistics } from './tools/email/email-campaign-type-statistics.ts';
import { emailChannelStatistics } from './tools/email/email-channel-statistics.ts';
import { emailDeliverabilityStatistics } from './tools/email/email-deliverability-statistics.ts';
import { emailLinkStatistics } from './tools/email/email-link-statistics.ts';
import { emailRevenueStatistics } from './tools/email/email-revenue-statistics.ts';
import { interestListStatistics } from './tools/interest-lists/interest-list-statistics.ts';
import { listInterestLists } from './tools/interest-lists/list-interest-lists.ts';
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
import { estimateSegmentQuery } from './tools/segments/estimate-segment-query.ts';
import { getSegment } from './tools/segments/get-segment.ts';
import { listSegments } from './tools/segments/list-segments.ts';
import { smsCampaignStatistics } from './tools/sms/sms-campaign-statistics.ts';
import { smsCampaignTypeStatistics } from './tools/sms/sms-campaign-type-statistics.ts';
import { smsChannelStatistics } from './tools/sms/sms-channel-statistics.ts';
import { smsRevenueStatistics } from './tools/sms/sms-revenue-statistics.ts';
import { subscriberStatistics } from './tools/subscribers/subscriber-statistics.ts';
import { subscriberStatisticsTrend } from './tools/subscribers/subscriber-statistics-trend.ts';
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
  emailRevenueStatistics,
  emailChannelStatistics,
  emailCampaignTypeStatistics,
  emailCampaignStatistics,
  emailLinkStatistics,
  emailDeliverabilityStatistics,
  smsRevenueStatistics,
  smsChannelStatistics,
  smsCampaignTypeStatistics,
  smsCampaignStatistics,
  subscriberStatistics,
  subscriberStatisticsTrend,
  listRfmProfiles,
  getRfmProfile,
  rfmSegmentStatistics,
  rfmSegmentStatisticsTrend,
  rfmSegmentTransitions,
  getCampaignStatistics,
  campaignStatisticsTrend,
  targetedCampaignStatistics,
  incrementalCampaignStatistics,
  popupCampaignStatistics,
  campaignVariantStatistics,
  listInterestLists,
  interestListStatistics,
  listProductCategories,
  listProductBrands,
  listProducts,
  getProduct,
  listCampaigns,
  getCampaign,
  getCampaignContent,
  getCampaignTargeting,
  listSegments,
  getSegment,
  estimateSegmentQuery,
];
