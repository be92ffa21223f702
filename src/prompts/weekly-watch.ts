import { Temporal } from 'temporal-polyfill';
import { chooseDates } from './default-range.ts';
import { definePrompt } from './prompt.ts';
import { call, callAlone, callWith, message } from './prompt-message.ts';
import { readComparedRanges } from './prompt-range.ts';
import { businessArgument, rangeArguments, readBusiness } from './shared-arguments.ts';

export const weeklyWatch = definePrompt({
  name: 'weekly_watch',
  title: 'What was unusual this week?',
  description: 'What was unusual in a week, why, and which numbers may not be quoted yet.',
  groups: [],
  extension: 'insights',
  arguments: {
    ...businessArgument,
    from_date: {
      description: 'First day, for example 2026-10-05. Left empty: the last whole week that is loaded.',
    },
    to_date: { ...rangeArguments.to_date, description: 'Last day, included; at most 28 days are judged.' },
  },
  message(args, context) {
    const { notes, ...dates } = chooseDates(args, { source: 'orders', weeks: 1 }, context);
    const { range, compared } = readComparedRanges({
      ...dates,
      compare_from_date: undefined,
      compare_to_date: undefined,
    });
    const business_id = readBusiness(args.business_id);
    const judged = { business_id, since: dayOf(range.from_date), as_of: dayAfter(range.to_date) };
    return message({
      task: 'Tell what was unusual in one week (A) of an online store, and which numbers may not be quoted.',
      shared: { business_id, range, compared },
      notes,
      steps: [
        callAlone(call('watch', judged)),
        callWith(
          'A',
          call('explain_change', { metric: 'revenue', compare: 'previous_period' }),
          call('explain_change', { metric: 'sessions_count', compare: 'previous_period' }),
        ),
        'For each alert of a product, channel or campaign type, ask `query_metrics` for its metric by day with a filter by that value, over A and the three weeks before: on which day did it begin?',
      ],
      report: [
        'First what may not be quoted: each row of trust, with the answers that it touches and its share. Where there is none, say so.',
        'Then each alert with its sentence as it is, and since which day. An empty list is an answer: nothing was unusual.',
        'Revenue and visits of A beside B in one line each. What watch did not raise is usual, however large the change is.',
        'What fits in time is a fact beside the numbers. That it was the cause is a guess, and say so.',
      ],
    });
  },
});

function dayOf(date: string): string {
  return date.slice(0, 10);
}

/** `watch` judges the days before `as_of`. */
function dayAfter(date: string): string {
  return Temporal.PlainDate.from(dayOf(date)).add({ days: 1 }).toString();
}
