import { z } from 'zod';
import { field, HIDDEN, NOTHING_TO_DIVIDE_BY } from '../../answers/fields/field.ts';
import { count, measure, text } from '../../answers/fields/kinds-of-fields.ts';

/** What the RFM tools share. */

export const rfmProfileArgument = {
  rfm_profile_id: z.string().nullable().default(null).describe('Without: the default.'),
};

export const rfmProfileId = text('rfm_profile_id', 'The profile that was used.');

/** What customers are scored by, and which of them have 5, the best score. */
export const BEST_SCORES = {
  recency: '5: ordered most recently.',
  frequency: '5: most orders.',
  monetary: '5: most revenue.',
} as const;

/** The fields of the scores of cells. */
export const scoreField = <const Key extends keyof typeof BEST_SCORES>(key: Key) =>
  field({ key, type: 'integer', unit: 'score', definition: BEST_SCORES[key] });

/** The customers of a segment at a moment. */
export const customersOfSegment = field({
  key: 'customers_count',
  type: 'integer',
  unit: 'customers',
  null: HIDDEN,
  definition: 'Customers of the segment; lost: whose last order is before the window.',
});

export const ordersInWindow = count('orders', 'orders_count', 'Orders in the window.', HIDDEN);

export const revenueInWindow = measure('money', 'revenue', 'Revenue of orders in the window.', HIDDEN);

export const shareOfSegments = <const Key extends 'customers_share' | 'revenue_share'>(key: Key) =>
  field({
    key,
    type: 'number',
    unit: 'percent',
    null: `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
    definition:
      key === 'customers_share'
        ? 'customers_count / customers of all segments.'
        : 'revenue / revenue of all segments.',
  });

export const segmentKey = field({
  key: 'segment',
  type: 'text',
  isKey: true,
  definition: 'Key as in get_rfm_profile.',
});
