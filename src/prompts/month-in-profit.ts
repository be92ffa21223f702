import { Temporal } from 'temporal-polyfill';
import { readMonthCompared } from './compared-prompt.ts';
import { definePrompt } from './prompt.ts';
import { call, callAlone, callWith, message } from './prompt-message.ts';
import { businessArgument, compareArguments, rangeArguments } from './shared-arguments.ts';

export const monthInProfit = definePrompt({
  name: 'month_in_profit',
  title: 'A month in profit',
  description:
    'What was left of a month, line by line beside the month before, by channel and country, and what is not known.',
  groups: [],
  extension: 'insights',
  arguments: { ...businessArgument, ...rangeArguments, ...compareArguments },
  message(args, context) {
    const { business_id, range, compared, comparison, notes } = readMonthCompared(args, context);
    return message({
      task: 'Tell what was left of the sales of one period (A) of an online store, beside another one (B).',
      shared: { business_id, range, compared },
      notes,
      steps: [
        callWith(
          'A',
          call('profit_statement', comparison),
          call('profit_statement', { by: 'channel', limit: 6 }),
          call('profit_statement', { by: 'country', limit: 5 }),
          call('explain_change', { metric: 'gross_profit', ...comparison }),
        ),
        callAlone(
          call('profit_statement', {
            business_id,
            by: 'month',
            from_date: halfAYear(range.to_date),
            to_date: range.to_date,
            fields: ['amount', 'at_most'],
          }),
        ),
      ],
      report: [
        'One sentence: net revenue and contribution of A, and how they differ from B. Where at_most is true, write “at most”.',
        'The statement as a table of line, A, B, change, known share. What is null is “not known”, never 0; leave out list prices where they are.',
        'Which line moved the contribution most, and the first bridge of gross profit with its sum.',
        'Channels and countries: net revenue, margin 2, for channels also advertising and contribution.',
        'Six months in one line each: net revenue, margin 1, margin 2, contribution.',
        'What is not known, which assumptions were counted with, and what the merchant should say to know more.',
      ],
    });
  },
});

/** The first day of the month five months before. */
function halfAYear(to_date: string): string {
  return Temporal.PlainDate.from(to_date.slice(0, 10)).with({ day: 1 }).subtract({ months: 5 }).toString();
}
