import { z } from 'zod';
import { countLinks, LINK_GROUPINGS, linkMetrics, listLinks } from '../../model/marketing/link-statistics.ts';
import { emailChannel } from '../../model/marketing/message-channels.ts';
import { knownCampaigns, sentIn, unknownCampaignNotes } from '../../model/marketing/sent.ts';
import { metricFields } from '../../model/metrics/metric.ts';
import { readRange } from '../../model/range.ts';
import { sends } from '../../model/tables.ts';
import { sql } from '../../sql/sql.ts';
import { oneOf, pagingArguments, rangeArguments, sortArguments } from '../arguments.ts';
import { campaignIdsFilter, campaignTypesFilter } from '../marketing-arguments.ts';
import { sendRevenueHead, sendRevenueHeadOf } from '../marketing-fields.ts';
import { count, totalCountField } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

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
  output: z.strictObject({
    ...sendRevenueHead,
    group_by: z.string(),
    delivered_count: count('Delivered e-mails with or without the link.'),
    ...totalCountField,
    links: z.array(
      z.strictObject({
        key: z.string().describe('URL, link id, domain or type; (not set) when none. Business data.'),
        url: z.string().nullable().describe('Business data.'),
        label: z
          .string()
          .nullable()
          .describe('Text of the link; null when the row mixes several. Business data.'),
        link_type: z
          .string()
          .describe(
            'product, category, content, social, unsubscribe, preferences, view_online; other also when mixed.',
          ),
        position: z.int().nullable().describe('1: first of its message; only by link.'),
        ...metricFields(linkMetrics),
      }),
    ),
  }),
  plan({ args, timezone, facts }) {
    const sent = sentIn(emailChannel, readRange(args, timezone), args);
    return plan({
      queries: {
        rows: listLinks(sent, args),
        totals: countLinks(sent, args.group_by),
        delivered: sql`
          select count(*) as delivered_count from ${sends} where ${sent} and outcome = 'delivered'`,
        known: knownCampaigns(emailChannel, args),
      },
      answer: ({ rows, totals, delivered, known }) => ({
        result: {
          ...sendRevenueHeadOf(args.business_id, emailChannel, facts),
          group_by: args.group_by,
          ...delivered[0],
          ...totals[0],
          links: rows,
        },
        notes: unknownCampaignNotes(emailChannel, args, known),
      }),
    });
  },
});
