import { column, nullableColumn } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import type { Range } from '../../../time/range.ts';
import { LARGEST_ORDER } from '../../orders/queries/large-orders.ts';
import type { DimensionName } from './dimensions.ts';
import type { Fact, FactCondition, FactQuestion } from './fact.ts';
import type { NamedMetric } from './metric-layer.ts';

/**
 * More rows than this are put together for no answer: a finer question is refused before it fills the memory.
 */
export const MOST_GROUPS = 10_000;

/** What tells whether one order makes a large part of a row. */
const WITH_LARGEST = [...LARGEST_ORDER, nullableColumn('whole', 'number')];

interface Asked {
  readonly range: Range;
  readonly facts: SnapshotFacts;
  readonly dimensions?: readonly DimensionName[];
  readonly conditions?: readonly FactCondition[];
  readonly rest?: FactQuestion['rest'];
  readonly withTotal?: boolean;
  readonly withLargest?: boolean;
  readonly clickWindowDays?: FactQuestion['clickWindowDays'];
  /** One more is asked for, so that it is seen that there are others. */
  readonly most?: number;
}

/** The rows of those metrics that the fact has, one for each key. `keyOf` makes the `row_key`. */
export function askRows(
  fact: Fact,
  metrics: readonly NamedMetric[],
  {
    range,
    facts,
    dimensions = [],
    conditions = [],
    rest = null,
    withTotal = false,
    withLargest = false,
    clickWindowDays = null,
    most = MOST_GROUPS,
  }: Asked,
): Query {
  const own = metrics.filter((one) => one.fact === fact).map(({ metric }) => metric);
  const asked = { range, facts, dimensions, conditions, rest, clickWindowDays, withTotal, withLargest };
  const rows = fact.rows({ ...asked, metrics: own });
  return query(
    [
      withTotal ? nullableColumn('row_key', 'text') : column('row_key', 'text'),
      ...own,
      ...(withLargest ? WITH_LARGEST : []),
    ],
    sql`select * from (${rows}) as grouped limit ${parameter.integer(most + (withTotal ? 2 : 1))}`,
  );
}
