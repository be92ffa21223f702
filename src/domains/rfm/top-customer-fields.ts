import { field, HIDDEN } from '../../answers/fields/field.ts';
import { segmentKey } from './rfm-fields.ts';

const topField = field({ key: 'top', type: 'number', unit: 'as asked', definition: 'As asked.' });

/** The best customers of the orders, all orders of them together. */
export const topFields = [
  topField,
  field({
    key: 'customers_count',
    type: 'integer',
    unit: 'customers',
    null: HIDDEN,
    definition: 'Who spent most; up to whole fives, or the decile.',
  }),
  field({
    key: 'orders_count',
    type: 'integer',
    unit: 'orders',
    null: HIDDEN,
    definition: 'Orders of the row.',
  }),
  field({
    key: 'revenue',
    type: 'number',
    unit: 'money',
    null: HIDDEN,
    definition: 'Revenue of the orders counted.',
  }),
  field({
    key: 'revenue_share',
    type: 'number',
    unit: 'percent',
    null: `nothing to divide by, or ${HIDDEN}`,
    definition: 'revenue / revenue of all orders, also without a customer.',
  }),
];

/** Their RFM segments. */
export const topSegmentFields = [
  topField,
  segmentKey,
  field({
    key: 'customers_count',
    type: 'integer',
    unit: 'customers',
    null: HIDDEN,
    definition: 'Top customers in the segment.',
  }),
];
