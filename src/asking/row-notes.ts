import { keptKeys } from '../answers/row-formats.ts';
import { worded } from '../answers/sentences.ts';
import type { Arguments, BusinessTool } from '../answers/tool.ts';
import { type KnownShare, unlikeCostNotes } from '../domains/products/queries/unlike-costs.ts';
import { plural } from '../text/plural.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * What the rows of an answer tell of each other, and no row by itself.
 *
 * @param result before it is cut to the fields that were asked for
 */
export function rowNotes(
  { rows: listed, fields }: BusinessTool,
  args: Arguments,
  result: Arguments,
): string[] {
  if (listed === undefined) return [];
  const found = result[listed.list];
  if (!Array.isArray(found) || found.length === 0) return [];
  const rows = found as readonly Row[];
  const kept = keptKeys(listed, fields, args);
  const isShown = (...names: readonly string[]) => names.some((name) => kept.includes(name));
  return [
    ...(isShown('estimated_gross_profit', 'estimated_gross_profit_margin')
      ? costNotes(rows, listed.uniqueBy)
      : []),
    ...(isShown('conversion_rate') ? reachNotes(rows) : []),
  ];
}

/** The most products, brands or categories that a note names: those whose profits are of unlike parts. */
const MOST_TOLD = 3;

/** Periods of which costs are known of unlike parts: a rise of profit is then partly one of what is known. */
function costNotes(rows: readonly Row[], uniqueBy: readonly string[]): string[] {
  const things = uniqueBy.filter((key) => key !== 'period' && key !== 'period_start');
  const thingOf = (row: Row) => JSON.stringify(things.map((key) => row[key]));
  const byThing = Map.groupBy(rows, thingOf);
  return [...byThing.values()]
    .flatMap((own) =>
      unlikeCostNotes(own.flatMap(knownShare), 'estimated_gross_profit', 'revenue_with_known_cost'),
    )
    .slice(0, MOST_TOLD);
}

function knownShare(row: Row): KnownShare[] {
  const { period, estimated_revenue: revenue, revenue_with_known_cost: share } = row;
  return typeof period === 'string' && typeof revenue === 'number' && typeof share === 'number'
    ? [{ name: period, revenue, share }]
    : [];
}

/**
 * More buyers than visitors: where views of most buyers are not recorded, nobody knows how many of the
 * visitors buy.
 */
function reachNotes(rows: readonly Row[]): string[] {
  const above = rows.filter(
    ({ reach, unique_customers_count: buyers }) =>
      typeof reach === 'number' && typeof buyers === 'number' && reach > 0 && buyers > reach,
  );
  if (above.length === 0) return [];
  const of = rows.length === 1 ? 'This row has' : `${plural(above.length, 'row has', 'rows have')}`;
  return [
    worded(
      `${of} more customers than visitors who saw the page (unique_customers_count above reach): most buyers are not among the recorded views, so conversion_rate is of the recorded visitors alone and says nothing of the others.`,
      'note.more-buyers',
      { count: above.length },
    ),
  ];
}
