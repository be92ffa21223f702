import { z } from 'zod';
import { namesFilter, pagingArguments, rangeArguments, sortArguments } from '../../../answers/arguments.ts';
import { bars, saying } from '../../../answers/chart.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { coverage, totalCount } from '../../../answers/fields/shared-fields.ts';
import { hiddenNotes, hideable, isHiddenField } from '../../../answers/small-groups.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { consentNotes, interestListsUntil } from '../../../business/subscribers-until.ts';
import { shortText } from '../../../text/business-text.ts';
import { readRange } from '../../../time/range.ts';
import { withoutSmallGroups } from '../queries/hidden-lists.ts';
import {
  countLists,
  knownLists,
  listMetrics,
  listNames,
  listReasons,
  listResults,
  listSources,
  reasonFields,
  sourceFields,
  unknownListNotes,
} from '../queries/interest-lists.ts';

export const interestListStatistics = defineTool({
  name: 'interest_list_statistics',
  title: 'Interest list statistics',
  group: 'Interest lists',
  description:
    'How interest lists grew and what they are worth: joined, left and why, reachable, orders of members. People are on many lists, so rows do not add up.',
  permissions: ['MANAGE_INTEREST_LISTS', 'DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'interest_lists', uniqueBy: ['code'] },
  example: { limit: 2 },
  chart: [
    saying(
      'Members of each list, also those who may not be sent to; who is on several lists counts in each.',
      bars('interest_lists', [['name', 'code']], ['subscribed_at_end_count'], { sortedBy: 'sort_by' }),
    ),
  ],
  input: z.strictObject({
    ...rangeArguments,
    ...sortArguments(
      [
        'subscribed_at_end_count',
        'subscribed_count',
        'unsubscribed_count',
        'net_growth',
        'churn_rate',
        'attributed_revenue',
      ],
      { sort_by: 'subscribed_at_end_count', sort_order: 'desc' },
    ),
    ...pagingArguments(),
    filter_codes: namesFilter('As in list_interest_lists.'),
  }),
  fields: [
    ...coverage,
    totalCount,
    list('interest_lists', 'The page of rows asked for.', [
      ...listNames,
      ...hideable(listMetrics),
      list('sources', 'Where those who joined came from, at most 10.', sourceFields),
      list('leave_reasons', 'Why those who left did, at most 10.', reasonFields),
      isHiddenField,
    ]),
  ],
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    return plan({
      queries: {
        rows: listResults(range, args),
        totals: countLists(args),
        sources: listSources(range, args),
        reasons: listReasons(range, args),
        known: knownLists(args),
      },
      answer: ({ rows, totals, sources, reasons, known }) => {
        const sourcesOf = Map.groupBy(sources, ({ code }) => code);
        const reasonsOf = Map.groupBy(reasons, ({ code }) => code);
        const lists = rows.map(({ code, name, ...row }) => {
          const { numbers, is_hidden, ...shown } = withoutSmallGroups(
            row,
            sourcesOf.get(code) ?? [],
            reasonsOf.get(code) ?? [],
          );
          return {
            code,
            name: shortText(name, 300),
            ...numbers,
            sources: shown.sources.map(({ source, subscribed_count }) => ({
              source: shortText(source, 300),
              subscribed_count,
            })),
            leave_reasons: shown.reasons.map(({ reason, unsubscribed_count }) => ({
              reason: shortText(reason, 300),
              unsubscribed_count,
            })),
            is_hidden,
          };
        });
        return {
          result: {
            business_id: args.business_id,
            data_until: interestListsUntil(facts),
            ...onlyRow(totals),
            interest_lists: lists,
          },
          notes: [...unknownListNotes(args, known), ...hiddenNotes(lists), ...consentNotes(facts)],
        };
      },
    });
  },
});
