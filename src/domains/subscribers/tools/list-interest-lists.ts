import { z } from 'zod';
import { businessId, pagingArguments, searchArgument } from '../../../answers/arguments.ts';
import { field } from '../../../answers/fields/field.ts';
import { flag, list, moment, text } from '../../../answers/fields/kinds-of-fields.ts';
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
  text('code', 'As conditions name it.'),
  text('name', 'Business data.'),
  text('description', 'Business data.', 'it has none'),
  field({ key: 'channels', type: 'list', of: 'text', definition: 'email, sms.' }),
  flag('is_double_opt_in', 'Whether joining has to be confirmed.'),
  flag('is_public', 'Offered in the preference centre.'),
  text('state', 'active or archived.'),
  moment('created_at', 'In UTC.', 'not known'),
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
  fields: [businessIdField, totalCount, list('interest_lists', 'By name.', listFields)],
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
