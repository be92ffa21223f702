import type { RecordField, Records } from '../source.ts';
import { idMadeOf } from '../stored-id.ts';

const LAST_CLICK = 'session_traffic_source_last_click';
const COLLECTED = 'collected_traffic_source';

/** A parameter of the event: text in one, a number in another. */
function param(name: string): RecordField {
  return {
    entry: { list: 'event_params', key: 'key', name },
    paths: ['value.string_value', 'value.int_value', 'value.double_value', 'value.float_value'],
  };
}

/** What is read of an event of the BigQuery export. */
export const FIELDS: Records = {
  signature: ['event_name', 'event_timestamp', 'event_params', 'user_pseudo_id'],
  fields: {
    event_name: { paths: ['event_name'], isRequired: true, absent: 'what happened' },
    event_timestamp: {
      paths: ['event_timestamp'],
      isMoment: true,
      isRequired: true,
      absent: 'when it happened',
    },
    user_pseudo_id: { paths: ['user_pseudo_id'], isRequired: true, isId: true, absent: 'whose visit it was' },
    ga_session_id: { ...param('ga_session_id'), isRequired: true, absent: 'in which visit' },
    engagement_time_msec: param('engagement_time_msec'),
    page_location: param('page_location'),
    page_referrer: param('page_referrer'),
    first_source: param('source'),
    first_medium: param('medium'),
    first_campaign: param('campaign'),
    first_content: param('content'),
    first_term: param('term'),
    param_transaction_id: param('transaction_id'),
    param_value: param('value'),
    param_currency: param('currency'),
    param_shipping: param('shipping'),
    param_tax: param('tax'),
    param_coupon: param('coupon'),
    payment_type: param('payment_type'),
    shipping_tier: param('shipping_tier'),
    batch_event_index: { paths: ['batch_event_index'] },
    user_id: {
      paths: ['user_id'],
      isId: true,
      absent: 'visits of people who signed in are not tied to customers',
    },
    device: { paths: ['device.category'], absent: 'no devices' },
    country: { paths: ['geo.country'], absent: 'no countries' },
    transaction_id: { paths: ['ecommerce.transaction_id'] },
    purchase_revenue: { paths: ['ecommerce.purchase_revenue'] },
    refund_value: { paths: ['ecommerce.refund_value'] },
    shipping_value: { paths: ['ecommerce.shipping_value'] },
    tax_value: { paths: ['ecommerce.tax_value'] },
    items: {
      paths: ['items'],
      absent: 'no views of products, carts and lines of orders',
      parts: {
        id: ['item_id'],
        name: ['item_name'],
        price: ['price'],
        quantity: ['quantity'],
        revenue: ['item_revenue'],
      },
    },
    // The source of the visit, as Google attributes it.
    click_source: {
      paths: [`${LAST_CLICK}.cross_channel_campaign.source`, `${LAST_CLICK}.manual_campaign.source`],
      absent: 'sources of visits are those of their first event',
    },
    click_medium: {
      paths: [`${LAST_CLICK}.cross_channel_campaign.medium`, `${LAST_CLICK}.manual_campaign.medium`],
    },
    click_campaign: {
      paths: [
        `${LAST_CLICK}.cross_channel_campaign.campaign_name`,
        `${LAST_CLICK}.manual_campaign.campaign_name`,
        `${LAST_CLICK}.google_ads_campaign.campaign_name`,
      ],
    },
    click_content: { paths: [`${LAST_CLICK}.manual_campaign.content`] },
    click_term: { paths: [`${LAST_CLICK}.manual_campaign.term`] },
    click_ads: {
      paths: [
        `${LAST_CLICK}.google_ads_campaign.campaign_id`,
        `${LAST_CLICK}.google_ads_campaign.customer_id`,
      ],
    },
    // The source of the event, as its page had it.
    collected_source: { paths: [`${COLLECTED}.manual_source`] },
    collected_medium: { paths: [`${COLLECTED}.manual_medium`] },
    collected_campaign: { paths: [`${COLLECTED}.manual_campaign_name`] },
    collected_content: { paths: [`${COLLECTED}.manual_content`] },
    collected_term: { paths: [`${COLLECTED}.manual_term`] },
    gclid: { paths: [`${COLLECTED}.gclid`] },
    dclid: { paths: [`${COLLECTED}.dclid`] },
    srsltid: { paths: [`${COLLECTED}.srsltid`] },
  },
};

/** What Google writes where nothing is known. */
const UNKNOWN_WORDS = ['(not set)', '(data deleted)', '<Other>', '(not provided)', ''];

/**
 * SQL: a text of an event; null if it says nothing. TRICKY: `in` a list of five would be made a join, for
 * every column; and what is asked of it in a condition is computed several times.
 */
export function knownText(text: string): string {
  const unknown = UNKNOWN_WORDS.map((word) => `'${word}'`).join(', ');
  return `case when not list_contains([${unknown}], ${text}) then ${text} end`;
}

/** SQL: the visit, as orders and product events name it. */
export const SESSION_ID = idMadeOf(knownText('user_pseudo_id'), {
  after: `'.' || ${knownText('ga_session_id')}`,
});

/**
 * Statements that make `ga4_events`, where `_row` is the number of each, and `ga4_events_of(rows)`: those in
 * a table of numbers.
 */
export const events = (relation: string) => [
  `create temp view ga4_events as ${numbered(`"${relation}"`)}`,
  `create temp macro ga4_events_of(numbers) as table ${numbered(`"${relation}_of"(numbers)`)}`,
];

/** The last microsecond that our own format can write. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59) * 1000;

function numbered(rows: string): string {
  return `select *, rowid as _row, case when event_timestamp between 0 and ${LATEST} then event_timestamp end as at_us from ${rows}`;
}

/** SQL: a moment, which our own format takes as it is. */
export const momentOfMicros = (micros: string) => `make_timestamp(${micros})`;
