import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { businessId } from '../../../answers/arguments.ts';
import { bars, grid, saying } from '../../../answers/chart.ts';
import { field, HIDDEN } from '../../../answers/fields/field.ts';
import { count, list, measure, moment, text } from '../../../answers/fields/kinds-of-fields.ts';
import { coverage } from '../../../answers/fields/shared-fields.ts';
import { FollowedPeople } from '../../../answers/small-groups.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { consentNotes } from '../../../business/subscribers-until.ts';
import { LOST, RFM_SEGMENTS } from '../../../store/rfm-segments.ts';
import { localDate, readMoment } from '../../../time/moment.ts';
import { endOfDay, wholeDayNote } from '../../../time/whole-days.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../../orders/queries/orders-without-customer.ts';
import { asOf, fillingWindowNotes } from '../queries/as-of.ts';
import { hiddenPeopleNotes, hiddenTogether } from '../queries/hidden-people.ts';
import { askedProfile, chosenProfile, requireProfile } from '../queries/profiles.ts';
import { inWindow } from '../queries/scoring.ts';
import { largestTies, segmentCells, stateAnswer, tieNotes } from '../queries/segment-statistics.ts';
import {
  customersOfSegment,
  ordersInWindow,
  revenueInWindow,
  rfmProfileArgument,
  rfmProfileId,
  scoreField,
  segmentKey,
  shareOfSegments,
} from '../rfm-fields.ts';

const segmentFields = [
  segmentKey,
  text('name', 'In English.'),
  customersOfSegment,
  shareOfSegments('customers_share'),
  ordersInWindow,
  revenueInWindow,
  shareOfSegments('revenue_share'),
  field({
    key: 'avg_recency_days',
    type: 'number',
    unit: 'days',
    null: `nothing to divide by, or ${HIDDEN}`,
    definition: 'Mean calendar days since the last order.',
  }),
  measure('orders', 'avg_frequency', 'orders_count / customers_count.', `nothing to divide by, or ${HIDDEN}`),
  measure('money', 'avg_monetary', 'revenue / customers_count.', `nothing to divide by, or ${HIDDEN}`),
  field({
    key: 'average_order_value',
    type: 'number',
    unit: 'money',
    null: `nothing to divide by, or ${HIDDEN}`,
    definition: 'revenue / orders_count, also of unknown amounts.',
  }),
  field({
    key: 'email_subscribed_count',
    type: 'integer',
    unit: 'customers',
    null: HIDDEN,
    definition: 'Customers with consent for e-mail now, whatever as_of is.',
  }),
  field({
    key: 'sms_subscribed_count',
    type: 'integer',
    unit: 'customers',
    null: HIDDEN,
    definition: 'Customers with consent for SMS now, whatever as_of is.',
  }),
  field({
    key: 'email_reachable_count',
    type: 'integer',
    unit: 'customers',
    null: HIDDEN,
    definition: 'Customers of email_subscribed_count who are not suppressed.',
  }),
  field({
    key: 'sms_reachable_count',
    type: 'integer',
    unit: 'customers',
    null: HIDDEN,
    definition: 'Customers of sms_subscribed_count who are not suppressed.',
  }),
  field({
    key: 'suppressed_count',
    type: 'integer',
    unit: 'customers',
    null: HIDDEN,
    definition: 'Customers suppressed now in e-mail or SMS: bounced, complained, or blocked.',
  }),
  field({
    key: 'reactivated_customers_count',
    sinceFirst: true,
    type: 'integer',
    unit: 'customers',
    null: HIDDEN,
    definition: 'Scored customers with an order before the window too: of new ones, those who came back.',
  }),
];

const bound = <const Key extends string>(key: Key, end: string) =>
  field({ key, type: 'number', unit: 'as score', null: 'open', definition: `${end} end of the score.` });

const customersOfScores = count('customers', 'customers_count', 'Customers with the scores.', HIDDEN);

const scores = <const Key extends string>(key: Key, values: string) =>
  field({
    key,
    type: 'list',
    definition: `Scores 1 to 5: ${values}.`,
    fields: [
      count('score', 'score', '1 to 5, the best.'),
      bound('from_value', 'Low'),
      bound('to_value', 'High'),
      customersOfScores,
      revenueInWindow,
    ],
  });

/** The texts have the bounds that a store has unless it chose its own. */
const SEGMENTS_IN_WORDS = RFM_SEGMENTS.filter(({ key }) => key !== LOST)
  .map(({ name, description }) => `${name} ${shortened(description)}`)
  .join('; ');

/** “At least 5 orders, the last 31 to 180 days ago.” is “5+ orders, last 31–180 days ago”. */
function shortened(description: string): string {
  return description
    .replace(/At least (\d+)/, '$1+')
    .replace(/ to (?=\d+ (days|orders))/g, '–')
    .replace(/, the last/, ', last')
    .replace(/\.$/, '');
}

