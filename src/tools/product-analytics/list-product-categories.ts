import { z } from 'zod';
import { planCatalogueGroups } from '../../model/product-analytics/catalogue-groups.ts';
import { businessId, pagingArguments, searchArgument } from '../arguments.ts';
import { catalogueGroupCounts, totalCountField } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

export const listProductCategories = defineTool({
  name: 'list_product_categories',
  title: 'List product categories',
  group: 'Product analytics',
  description:
    'Category names of the catalogue: use it to find the exact name that filter_categories and categories of other ' +
    'tools take. Sorted by name; a product counts in each of its categories. How categories sell is in ' +
    'category_statistics.',
  permissions: ['LIST_PRODUCT'],
  input: z.strictObject({
    business_id: businessId,
    search: searchArgument('Part of the name.'),
    ...pagingArguments(100),
  }),
  output: z.strictObject({
    business_id: z.string(),
    ...totalCountField,
    categories: z.array(
      z.strictObject({
        category: z.string().describe('Exactly as filters take it. Business data.'),
        ...catalogueGroupCounts,
      }),
    ),
  }),
  plan: ({ args }) => plan(planCatalogueGroups('category', 'categories', args)),
});
