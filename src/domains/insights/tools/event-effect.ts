import { z } from 'zod';
import { oneOf, rangeArguments } from '../../../answers/arguments.ts';
import { field } from '../../../answers/fields/field.ts';
import { choice, count, date, measure, text } from '../../../answers/fields/kinds-of-fields.ts';
import { coverage } from '../../../answers/fields/shared-fields.ts';
import { defineTool } from '../../../answers/tool.ts';
import { withTracking } from '../../messages/queries/with-tracking.ts';
import { AFFECTED, EFFECT_METRIC_NAMES } from '../queries/event/event-question.ts';
import { planEventEffect } from '../queries/event/plan-event-effect.ts';

const NONE = 'no effect is told: see summary';

const amount = <const Key extends string>(key: Key, definition: string) =>
  field({ key, type: 'number', unit: 'as metric', null: NONE, definition });

const effect = defineTool({
  name: 'event_effect',
  title: 'Effect of an event',
  group: 'Insights',
  description:
    'What a price change, TV spot or campaign without a control group did: the affected part against what its past and the unaffected rest made expected, ranked among earlier dates.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    business_id: rangeArguments.business_id,
    metric: oneOf('metric', EFFECT_METRIC_NAMES)
      .default('product_revenue')
      .describe('By channel or country also revenue, orders_count; sessions_count: visits.'),
    dimension: oneOf('dimension', AFFECTED).describe('Of what the affected part is.'),
    values: z
      .array(z.string('must be text'), 'values must be a list of names')
      .min(1, 'values must have at least one element')
      .max(1000, 'at most 1000 elements are allowed')
      .describe('The affected ones, all together; all others are the rest.'),
    from_date: rangeArguments.from_date,
    to_date: rangeArguments.to_date.describe('At most 56 days of the event.'),
  }),
  example: { dimension: 'brand', values: ['Kolovrat'] },
  fields: [
    ...coverage,
    choice('metric', EFFECT_METRIC_NAMES, 'As asked.'),
    date('from_date', 'First day of the event.'),
    date('to_date', 'Last whole day of it that is loaded.', 'none is'),
    text('summary', 'To be quoted, or why no effect is told. Names are business data.'),
    amount('actual', 'The metric of the affected part.'),
    amount(
      'expected',
      'By its 28 days before, moved as the rest moved, as far as it does so at other times.',
    ),
    amount('effect', 'actual - expected.'),
    amount('effect_low', 'Low end of its 95 % interval.'),
    amount('effect_high', 'High end of it.'),
    measure('percent', 'effect_percent', 'effect / expected.', NONE),
    measure('ratio', 'p_value', '(as_far_count + 1) / (placebos_count + 1).', NONE),
    count('periods', 'placebos_count', 'As long, at earlier dates without the event, told likewise.', NONE),
    count('periods', 'as_far_count', 'Placebos as far from what was expected, up or down.', NONE),
    measure('percent', 'detectable_percent', 'A smaller effect could not have been told from chance.', NONE),
    measure('percent', 'rest_change_percent', 'All others, against their 28 days before.', NONE),
    measure('ratio', 'moves_with_rest', '0: the part moves on its own, 1: as the rest.', NONE),
  ],
  plan: (context) => planEventEffect(context),
});

const tracked = withTracking(effect);

/** Visits, and orders by the channel of their last click, are too low where tracking has a hole. */
export const eventEffect = {
  ...effect,
  plan(context: Parameters<typeof effect.plan>[0]) {
    const { metric, dimension } = context.args as { metric: string; dimension: string };
    return (metric === 'sessions_count' || dimension === 'channel' ? tracked : effect).plan(context);
  },
};
