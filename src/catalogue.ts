import type { AccountTool, BusinessTool, Tool } from './answers/tool.ts';
import { EXTENSIONS, type ExtensionName } from './business/extensions.ts';
import { listBusinesses } from './domains/businesses/tools/list-businesses.ts';
import { type TrendTool, withCalendar } from './domains/calendar/queries/with-calendar.ts';
import { campaignStatisticsTrend } from './domains/campaigns/tools/campaign-statistics-trend.ts';
import { campaignVariantStatistics } from './domains/campaigns/tools/campaign-variant-statistics.ts';
import { emailCampaignStatistics } from './domains/campaigns/tools/email-campaign-statistics.ts';
import { getCampaign } from './domains/campaigns/tools/get-campaign.ts';
import { getCampaignContent } from './domains/campaigns/tools/get-campaign-content.ts';
import { getCampaignStatistics } from './domains/campaigns/tools/get-campaign-statistics.ts';
import { getCampaignTargeting } from './domains/campaigns/tools/get-campaign-targeting.ts';
import { incrementalCampaignStatistics } from './domains/campaigns/tools/incremental-campaign-statistics.ts';
import { listCampaigns } from './domains/campaigns/tools/list-campaigns.ts';
import { smsCampaignStatistics } from './domains/campaigns/tools/sms-campaign-statistics.ts';
import { targetedCampaignStatistics } from './domains/campaigns/tools/targeted-campaign-statistics.ts';
import { customerValue } from './domains/insights/tools/customer-value.ts';
import { eventEffect } from './domains/insights/tools/event-effect.ts';
import { explainChange } from './domains/insights/tools/explain-change.ts';
import { listMetrics } from './domains/insights/tools/list-metrics.ts';
import { profitStatement } from './domains/insights/tools/profit-statement.ts';
import { queryMetrics } from './domains/insights/tools/query-metrics.ts';
import { segmentPerformance } from './domains/insights/tools/segment-performance.ts';
import { stockCover } from './domains/insights/tools/stock-cover.ts';
import { watch } from './domains/insights/tools/watch.ts';
import { countsClicksOrVisits, withTracking } from './domains/messages/queries/with-tracking.ts';
import { emailCampaignTypeStatistics } from './domains/messages/tools/email-campaign-type-statistics.ts';
import { emailChannelStatistics } from './domains/messages/tools/email-channel-statistics.ts';
import { emailDeliverabilityStatistics } from './domains/messages/tools/email-deliverability-statistics.ts';
import { emailLinkStatistics } from './domains/messages/tools/email-link-statistics.ts';
import { emailRevenueStatistics } from './domains/messages/tools/email-revenue-statistics.ts';
import { smsCampaignTypeStatistics } from './domains/messages/tools/sms-campaign-type-statistics.ts';
import { smsChannelStatistics } from './domains/messages/tools/sms-channel-statistics.ts';
import { smsRevenueStatistics } from './domains/messages/tools/sms-revenue-statistics.ts';
import { firstPurchaseCohorts } from './domains/orders/tools/first-purchase-cohorts.ts';
import { orderStatistics } from './domains/orders/tools/order-statistics.ts';
import { orderStatisticsTrend } from './domains/orders/tools/order-statistics-trend.ts';
import { popupCampaignStatistics } from './domains/popups/tools/popup-campaign-statistics.ts';
import { brandStatistics } from './domains/products/tools/brand-statistics.ts';
import { brandStatisticsTrend } from './domains/products/tools/brand-statistics-trend.ts';
import { categoryStatistics } from './domains/products/tools/category-statistics.ts';
import { categoryStatisticsTrend } from './domains/products/tools/category-statistics-trend.ts';
import { getProduct } from './domains/products/tools/get-product.ts';
import { listProductBrands } from './domains/products/tools/list-product-brands.ts';
import { listProductCategories } from './domains/products/tools/list-product-categories.ts';
import { listProducts } from './domains/products/tools/list-products.ts';
import { masterProductStatistics } from './domains/products/tools/master-product-statistics.ts';
import { masterProductStatisticsTrend } from './domains/products/tools/master-product-statistics-trend.ts';
import { productAffinityStatistics } from './domains/products/tools/product-affinity-statistics.ts';
import { productStatistics } from './domains/products/tools/product-statistics.ts';
import { productStatisticsTrend } from './domains/products/tools/product-statistics-trend.ts';
import { repeatPurchaseCycle } from './domains/products/tools/repeat-purchase-cycle.ts';
import { getRfmProfile } from './domains/rfm/tools/get-rfm-profile.ts';
import { listRfmProfiles } from './domains/rfm/tools/list-rfm-profiles.ts';
import { orderDistributionStatistics } from './domains/rfm/tools/order-distribution-statistics.ts';
import { rfmSegmentStatistics } from './domains/rfm/tools/rfm-segment-statistics.ts';
import { rfmSegmentStatisticsTrend } from './domains/rfm/tools/rfm-segment-statistics-trend.ts';
import { rfmSegmentTransitions } from './domains/rfm/tools/rfm-segment-transitions.ts';
import { estimateSegmentQuery } from './domains/segments/tools/estimate-segment-query.ts';
import { getSegment } from './domains/segments/tools/get-segment.ts';
import { listSegments } from './domains/segments/tools/list-segments.ts';
import { describeTables } from './domains/sql/tools/describe-tables.ts';
import { querySql } from './domains/sql/tools/query-sql.ts';
import { interestListStatistics } from './domains/subscribers/tools/interest-list-statistics.ts';
import { listInterestLists } from './domains/subscribers/tools/list-interest-lists.ts';
import { subscriberStatistics } from './domains/subscribers/tools/subscriber-statistics.ts';
import { subscriberStatisticsTrend } from './domains/subscribers/tools/subscriber-statistics-trend.ts';
import { countsVisits, withVisitNotes } from './domains/traffic/queries/with-visit-notes.ts';
import { channelTransitionMatrix } from './domains/traffic/tools/channel-transition-matrix.ts';
import { journeyStatistics } from './domains/traffic/tools/journey-statistics.ts';
import { sessionStatistics } from './domains/traffic/tools/session-statistics.ts';
import { sessionStatisticsTrend } from './domains/traffic/tools/session-statistics-trend.ts';

