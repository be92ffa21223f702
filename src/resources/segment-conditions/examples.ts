import { type ReferenceType, referenceKey } from '../../domains/segments/definitions/references.ts';
import type { ReferenceNames } from '../../domains/segments/queries/readable-query.ts';

interface Example {
  readonly title: string;
  readonly query: object;
}

export const EXAMPLES: readonly Example[] = [
  {
    title: 'Subscribers of the newsletter who ordered twice in a year, but no Acme lately',
    query: {
      segments: [
        {
          targetingBlocks: [
            { type: 'interest_list', operator: 'is_subscribed', value: ['newsletter'] },
            { type: 'order_count', operator: 'gte', value: 2, period: { last_days: 365 } },
            { type: 'bought', negate: true, of: { brand: ['Acme'] }, period: { last_days: 30 } },
          ],
        },
      ],
    },
  },
  {
    title: 'Win-back: lost or at risk, and still reading',
    query: {
      segments: [
        {
          targetingBlocks: [
            { type: 'rfm_segment', operator: 'is', value: { segments: ['at_risk', 'lost'] } },
            { type: 'last_activity', operator: 'in_period', period: { last_days: 90 } },
          ],
        },
      ],
    },
  },
  {
    title: 'Carts of yesterday, or lookers of a category, without a tenth as control group',
    query: {
      segments: [
        {
          targetingBlocks: [
            { type: 'cart_abandoned', operator: 'in_period', period: { last_days: 1 } },
            { type: 'random_split', operator: 'in', value: { from: 0, to: 90, seed: 'winter' } },
          ],
        },
        {
          targetingBlocks: [
            { type: 'viewed', of: { category: ['Shoes'] }, min_count: 3, period: { last_days: 7 } },
            { type: 'order_count', operator: 'eq', value: 0, period: { last_days: 7 } },
            { type: 'random_split', operator: 'in', value: { from: 0, to: 90, seed: 'winter' } },
          ],
        },
      ],
    },
  },
];

const named = (type: ReferenceType, id: string, name = id) => [referenceKey({ type, id }), name] as const;

/** The names of the things that the examples name. */
export const EXAMPLE_NAMES: ReferenceNames = new Map([
  named('interest_list', 'newsletter', 'Newsletter'),
  named('brand', 'Acme'),
  named('category', 'Shoes'),
]);
