import { z } from 'zod';
import { shortText, shortTextOrNull } from '../../model/business-text.ts';
import { campaignUses } from '../../model/segment-query/shown-query.ts';
import { interestLists } from '../../model/tables.ts';
import { pageOf } from '../../sql/page.ts';
import { hasPart } from '../../sql/search.ts';
import { sql } from '../../sql/sql.ts';
import { businessId, pagingArguments, searchArgument } from '../arguments.ts';
import { moment, totalCountField } from '../output.ts';
import { usedInCampaignsField } from '../segment-fields.ts';
import { defineTool, plan } from '../tool.ts';

export const listInterestLists = defineTool({
  name: 'list_interest_lists',
  title: 'List interest lists',
  group: 'Interest lists',
  description:
    'Named opt-in lists that a profile can join or leave, by name: use it to find what the code of a list in a ' +
    'segment_query means. Has no counts of members.',
  permissions: ['MANAGE_INTEREST_LISTS'],
  input: z.strictObject({
    business_id: businessId,
    search: searchArgument('Part of the name or code.'),
    ...pagingArguments(100),
  }),
  output: z.strictObject({
    business_id: z.string(),
    ...totalCountField,
    interest_lists: z.array(
      z.strictObject({
        code: z.string().describe('As conditions name it.'),
        name: z.string().describe('Business data.'),
        description: z.string().nullable().describe('Business data.'),
        channels: z.array(z.string()).describe('email, sms.'),
        is_double_opt_in: z.boolean(),
        is_public: z.boolean().describe('Offered in the preference centre.'),
        state: z.string().describe('active or archived.'),
        created_at: moment('In UTC.').nullable(),
        ...usedInCampaignsField,
      }),
    ),
  }),
  plan({ args }) {
    const condition = hasPart(args.search ?? '', sql`search_text`);
    return plan({
      queries: {
        interest_lists: sql`
          select code, name, description, channels, is_double_opt_in, is_public, state, created_at,
            coalesce(used_in_campaigns_count, 0) as used_in_campaigns_count
          from (select * from ${interestLists} where ${condition}) as listed
          left join (${campaignUses('interest_list')}) as used on used.id = listed.code
          order by name, code
          ${pageOf(args)}`,
        total: sql`select count(*) as total_count from ${interestLists} where ${condition}`,
      },
      answer: ({ interest_lists, total }) => ({
        result: {
          business_id: args.business_id,
          ...total[0],
          interest_lists: interest_lists.map(({ name, description, ...list }) => ({
            ...list,
            name: shortText(String(name), 300),
            description: shortTextOrNull(description, 2000),
          })),
        },
      }),
    });
  },
});
