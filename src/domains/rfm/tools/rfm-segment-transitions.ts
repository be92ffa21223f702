import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { rangeArguments } from '../../../answers/arguments.ts';
import { flow, matrix, saying } from '../../../answers/chart.ts';
import { field, HIDDEN } from '../../../answers/fields/field.ts';
import { choice, count, list, measure, moment, object } from '../../../answers/fields/kinds-of-fields.ts';
import { coverage } from '../../../answers/fields/shared-fields.ts';
import { FollowedPeople } from '../../../answers/small-groups.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { readWholeDays } from '../../../time/whole-days.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../../orders/queries/orders-without-customer.ts';
import { asOf, fillingWindowNotes } from '../queries/as-of.ts';
import { hiddenPeopleNotes } from '../queries/hidden-people.ts';
import { askedProfile, requireProfile } from '../queries/profiles.ts';
import { segmentPairs, transitionAnswer } from '../queries/transitions.ts';
import { rfmProfileArgument, rfmProfileId, segmentKey } from '../rfm-fields.ts';

export const rfmSegmentTransitions = defineTool({
  name: 'rfm_segment_transitions',
  title: 'RFM segment transitions',
  group: 'RFM',
  description: 'How many customers moved from which RFM segment to which between two dates: won, kept, lost.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'transitions', uniqueBy: ['from_segment', 'to_segment'] },
  chart: [
    saying(
      'From left to right: in which segment customers were before, and are after. Lost are those without an order in the window of 365 days (or of the profile): some become it in every store.',
      flow('transitions', 'from_segment', 'to_segment', 'customers_count'),
    ),
    matrix('transitions', 'from_segment', 'to_segment', 'customers_count'),
  ],
  input: z.strictObject({ ...rangeArguments, ...rfmProfileArgument }),
  fields: [
    ...coverage,
    rfmProfileId,
    moment('from_as_of', 'The last second before the day of from_date.'),
    moment('to_as_of', 'The end of the day of to_date, or data_until when that is earlier.'),
    object('summary', 'Of all customers.', [
      count('customers', 'stayed_count', 'Customers in the same segment at both ends.', HIDDEN),
      count('customers', 'upgraded_count', 'Customers who came to a better value_rank.', HIDDEN),
      count('customers', 'downgraded_count', 'Customers who came to a worse value_rank.', HIDDEN),
      field({
        key: 'new_count',
        sinceFirst: true,
        type: 'integer',
        unit: 'customers',
        null: HIDDEN,
        definition: 'Customers without an order before from_date.',
      }),
      count('customers', 'lost_count', 'Scored at start, lost at end; part of downgraded.', HIDDEN),
      count('customers', 'reactivated_count', 'Lost at start, scored at end; part of upgraded.', HIDDEN),
    ]),
    list('segments', 'The best first.', [
      segmentKey,
      count('customers', 'customers_at_start_count', 'Customers of the segment at from_as_of.', HIDDEN),
      count('customers', 'entered_count', 'Customers from other segments, or new.', HIDDEN),
      count('customers', 'left_count', 'Customers who went to other segments.', HIDDEN),
      field({
        key: 'customers_at_end_count',
        type: 'integer',
        unit: 'customers',
        null: HIDDEN,
        definition: 'customers_at_start_count + entered_count - left_count.',
      }),
    ]),
    list('transitions', 'Only pairs with customers.', [
      field({
        key: 'from_segment',
        type: 'text',
        isKey: true,
        null: 'new customers',
        definition: 'Key as in get_rfm_profile.',
      }),
      field({
        key: 'to_segment',
        type: 'text',
        isKey: true,
        definition: 'Key as in get_rfm_profile.',
      }),
      count('customers', 'customers_count', 'Customers with the transition.', HIDDEN),
      field({
        key: 'share_of_from',
        type: 'number',
        unit: 'percent',
        null: `new customers, or ${HIDDEN}`,
        definition: 'customers_count / customers in from_segment at start.',
      }),
      choice('direction', ['stay', 'up', 'down', 'new'], 'To a better or worse segment, or none.'),
      measure('money', 'revenue', 'Orders of these customers from from_date to to_date.', HIDDEN),
    ]),
  ],
  plan({ args, timezone, currency, facts, leastFollowed }) {
    const { range, notes } = readWholeDays(args, timezone);
    const lastSecondBefore = (moment: string) =>
      asOf(Temporal.Instant.from(`${moment}Z`).subtract({ seconds: 1 }), timezone, facts);
    const from = lastSecondBefore(range.start);
    const to = lastSecondBefore(range.end);
    return plan({
      queries: {
        profile: askedProfile(args.rfm_profile_id),
        pairs: segmentPairs(from, to, args.rfm_profile_id),
        withoutCustomer: ordersWithoutCustomer(range, facts),
      },
      answer: ({ profile: found, pairs, withoutCustomer }) => {
        const profile = requireProfile(found);
        const people = new FollowedPeople(leastFollowed);
        const all = pairs.reduce((sum, { customers_count }) => sum + customers_count, 0);
        const { answer, together } = transitionAnswer(pairs, people);
        const result = {
          business_id: args.business_id,
          data_until: facts.orders_until,
          rfm_profile_id: profile.rfm_profile_id,
          from_as_of: from.moment,
          to_as_of: to.moment,
          ...answer,
        };
        const told = [
          ...notes,
          ...fillingWindowNotes(from.date, profile.window_days, timezone, facts),
          ...people.notes(),
          ...hiddenPeopleNotes('transitions', all, answer.transitions, people, together),
          ...withoutCustomerNotes(withoutCustomer, currency),
        ];
        return { result, notes: told };
      },
    });
  },
});
