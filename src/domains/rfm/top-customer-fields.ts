import { field, HIDDEN } from '../../answers/fields/field.ts';
import { count, measure } from '../../answers/fields/kinds-of-fields.ts';
import { revenueAfterRefunds } from '../orders/queries/refunds.ts';
import { segmentKey } from './rfm-fields.ts';

const topField = measure('as asked', 'top', 'As asked.');

/** The best customers of the orders, all orders of them together. */
export const topFields = [
  topField,
  count('customers', 'customers_count', 'Who spent most; up to whole fives, or the decile.', HIDDEN),
  count('orders', 'orders_count', 'Orders of the row.', HIDDEN),
  measure('money', 'revenue', 'Revenue of the orders counted.', HIDDEN),
  field({
    key: 'revenue_share',
    type: 'number',
    unit: 'percent',
    null: `nothing to divide by, or ${HIDDEN}`,
    definition: 'revenue / revenue of all orders, also without a customer.',
  }),
  field({ ...revenueAfterRefunds, null: `none loaded, or ${HIDDEN}` }),
];

/** The RFM segments of the top customers. */
export const topSegmentFields = [
  topField,
  segmentKey,
  count('customers', 'customers_count', 'Top customers in the segment.', HIDDEN),
];
