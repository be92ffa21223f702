import type { CanonicalTable } from '../canonical-table.ts';
import { adCosts } from './ad-costs.ts';
import { audienceMembers } from './audience-members.ts';
import { calendarEvents } from './calendar-events.ts';
import { campaignHistory } from './campaign-history.ts';
import { campaigns } from './campaigns.ts';
import { consentEvents } from './consent-events.ts';
import { fxRates } from './fx-rates.ts';
import { identities } from './identities.ts';
import { interestListEvents } from './interest-list-events.ts';
import { interestLists } from './interest-lists.ts';
import { links } from './links.ts';
import { messageEvents } from './message-events.ts';
import { messages } from './messages.ts';
import { orderItems } from './order-items.ts';
import { orderVisits } from './order-visits.ts';
import { orders } from './orders.ts';
import { popupEvents } from './popup-events.ts';
import { productEvents } from './product-events.ts';
import { productPrices } from './product-prices.ts';
import { products } from './products.ts';
import { profiles } from './profiles.ts';
import { refundLines } from './refund-lines.ts';
import { refunds } from './refunds.ts';
import { rfmProfiles } from './rfm-profiles.ts';
import { segments } from './segments.ts';
import { sendingDomains } from './sending-domains.ts';
import { sends } from './sends.ts';
import { sessions } from './sessions.ts';
import { stockReadings } from './stock-readings.ts';

/** The tables of the canonical format that can be imported, in the order in which they are read. */
export const CANONICAL_TABLES: readonly CanonicalTable[] = [
  orders,
  orderItems,
  refunds,
  refundLines,
  products,
  productPrices,
  stockReadings,
  fxRates,
  profiles,
  identities,
  productEvents,
  sessions,
  orderVisits,
  adCosts,
  calendarEvents,
  consentEvents,
  rfmProfiles,
  campaigns,
  campaignHistory,
  messages,
  links,
  audienceMembers,
  sends,
  messageEvents,
  interestLists,
  interestListEvents,
  popupEvents,
  segments,
  sendingDomains,
];

/**
 * For names in our own code. For a name that a merchant wrote, search CANONICAL_TABLES: an unknown name is
 * their error.
 */
export function canonicalTable(name: string): CanonicalTable {
  const table = CANONICAL_TABLES.find((one) => one.name === name);
  if (table === undefined) throw new Error(`${name} is no table of the canonical format`);
  return table;
}
