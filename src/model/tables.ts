import { Table } from '../sql/sql.ts';

/** The tables of a snapshot that tools read. What each column means: `src/build/`. */
export const orders = new Table('orders');
export const orderCoupons = new Table('order_coupons');
export const orderProducts = new Table('order_products');
export const customers = new Table('customers');
export const products = new Table('products');
export const productDetails = new Table('product_details');
export const productPrices = new Table('product_prices');
export const productCategories = new Table('product_categories');
export const productEvents = new Table('product_events');
export const consentStates = new Table('consent_states');
export const rfmProfiles = new Table('rfm_profiles');
export const rfmCells = new Table('rfm_cells');
export const rfmStates = new Table('rfm_states');
export const sessions = new Table('sessions');
export const orderTraffic = new Table('order_traffic');
export const adCosts = new Table('ad_costs');
export const touches = new Table('touches');
export const touchNames = new Table('touch_names');
