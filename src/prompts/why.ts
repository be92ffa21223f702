import { InputError } from '../errors.ts';
import { chooseDates, offerComparison } from './default-range.ts';
import { definePrompt } from './prompt.ts';
import { call, callAlone, callWith, message } from './prompt-message.ts';
import { readComparedRanges } from './prompt-range.ts';
import { businessArgument, compareArguments, rangeArguments, readBusiness } from './shared-arguments.ts';

const METRICS = [
  ...['revenue', 'net_revenue', 'orders_count', 'customers_count', 'gross_profit', 'sessions_count'],
  'email_attributed_revenue',
];

export const why = definePrompt({
  name: 'why',
  title: 'Why is it up or down?',
  description: 'Explain why revenue, orders, visits or another number changed, by parts that add up.',
  groups: [],
  extension: 'insights',
  arguments: {
    ...businessArgument,
    metric: {
      description: `One of ${METRICS.join(', ')}. Left empty: revenue.`,
      suggestions: METRICS,
    },
    ...rangeArguments,
    ...compareArguments,
  },
  message(args, context) {
    const { compare_from_date, compare_to_date, metric = 'revenue' } = args;
    if (!METRICS.includes(metric)) throw new InputError(`metric must be one of ${METRICS.join(', ')}`);
    const { notes, ...dates } = chooseDates(args, { source: 'orders', months: 1 }, context);
    const { range, compared } = readComparedRanges({ ...dates, compare_from_date, compare_to_date });
    const offered = compare_from_date === undefined ? offerComparison(range, compared, context) : [];
    const business_id = readBusiness(args.business_id);
    const days = { from_date: range.from_date, to_date: range.to_date };
    const ofDays = { business_ids: [business_id], metrics: [metric], group_by: ['day'], ...days };
    return message({
      task: `Explain why ${metric} of an online store changed from one period (B) to another (A).`,
      shared: { business_id, range, compared },
      notes: [...notes, ...offered],
      steps: [
        callWith(
          'A',
          call('explain_change', {
            metric,
            compare: 'range',
            compare_from_date: compared.from_date,
            compare_to_date: compared.to_date,
          }),
        ),
        callAlone(call('query_metrics', { ...ofDays, limit: 100 })),
        'For the first value of stands_out, call query_metrics once more with `filters: [{"dimension": …, "in": [value]}]`: on which day did it begin? A dimension that does not cut the metric is cut by the metric that the error names.',
        callWith('A', call('explain_change', { metric, compare: 'previous_year' })),
      ],
      report: [
        'First the sentence of summary.',
        'What stands out, one line each in the given order, with the sentence as it is, and since which day. Where nothing does, say that, and name no cause.',
        'One bridge as a table of part, change, share, with the sum: the one that says most. Never mix parts of two bridges.',
        'The facts that fit in time, as facts beside the numbers. That they caused it is a guess, and say so.',
        'Whether it was the same a year before.',
      ],
    });
  },
});
