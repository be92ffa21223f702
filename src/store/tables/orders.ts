import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const ORDER_STATUSES = [
  'pending',
  'paid',
  'fulfilled',
  'cancelled',
  'returned',
  'credit_note',
] as const;

export const orders: CanonicalTable = {
  name: 'orders',
  meaning: `One row per order. \`total\` is what the customer pays, with VAT, shipping and fees, after discounts: the revenue of
the order. Money is in \`currency\`; where that is empty, in the currency of the business. An order whose \`status\`
is \`cancelled\`, or whose \`is_test\` is true, is not valid: it adds nothing to revenue, and makes nobody a
customer. An order whose \`status\` is \`credit_note\` is not valid either: it has a \`total\` of 0, and stands for the unknown
order of a refund that is known by itself, as of a credit note. \`number\` is what people call the order, where that is not its id. \`discount\` is what was taken off, as
a positive amount; where it or \`shipping\` is empty, the lines of that kind tell it. \`tax\` is the VAT in \`total\`; \`taxes_included\` is false
where it is added to the prices of lines, true where it is in them; where it is empty, what the amounts add up to tells. \`shipping\`
and \`payment_fee\` are what the customer pays for these; \`shipping_cost\` and \`payment_cost\` are what they cost you (the
carrier, the payment provider), without VAT, and empty where it is not known. \`country\` is shown as it is
written, best as a code of two letters. \`visitor_id\` and \`session_id\` are who placed the order, and in which
visit, as \`sessions\` and \`product_events\` call them.`,
  key: ['order_id'],
  isToldByMany: true,
  columns: {
    order_id: column.recordId({ required: true }),
    number: column.recordId(),
    ordered_at: column.moment({ required: true }),
    profile_id: column.personId(),
    email: column.email(),
    phone: column.phone(),
    external_customer_id: column.personId(),
    status: column.oneOf(ORDER_STATUSES, { fallback: 'paid' }),
    is_test: column.flag({ fallback: 'false' }),
    currency: column.currency(),
    fx_rate: column.rate(),
    total: column.money({ required: true }),
    subtotal: column.money(),
    tax: column.money(),
    taxes_included: column.flag(),
    shipping: column.money(),
    payment_fee: column.money(),
    shipping_cost: column.money(),
    payment_cost: column.money(),
    discount: column.money(),
    coupon_codes: column.list('code'),
    payment_method: column.label(),
    shipping_method: column.label(),
    country: column.label(),
    device: column.label(),
    visitor_id: column.personId(),
    session_id: column.personId(),
    utm_source: column.trafficName(),
    utm_medium: column.trafficName(),
    utm_campaign: column.trafficName(),
    cancelled_at: column.moment(),
  },
  rules: [
    {
      column: 'total',
      condition: 'abs(cast(total as double) * coalesce(fx_rate, 1)) < 1e13',
      expected: 'times fx_rate must be below 10^13',
    },
  ],
};
