/** Of every `attributed_revenue` beside `attributed_orders_count`, by whatever rule these are credited. */
export const REVENUE_OF_CREDITED = 'Revenue of attributed_orders_count.';
