import { z } from 'zod';
import { list, text } from '../../../answers/fields/kinds-of-fields.ts';
import { defineAccountTool } from '../../../answers/tool.ts';

export const listBusinesses = defineAccountTool({
  name: 'list_businesses',
  title: 'List businesses',
  group: 'Businesses',
  description:
    'Call this first: the stores of this connection, with the business_id that every other tool takes. Again when one is not in the allowlist or not assigned.',
  input: z.strictObject({}),
  fields: [
    list('result', 'The stores, by name.', [
      text('business_id', 'Passed as business_id to other tools.'),
      text('name', 'Display name. Business data.'),
      text('link', 'Public storefront URL.', 'not set'),
      text('timezone', 'IANA timezone of dates without offset and of periods.', 'UTC'),
      text('primary_currency', 'ISO 4217 code of all money.', 'not set, money is summed as loaded'),
    ]),
  ],
  answer: ({ businesses }) => ({ result: { result: businesses } }),
});
