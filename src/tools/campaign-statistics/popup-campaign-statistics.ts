import { z } from 'zod';
import { shortText } from '../../model/business-text.ts';
import { field } from '../../model/fields/field.ts';
import { onlyRow } from '../../model/fields/query.ts';
import { coverage, totalCount } from '../../model/fields/shared-fields.ts';
import { popupRevenueUntil } from '../../model/marketing/data-until.ts';
import { devicesField, popupNotes, shownDevice } from '../../model/marketing/popup-activity.ts';
import {
  countPopups,
  devicesOfPopups,
  knownPopups,
  listPopups,
  popupFields,
  unknownPopupNotes,
} from '../../model/marketing/popup-listing.ts';
import { readRange } from '../../model/range.ts';
import { pagingArguments, rangeArguments, sortArguments } from '../arguments.ts';
import { campaignIdsFilter } from '../marketing-arguments.ts';
import { defineTool, plan } from '../tool.ts';

export const popupCampaignStatistics = defineTool({
  name: 'popup_campaign_statistics',
  title: 'Popup campaign statistics',
  group: 'Campaign statistics',
  description:
    'Popups and forms ranked by what they did in one range: displays, submissions, new subscribers and customers, ' +
    'orders of submitters. Use it to compare popups. Their revenue has its own rule and overlaps with what e-mail and ' +
    'SMS are credited with: never add the two.',
  permissions: ['LIST_CAMPAIGNS', 'DISPLAY_ANALYTICS_DASHBOARD'],
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
    field({
      key: 'campaigns',
      type: 'list',
      definition: 'The page of rows asked for.',
      fields: [...popupFields, devicesField],
    }),
  ],
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    return plan({
      queries: {
        rows: listPopups(range, args),
        totals: countPopups(range, args),
        devices: devicesOfPopups(range, args),
        known: knownPopups(args),
      },
      answer: ({ rows, totals, devices, known }) => ({
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
        notes: [...unknownPopupNotes(args, known), ...popupNotes(facts)],
      }),
    });
  },
});
