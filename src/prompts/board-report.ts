import { Temporal } from 'temporal-polyfill';
import { readMonthCompared } from './compared-prompt.ts';
import { definePrompt } from './prompt.ts';
import { call, callAlone, callWith, message } from './prompt-message.ts';
import { businessArgument, compareArguments, rangeArguments } from './shared-arguments.ts';

export const boardReport = definePrompt({
  name: 'board_report',
  title: 'Board report',
  description:
    'A page for the board: the period beside the one before, what moved it, channels, a year by month.',
  groups: [],
  extension: 'insights',
  arguments: { ...businessArgument, ...rangeArguments, ...compareArguments },
  message(args, context) {
    const { business_id, range, compared, comparison, notes } = readMonthCompared(args, context);
    const asked = {
      business_ids: [business_id],
      from_date: range.from_date,
      to_date: range.to_date,
      ...comparison,
    };
    return message({
      task: 'Write a page about one period (A) of an online store for its board, beside another one (B).',
      shared: { business_id, range, compared },
      notes,
      steps: [
        callAlone(
          call('query_metrics', {
            ...asked,
            metrics: [
              ...['revenue', 'net_revenue', 'gross_profit', 'orders_count', 'average_order_value'],
              ...['new_customers_count', 'sessions_count', 'ad_cost'],
            ],
          }),
          call('query_metrics', {
            ...asked,
            metrics: ['ad_cost', 'sessions_count', 'last_click_new_customers_count', 'last_click_revenue'],
            group_by: ['channel'],
            sort_by: 'last_click_revenue',
            limit: 8,
          }),
          call('query_metrics', {
            business_ids: [business_id],
            metrics: ['revenue', 'gross_profit', 'orders_count'],
            group_by: ['month'],
            from_date: yearOfMonths(range.to_date),
            to_date: range.to_date,
          }),
        ),
        callWith(
          'A',
          call('explain_change', { metric: 'revenue', ...comparison }),
          call('explain_change', { metric: 'gross_profit', ...comparison }),
        ),
      ],
      report: [
        'One sentence: revenue and gross profit of A, and how they differ from B.',
        'A table of value in A, value in B, change, change in percent, of the first call; what is null is “not known”, never 0.',
        'What moved it: the bridge of revenue and that of gross profit that say most, each with its sum, then stands_out with its sentences as they are.',
        'A table of channels: cost, visits, new customers, revenue by last click, each with its change.',
        'Thirteen months in one line each; say which months are not whole.',
        'What the board should know beside it: facts, what is missing, and how much of the profit is known.',
      ],
    });
  },
});

/** The first day of the month a year before. */
function yearOfMonths(to_date: string): string {
  return Temporal.PlainDate.from(to_date.slice(0, 10)).with({ day: 1 }).subtract({ years: 1 }).toString();
}
