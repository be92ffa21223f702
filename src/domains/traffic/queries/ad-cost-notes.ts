import { fieldNames, type HasFields } from '../../../answers/field-names.ts';
import type { Arguments } from '../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { adCosts } from '../../../model-table/table-names.ts';
import type { Table } from '../../../sql/sql.ts';
import { readRange } from '../../../time/range.ts';
import { adCostDaysNotes, isOfAdCosts } from './ad-cost-days.ts';

/**
 * Says for which days the advertising costs of an answer are loaded.
 *
 * @param read the tables that the answer is made of
 */
export function adCostNotes(
  read: ReadonlySet<Table>,
  tool: HasFields,
  args: Arguments,
  timezone: string,
  facts: SnapshotFacts,
): string[] {
  const range = rangeOf(args, timezone);
  if (range === null || !read.has(adCosts) || ![...fieldNames(tool, args)].some(isOfAdCosts)) return [];
  return adCostDaysNotes(range, timezone, facts, { sources: filteredSources(args) });
}

/** The sources that a filter chooses; null: all. */
function filteredSources({ filter_sources, filters }: Arguments): readonly unknown[] | null {
  if (Array.isArray(filter_sources) && filter_sources.length > 0) return filter_sources;
  const given = (Array.isArray(filters) ? filters : []) as readonly Arguments[];
  const chosen = given.find(({ dimension, in: values }) => dimension === 'source' && Array.isArray(values));
  return chosen === undefined ? null : (chosen.in as readonly unknown[]);
}

function rangeOf({ from_date, to_date }: Arguments, timezone: string) {
  if (typeof from_date !== 'string' || typeof to_date !== 'string') return null;
  return readRange({ from_date, to_date }, timezone);
}
