import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { integerBetween, oneOf, rangeArguments } from '../../../answers/arguments.ts';
import { bars, saying } from '../../../answers/chart.ts';
import { field } from '../../../answers/fields/field.ts';
import { list, object, text } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { coverage } from '../../../answers/fields/shared-fields.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { hiddenNotes, hideable, isHiddenField } from '../../../answers/small-groups.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { consentNotes, subscribersUntil } from '../../../business/subscribers-until.ts';
import { shortText, shortTextOrNull } from '../../../text/business-text.ts';
import { readRange } from '../../../time/range.ts';
import { complaintNotes, complaints } from '../../messages/queries/complaints.ts';
import { asOf } from '../../rfm/queries/as-of.ts';
import { flow, flowRows, groupingOf, SUBSCRIBER_GROUPINGS } from '../queries/flow.ts';
import { confirmationMetrics, flowMetrics } from '../queries/flow-metrics.ts';
import { withoutSmallNumbers } from '../queries/hidden-rows.ts';
import { activity, activityMetrics, activityNotes } from '../queries/subscriber-activity.ts';
import {
  knownAtEnd,
  reachAtEnd,
  reachFields,
  stateFields,
  stateRows,
  statesAtEnd,
} from '../queries/subscriber-states.ts';
import { channelArgument, channelField } from '../subscriber-fields.ts';

export const subscriberStatistics = defineTool({
  name: 'subscriber_statistics',
  title: 'Subscriber statistics',
  group: 'Subscribers',
  description:
    'How many people may be written to by e-mail or SMS, who joined and left, from where, and how active they are: size and health of the base.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'rows', uniqueBy: ['key'] },
  chart: [
    saying(
      'Who came and who left between these days. Those who left may have come earlier, and by another way.',
      bars('rows', [['campaign_name', 'key']], [['subscribed_count', 'unsubscribed_count']], {
        groupedBy: 'group_by',
      }),
    ),
    saying(
      'All who are known, by their state on the last day.',
      bars('states', ['state'], ['profiles_count']),
    ),
  ],
  input: z.strictObject({
    ...rangeArguments,
    ...channelArgument,
    group_by: oneOf('group_by', SUBSCRIBER_GROUPINGS)
      .default('source')
      .describe(
        'Where people subscribed, country, state at to_date, RFM segment before, why or by which campaign they left.',
      ),
    limit: integerBetween('limit', 1, 200).default(20),
  }),
  fields: [
    ...coverage,
    channelField,
    ...flowMetrics,
    ...reachFields,
    list(
      'states',
      'Each profile is in one; the last event counts, a block holds until the next subscription.',
      stateFields,
    ),
    object('activity', 'Of profiles subscribed at to_date.', activityMetrics),
    list('rows', 'By what was asked for, the largest first.', [
      field({
        key: 'key',
        type: 'text',
        definition:
          'Source (popup, checkout, registration, form, import, api, manual, unknown) or popup of the subscription, country, state, RFM segment just before the range, reason or campaign_id of the exit; (stayed), (not set), (no popup), (no order), (no campaign), (other), (all). Business data.',
      }),
      text('campaign_name', 'Business data.', 'not by exit_campaign'),
      ...hideable([...flowMetrics, ...confirmationMetrics]),
      isHiddenField,
    ]),
  ],
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const start = Temporal.Instant.from(`${range.start}Z`).subtract({ seconds: 1 });
    const before = asOf(start, timezone, facts);
    const grouping = groupingOf(args.group_by, { channel: args.channel, range, before });
    return plan({
      queries: {
        totals: flow(args.channel, range),
        states: statesAtEnd(args.channel, range),
        known: knownAtEnd(range),
        reach: reachAtEnd(args.channel, range),
        activity: activity(args.channel, range),
        complaints: complaints(args.channel, range),
        rows: flowRows(args.channel, range, grouping, args.limit),
      },
      answer: ({ totals, states, known, reach, activity, rows, complaints: complained }) => {
        const areByExit = args.group_by === 'exit_reason' || args.group_by === 'exit_campaign';
        const shown = withoutSmallNumbers(rows, areByExit).map(
          ({ key, campaign_name, groups_count: _, ...row }) => ({
            key: shortText(key ?? (args.group_by === 'none' ? '(all)' : '(other)'), 300),
            campaign_name: shortTextOrNull(campaign_name, 300),
            ...row,
          }),
        );
        const { unopened_count, ...active } = onlyRow(activity);
        return {
          result: {
            business_id: args.business_id,
            data_until: subscribersUntil(facts),
            channel: args.channel,
            ...onlyRow(totals),
            ...onlyRow(reach),
            states: stateRows(states, known),
            activity: active,
            rows: shown,
          },
          notes: [
            ...consentNotes(facts),
            ...activityNotes({ ...active, unopened_count }),
            ...complaintNotes(complained),
            ...(args.group_by === 'none' ? [] : otherNotes(rows)),
            ...hiddenNotes(shown),
          ],
        };
      },
    });
  },
});

/** Notes on what is put together, so that nothing is put together silently. */
function otherNotes(
  rows: readonly { readonly key: string | null; readonly groups_count: number }[],
): string[] {
  return rows.flatMap(({ key, groups_count }) =>
    key === null
      ? [
          `(other) is ${groups_count} rows together: what is beyond limit, and of ${LEAST_SHARING - 1} people or fewer.`,
        ]
      : [],
  );
}
