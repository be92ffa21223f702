import { adCosts } from './ad-costs.ts';
import { consentChanges, consentStates } from './consents.ts';
import { customers } from './customers.ts';
import { touches, touchNames } from './journeys.ts';
import { knownProfiles } from './known-profiles.ts';
import { orderAttribution } from './marketing/attribution.ts';
import { audienceMembers } from './marketing/audiences.ts';
import { campaignHistory, links, messages } from './marketing/campaign-contents.ts';
import { campaigns } from './marketing/campaigns.ts';
import { interestListChanges, interestLists } from './marketing/interest-lists.ts';
import { messageEvents } from './marketing/message-events.ts';
import { popupEvents } from './marketing/popups.ts';
import { interestListCampaigns, queryReferences } from './marketing/query-references.ts';
import { segments } from './marketing/segments.ts';
import { sendingDomains } from './marketing/sending-domains.ts';
import { sends } from './marketing/sends.ts';
import type { ModelTable } from './model-table.ts';
import { orderTraffic } from './order-traffic.ts';
import { orderCoupons, orders } from './orders.ts';
import { productEvents } from './product-events.ts';
import { orderProducts, productCategories, productDetails, productPrices, products } from './products.ts';
import { abandonedCarts } from './profiles/abandoned-carts.ts';
import { interestListMembers } from './profiles/interest-list-members.ts';
import { profileAttributes, profileTags } from './profiles/profile-attributes.ts';
import { acquiredDetails, profiles } from './profiles/profiles.ts';
import { rfmCells, rfmProfiles, rfmStates } from './rfm.ts';
import { sessions } from './sessions.ts';

/** The tables that tools read, by topic. What they are made of and in which order follows from what they read. */
export const MODEL_TABLES: readonly ModelTable[] = [
  orders,
  orderCoupons,
  orderProducts,
  customers,
  products,
  productDetails,
  productPrices,
  productCategories,
  productEvents,
  sessions,
  adCosts,
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
