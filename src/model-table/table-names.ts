import { Table } from '../sql/sql.ts';

/**
 * The tables of a snapshot that tools read. What each column means stands where it is made, in `tables/` of
 * its domain.
 */
export const orders = new Table('orders');
export const orderCoupons = new Table('order_coupons');
export const orderProducts = new Table('order_products');
export const orderRefunds = new Table('order_refunds');
export const unpricedMoney = new Table('unpriced_money');
export const productRefunds = new Table('product_refunds');
export const customers = new Table('customers');
export const products = new Table('products');
export const productDetails = new Table('product_details');
export const productPrices = new Table('product_prices');
export const stockReadings = new Table('stock_readings');
export const productCategories = new Table('product_categories');
export const knownProfiles = new Table('known_profiles');
export const productEvents = new Table('product_events');
export const consentChanges = new Table('consent_changes');
export const consentStates = new Table('consent_states');
export const rfmProfiles = new Table('rfm_profiles');
export const rfmCells = new Table('rfm_cells');
export const rfmStates = new Table('rfm_states');
export const sessions = new Table('sessions');
export const orderTraffic = new Table('order_traffic');
export const adCosts = new Table('ad_costs');
export const calendarEvents = new Table('calendar_events');
export const touches = new Table('touches');
export const touchNames = new Table('touch_names');
export const campaigns = new Table('campaigns');
export const audienceMembers = new Table('audience_members');
export const campaignHistory = new Table('campaign_history');
export const messages = new Table('messages');
export const links = new Table('links');
export const sends = new Table('sends');
export const messageEvents = new Table('message_events');
export const orderAttribution = new Table('order_attribution');
export const popupEvents = new Table('popup_events');
export const profiles = new Table('profiles');
export const acquiredDetails = new Table('acquired_details');
export const profileAttributes = new Table('profile_attributes');
export const profileTags = new Table('profile_tags');
export const abandonedCarts = new Table('abandoned_carts');
export const interestListMembers = new Table('interest_list_members');
export const interestLists = new Table('interest_lists');
export const interestListChanges = new Table('interest_list_changes');
export const interestListCampaigns = new Table('interest_list_campaigns');
export const segments = new Table('segments');
export const queryReferences = new Table('query_references');
export const sendingDomains = new Table('sending_domains');
