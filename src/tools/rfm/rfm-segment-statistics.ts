import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { readMoment } from '../../model/moment.ts';
import { asOf } from '../../model/rfm/moments.ts';
import { chosenProfile, requireProfile } from '../../model/rfm/profiles.ts';
import {
  cellRows,
  frequencyRows,
  monetaryRows,
  recencyRows,
  scoredCustomersCount,
  segmentCells,
  segmentRows,
} from '../../model/rfm/segment-statistics.ts';
import { consentNotes } from '../../model/subscribers/data-until.ts';
import { businessId } from '../arguments.ts';
import { count, coverageFields, moment, money, percent } from '../output.ts';
import { rfmProfileArgument, segmentKey } from '../rfm-fields.ts';
import { defineTool, plan } from '../tool.ts';

const segment = z.strictObject({
  segment: segmentKey,
  name: z.string(),
  customers_count: count('Customers; lost: last valid order before the window.'),
  customers_share: percent('Of all segments.'),
  orders_count: count('Valid orders in the window.'),
  revenue: money('Of those orders.'),
  revenue_share: percent('Of all segments.'),
  avg_recency_days: z.number().nullable().describe('Calendar days since the last valid order. [days]'),
  avg_frequency: z.number().nullable().describe('orders_count / customers_count.'),
  avg_monetary: money('revenue / customers_count.').nullable(),
  average_order_value: money('revenue / orders_count.').nullable(),
  email_subscribed_count: count('Customers reachable by e-mail now, whatever as_of is.'),
  sms_subscribed_count: count('The same by SMS.'),
  reactivated_customers_count: count(
    'Scored customers who also have a valid order before the window: of new ones, those who came back.',
  ),
});

const scores = (values: string) =>
  z
    .array(
      z.strictObject({
        score: z.int(),
        from_value: z.number().nullable(),
        to_value: z.number().nullable(),
        customers_count: z.int(),
        revenue: z.number(),
      }),
    )
    .describe(`Scores 1 to 5: ${values}; null: no bound. Revenue in the window [money].`);

export const rfmSegmentStatistics = defineTool({
  name: 'rfm_segment_statistics',
  title: 'RFM segment statistics',
  group: 'RFM',
  description:
    'How many customers each RFM segment (champions, new, at risk, lost, …) has at one moment, what they are worth and ' +
    'how many can be reached: use it for the state of the customer base. For its development use ' +
    'rfm_segment_statistics_trend, for who moved where rfm_segment_transitions.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    business_id: businessId,
    ...rfmProfileArgument,
    as_of: z.string().nullable().default(null).meta({
      format: 'date-time',
      description:
        'State at this moment, recomputed from orders known today; null, or after the data: data_until.',
    }),
    include_cells: z.boolean().default(false).describe('Adds how many customers have each scores R x F x M.'),
  }),
  output: z.strictObject({
    ...coverageFields,
    rfm_profile_id: z.string(),
    as_of: moment('The moment of the state; null when nothing is loaded.').nullable(),
    scored_customers_count: count('Customers with a valid order in the window: all but lost.'),
    segments: z.array(segment),
    recency_scores: scores('days since the last order, both bounds included'),
    frequency_scores: scores('orders in the window, both bounds included'),
    monetary_scores: scores('revenue in the window, below to_value (quintiles: at most)'),
    cells: z
      .array(
        z.strictObject({
          recency: z.int(),
          frequency: z.int(),
          monetary: z.int(),
          customers_count: z.int(),
        }),
      )
      .nullable()
      .describe('Combinations of scores that customers have; null unless asked for.'),
  }),
  plan({ args, timezone, facts }) {
    const asked =
      args.as_of === null ? facts.orders_until : readMoment('as_of', args.as_of, timezone, 'to').instant;
    const moment = asked === null ? null : asOf(Temporal.Instant.from(asked), timezone, facts);
    return plan({
      queries: {
        profile: chosenProfile(args.rfm_profile_id),
        cells: moment === null ? null : segmentCells(moment, args.rfm_profile_id),
      },
      answer: ({ profile: found, cells }) => {
        const profile = requireProfile(found);
        return {
          result: {
            business_id: args.business_id,
            data_until: facts.orders_until,
            rfm_profile_id: profile.rfm_profile_id,
            as_of: moment?.moment ?? null,
            scored_customers_count: scoredCustomersCount(cells),
            segments: segmentRows(cells),
            recency_scores: recencyRows(cells, profile),
            frequency_scores: frequencyRows(cells, profile),
            monetary_scores: monetaryRows(cells, profile),
            cells: args.include_cells ? cellRows(cells) : null,
          },
          notes: consentNotes(facts),
        };
      },
    });
  },
});
