import { z } from 'zod';
import { oneOf, pagingArguments, rangeArguments, sortArguments } from '../../../answers/arguments.ts';
import { bars } from '../../../answers/chart.ts';
import { count, list } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow, query } from '../../../answers/fields/query.ts';
import { groupByField, totalCount } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { sends } from '../../../model-table/table-names.ts';
import { sql } from '../../../sql/sql.ts';
import { readRange } from '../../../time/range.ts';
import { campaignExclusions, campaignIdsFilter, campaignTypesFilter } from '../marketing-arguments.ts';
import { countLinks, LINK_GROUPINGS, linkFields, listLinks } from '../queries/link-statistics.ts';
import { emailChannel } from '../queries/message-channels.ts';
import { sendRevenueHead, sendRevenueHeadOf } from '../queries/message-fields.ts';
import { knownCampaigns, sentIn, unknownCampaignNotes } from '../queries/sent-campaigns.ts';

const delivered = count('messages', 'delivered_count', 'Delivered e-mails with or without the link.');

export const emailLinkStatistics = defineTool({
  name: 'email_link_statistics',
  title: 'Email link statistics',
  group: 'Email analytics',
  description:
    'What people clicked in e-mails sent in the range, by URL, link, domain or type, with their revenue.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'links', uniqueBy: ['key'] },
  example: { limit: 2 },
  chart: [
    bars('links', ['link_type', ['label', 'key']], ['unique_clicks_count'], {
      sortedBy: 'sort_by',
      groupedBy: 'group_by',
    }),
  ],
  input: z.strictObject({
    ...rangeArguments,
    group_by: oneOf('group_by', LINK_GROUPINGS)
      .default('url')
      .describe('url: without utm_ parameters and click ids; link: one link of one message.'),
    ...sortArguments(
      ['clicks_count', 'unique_clicks_count', 'click_rate', 'click_share', 'attributed_revenue'],
      { sort_by: 'unique_clicks_count', sort_order: 'desc' },
    ),
    ...pagingArguments(),
    ...campaignIdsFilter,
    ...campaignTypesFilter,
    ...campaignExclusions,
  }),
  fields: [
    ...sendRevenueHead,
    groupByField(LINK_GROUPINGS),
    delivered,
    totalCount,
    list('links', 'The page of rows asked for.', linkFields),
  ],
  plan({ args, timezone, facts }) {
    const sent = sentIn(emailChannel, readRange(args, timezone), args);
    return plan({
      queries: {
        rows: listLinks(sent, args),
        totals: countLinks(sent, args.group_by),
        delivered: query(
          [delivered],
          sql`
          select count(*) as delivered_count from ${sends} where ${sent} and outcome = 'delivered'`,
        ),
        known: knownCampaigns(emailChannel, args),
      },
      answer: ({ rows, totals, delivered, known }) => ({
        result: {
          ...sendRevenueHeadOf(args.business_id, emailChannel, facts),
          group_by: args.group_by,
          ...onlyRow(delivered),
          ...onlyRow(totals),
          links: rows,
        },
        notes: unknownCampaignNotes(emailChannel, args, known),
      }),
    });
  },
});
