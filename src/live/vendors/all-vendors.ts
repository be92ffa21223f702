import type { Vendor } from '../vendor.ts';
import { fivetranPostgres } from './fivetran-postgres/fivetran-postgres.ts';
import { klaviyo } from './klaviyo/klaviyo.ts';
import { shopify } from './shopify/shopify.ts';
import { url } from './url.ts';
import { woocommerce } from './woocommerce/woocommerce.ts';

/** What a business can be connected to, in the order in which people are told. */
export const VENDORS: readonly Vendor[] = [shopify, woocommerce, klaviyo, fivetranPostgres, url];
