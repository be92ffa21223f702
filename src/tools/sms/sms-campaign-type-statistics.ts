import { z } from 'zod';
import { messageRevenueUntil } from '../../model/marketing/data-until.ts';
import { smsChannel } from '../../model/marketing/message-channels.ts';
import {
  CAMPAIGN_GROUPINGS,
  shareMetrics,
  typeRows,
  typeStatistics,
} from '../../model/marketing/type-statistics.ts';
import { knownMetricFields, metricFields } from '../../model/metrics/metric.ts';
import { readRange } from '../../model/range.ts';
import { oneOf, rangeArguments } from '../arguments.ts';
import {
  attributionEcho,
  attributionFields,
  campaignTypeFields,
  sendBasis,
  sendRevenueFields,
} from '../marketing-fields.ts';
import { coverageFields } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

export const smsCampaignTypeStatistics = defineTool({
  name: 'sms_campaign_type_statistics',
  title: 'SMS campaign type statistics',
  group: 'SMS analytics',
  description:
    'SMS results and cost by type or category of campaign, for what was sent in one range: one-off promotions against ' +
    'automations. Single campaigns: sms_campaign_statistics. Activity fields are defined in sms_channel_statistics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    group_by: oneOf('group_by', CAMPAIGN_GROUPINGS).default('campaign_category').describe('What a row is.'),
  }),
  output: z.strictObject({
    ...coverageFields,
    ...attributionFields,
    ...sendBasis,
    group_by: z.string(),
    types: z.array(
      z.strictObject({
        ...campaignTypeFields,
        ...metricFields(shareMetrics),
        ...knownMetricFields(smsChannel.activity),
        ...sendRevenueFields,
        ...metricFields(smsChannel.spending),
      }),
    ),
  }),
  plan({ args, timezone, facts }) {
    const hasRefunds = facts.loaded_tables.includes('refunds');
    const until = messageRevenueUntil(facts);
    return plan({
      queries: { types: typeStatistics(smsChannel, readRange(args, timezone), args.group_by, hasRefunds) },
      answer: ({ types }) => ({
        result: {
          business_id: args.business_id,
          data_until: until,
          ...attributionEcho(smsChannel, facts),
          basis: 'send',
          group_by: args.group_by,
          types: typeRows(types, facts),
        },
      }),
    });
  },
});
