import { z } from 'zod';
import { shortText, shortTextOrNull } from '../../model/business-text.ts';
import { audienceNotes } from '../../model/marketing/audience-notes.ts';
import { messageActivity } from '../../model/marketing/campaign-activity.ts';
import { isMature } from '../../model/marketing/data-until.ts';
import {
  countIncrementalCampaigns,
  lastKnownDay,
  listIncrementalCampaigns,
} from '../../model/marketing/incremental-campaigns.ts';
import { emailChannel } from '../../model/marketing/message-channels.ts';
import { metricFields } from '../../model/metrics/metric.ts';
import { unknownAmong } from '../../model/named.ts';
import { readRange } from '../../model/range.ts';
import { hasRefunds } from '../../model/snapshot.ts';
import { fieldsOf, readStoredJson } from '../../model/stored-json.ts';
import { namesFilter, pagingArguments, rangeArguments, sortArguments } from '../arguments.ts';
import { CAMPAIGN_FILTERS, sentCampaignFilters } from '../marketing-arguments.ts';
import {
  sendRevenueFields,
  sendRevenueHead,
  sendRevenueHeadOf,
  sentCampaignFields,
} from '../marketing-fields.ts';
import { count, moment, totalCountField } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

export const incrementalCampaignStatistics = defineTool({
  name: 'incremental_campaign_statistics',
  title: 'Incremental campaign statistics',
  group: 'Campaign statistics',
  description:
    'What each automation (e-mail, SMS) did in one range: who entered, what it sent and what came of that, and whether ' +
    'it fell silent. Not lifetime totals.',
  permissions: ['LIST_CAMPAIGNS', 'DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    ...sortArguments(
      [
        'entered_count',
        'delivered_count',
        'open_rate',
        'click_rate',
        'attributed_revenue',
        'revenue_per_recipient',
        'updated_at',
      ],
      { sort_by: 'attributed_revenue', sort_order: 'desc' },
    ),
    ...pagingArguments(),
    ...sentCampaignFilters,
    filter_states: namesFilter('For example active, paused.'),
  }),
  output: z.strictObject({
    ...sendRevenueHead,
    ...totalCountField,
    campaigns: z.array(
      z.strictObject({
        ...sentCampaignFields,
        trigger: z.string().nullable().describe('Machine name of the trigger.'),
        updated_at: moment(
          'Last change of content or targeting; inside the range, compare before and after with care.',
        ).nullable(),
        entered_count: count('People who met the trigger in the range, also skipped ones. [profiles]'),
        skipped_count: count('People who entered in the range and were skipped each time. [profiles]'),
        completed_count: count(
          'People who entered in the range and have gone through all steps since; null: not known. [profiles]',
        ).nullable(),
        ...metricFields(messageActivity),
        ...sendRevenueFields,
        is_silent: z
          .boolean()
          .describe(
            'Active, but sent nothing on the last 7 days of the range while it sent something on the 28 days before: ' +
              'probably broken. Days after the last loaded message do not count.',
          ),
      }),
    ),
  }),
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const lastDay = lastKnownDay(range, facts.messages_until, timezone);
    return plan({
      queries: {
        rows: listIncrementalCampaigns(range, lastDay, args, hasRefunds(facts)),
        totals: countIncrementalCampaigns(args),
      },
      answer: ({ rows, totals }) => ({
        result: {
          ...sendRevenueHeadOf(args.business_id, emailChannel, facts),
          ...totals[0],
          campaigns: rows.map(({ has_audience, last_sent_at, ...row }) => ({
            ...row,
            name: shortText(String(row.name), 300),
            trigger: shortTextOrNull(fieldsOf(readStoredJson(row.trigger)).type, 100),
            refunded_revenue: hasRefunds(facts) ? Number(row.refunded_revenue) : null,
            // Without messages the end of the range decides: what is over cannot grow.
            is_mature: isMature(last_sent_at === null ? `${range.end}Z` : String(last_sent_at), facts),
            is_silent: Boolean(row.is_silent),
          })),
        },
        notes: [...unknownAmong(CAMPAIGN_FILTERS, args), ...audienceNotes(rows)],
      }),
    });
  },
});
