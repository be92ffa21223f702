import { z } from 'zod';
import type { MessageChannel } from '../model/marketing/message-channels.ts';
import {
  CAMPAIGN_GROUPINGS,
  shareMetrics,
  typeRows,
  typeStatistics,
} from '../model/marketing/type-statistics.ts';
import { metricFields } from '../model/metrics/metric.ts';
import { readRange } from '../model/range.ts';
import { hasRefunds } from '../model/snapshot.ts';
import { oneOf, rangeArguments } from './arguments.ts';
import {
  campaignTypeFields,
  sendRevenueFields,
  sendRevenueHead,
  sendRevenueHeadOf,
} from './marketing-fields.ts';
import { type BusinessTool, defineTool, plan } from './tool.ts';

/** The results of a channel by type or category of campaign. */
export function defineCampaignTypeTool(
  channel: MessageChannel,
  texts: Pick<BusinessTool, 'name' | 'title' | 'group' | 'description'>,
) {
  return defineTool({
    ...texts,
    permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
    input: z.strictObject({
      ...rangeArguments,
      group_by: oneOf('group_by', CAMPAIGN_GROUPINGS).default('campaign_category').describe('What a row is.'),
    }),
    output: z.strictObject({
      ...sendRevenueHead,
      group_by: z.string(),
      types: z.array(
        z.strictObject({
          ...campaignTypeFields,
          ...metricFields(shareMetrics),
          ...metricFields(channel.activity),
          ...sendRevenueFields,
          ...metricFields(channel.spending),
        }),
      ),
    }),
    plan({ args, timezone, facts }) {
      return plan({
        queries: {
          types: typeStatistics(channel, readRange(args, timezone), args.group_by, hasRefunds(facts)),
        },
        answer: ({ types }) => ({
          result: {
            ...sendRevenueHeadOf(args.business_id, channel, facts),
            group_by: args.group_by,
            types: typeRows(types, facts),
          },
        }),
      });
    },
  });
}
