import { z } from 'zod';
import { shortText } from '../../model/business-text.ts';
import { audienceNotes } from '../../model/marketing/audience-notes.ts';
import { messageActivity } from '../../model/marketing/campaign-activity.ts';
import { isMature } from '../../model/marketing/data-until.ts';
import { emailChannel } from '../../model/marketing/message-channels.ts';
import {
  countTargetedCampaigns,
  listGroups,
  listTargetedCampaigns,
} from '../../model/marketing/targeted-campaigns.ts';
import { metricFields } from '../../model/metrics/metric.ts';
import { unknownAmong } from '../../model/named.ts';
import { readRange } from '../../model/range.ts';
import { hasRefunds } from '../../model/snapshot.ts';
import { type Group, lift } from '../../model/statistics/lift.ts';
import type { Row } from '../../sql/row.ts';
import { pagingArguments, rangeArguments, sortArguments } from '../arguments.ts';
import { CAMPAIGN_FILTERS, sentCampaignFilters } from '../marketing-arguments.ts';
import {
  sendRevenueFields,
  sendRevenueHead,
  sendRevenueHeadOf,
  sentCampaignFields,
} from '../marketing-fields.ts';
import { count, moment, totalCountField } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

const liftField = z
  .strictObject({
    treated_conversion_rate: z.number().describe('People sent to who ordered / people sent to. [percent]'),
    control_conversion_rate: z.number().describe('People held out who ordered / people held out. [percent]'),
    incremental_orders: z
      .number()
      .describe('Orders of people sent to, less what the control group makes expect. [orders]'),
    incremental_revenue: z
      .number()
      .describe('Revenue of people sent to, less what the control group makes expect. [money]'),
    p_value: z
      .number()
      .nullable()
      .describe(
        'How likely conversion rates as different would be by chance: two-proportion z-test. Null with under 100 people in a group. [0 to 1]',
      ),
  })
  .nullable()
  .describe(
    'What the campaign caused: all valid orders, of any channel, within 7 days after the first message or after being ' +
      'held out. Null without a control group.',
  );

export const targetedCampaignStatistics = defineTool({
  name: 'targeted_campaign_statistics',
  title: 'Targeted campaign statistics',
  group: 'Campaign statistics',
  description:
    'One-off campaigns (e-mail, A/B e-mail, SMS) that were first sent in one range, from audience to revenue in one ' +
    'row, with all their messages, also later ones. lift tells what a campaign caused, attributed_revenue only what ' +
    'followed a touch.',
  permissions: ['LIST_CAMPAIGNS', 'DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    ...sortArguments(
      [
        'first_sent_at',
        'audience_count',
        'delivered_count',
        'open_rate',
        'click_rate',
        'unsubscribe_rate',
        'attributed_revenue',
        'revenue_per_recipient',
      ],
      { sort_by: 'first_sent_at', sort_order: 'desc' },
    ),
    ...pagingArguments(),
    ...sentCampaignFilters,
  }),
  output: z.strictObject({
    ...sendRevenueHead,
    ...totalCountField,
    campaigns: z.array(
      z.strictObject({
        ...sentCampaignFields,
        first_sent_at: moment('In the range.'),
        audience_count: count('People who matched the targeting: sent to or skipped. [profiles]'),
        skipped_count: count(
          'People who matched, but got no message: suppressed, no consent, frequency cap, control group. [profiles]',
        ),
        control_group_count: count('People held out to compare with. [profiles]'),
        ...metricFields(messageActivity),
        ...sendRevenueFields,
        lift: liftField,
      }),
    ),
  }),
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const hasAudiences = facts.loaded_tables.includes('audience_members');
    return plan({
      queries: {
        rows: listTargetedCampaigns(range, args, hasRefunds(facts)),
        totals: countTargetedCampaigns(range, args),
        groups: hasAudiences ? listGroups(range, args) : null,
      },
      answer: ({ rows, totals, groups }) => {
        const groupsOf = Map.groupBy(groups, ({ campaign_id }) => campaign_id);
        return {
          result: {
            ...sendRevenueHeadOf(args.business_id, emailChannel, facts),
            ...totals[0],
            campaigns: rows.map((row) => {
              const { campaign_key, recipients, has_audience, ...own } = row;
              const { audience, skipped, held_out, last_sent_at, name, ...shown } = own;
              return {
                ...shown,
                name: shortText(String(name), 300),
                is_mature: isMature(String(last_sent_at), facts),
                lift: liftOf(groupsOf.get(row.campaign_id) ?? []),
              };
            }),
          },
          notes: [...unknownAmong(CAMPAIGN_FILTERS, args), ...audienceNotes(rows)],
        };
      },
    });
  },
});

function liftOf(groups: readonly Row[]) {
  const [treated, control] = [true, false].map((isTreated) =>
    groups.find(({ is_treated }) => Boolean(is_treated) === isTreated),
  );
  if (treated === undefined || control === undefined) return null;
  return lift(groupOf(treated), groupOf(control));
}

function groupOf({ people, buyers, orders, revenue }: Row): Group {
  return {
    people: Number(people),
    buyers: Number(buyers),
    orders: Number(orders),
    revenue: Number(revenue),
  };
}
