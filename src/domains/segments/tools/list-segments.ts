import { z } from 'zod';
import { businessId, pagingArguments, searchArgument, sortArguments } from '../../../answers/arguments.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow, query } from '../../../answers/fields/query.ts';
import { businessIdField, totalCount } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { segments } from '../../../model-table/table-names.ts';
import { sortedPage } from '../../../sql/page.ts';
import { hasPart } from '../../../sql/search.ts';
import { sql } from '../../../sql/sql.ts';
import { campaignUses } from '../queries/shown-query.ts';
import { segmentFields, shownSegment } from '../segment-fields.ts';

export const listSegments = defineTool({
  name: 'list_segments',
  title: 'List segments',
  group: 'Segments',
  description: 'Saved segments by name: finds the segment_id that get_segment takes. Not RFM segments.',
  permissions: ['LIST_CAMPAIGNS'],
  rows: { list: 'segments', uniqueBy: ['segment_id'] },
  input: z.strictObject({
    business_id: businessId,
    search: searchArgument('Part of the name.'),
    ...sortArguments(['name', 'created_at', 'updated_at'], { sort_by: 'name', sort_order: 'asc' }),
    ...pagingArguments(),
  }),
  fields: [businessIdField, totalCount, list('segments', 'The page of rows asked for.', segmentFields)],
  plan({ args }) {
    const condition = hasPart(args.search ?? '', sql`search_text`);
    return plan({
      queries: {
        segments: query(
          segmentFields,
          sortedPage(
            sql`
          select segment_id, name, description, created_at, updated_at,
            coalesce(used_in_campaigns_count, 0) as used_in_campaigns_count
          from (select * from ${segments} where ${condition}) as listed
          left join (${campaignUses('segment')}) as used on used.id = listed.segment_id`,
            args,
            'segment_id',
          ),
        ),
        total: query([totalCount], sql`select count(*) as total_count from ${segments} where ${condition}`),
      },
      answer: ({ segments, total }) => ({
        result: { business_id: args.business_id, ...onlyRow(total), segments: segments.map(shownSegment) },
      }),
    });
  },
});
