import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { readRange } from '../../model/range.ts';
import { asOf } from '../../model/rfm/moments.ts';
import { chosenProfile, requireProfile } from '../../model/rfm/profiles.ts';
import { segmentPairs, transitionAnswer } from '../../model/rfm/transitions.ts';
import { rangeArguments } from '../arguments.ts';
import { count, coverageFields, moment, money, percent } from '../output.ts';
import { rfmProfileArgument, segmentKey } from '../rfm-fields.ts';
import { defineTool, plan } from '../tool.ts';

export const rfmSegmentTransitions = defineTool({
  name: 'rfm_segment_transitions',
  title: 'RFM segment transitions',
  group: 'RFM',
  description:
    'How many customers moved from which RFM segment to which between two dates: use it to see who was won, kept or ' +
    'lost. Starts from the state just before from_date and ends with that at to_date. Sizes alone are in ' +
    'rfm_segment_statistics_trend.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({ ...rangeArguments, ...rfmProfileArgument }),
  output: z.strictObject({
    ...coverageFields,
    rfm_profile_id: z.string(),
    from_as_of: moment('The last second before from_date.'),
    to_as_of: moment('to_date, or data_until when that is earlier.'),
    summary: z.strictObject({
      stayed_count: count('Customers in the same segment at both ends.'),
      upgraded_count: count('Customers who came to a better value_rank.'),
      downgraded_count: count('Customers who came to a worse value_rank.'),
      new_count: count('Customers without an order before from_date.'),
      lost_count: count('Scored at start, lost at end; part of downgraded.'),
      reactivated_count: count('Lost at start, scored at end; part of upgraded.'),
    }),
    segments: z.array(
      z.strictObject({
        segment: segmentKey,
        customers_at_start_count: count('Customers of the segment; end = start + entered - left.'),
        entered_count: count('Customers from other segments, or new.'),
        left_count: count('Customers who went to other segments.'),
        customers_at_end_count: count('Customers of the segment; end = start + entered - left.'),
      }),
    ),
    transitions: z
      .array(
        z.strictObject({
          from_segment: z.string().nullable().describe('null: new customers.'),
          to_segment: z.string(),
          customers_count: count('Customers with the transition.'),
          share_of_from: percent('Of the customers in from_segment at start.'),
          direction: z.string().describe('stay, up, down or new.'),
          revenue: money('Orders of these customers from from_date to to_date.'),
        }),
      )
      .describe('Only pairs with customers.'),
  }),
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const lastSecondBefore = (moment: string) =>
      asOf(Temporal.Instant.from(`${moment}Z`).subtract({ seconds: 1 }), timezone, facts);
    const from = lastSecondBefore(range.start);
    const to = lastSecondBefore(range.end);
    return plan({
      queries: {
        profile: chosenProfile(args.rfm_profile_id),
        pairs: segmentPairs(from, to, args.rfm_profile_id),
      },
      answer: ({ profile, pairs }) => ({
        result: {
          business_id: args.business_id,
          data_until: facts.orders_until,
          rfm_profile_id: requireProfile(profile).rfm_profile_id,
          from_as_of: from.moment,
          to_as_of: to.moment,
          ...transitionAnswer(pairs),
        },
      }),
    });
  },
});
