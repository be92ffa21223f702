import { z } from 'zod';
import { pagingArguments, rangeArguments, sortArguments } from '../../../answers/arguments.ts';
import { bars, funnel, interval, saying } from '../../../answers/chart.ts';
import { unknownAmong } from '../../../answers/existing-names.ts';
import { field } from '../../../answers/fields/field.ts';
import { intervalOf } from '../../../answers/fields/interval.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import { hiddenNotes, isHiddenField, isSmall } from '../../../answers/small-groups.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { LEAST_ORDERS } from '../../../statistics/comparison.ts';
import { lift } from '../../../statistics/lift.ts';
import { shortText } from '../../../text/business-text.ts';
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
import { audienceNotes } from '../queries/audience-notes.ts';
import { messageActivity } from '../queries/campaign-activity.ts';
import {
  countTargetedCampaigns,
  largeOrdersOfTargeted,
  listGroups,
  listTargetedCampaigns,
  shownPeople,
  type TargetedGroup,
  targetedFields,
} from '../queries/targeted-campaigns.ts';

const liftField = field({
  key: 'lift',
  type: 'object',
  null: 'no control group, or hidden: 4 people or fewer in a group',
  definition:
    'What the campaign caused: all valid orders, of any channel, within 7 days after the first message or after being ' +
    'held out.',
  fields: [
    field({
      key: 'treated_conversion_rate',
      type: 'number',
      unit: 'percent',
      definition: 'People sent to who ordered within 7 days / people sent to.',
    }),
    field({
      key: 'control_conversion_rate',
      type: 'number',
      unit: 'percent',
      definition: 'People held out who ordered within 7 days / people held out.',
    }),
    field({
      key: 'conversion_difference',
      type: 'number',
      unit: 'percentage points',
      definition: 'treated_conversion_rate - control_conversion_rate.',
    }),
    ...intervalOf('conversion_difference', 'Miettinen and Nurminen, as p_value', {
      unit: 'percentage points',
    }),
    field({
      key: 'incremental_orders',
      type: 'number',
      unit: 'orders',
      definition: 'Orders within 7 days of people sent to, less what the control group makes expect.',
    }),
    ...intervalOf('incremental_orders', 'Welch', { unit: 'orders', null: 'one person in a group' }),
    field({
      key: 'incremental_revenue',
      type: 'number',
      unit: 'money',
      definition: 'Revenue within 7 days of people sent to, less what the control group makes expect.',
    }),
    ...intervalOf('incremental_revenue', 'Welch', { unit: 'money', null: 'under 20 orders in a group' }),
    field({
      key: 'p_value',
      type: 'number',
      unit: '0 to 1',
      null: 'under 100 people in a group',
      definition:
        'How likely conversion rates as different would be by chance: score test, with Fisher where few are expected. At least 0.0001.',
    }),
  ],
});

export const targetedCampaignStatistics = defineTool({
  name: 'targeted_campaign_statistics',
  title: 'Targeted campaign statistics',
  group: 'Campaign statistics',
  description:
    'One-off campaigns (e-mail, A/B, SMS) first sent in the range, from audience to revenue. lift is what a campaign caused, attributed_revenue what followed a touch.',
  permissions: ['LIST_CAMPAIGNS', 'DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'campaigns', uniqueBy: ['campaign_id'] },
  example: { from_date: '2026-07-01T00:00:00', to_date: '2026-09-30T23:59:59', limit: 2 },
  chart: [
    funnel('campaigns', [['name', 'campaign_id']], ['sent_count', 'delivered_count', 'unique_clicks_count']),
    // Orders that followed a touch are no part of those who clicked.
    saying(
      'Credited: orders within the time set for the store after a message was opened, clicked or delivered. What a campaign caused can be less, or more: where it stands below too, with a control group, believe what stands there.',
      bars('campaigns', [['name', 'campaign_id']], ['attributed_revenue', 'attributed_orders_count']),
    ),
    ...(['conversion_difference', 'incremental_revenue'] as const).map((key) =>
      saying(
        'Only campaigns with a control group that got nothing: what those sent to ordered beyond it, also without a click. That is what a campaign caused, as surely as its interval is narrow.',
        interval('campaigns', [['name', 'campaign_id']], {
          value: `lift.${key}`,
          low: `lift.${key}_low`,
          high: `lift.${key}_high`,
          reference: 0,
        }),
      ),
    ),
  ],
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
  fields: [
    ...sendRevenueHead,
    totalCount,
    list('campaigns', 'The page of rows asked for.', [
      ...targetedFields,
      ...messageActivity,
      ...rangeRevenueFields,
      liftField,
      isHiddenField,
    ]),
  ],
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const hasAudiences = facts.loaded_tables.includes('audience_members');
    return plan({
      queries: {
        rows: listTargetedCampaigns(range, args, facts),
        totals: countTargetedCampaigns(range, args),
        groups: hasAudiences ? listGroups(range, args) : null,
        large: largeOrdersOfTargeted(range, args),
      },
      answer: ({ rows, totals, groups, large }) => {
        const groupsOf = Map.groupBy(groups, ({ campaign_id }) => campaign_id);
        const campaigns = rows.map((row) => {
          const { campaign_key, recipients, has_audience, ...own } = row;
          const { audience, skipped, held_out, last_sent_at, name, ...shown } = own;
          const { people, isHidden } = shownPeople(row);
          const pair = comparedGroups(groupsOf.get(row.campaign_id) ?? []);
          const isLiftHidden = pair?.some((group) => isSmall(group.people)) ?? false;
          return {
            ...shown,
            ...people,
            name: shortText(name, 300),
            is_mature: isMature(last_sent_at, facts),
            lift: pair === null || isLiftHidden ? null : lift(...pair),
            is_hidden: isLiftHidden || isHidden,
          };
        });
        return {
          result: {
            ...sendRevenueHeadOf(args.business_id, windowsOf(args.filter_channels), facts),
            ...onlyRow(totals),
            campaigns,
          },
          notes: [
            ...largeCreditNotes(large, rows),
            ...unknownAmong(CAMPAIGN_FILTERS, args),
            ...hiddenNotes(campaigns),
            ...audienceNotes(rows),
            ...moneyNotes(campaigns),
          ],
        };
      },
    });
  },
});

/** Names the campaigns without a verdict on money, because they have few orders. */
function moneyNotes(
  campaigns: readonly { campaign_id: string; lift: { incremental_revenue_low: number | null } | null }[],
): string[] {
  const poor = campaigns.filter(({ lift }) => lift !== null && lift.incremental_revenue_low === null);
  if (poor.length === 0) return [];
  const ids = JSON.stringify(poor.map(({ campaign_id }) => campaign_id));
  return [
    `incremental_revenue is not judged where a group has fewer than ${LEAST_ORDERS} orders: one order more or less would ` +
      `turn it round. Do not say what these campaigns earned: ${ids}`,
  ];
}

/** The people who got the message and those who were held out. It is null where either group is empty. */
function comparedGroups(groups: readonly TargetedGroup[]): readonly [TargetedGroup, TargetedGroup] | null {
  const [treated, control] = [true, false].map((isTreated) =>
    groups.find(({ is_treated }) => is_treated === isTreated),
  );
  return treated === undefined || control === undefined ? null : [treated, control];
}