type ContractTool = BusinessTool | AccountTool;

const TOOLS: readonly ContractTool[] = [
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

/**
 * Every tool, in the order in which clients see them. Registration, permissions and tests derive from this
 * list.
 */
export const CATALOGUE: readonly ContractTool[] = TOOLS.map((tool) => {
  if (tool.scope !== 'business') return tool;
  const visited = countsVisits(tool) ? withVisitNotes(tool) : tool;
  const told = countsClicksOrVisits(visited) ? withTracking(visited) : visited;
  return isTrend(told) ? withCalendar(told) : told;
});

function isTrend(tool: BusinessTool): tool is TrendTool {
  return tool.name.endsWith('_trend');
}

/** Tools that a connection has only where it asks for them, or the server serves them to all. */
export const EXTENSION_TOOLS: readonly Tool[] = [
  listMetrics,
  queryMetrics,
  explainChange,
  customerValue,
  segmentPerformance,
  profitStatement,
  watch,
  stockCover,
  eventEffect,
  querySql,
  describeTables,
];

/** The extension that a tool is of; null of one of the contract. */
export function extensionOf({ group }: Tool): ExtensionName | null {
  const named = Object.entries(EXTENSIONS) as [ExtensionName, string][];
  return named.find(([, title]) => title === group)?.[0] ?? null;
}

/** The tools of these extensions. */
export function toolsOfExtensions(names: readonly ExtensionName[]): readonly Tool[] {
  const titles: readonly string[] = names.map((name) => EXTENSIONS[name]);
  return EXTENSION_TOOLS.filter(({ group }) => titles.includes(group));
}
