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
import {
  customersOfSegment,
  rfmProfileArgument,
  scoreNumber,
  segmentKey,
  windowFields,
} from '../rfm-fields.ts';
import { defineTool, plan } from '../tool.ts';

const REACHABLE = 'Customers reachable by the channel now, whatever as_of is.';

const segment = z.strictObject({
  segment: segmentKey,
  name: z.string(),
  customers_count: customersOfSegment,
  customers_share: percent('Of all segments.'),
  ...windowFields,
  revenue_share: percent('Of all segments.'),
  avg_recency_days: z.number().nullable().describe('Mean calendar days since the last order. [days]'),
  avg_frequency: z.number().nullable().describe('orders_count / customers_count. [orders]'),
  avg_monetary: money('revenue / customers_count.').nullable(),
  average_order_value: money('revenue / orders_count.').nullable(),
  email_subscribed_count: count(REACHABLE),
  sms_subscribed_count: count(REACHABLE),
  reactivated_customers_count: count(
    'Scored customers with an order before the window too: of new ones, those who came back.',
  ),
});

const bound = z.number().nullable().describe('Bounds of the score; null: open. [as the score]');

const scores = (values: string) =>
  z
    .array(
      z.strictObject({
        score: scoreNumber,
        from_value: bound,
        to_value: bound,
        customers_count: count('Customers with the scores.'),
        revenue: windowFields.revenue,
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
    scored_customers_count: count('Customers with an order in the window: all but lost.'),
    segments: z.array(segment),
    recency_scores: scores('days since the last order, both bounds included'),
    frequency_scores: scores('orders in the window, both bounds included'),
    monetary_scores: scores('revenue in the window, below to_value (quintiles: at most)'),
    cells: z
      .array(
        z.strictObject({
          recency: scoreNumber,
          frequency: scoreNumber,
          monetary: scoreNumber,
          customers_count: count('Customers with the scores.'),
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
