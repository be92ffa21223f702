import { z } from 'zod';
import { affinityPairs, countBaskets, existingItems, RELATIONS } from '../../model/affinity.ts';
import { namedButUnknown, namesThatExist } from '../../model/named.ts';
import { readRange } from '../../model/range.ts';
import { namesFilter, oneOf, pagingArguments, rangeArguments, sortArguments } from '../arguments.ts';
import { count, coverageFields, money, totalCountField } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

const pair = z.strictObject({
  antecedent: z.string().describe('Id or name. Business data.'),
  antecedent_name: z
    .string()
    .nullable()
    .describe('Of the product, or of a variant of the master product. Business data.'),
  consequent: z.string(),
  consequent_name: z.string().nullable(),
  antecedent_orders_count: count('Baskets with the antecedent.'),
  consequent_orders_count: count('Baskets (transitions: next orders) with the consequent.'),
  pair_orders_count: count('Baskets with both.'),
  support: z.number().describe('pair / baskets_count. [percent]'),
  confidence: z.number().describe('pair / antecedent. [percent]'),
  lift: z
    .number()
    .nullable()
    .describe('(pair x baskets_count) / (antecedent x consequent); 1: independent. [ratio]'),
  median_days_between: z.number().nullable().describe('Between the two orders; null: same_order. [days]'),
  pair_revenue: money(
    'Quantity x unit price of both in these baskets; a line of two categories counts for each.',
  ),
});

export const productAffinityStatistics = defineTool({
  name: 'product_affinity_statistics',
  title: 'Product affinity statistics',
  group: 'Order patterns',
  description:
    'What is bought together, or next: pairs of products, master products, categories or brands in one order ' +
    '(same_order) or in an order and the following one of the customer; use it for cross-selling and bundles. ' +
    'Sales of single items are in product_statistics. Judge by lift with enough pair_orders_count.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    relation: oneOf('relation', RELATIONS)
      .default('same_order')
      .describe(
        "next_order: the consequent is in the customer's next order, whenever that was; first_to_second: only from first orders.",
      ),
    level: oneOf('level', ['product', 'master_product', 'category', 'brand'])
      .default('master_product')
      .describe('What a pair is made of.'),
    filter_antecedents: namesFilter('Only these left-hand items: ids or names at level.'),
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
  output: z.strictObject({
    ...coverageFields,
    relation: z.string(),
    level: z.string(),
    baskets_count: count('Orders with a product of the catalogue; transitions: and with a next order.'),
    ...totalCountField,
    pairs: z.array(pair).describe('same_order: both directions. Others: also an item with itself.'),
  }),
  plan({ args, timezone, facts }) {
    const { relation, level, filter_antecedents } = args;
    const question = { ...args, range: readRange(args, timezone) };
    return plan({
      queries: {
        baskets: countBaskets(question),
        pairs: affinityPairs(question),
        known: namesThatExist(existingItems(level), { filter_antecedents }),
      },
      answer: ({ baskets, pairs, known }) => ({
        result: {
          business_id: args.business_id,
          data_until: facts.orders_until,
          relation,
          level,
          ...baskets[0],
          total_count: pairs[0]?.total_count,
          pairs: pairs
            .filter(({ antecedent }) => antecedent !== null)
            .map(({ one, total_count, antecedent_key, consequent_key, ...row }) => row),
        },
        notes: namedButUnknown(existingItems(level), { filter_antecedents }, known),
      }),
    });
  },
});
