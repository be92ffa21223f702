import { z } from 'zod';
import { businessId, pagingArguments, searchArgument } from '../../../answers/arguments.ts';
import { list, text } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { businessIdField, totalCount } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { catalogueGroupCounts, catalogueGroups } from '../queries/catalogue-groups.ts';

export const listProductCategories = defineTool({
  name: 'list_product_categories',
  title: 'List product categories',
  group: 'Product analytics',
  description: 'Category names, exactly as filter_categories and categories take them.',
  permissions: ['LIST_PRODUCT'],
  rows: { list: 'categories', uniqueBy: ['category'] },
  input: z.strictObject({
    business_id: businessId,
    search: searchArgument('Part of the name.'),
    ...pagingArguments(100),
  }),
  fields: [
    businessIdField,
    totalCount,
    list('categories', 'By name.', [
      text('category', 'Exactly as filters take it. Business data.'),
      ...catalogueGroupCounts,
    ]),
  ],
  plan: ({ args }) =>
    plan({
      queries: catalogueGroups('category', args),
      answer: ({ groups, total }) => ({
        result: { business_id: args.business_id, ...onlyRow(total), categories: groups },
      }),
    }),
});
