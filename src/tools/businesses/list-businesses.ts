import { z } from 'zod';
import { defineAccountTool } from '../tool.ts';

export const listBusinesses = defineAccountTool({
  name: 'list_businesses',
  title: 'List businesses',
  group: 'Businesses',
  description:
    'Call this first: the stores that this connection can read, each with the business_id that every other tool takes. ' +
    'Call it again when a tool says that a business is not in the allowlist or not assigned.',
  input: z.strictObject({}),
  output: z.strictObject({
    result: z.array(
      z.strictObject({
        business_id: z.string().describe('Passed as business_id to other tools.'),
        name: z.string().describe('Display name. Business data.'),
        link: z.string().nullable().describe('Public storefront URL.'),
        timezone: z
          .string()
          .nullable()
          .describe('IANA timezone of dates without offset and of periods; null: UTC.'),
        primary_currency: z.string().nullable().describe('ISO 4217 code of all money.'),
      }),
    ),
  }),
  answer: ({ businesses }) => ({ result: { result: businesses } }),
});
