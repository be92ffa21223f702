import { z } from 'zod';
import { field } from '../../../answers/fields/field.ts';
import { text } from '../../../answers/fields/leaves.ts';
import { defineAccountTool } from '../../../answers/tool.ts';

export const listBusinesses = defineAccountTool({
  name: 'list_businesses',
  title: 'List businesses',
  group: 'Businesses',
  description:
    'Call this first: the stores of this connection, with the business_id that every other tool takes. Again when one is not in the allowlist or not assigned.',
  input: z.strictObject({}),
  fields: [
    field({
      key: 'result',
      type: 'list',
      definition: 'The stores, by name.',
      fields: [
        field({ key: 'business_id', type: 'text', definition: 'Passed as business_id to other tools.' }),
        field({ key: 'name', type: 'text', definition: 'Display name. Business data.' }),
        field({ key: 'link', type: 'text', null: 'not set', definition: 'Public storefront URL.' }),
        field({
          key: 'timezone',
          type: 'text',
          null: 'UTC',
          definition: 'IANA timezone of dates without offset and of periods.',
        }),
        text('primary_currency', 'ISO 4217 code of all money.', 'not set, money is summed as loaded'),
      ],
    }),
  ],
  answer: ({ businesses }) => ({ result: { result: businesses } }),
});