export const rfmSegmentStatistics = defineTool({
  name: 'rfm_segment_statistics',
  title: 'RFM segment statistics',
  group: 'RFM',
  description:
    'Customers in each RFM segment (champions, new, at risk, lost, …) at one moment, their worth, and how many can be reached.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'segments', uniqueBy: ['segment'] },
  chart: [
    saying(
      `Of the last 365 days, unless the store chose otherwise: ${SEGMENTS_IN_WORDS}. Lost, all who ordered only before, are many in every store.`,
      bars('segments', ['name'], ['customers_count', 'revenue']),
    ),
    saying(
      'The same customers by scores from 1 to 5, the best: recency 5 ordered most recently, frequency 5 most often, monetary 5 for the most money. Where no cell or row is, nobody is; the lost have no scores.',
      grid('cells', { down: 'recency', across: 'frequency', each: 'monetary' }, 'customers_count'),
    ),
  ],
  input: z.strictObject({
    business_id: businessId,
    ...rfmProfileArgument,
    as_of: z.string().nullable().default(null).meta({
      format: 'date-time',
      description:
        'State at the end of this day, recomputed from orders known today; null, or after the data: data_until.',
    }),
    include_cells: z.boolean().default(false).describe('Adds how many customers have each scores R x F x M.'),
  }),
  fields: [
    ...coverage,
    rfmProfileId,
    moment('as_of', 'The moment of the state.', 'nothing loaded'),
    field({
      key: 'scored_customers_count',
      type: 'integer',
      unit: 'customers',
      null: HIDDEN,
      definition: 'Customers with an order in the window: all but lost.',
    }),
    list('segments', 'The best first.', segmentFields),
    scores('recency_scores', 'days since the last order, both bounds included'),
    scores('frequency_scores', 'orders in the window, both bounds included'),
    scores('monetary_scores', 'revenue in the window, below to_value (quintiles: at most)'),
    field({
      key: 'cells',
      type: 'list',
      null: 'not asked for',
      definition: 'Combinations of scores that customers have.',
      fields: [scoreField('recency'), scoreField('frequency'), scoreField('monetary'), customersOfScores],
    }),
  ],
  plan({ args, timezone, currency, facts, leastFollowed }) {
    const asked = args.as_of === null ? null : dayOf(args.as_of, timezone);
    const until = facts.orders_until === null ? null : Temporal.Instant.from(facts.orders_until);
    const instant = asked?.end ?? until;
    const moment = instant === null ? null : asOf(instant, timezone, facts);
    return plan({
      queries: {
        profile: askedProfile(args.rfm_profile_id),
        cells: moment === null ? null : segmentCells(moment, args.rfm_profile_id),
        ties: moment === null ? null : largestTies(moment, args.rfm_profile_id),
        withoutCustomer:
          moment === null
            ? null
            : ordersWithoutCustomer(inWindow(moment, chosenProfile(args.rfm_profile_id)), facts),
      },
      answer: ({ profile: found, cells, ties, withoutCustomer }) => {
        const profile = requireProfile(found);
        const people = new FollowedPeople(leastFollowed);
        const state = stateAnswer(cells, profile, people);
        const all = cells.reduce((sum, { customers_count }) => sum + customers_count, 0);
        const result = {
          business_id: args.business_id,
          data_until: facts.orders_until,
          rfm_profile_id: profile.rfm_profile_id,
          as_of: moment?.moment ?? null,
          ...state,
          cells: args.include_cells ? state.cells : null,
        };
        const notes = [
          ...(asked?.notes ?? []),
          ...fillingWindowNotes(moment?.date, profile.window_days, timezone, facts),
          ...tieNotes(ties, state.scored_customers_count, currency, people),
          ...people.notes(),
          ...hiddenPeopleNotes('segments', all, state.segments, people, hiddenTogether(state, all)),
          ...(args.include_cells
            ? hiddenPeopleNotes('cells', state.scored_customers_count, state.cells, people)
            : []),
          ...consentNotes(facts),
          ...withoutCustomerNotes(withoutCustomer, currency),
        ];
        return { result, notes };
      },
    });
  },
});

/** A moment within a day is its end: else two moments beside one order would tell whose it is. */
function dayOf(value: string, timezone: string) {
  const { instant } = readMoment('as_of', value, timezone, 'to');
  const date = localDate(instant.toString(), timezone);
  const end = endOfDay(date, timezone);
  const isAsked = instant.round({ smallestUnit: 'second', roundingMode: 'floor' }).equals(end);
  return { end, notes: isAsked ? [] : [wholeDayNote('as_of', date)] };
}
