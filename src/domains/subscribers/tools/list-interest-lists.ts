import { z } from 'zod';
import { businessId, pagingArguments, searchArgument } from '../../../answers/arguments.ts';
import { field } from '../../../answers/fields/field.ts';
import { onlyRow, query } from '../../../answers/fields/query.ts';
import { businessIdField, totalCount } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { interestLists } from '../../../model-table/table-names.ts';
import { pageOf } from '../../../sql/page.ts';
import { hasPart } from '../../../sql/search.ts';
import { sql } from '../../../sql/sql.ts';
import { shortText, shortTextOrNull } from '../../../text/business-text.ts';
import { campaignUses } from '../../segments/queries/shown-query.ts';
import { usedInCampaigns } from '../../segments/segment-fields.ts';

const listFields = [
  field({ key: 'code', type: 'text', definition: 'As conditions name it.' }),
  field({ key: 'name', type: 'text', definition: 'Business data.' }),
  field({ key: 'description', type: 'text', null: 'it has none', definition: 'Business data.' }),
  field({ key: 'channels', type: 'list', of: 'text', definition: 'email, sms.' }),
  field({ key: 'is_double_opt_in', type: 'boolean', definition: 'Whether joining has to be confirmed.' }),
  field({ key: 'is_public', type: 'boolean', definition: 'Offered in the preference centre.' }),
  field({ key: 'state', type: 'text', definition: 'active or archived.' }),
  field({ key: 'created_at', type: 'moment', null: 'not known', definition: 'In UTC.' }),
  usedInCampaigns,
];

export const listInterestLists = defineTool({
  name: 'list_interest_lists',
  title: 'List interest lists',
  group: 'Interest lists',
  description: 'Opt-in lists by name: what the code of a list in a segment_query means.',
  permissions: ['MANAGE_INTEREST_LISTS'],
  rows: { list: 'interest_lists', uniqueBy: ['code'] },
  input: z.strictObject({
    business_id: businessId,
    search: searchArgument('Part of the name or code.'),
    ...pagingArguments(100),
  }),
  fields: [
    businessIdField,
    totalCount,
    field({ key: 'interest_lists', type: 'list', definition: 'By name.', fields: listFields }),
  ],
  plan({ args }) {
    const condition = hasPart(args.search ?? '', sql`search_text`);
    return plan({
      queries: {
        interest_lists: query(
          listFields,
          sql`
          select code, name, description, channels, is_double_opt_in, is_public, state, created_at,
            coalesce(used_in_campaigns_count, 0) as used_in_campaigns_count
          from (select * from ${interestLists} where ${condition}) as listed
          left join (${campaignUses('interest_list')}) as used on used.id = listed.code
          order by name, code
          ${pageOf(args)}`,
        ),
        total: query(
          [totalCount],
          sql`select count(*) as total_count from ${interestLists} where ${condition}`,
        ),
      },
      answer: ({ interest_lists, total }) => ({
        result: {
          business_id: args.business_id,
          ...onlyRow(total),
          interest_lists: interest_lists.map(({ name, description, ...list }) => ({
            ...list,
            name: shortText(name, 300),
            description: shortTextOrNull(description, 2000),
          })),
        },
      }),
    });
  },
});
