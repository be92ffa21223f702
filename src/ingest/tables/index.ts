import type { CanonicalTable } from '../table.ts';
import { adCosts } from './ad-costs.ts';
import { consentEvents } from './consent-events.ts';
import { identities } from './identities.ts';
import { orderItems } from './order-items.ts';
import { orders } from './orders.ts';
import { productEvents } from './product-events.ts';
import { productPrices } from './product-prices.ts';
import { products } from './products.ts';
import { profiles } from './profiles.ts';
import { refunds } from './refunds.ts';
import { rfmProfiles } from './rfm-profiles.ts';
import { sessions } from './sessions.ts';

/** The tables of the canonical format that can be imported, in the order in which they are read. */
export const CANONICAL_TABLES: readonly CanonicalTable[] = [
  orders,
  orderItems,
  refunds,
  products,
  productPrices,
  profiles,
  identities,
  productEvents,
  sessions,
  adCosts,
  consentEvents,
  rfmProfiles,
];
