import { z } from 'zod';
import { businessId, optionalMoment } from '../../../answers/arguments.ts';
import { field } from '../../../answers/fields/field.ts';
import { choice, count, date, list, measure, text } from '../../../answers/fields/kinds-of-fields.ts';
import { coverage } from '../../../answers/fields/shared-fields.ts';
import { defineTool } from '../../../answers/tool.ts';
import { planWatch } from '../queries/watched/plan-watch.ts';

const amount = <const Key extends string>(key: Key, definition: string) =>
  field({ key, type: 'number', unit: 'as metric', null: 'nothing to divide by', definition });

const alertFields = [
  text('metric', 'As query_metrics has it, or two of these, divided.'),
  text('dimension', 'As query_metrics takes it.', 'the whole store'),
  text('value', 'Of the dimension. Business data.', 'the whole store'),
  date('date', 'The first day.'),
  count('days', 'days', 'Judged together.'),
  amount('found', 'What came.'),
  amount('usual', 'By level, trend, weekday, season and holidays of the days before from_date.'),
  amount('usual_low', '95 of 100 such days are above.'),
  amount('usual_high', '95 of 100 such days are below.'),
  choice('direction', ['above', 'below'], 'Of found.'),
  measure('ratio', 'p_value', 'How likely it is by chance alone.'),
  measure('percent', 'seen_share', 'Of the last year: as unusual by the same computation.', 'none to judge'),
  text('sentence', 'To be quoted.'),
];

const trustFields = [
  text('kind', 'Of what.'),
  text('text', 'To be quoted. Names are business data.'),
  text('touches', 'Which answers.'),
  measure('percent', 'affected_share', 'Part of what is judged that is missing or wrong.', 'not known'),
];

export const watch = defineTool({
  name: 'watch',
  title: 'Watch',
  group: 'Insights',
  description:
    'What is unusual on the last whole days, calibrated on the past (an empty list is an answer), and which numbers may not be quoted.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    business_id: businessId,
    as_of: optionalMoment('Days before this one; null: before the day of the last order.'),
    since: optionalMoment('The first of them; null: 7 days, at most 28.'),
  }),
  example: {},
  fields: [
    ...coverage,
    date('from_date', 'First day judged.'),
    date('to_date', 'Last day judged.'),
    count('rows', 'tests_count', 'Looked at.'),
    count('rows', 'alerts_count', 'Unusual, at most 5 percent of them by chance.'),
    text('summary', 'To be quoted.'),
    list('alerts', 'The most certain first, parts of others last.', alertFields),
    list('trust', 'What is missing, silent, stale or double.', trustFields),
  ],
  plan: (context) => planWatch(context),
});
