import { z } from 'zod';
import { breakdownArgument, namesFilter, rangeArguments } from '../../../answers/arguments.ts';
import { line, saying } from '../../../answers/chart.ts';
import { shownNames } from '../../../answers/existing-names.ts';
import { list, moment } from '../../../answers/fields/kinds-of-fields.ts';
import { coverage, periodFields } from '../../../answers/fields/shared-fields.ts';
import { FollowedPeople } from '../../../answers/small-groups.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { RFM_SEGMENTS } from '../../../store/rfm-segments.ts';
import { coverWithPeriods } from '../../../time/periods.ts';
import { readRange } from '../../../time/range.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../../orders/queries/orders-without-customer.ts';
import { fillingWindowNotes } from '../queries/as-of.ts';
import { askedProfile, requireProfile } from '../queries/profiles.ts';
import {
  checkQuintilePeriods,
  countCustomers,
  periodEnds,
  quintileSizes,
  sizeChanges,
  trendRows,
} from '../queries/segment-trend.ts';
import {
  customersOfSegment,
  revenueInWindow,
  rfmProfileArgument,
  rfmProfileId,
  segmentKey,
  shareOfSegments,
} from '../rfm-fields.ts';

export const rfmSegmentStatisticsTrend = defineTool({
  name: 'rfm_segment_statistics_trend',
  title: 'RFM segment statistics trend',
  group: 'RFM',
  description:
    "Size and revenue of each RFM segment at the end of every day, week or month, by today's thresholds.",
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'periods', uniqueBy: ['period', 'period_start', 'segment'] },
  example: { breakdown: 'month' },
  chart: [
    saying(
      'Customers with an order in the window, and what they spent in all of it: not in that month alone. The window is the 365 days before, unless the profile says otherwise. The lost stand below.',
      line('periods', 'period', ['customers_count', 'revenue'], {
        by: ['segment'],
        only: { key: 'segment', isNotIn: ['lost'] },
      }),
    ),
    // The other lines would be flat beside it.
    saying(
      'Lost: everybody since the first loaded order whose last order is before the window. They gather: the line rises in every store, fastest in the years after the first loaded order, and says little about how the store does.',
      line('periods', 'period', ['customers_count'], {
        by: ['segment'],
        only: { key: 'segment', isIn: ['lost'] },
      }),
    ),
  ],
  input: z.strictObject({
    ...rangeArguments,
    ...breakdownArgument,
    ...rfmProfileArgument,
    filter_segments: namesFilter('Shares stay those of all.'),
  }),
  fields: [
    ...coverage,
    rfmProfileId,
    list('periods', 'A row per segment for every period that begins before the data end.', [
      ...periodFields,
      moment('period_end_at', 'The moment of the state: end of the period, or data_until while it runs.'),
      segmentKey,
      customersOfSegment,
      shareOfSegments('customers_share'),
      revenueInWindow,
      shareOfSegments('revenue_share'),
    ]),
  ],
  plan({ args, timezone, currency, facts, leastFollowed, mostRows }) {
    const names = args.filter_segments?.length ? args.filter_segments : keys;
    const shown = keys.filter((key) => names.includes(key));
    const periods = coverWithPeriods(readRange(args, timezone), args.breakdown, shown.length, mostRows);
    const ends = periodEnds(periods, timezone, facts);
    const isEmpty = facts.orders_until === null;
    return plan({
      queries: {
        profile: askedProfile(args.rfm_profile_id),
        changes: isEmpty ? null : sizeChanges(periods, ends, args.rfm_profile_id),
        sizes: isEmpty ? null : quintileSizes(ends, args.rfm_profile_id),
        customers: countCustomers,
        withoutCustomer: ordersWithoutCustomer(periods, facts),
      },
      answer: ({ profile: found, changes, sizes, customers, withoutCustomer }) => {
        const profile = requireProfile(found);
        checkQuintilePeriods(profile, ends, customers);
        const people = new FollowedPeople(leastFollowed);
        const rows = trendRows(ends, changes, sizes, people);
        return {
          result: {
            business_id: args.business_id,
            data_until: facts.orders_until,
            rfm_profile_id: profile.rfm_profile_id,
            periods: rows.filter(({ segment }) => shown.includes(segment)),
          },
          notes: [
            ...fillingWindowNotes(ends[0]?.asOf.date, profile.window_days, timezone, facts),
            ...people.notes(),
            ...unknownNotes(names),
            ...withoutCustomerNotes(withoutCustomer, currency),
          ],
        };
      },
    });
  },
});

const keys = RFM_SEGMENTS.map(({ key }) => key);

function unknownNotes(names: readonly string[]): string[] {
  const unknown = [...new Set(names)].filter((name) => !keys.includes(name));
  return unknown.length === 0
    ? []
    : [
        `Unknown in filter_segments, so without rows: ${shownNames(unknown)}; segments are ${keys.join(', ')}`,
      ];
}
