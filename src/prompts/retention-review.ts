import { SEGMENTATIONS } from '../domains/orders/queries/cohorts.ts';
import { InputError } from '../errors.ts';
import { chooseDates, offerYearBefore } from './default-range.ts';
import { definePrompt } from './prompt.ts';
import { call, callWith, message } from './prompt-message.ts';
import { readPromptRange } from './prompt-range.ts';
import { businessArgument, readBusiness } from './shared-arguments.ts';

const MONTHS = 24;

export const retentionReview = definePrompt({
  name: 'retention_review',
  title: 'Retention review',
  description: 'Review repeat-purchase timing and first-purchase cohort retention.',
  groups: ['order-patterns'],
  arguments: {
    ...businessArgument,
    from_date: {
      description: `First day, for example 2024-11-01. Left empty: the last ${MONTHS} whole months that are loaded.`,
    },
    to_date: { description: 'Last day, included.' },
    segment_by: {
      description: 'By which property of the first order cohorts are split; left empty or none: not.',
      suggestions: SEGMENTATIONS,
    },
  },
  message({ business_id, from_date, to_date, segment_by }, context) {
    const given = { from_date, to_date };
    const { notes, ...dates } = chooseDates(given, { source: 'orders', months: MONTHS }, context);
    const range = readPromptRange(dates);
    const split = readSegmentation(segment_by);
    return message({
      task: 'Review how customers of an online store come back: how many, when, and after which first order.',
      shared: { business_id: readBusiness(business_id), range },
      notes: [...notes, ...offerYearBefore(range, context)],
      resources: ['analytics://metrics', 'analytics://comparisons'],
      steps: [
        callWith(
          'A',
          call('repeat_purchase_cycle', { from_order_number: 1 }),
          call('repeat_purchase_cycle', { from_order_number: 2 }),
          call('first_purchase_cohorts', { segment_by: 'none' }),
          ...(split === 'none' ? [] : [call('first_purchase_cohorts', { segment_by: split })]),
          call('product_affinity_statistics', { relation: 'first_to_second' }),
        ),
      ],
      report: [
        'Only mature values: mature_return_rate, mature_retention_rate, mature_revenue_per_customer, windows with is_complete true. Leave out cohorts with may_contain_old_customers.',
        'When customers come back: median_days_to_next_order and p75_days, after the first and after the second order, and what that means for the time of messages after a purchase and of win-back messages.',
        'Whether later cohorts come back more or less at equal days, with their customers_count; which first orders (by segment) come back more.',
        'What is bought next (confidence and lift, with pair_orders_count).',
      ],
    });
  },
});

function readSegmentation(value = 'none'): string {
  if (SEGMENTATIONS.some((segmentation) => segmentation === value)) return value;
  throw new InputError(`segment_by must be one of ${SEGMENTATIONS.join(', ')}`);
}
