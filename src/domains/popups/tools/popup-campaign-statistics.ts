import { z } from 'zod';
import { pagingArguments, rangeArguments, sortArguments } from '../../../answers/arguments.ts';
import { funnel } from '../../../answers/chart.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { coverage, totalCount } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { shortText } from '../../../text/business-text.ts';
import { readRange } from '../../../time/range.ts';
import { campaignIdsFilter } from '../../messages/marketing-arguments.ts';
import { popupRevenueUntil } from '../../messages/queries/data-until.ts';
import {
  channelNotes,
  devicesField,
  popupDefinitionNotes,
  popupNotes,
  shownDevice,
  youngFormNotes,
} from '../queries/popup-activity.ts';
import {
  countPopups,
  devicesOfPopups,
  knownPopups,
  listPopups,
  popupFields,
  subscribersOfPopups,
  unknownPopupNotes,
} from '../queries/popup-listing.ts';

export const popupCampaignStatistics = defineTool({
  name: 'popup_campaign_statistics',
  title: 'Popup campaign statistics',
  group: 'Campaign statistics',
  description:
    'Popups: displays, submissions, new subscribers, customers, orders. Revenue overlaps that of e-mail and SMS: never add the two.',
  permissions: ['LIST_CAMPAIGNS', 'DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'campaigns', uniqueBy: ['campaign_id'] },
  example: { limit: 2 },
  chart: [
    funnel(
      'campaigns',
      [['name', 'campaign_id']],
      ['unique_displays_count', 'unique_submissions_count', 'new_subscribers_count'],
    ),
  ],
  input: z.strictObject({
    ...rangeArguments,
    ...sortArguments(
      [
        'displays_count',
        'submissions_count',
        'submission_rate',
        'new_subscribers_count',
        'attributed_revenue',
      ],
      { sort_by: 'submissions_count', sort_order: 'desc' },
    ),
    ...pagingArguments(),
    ...campaignIdsFilter,
  }),
  fields: [
    ...coverage,
    totalCount,
    list('campaigns', 'The page of rows asked for.', [...popupFields, devicesField]),
  ],
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    return plan({
      queries: {
        rows: listPopups(range, args),
        totals: countPopups(range, args),
        subscribers: subscribersOfPopups(range, args),
        devices: devicesOfPopups(range, args),
        known: knownPopups(args),
      },
      answer: ({ rows, totals, devices, known, subscribers }) => ({
        result: {
          business_id: args.business_id,
          data_until: popupRevenueUntil(facts),
          ...onlyRow(totals),
          campaigns: rows.map((row) => ({
            ...row,
            name: shortText(row.name, 300),
            devices: devices.filter(({ campaign_id }) => campaign_id === row.campaign_id).map(shownDevice),
          })),
        },
        notes: [
          ...unknownPopupNotes(args, known),
          ...popupDefinitionNotes(rows.reduce((sum, row) => sum + row.unique_displays_count, 0)),
          ...(rows.some(({ submissions_count }) => submissions_count > 0)
            ? youngFormNotes(range.lastDate.toString(), popupRevenueUntil(facts), timezone)
            : []),
          ...popupNotes(facts),
          ...channelNotes(subscribers),
        ],
      }),
    });
  },
});
