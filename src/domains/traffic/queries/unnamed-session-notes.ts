import { fieldNames, type HasFields } from '../../../answers/field-names.ts';
import { worded } from '../../../answers/sentences.ts';
import type { Arguments } from '../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { sessions } from '../../../model-table/table-names.ts';
import type { Table } from '../../../sql/sql.ts';

/**
 * Numbers of the orders that were placed in a session, whatever stands before or behind the name. Metrics
 * that are asked for by name count orders that name none apart.
 */
const IN_SESSION = /converting_sessions|orders_in_session|(^|_)conversion_rate$/;

/** A smaller percentage of these orders changes no conclusion. */
const LEAST_PERCENT = 2;

/**
 * An answer with orders that were placed in sessions says which part of them only the time of ordering tells:
 * who counts the orders that name a session gets fewer.
 *
 * @param read the tables that the answer is made of
 */
export function unnamedSessionNotes(
  read: ReadonlySet<Table>,
  tool: HasFields,
  args: Arguments,
  { orders_in_sessions: placed }: Pick<SnapshotFacts, 'orders_in_sessions'>,
): string[] {
  if (placed == null || !read.has(sessions)) return [];
  const percent = (100 * placed.without_name_count) / placed.orders_count;
  if (
    percent < LEAST_PERCENT ||
    ![...fieldNames(tool, { ...args, metrics: [] })].some((name) => IN_SESSION.test(name))
  )
    return [];
  return [
    worded(
      `${Math.round(percent)} % of all orders in sessions name none: they count to the session of their customer that was open.`,
      'note.unnamed-visits',
      { percent: { percent: Math.round(percent) } },
    ),
  ];
}
