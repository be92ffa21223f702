import { z } from 'zod';
import { planCatalogueGroups } from '../../model/product-analytics/catalogue-groups.ts';
import { businessId, pagingArguments, searchArgument } from '../arguments.ts';
import { catalogueGroupCounts, totalCountField } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

export const listProductBrands = defineTool({
  name: 'list_product_brands',
  title: 'List product brands',
  group: 'Product analytics',
  description:
    'Brand names of the catalogue: use it to find the exact name that filter_brands and brands of other tools take. ' +
    'Sorted by name; products without brand are the empty name. How brands sell is in brand_statistics.',
  permissions: ['LIST_PRODUCT'],
  input: z.strictObject({
    business_id: businessId,
    search: searchArgument('Part of the name.'),
    ...pagingArguments(100),
  }),
  output: z.strictObject({
    business_id: z.string(),
    ...totalCountField,
    brands: z.array(
      z.strictObject({
        brand: z
          .string()
          .describe('Exactly as filters take it; empty: products without brand. Business data.'),
        ...catalogueGroupCounts,
      }),
    ),
  }),
  plan: ({ args }) => plan(planCatalogueGroups('brand', 'brands', args)),
});
