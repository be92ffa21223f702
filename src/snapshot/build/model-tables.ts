import { calendarEvents } from '../../domains/calendar/tables/calendar-events.ts';
import { audienceMembers } from '../../domains/campaigns/tables/audiences.ts';
import { campaigns } from '../../domains/campaigns/tables/campaigns.ts';
import { interestListCampaigns, queryReferences } from '../../domains/campaigns/tables/query-references.ts';
import { orderAttribution } from '../../domains/messages/tables/attribution.ts';
import { campaignHistory, links, messages } from '../../domains/messages/tables/campaign-contents.ts';
import { messageEvents } from '../../domains/messages/tables/message-events.ts';
import { sendingDomains } from '../../domains/messages/tables/sending-domains.ts';
import { sends } from '../../domains/messages/tables/sends.ts';
import { orderRefunds } from '../../domains/orders/tables/order-refunds.ts';
import { orderCoupons, orders } from '../../domains/orders/tables/orders.ts';
import { unpricedMoney } from '../../domains/orders/tables/unpriced-money.ts';
import { popupEvents } from '../../domains/popups/tables/popups.ts';
import { abandonedCarts } from '../../domains/products/tables/abandoned-carts.ts';
import { productEvents } from '../../domains/products/tables/product-events.ts';
import { productRefunds } from '../../domains/products/tables/product-refunds.ts';
import {
  orderProducts,
  productCategories,
  productDetails,
  productPrices,
  products,
  stockReadings,
} from '../../domains/products/tables/products.ts';
import { customers } from '../../domains/profiles/tables/customers.ts';
import { knownProfiles } from '../../domains/profiles/tables/known-profiles.ts';
import { profileAttributes, profileTags } from '../../domains/profiles/tables/profile-attributes.ts';
import { acquiredDetails, profiles } from '../../domains/profiles/tables/profiles.ts';
import { rfmCells, rfmProfiles, rfmStates } from '../../domains/rfm/tables/rfm.ts';
import { segments } from '../../domains/segments/tables/segments.ts';
import { consentChanges, consentStates } from '../../domains/subscribers/tables/consents.ts';
import { interestListMembers } from '../../domains/subscribers/tables/interest-list-members.ts';
import { interestListChanges, interestLists } from '../../domains/subscribers/tables/interest-lists.ts';
import { adCosts } from '../../domains/traffic/tables/ad-costs.ts';
import { touches, touchNames } from '../../domains/traffic/tables/journeys.ts';
import { orderTraffic } from '../../domains/traffic/tables/order-traffic.ts';
import { sessions } from '../../domains/traffic/tables/sessions.ts';
import type { ModelTable } from '../../model-table/model-table.ts';

/**
 * The tables that tools read, by topic. What they are made of and in which order follows from what they read.
 */
export const MODEL_TABLES: readonly ModelTable[] = [
  orders,
  orderCoupons,
  orderProducts,
  orderRefunds,
  unpricedMoney,
  productRefunds,
  customers,
  products,
  productDetails,
  productPrices,
  stockReadings,
  productCategories,
  productEvents,
  sessions,
  adCosts,
  calendarEvents,
  orderTraffic,
  touches,
  touchNames,
  rfmStates,
  rfmProfiles,
  rfmCells,
  knownProfiles,
  profiles,
  acquiredDetails,
  profileAttributes,
  profileTags,
  abandonedCarts,
  consentChanges,
  consentStates,
  interestLists,
  interestListChanges,
  interestListMembers,
  interestListCampaigns,
  campaigns,
  campaignHistory,
  messages,
  links,
  audienceMembers,
  sends,
  messageEvents,
  orderAttribution,
  popupEvents,
  segments,
  queryReferences,
  sendingDomains,
];
