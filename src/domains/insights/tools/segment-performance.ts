import { z } from 'zod';
import { businessId, integerBetween, oneOf } from '../../../answers/arguments.ts';
import { field } from '../../../answers/fields/field.ts';
import { choice, count, list, measure, moment } from '../../../answers/fields/kinds-of-fields.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool } from '../../../answers/tool.ts';
import { readableField } from '../../segments/query-fields.ts';
import { DIRECTIONS } from '../queries/segment/measured-days.ts';
import { planSegmentPerformance } from '../queries/segment/plan-segment-performance.ts';
import { METRIC_NAMES, VERDICTS } from '../queries/segment/shown-performance.ts';

const FEW = 'few, nearly all, or not known';

const estimated = <const Key extends string>(key: Key, definition: string) =>
  field({ key, type: 'number', unit: 'as metric', null: FEW, definition });

const share = <const Key extends string>(key: Key, definition: string) =>
  field({ key, type: 'number', unit: 'percent', null: `${FEW}, or a rate`, definition });

const metricFields = [
  choice(
    'metric',
    METRIC_NAMES,
    'Of the days measured. people: profiles. buyers: with a valid order; orders, revenue (with VAT, before refunds): of one person at most most_orders_of_one and most_revenue_of_one. net_revenue: their goods without VAT, before refunds, cut alike. revenue_per_person: also of who did not buy. subscribers: consent for e-mail or SMS when the days began; unsubscribed: of these, left in either channel by own action. *_share: percent.',
  ),
  estimated('segment', 'People in the segment. With noise.'),
  estimated('rest', 'All others: whole - segment as shown.'),
  estimated('whole', 'Everybody. With noise.'),
  share('share_of_whole', 'segment / whole.'),
  estimated('segment_low', 'Low end of the 95 % interval, by the noise added; of money as it is cut.'),
  estimated('segment_high', 'High end of it.'),
  estimated('rest_low', 'Low end of the 95 % interval, by the noise added.'),
  estimated('rest_high', 'High end of it.'),
  share('share_low', 'Low end of the 95 % interval, by the noise added.'),
  share('share_high', 'High end of it.'),
  choice('segment_is', VERDICTS, 'Than the rest, beyond the noise.'),
];

export const segmentPerformance = defineTool({
  name: 'segment_performance',
  title: 'Segment performance',
  group: 'Insights',
  description:
    'What people of a segment bought and how many unsubscribed, beside everybody else: rounded, with noise, so many a day, as estimate_segment_query.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD', 'LIST_CAMPAIGNS'],
  input: z.strictObject({
    business_id: businessId,
    segment_query: z
      .union([z.string(), z.record(z.string(), z.unknown())], 'must be an object with segments')
      .describe('As estimate_segment_query takes it, or the segment_id of a saved one.'),
    days: integerBetween('days', 1, 365).default(90).describe('Measured, up to the end of the data.'),
    direction: oneOf('direction', DIRECTIONS)
      .default('last')
      .describe('last: of the segment as it is; next: as it was before these days.'),
  }),
  example: {
    segment_query: {
      segments: [{ targetingBlocks: [{ type: 'order_count', operator: 'gte', value: 2 }] }],
    },
    direction: 'next',
  },
  fields: [
    businessIdField,
    moment('as_of', 'End of the data, and of the days.'),
    moment('measured_from', 'Beginning of the days; next: when the segment is chosen.'),
    count('days', 'days', 'As asked.'),
    choice('direction', DIRECTIONS, 'As asked.'),
    count('orders', 'most_orders_of_one', 'So many count of one person.'),
    measure('money', 'most_revenue_of_one', 'Of one person no more counts.', 'no order in these days'),
    list('metrics', 'One after another.', metricFields),
    readableField,
  ],
  plan: (context) => planSegmentPerformance(context),
});
