import { withNotes, withQueries } from '../../../answers/answer-in-pieces.ts';
import type { Field } from '../../../answers/fields/field.ts';
import type { BusinessTool } from '../../../answers/tool.ts';
import { type RangeArguments, readRange } from '../../../time/range.ts';
import { notedDays } from '../../calendar/queries/noted-days.ts';
import { MOST_NOTED, visitDays, visitNotes } from './visits-and-orders.ts';

/** What is counted of visits. */
const COUNTS = ['sessions_count', 'journeys_count'];

/** Says whether an answer has a number of visits. */
export function countsVisits({ scope, input, fields }: Pick<BusinessTool, 'scope' | 'input' | 'fields'>) {
  return scope === 'business' && 'from_date' in input.shape && hasCount(fields);
}

function hasCount(fields: readonly Field[]): boolean {
  return fields.some(({ key, fields: inner = [] }) => COUNTS.includes(key) || hasCount(inner));
}

/** Says whether a filter that chooses among visits is given. */
function isFiltered(args: object): boolean {
  return Object.entries(args).some(
    ([name, value]) =>
      name.startsWith('filter_') && (Array.isArray(value) ? value.length > 0 : value != null),
  );
}

/** The tool, with notes on days whose visits and orders do not go together. */
export function withVisitNotes(tool: BusinessTool): BusinessTool {
  return {
    ...tool,
    plan(context) {
      const { timezone, facts } = context;
      const asked = tool.plan(context);
      const { from_date, to_date } = context.args as Partial<RangeArguments>;
      if (from_date == null || to_date == null) return asked;
      const range = readRange({ from_date, to_date }, timezone);
      const queries = {
        visitDays: visitDays([range], timezone, facts),
        notedOfVisits: notedDays([range], facts, MOST_NOTED),
      };
      return withQueries(asked, queries, (made, { visitDays: days, notedOfVisits: noted }) =>
        withNotes(
          made,
          visitNotes(days, range, timezone, facts, { noted, isFiltered: isFiltered(context.args) }),
        ),
      );
    },
  };
}
