import { z } from 'zod';
import { integerBetween, oneOf, rangeArguments } from '../../../answers/arguments.ts';
import { field } from '../../../answers/fields/field.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { coverage } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { consentNotes, subscribersUntil } from '../../../business/subscribers-until.ts';
import { shortText } from '../../../text/business-text.ts';
import { readRange } from '../../../time/range.ts';
import { activity, activityMetrics } from '../queries/activity.ts';
import { flow, flowRows, SUBSCRIBER_GROUPINGS } from '../queries/flow.ts';
import { confirmationMetrics, flowMetrics } from '../queries/flow-metrics.ts';
import {
  knownAtEnd,
  reachAtEnd,
  reachFields,
  stateFields,
  stateRows,
  statesAtEnd,
} from '../queries/states.ts';
import { channelArgument, channelField } from '../subscriber-fields.ts';

export const subscriberStatistics = defineTool({
  name: 'subscriber_statistics',
  title: 'Subscriber statistics',
  group: 'Subscribers',
  description:
    'How many people may be written to by e-mail or SMS, who joined and left, from where, and how active they are: size and health of the base.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    ...channelArgument,
    group_by: oneOf('group_by', SUBSCRIBER_GROUPINGS)
      .default('source')
      .describe('What a row is: where people subscribed, their country, or their consent state at to_date.'),
    limit: integerBetween('limit', 1, 200).default(20),
  }),
  fields: [
    ...coverage,
    channelField,
    ...flowMetrics,
    ...reachFields,
    field({
      key: 'states',
      type: 'list',
      definition: 'Each profile is in one; the last event counts, a block holds until the next subscription.',
      fields: stateFields,
    }),
    field({
      key: 'activity',
      type: 'object',
      definition: 'Of profiles subscribed at to_date.',
      fields: activityMetrics,
    }),
    field({
      key: 'rows',
      type: 'list',
      definition: 'By what was asked for, the largest first.',
      fields: [
        field({
          key: 'key',
          type: 'text',
          definition:
            'Source (popup, checkout, registration, form, import, api, manual, unknown) or popup of the subscription, country, state; (not set), (no popup), (all). Business data.',
        }),
        ...flowMetrics,
        ...confirmationMetrics,
      ],
    }),
  ],
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    return plan({
      queries: {
        totals: flow(args.channel, range),
        states: statesAtEnd(args.channel, range),
        known: knownAtEnd(range),
        reach: reachAtEnd(args.channel, range),
        activity: activity(args.channel, range),
        rows: flowRows(args.channel, range, args.group_by, args.limit),
      },
      answer: ({ totals, states, known, reach, activity, rows }) => ({
        result: {
          business_id: args.business_id,
          data_until: subscribersUntil(facts),
          channel: args.channel,
          ...onlyRow(totals),
          ...onlyRow(reach),
          states: stateRows(states, known),
          activity: onlyRow(activity),
          rows: rows.map(({ key, groups_count: _, ...row }) => ({
            key: shortText(key, 300),
            ...row,
          })),
        },
        notes: [...consentNotes(facts), ...cutNotes(rows[0]?.groups_count ?? 0, rows.length)],
      }),
    });
  },
});

/** Nothing is cut silently. */
function cutNotes(groups: number, shown: number): string[] {
  return groups > shown ? [`${groups - shown} smaller rows of ${groups} are not shown; raise limit.`] : [];
}
