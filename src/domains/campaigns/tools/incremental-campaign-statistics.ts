import { z } from 'zod';
import { namesFilter, pagingArguments, rangeArguments, sortArguments } from '../../../answers/arguments.ts';
import { bars, funnel, goingOn, saying } from '../../../answers/chart.ts';
import { unknownAmong } from '../../../answers/existing-names.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { hasRefunds } from '../../../business/snapshot-facts.ts';
import { shortText, shortTextOrNull } from '../../../text/business-text.ts';
import { fieldsOf, readStoredJson } from '../../../text/stored-json.ts';
import { readRange } from '../../../time/range.ts';
import { CAMPAIGN_FILTERS, sentCampaignFilters } from '../../messages/marketing-arguments.ts';
import { isMature } from '../../messages/queries/data-until.ts';
import { largeCreditNotes } from '../../messages/queries/large-credited-orders.ts';
import {
  rangeRevenueFields,
  sendRevenueHead,
  sendRevenueHeadOf,
  windowsOf,
} from '../../messages/queries/message-fields.ts';
import { quietAutomationNotes, quietAutomations } from '../../messages/queries/quiet-automations.ts';
import { audienceNotes } from '../queries/audience-notes.ts';
import { messageActivity } from '../queries/campaign-activity.ts';
import {
  automationFields,
  automations,
  countIncrementalCampaigns,
  largeOrdersOfAutomations,
  lastKnownDay,
  listIncrementalCampaigns,
} from '../queries/incremental-campaigns.ts';
import { type SilenceReason, silenceFields, silenceOf, silenceReasons } from '../queries/silence-reasons.ts';
import { habits, isSilent, isSilentField, lastSentField } from '../queries/silent-campaigns.ts';

const STOPS = { silent: 'is_silent', state: 'state', since: 'last_sent_at' };

export const incrementalCampaignStatistics = defineTool({
  name: 'incremental_campaign_statistics',
  title: 'Incremental campaign statistics',
  group: 'Campaign statistics',
  description:
    'What each automation (e-mail, SMS) did in the range: who entered, what it sent, what came of it, and whether it fell silent.',
  permissions: ['LIST_CAMPAIGNS', 'DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'campaigns', uniqueBy: ['campaign_id'] },
  example: { limit: 2 },
  chart: [
    goingOn(
      funnel(
        'campaigns',
        [['name', 'campaign_id']],
        ['sent_count', 'delivered_count', 'unique_clicks_count'],
      ),
      STOPS,
    ),
    // Orders that followed a touch are no part of those who clicked.
    saying(
      'Of the messages of these days: what was sent last may still bring orders. Credited revenue is no extra money that they are shown to have caused.',
      goingOn(
        bars('campaigns', [['name', 'campaign_id']], ['attributed_revenue', 'attributed_orders_count']),
        STOPS,
      ),
    ),
  ],
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
  fields: [
    ...sendRevenueHead,
    totalCount,
    list('campaigns', 'The page of rows asked for.', [
      ...automationFields,
      ...messageActivity,
      ...rangeRevenueFields,
      lastSentField,
      isSilentField,
      ...silenceFields,
    ]),
  ],
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const lastDay = lastKnownDay(range, facts.messages_until, timezone);
    return plan({
      queries: {
        rows: listIncrementalCampaigns(range, args, facts),
        habits: habits(range, lastDay, automations(args), facts),
        totals: countIncrementalCampaigns(args),
        large: largeOrdersOfAutomations(range, args),
        quiet: quietAutomations(range, args.filter_channels ?? ['email', 'sms'], args, facts, timezone),
      },
      answer: ({ rows, totals, habits, large, quiet }) => {
        const habitOf = new Map(habits.map((habit) => [habit.campaign_id, habit]));
        const silent = rows.flatMap(({ campaign_id }) => {
          const habit = habitOf.get(campaign_id);
          return habit !== undefined && isSilent(habit, lastDay, timezone, facts) ? [campaign_id] : [];
        });
        const answerWith = (reasons: readonly SilenceReason[]) => ({
          result: {
            ...sendRevenueHeadOf(args.business_id, windowsOf(args.filter_channels), facts),
            ...onlyRow(totals),
            campaigns: rows.map(({ has_audience, last_in_range_at, ...row }) => {
              const habit = habitOf.get(row.campaign_id);
              return {
                ...row,
                name: shortText(row.name, 300),
                trigger: shortTextOrNull(fieldsOf(readStoredJson(row.trigger)).type, 100),
                refunded_revenue: hasRefunds(facts) ? (row.refunded_revenue ?? 0) : null,
                // Without messages, the end of the range decides, as a campaign that is over cannot grow.
                is_mature: isMature(last_in_range_at ?? `${range.end}Z`, facts),
                last_sent_at: habit?.last_sent_at ?? null,
                is_silent: silent.includes(row.campaign_id),
                ...silenceOf(
                  silent.includes(row.campaign_id),
                  habit?.triggers ?? habit?.entries ?? null,
                  reasons.find(({ campaign_id }) => campaign_id === row.campaign_id),
                  timezone,
                ),
              };
            }),
          },
          notes: [
            ...largeCreditNotes(large, rows),
            ...quietAutomationNotes(quiet, silent),
            ...unknownAmong(CAMPAIGN_FILTERS, args),
            ...audienceNotes(rows),
          ],
        });
        if (silent.length === 0) return answerWith([]);
        // Only the silent ones are asked about, and mostly there are none.
        return plan({
          queries: { reasons: silenceReasons(silent, range) },
          answer: ({ reasons }) => answerWith(reasons),
        });
      },
    });
  },
});
