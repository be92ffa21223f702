import type { Query } from '../answers/fields/query.ts';
import { rankingNotes } from '../answers/ranking.ts';
import type { Answer, Arguments, BusinessTool } from '../answers/tool.ts';
import type { SnapshotFacts } from '../business/snapshot-facts.ts';
import { heldOutNotes } from '../domains/messages/queries/held-out-notes.ts';
import { askedDays } from '../domains/orders/queries/first-order-notes.ts';
import { lateRefundNotes } from '../domains/orders/queries/late-refund-notes.ts';
import { newCustomerNotes, olderProfiles } from '../domains/orders/queries/start-of-history.ts';
import {
  uncountedRefundNotes,
  uncountedRefundsQuery,
} from '../domains/orders/queries/uncounted-refund-notes.ts';
import { unpricedNotes, unpricedQuery } from '../domains/orders/queries/unpriced-notes.ts';
import { adCostNotes } from '../domains/traffic/queries/ad-cost-notes.ts';
import {
  unknownChannelNotes,
  unknownChannelQuery,
} from '../domains/traffic/queries/unknown-channel-notes.ts';
import { unnamedSessionNotes } from '../domains/traffic/queries/unnamed-session-notes.ts';
import type { Table } from '../sql/sql.ts';
import { comparedArguments, ofComparedRange } from './compared-notes.ts';
import { type DataNotes, dataNotes } from './data-notes.ts';
import { loadedPartNotes } from './loaded-part-notes.ts';
import { offsetNotes } from './offset-notes.ts';
import { rowNotes } from './row-notes.ts';

/** What notes on an answer depend on, beside its arguments and its numbers. */
export interface NotesContext {
  readonly tool: BusinessTool;
  /** The tables that the answer was read of. */
  readonly read: ReadonlySet<Table>;
  readonly timezone: string;
  readonly facts: SnapshotFacts;
  readonly currency: string | null;
  /** Whether the answer depends on first orders. */
  readonly countsFirst: boolean;
  /** The arguments as the caller wrote them. */
  readonly given: Arguments;
  /** The arguments as the tool reads them. */
  readonly args: Arguments;
  /** Notes on arguments that were left out or read otherwise than written. */
  readonly argumentNotes: readonly string[];
}

/** The rows of a query; empty if the query is null. */
type RowsOf = <One>(query: Query<One> | null) => readonly One[];

/** Notes, and what has to be asked of the warehouse before they can be written. */
export interface PlannedNotes<Notes = NotesAround> {
  readonly queries: readonly (Query | null)[];
  notes(rowsOf: RowsOf): Notes;
}

/** Notes that stand before and after those that a tool writes itself. */
export interface NotesAround {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * What a reader should know of the data behind an answer. Everything that has to be asked for it is known at
 * once, so that the warehouse is asked once.
 */
export function planNotes(context: NotesContext, answer: Answer): PlannedNotes<NotesAround> {
  const { tool, read, timezone, facts, args, given } = context;
  const result = answer.result as Arguments;
  const range = planRangeNotes(context, args);
  const comparedWith = comparedArguments(args, result);
  const compared = comparedWith === null ? NOTHING : planComparedNotes(context, comparedWith);
  const channels = unknownChannelQuery(read, tool, args, timezone, facts);
  return {
    queries: [...range.queries, ...compared.queries, channels],
    notes(rowsOf) {
      const own = range.notes(rowsOf);
      const other = compared.notes(rowsOf);
      const told = [...own.first, ...(answer.notes ?? []), ...own.others];
      return {
        // What is another question than a reader would think, and where nothing is known, comes first.
        before: [
          ...offsetNotes(given, timezone),
          ...context.argumentNotes,
          ...own.first,
          ...adCostNotes(read, tool, args, timezone, facts),
          ...unknownChannelNotes(rowsOf(channels), read, tool, args, facts),
          ...unnamedSessionNotes(read, tool, args, facts),
          ...rowNotes(tool, args, result),
          ...ofComparedRange(other.first, told),
          ...heldOutNotes(tool, args, timezone, facts, result),
          ...rankingNotes(
            { ...tool, sortable: (column) => isSortable(tool, column) },
            { given, args, result },
          ),
        ],
        after: [...own.begins, ...own.others, ...ofComparedRange(other.others, told)],
      };
    },
  };
}

const NOTHING: PlannedNotes<DataNotes> = {
  queries: [],
  notes: () => ({ first: [], begins: [], others: [] }),
};

/** What a reader should know of the data behind the range of these arguments. */
function planRangeNotes(
  { tool, read, timezone, facts, currency }: NotesContext,
  args: Arguments,
): PlannedNotes<DataNotes> {
  const unpriced = unpricedQuery(read, args, timezone, facts);
  const uncounted = uncountedRefundsQuery(tool, args, timezone, facts);
  return {
    queries: [unpriced, uncounted],
    notes(rowsOf) {
      const data = dataNotes(read, args, timezone, facts, tool.fields);
      return {
        ...data,
        first: [
          ...data.first,
          ...loadedPartNotes(read, tool, args, timezone, facts),
          ...unpricedNotes(rowsOf(unpriced), currency),
          ...lateRefundNotes(tool, args, timezone, facts),
          ...uncountedRefundNotes(rowsOf(uncounted), tool, args, currency),
        ],
      };
    },
  };
}

/**
 * The same of the range that is compared with, and who of it is new: a plan asks that of its own range alone.
 */
function planComparedNotes(context: NotesContext, args: Arguments): PlannedNotes<DataNotes> {
  const range = planRangeNotes(context, args);
  const { timezone, facts, countsFirst } = context;
  const days = countsFirst ? askedDays(args, timezone, facts) : null;
  if (days === null) return range;
  const older = olderProfiles(days);
  return {
    queries: [...range.queries, older],
    notes(rowsOf) {
      const notes = range.notes(rowsOf);
      return { ...notes, first: [...notes.first, ...newCustomerNotes(rowsOf(older), days)] };
    },
  };
}

function isSortable({ input }: BusinessTool, column: string): boolean {
  const sortBy = input.shape.sort_by;
  return sortBy?.safeParse(column).success;
}
