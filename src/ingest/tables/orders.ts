import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const orders: CanonicalTable = {
  name: 'orders',
  key: ['order_id'],
  columns: {
    order_id: column.text({ required: true }),
    number: column.text(),
    ordered_at: column.moment({ required: true }),
    profile_id: column.text(),
    email: column.email(),
    phone: column.phone(),
    external_customer_id: column.text(),
    status: column.oneOf(['pending', 'paid', 'fulfilled', 'cancelled', 'returned'], { fallback: 'paid' }),
    is_test: column.flag({ fallback: 'false' }),
    currency: column.currency(),
    fx_rate: column.rate(),
    total: column.money({ required: true }),
    subtotal: column.money(),
    tax: column.money(),
    shipping: column.money(),
    payment_fee: column.money(),
    discount: column.money(),
    coupon_codes: column.list(),
    payment_method: column.text(),
    shipping_method: column.text(),
    country: column.text(),
    device: column.text(),
    visitor_id: column.text(),
    session_id: column.text(),
    utm_source: column.text(),
    utm_medium: column.text(),
    utm_campaign: column.text(),
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
