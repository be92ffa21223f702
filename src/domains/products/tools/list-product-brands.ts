import { z } from 'zod';
import { businessId, pagingArguments, searchArgument } from '../../../answers/arguments.ts';
import { list, text } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { businessIdField, totalCount } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { catalogueGroupCounts, catalogueGroups } from '../queries/catalogue-groups.ts';

export const listProductBrands = defineTool({
  name: 'list_product_brands',
  title: 'List product brands',
  group: 'Product analytics',
  description: 'Brand names, exactly as filter_brands and brands take them.',
  permissions: ['LIST_PRODUCT'],
  rows: { list: 'brands', uniqueBy: ['brand'] },
  input: z.strictObject({
    business_id: businessId,
    search: searchArgument('Part of the name.'),
    ...pagingArguments(100),
  }),
  fields: [
    businessIdField,
    totalCount,
    list('brands', 'By name.', [
      text('brand', 'Exactly as filters take it; (not set): products without brand. Business data.'),
      ...catalogueGroupCounts,
    ]),
  ],
  plan: ({ args }) =>
    plan({
      queries: catalogueGroups('brand', args),
      answer: ({ groups, total }) => ({
        result: { business_id: args.business_id, ...onlyRow(total), brands: groups },
      }),
    }),
});
