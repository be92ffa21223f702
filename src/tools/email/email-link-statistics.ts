import { z } from 'zod';
import { field } from '../../model/fields/field.ts';
import { onlyRow, query } from '../../model/fields/query.ts';
import { groupByField, totalCount } from '../../model/fields/shared-fields.ts';
import { countLinks, LINK_GROUPINGS, linkFields, listLinks } from '../../model/marketing/link-statistics.ts';
import { emailChannel } from '../../model/marketing/message-channels.ts';
import { sendRevenueHead, sendRevenueHeadOf } from '../../model/marketing/message-fields.ts';
import { knownCampaigns, sentIn, unknownCampaignNotes } from '../../model/marketing/sent.ts';
import { readRange } from '../../model/range.ts';
import { sends } from '../../model/tables.ts';
import { sql } from '../../sql/sql.ts';
import { oneOf, pagingArguments, rangeArguments, sortArguments } from '../arguments.ts';
import { campaignIdsFilter, campaignTypesFilter } from '../marketing-arguments.ts';
import { defineTool, plan } from '../tool.ts';

const delivered = field({
  key: 'delivered_count',
  type: 'integer',
  unit: 'messages',
  definition: 'Delivered e-mails with or without the link.',
});

export const emailLinkStatistics = defineTool({
  name: 'email_link_statistics',
  title: 'Email link statistics',
  group: 'Email analytics',
  description:
    'What people clicked in the e-mails sent in one range: by URL, single link, domain or type of link, with the ' +
    'revenue of those clicks; also links that nobody clicked. Clicks of whole campaigns: email_campaign_statistics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
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
  }),
  fields: [
    ...sendRevenueHead,
    groupByField(LINK_GROUPINGS),
    delivered,
    totalCount,
    field({ key: 'links', type: 'list', definition: 'The page of rows asked for.', fields: linkFields }),
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
