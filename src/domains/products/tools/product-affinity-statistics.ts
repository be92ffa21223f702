import { z } from 'zod';
import {
  namesFilter,
  oneOf,
  pagingArguments,
  rangeArguments,
  sortArguments,
} from '../../../answers/arguments.ts';
import { interval, saying } from '../../../answers/chart.ts';
import { namedButUnknown, namesThatExist } from '../../../answers/existing-names.ts';
import { choice, list } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { coverage, totalCount } from '../../../answers/fields/shared-fields.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { FollowedPeople } from '../../../answers/small-groups.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { readRange } from '../../../time/range.ts';
import { readWholeDays } from '../../../time/whole-days.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../../orders/queries/orders-without-customer.ts';
import { chanceNotes, ownPairNotes } from '../queries/affinity-chance.ts';
import {
  affinityPairs,
  basketsCount,
  countBaskets,
  existingItems,
  listedPairs,
  pairFields,
  pairsOf,
  RELATIONS,
} from '../queries/product-pairs.ts';

const LEVELS = ['product', 'master_product', 'category', 'brand'] as const;

export const productAffinityStatistics = defineTool({
  name: 'product_affinity_statistics',
  title: 'Product affinity statistics',
  group: 'Order patterns',
  description:
    'What is bought together (same_order) or next: pairs of products, master products, categories or brands. Judge by lift_low above 1.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'pairs', uniqueBy: ['antecedent', 'consequent'] },
  example: { from_date: '2025-10-01T00:00:00', to_date: '2026-09-30T23:59:59', limit: 2 },
  chart: [
    saying(
      'How many times more often than by chance who buys the first buys the second.',
      interval(
        'pairs',
        [
          ['antecedent_name', 'antecedent'],
          ['consequent_name', 'consequent'],
        ],
        { value: 'lift', low: 'lift_low', high: 'lift_high', reference: 1 },
      ),
    ),
  ],
  input: z.strictObject({
    ...rangeArguments,
    relation: oneOf('relation', RELATIONS)
      .default('same_order')
      .describe(
        "next_order: the consequent is in the customer's next order, whenever that was; first_to_second: only from first orders.",
      ),
    level: oneOf('level', LEVELS).default('master_product'),
    filter_antecedents: namesFilter('Left-hand ids or names.'),
    min_orders: z
      .int('min_orders must be at least 1')
      .min(1, 'min_orders must be at least 1')
      .default(5)
      .describe('Pairs in fewer baskets are dropped.'),
    ...sortArguments(['pair_orders_count', 'support', 'confidence', 'lift', 'pair_revenue'], {
      sort_by: 'pair_orders_count',
      sort_order: 'desc',
    }),
    ...pagingArguments(),
  }),
  fields: [
    ...coverage,
    choice('relation', RELATIONS, 'As asked.'),
    choice('level', LEVELS, 'What a pair is made of, as asked.'),
    basketsCount,
    totalCount,
    list(
      'pairs',
      'same_order: each pair once, the rarer item first. Others: also an item with itself.',
      pairFields,
    ),
  ],
  plan({ args, timezone, currency, facts, leastFollowed = LEAST_SHARING }) {
    const { relation, level, filter_antecedents } = args;
    const follows = relation !== 'same_order';
    const asked = follows ? readWholeDays(args, timezone) : { range: readRange(args, timezone), notes: [] };
    const question = { ...args, range: asked.range, leastFollowed };
    return plan({
      queries: {
        baskets: countBaskets(question),
        withoutCustomer: ordersWithoutCustomer(question.range, facts),
        pairs: affinityPairs(question),
        known: namesThatExist(existingItems(level), { filter_antecedents }),
      },
      answer: ({ baskets, pairs, known, withoutCustomer }) => {
        const people = new FollowedPeople(leastFollowed);
        const { baskets_count, customers_count } = onlyRow(baskets);
        const listed = listedPairs(pairs);
        const result = {
          business_id: args.business_id,
          data_until: facts.orders_until,
          relation,
          level,
          baskets_count: follows ? people.told([customers_count], baskets_count) : baskets_count,
          total_count: pairs[0]?.total_count ?? 0,
          pairs: pairsOf(listed, baskets_count),
        };
        const notes = [
          ...asked.notes,
          ...ownPairNotes(listed),
          ...chanceNotes(listed),
          ...people.notes(),
          ...(follows
            ? [`Pairs of under ${LEAST_SHARING} customers are left out, whatever min_orders is.`]
            : []),
          ...namedButUnknown(existingItems(level), { filter_antecedents }, known),
          ...withoutCustomerNotes(withoutCustomer, currency),
        ];
        return { result, notes };
      },
    });
  },
});
