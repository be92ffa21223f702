import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const ORDER_STATUSES = ['pending', 'paid', 'fulfilled', 'cancelled', 'returned'] as const;

export const orders: CanonicalTable = {
  name: 'orders',
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
    shipping: column.money(),
    payment_fee: column.money(),
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
