import { InputError } from '../errors.ts';
import { type Comparable, type Paging, type Sorting, sortedPage } from '../sql/page.ts';
import type { Sql } from '../sql/sql.ts';
import type { Field } from './fields/field.ts';
import { countedBaseOf } from './fields/rate-base.ts';
import type { Rows } from './row-formats.ts';
import { worded } from './sentences.ts';
import type { Arguments } from './tool.ts';

/**
 * A rate or a mean leads a ranking only if it is of at least this many. With fewer, the best and the worst
 * are chance.
 */
const LEAST_RANKED = 30;

/**
 * How rows that are sorted by this column can be compared. It is null where the column is no rate or mean.
 */
export function comparableBy(sortBy: string, row: readonly Field[]): Comparable | null {
  const base = countedBaseOf(sortBy, row);
  return base === undefined ? null : { base, least: LEAST_RANKED };
}

/** One page of rows whose columns are these fields, sorted so that no rate of few leads. */
export function rankedPage(rows: Sql, page: Sorting & Paging, uniqueBy: string, row: readonly Field[]): Sql {
  return sortedPage(rows, page, uniqueBy, comparableBy(page.sort_by, row));
}

/**
 * The notes on the order of the rows.
 *
 * @param given what the caller wrote
 * @param args the same with what is left out filled in
 * @throws InputError where a column was chosen that no row has a value in: the order would be that of names
 */
export function rankingNotes(
  {
    rows: listed,
    fields,
    sortable,
  }: { readonly rows?: Rows; readonly fields: readonly Field[]; sortable(column: string): boolean },
  {
    given,
    args,
    result,
  }: { readonly given: Arguments; readonly args: Arguments; readonly result: Arguments },
): string[] {
  const { sort_by, offset } = args;
  if (listed === undefined || typeof sort_by !== 'string') return [];
  const rows = (result[listed.list] ?? []) as readonly Arguments[];
  if (rows.length === 0) return [];
  // Nulls come last, so that those of the first page are all where that has nothing else.
  const areAllUnknown = (offset ?? 0) === 0 && rows.every((one) => one[sort_by] === null);
  if (given.sort_by === sort_by && offset === 0 && areAllUnknown) {
    const columns = Object.keys(rows[0] ?? {}).filter(
      (key) => sortable(key) && rows.some((row) => row[key] !== null),
    );
    throw new InputError(
      `sort_by is ${sort_by}, which is null in all rows; those with values: ${columns.join(', ')}`,
    );
  }
  const row = fields.find(({ key }) => key === listed.list)?.fields ?? [];
  const comparable = comparableBy(sort_by, row);
  const isUnknown = rows.some((one) => one[sort_by] === null);
  // Where nothing is known, nothing comes last: other notes say why.
  const last =
    isUnknown && !areAllUnknown
      ? [
          worded(
            `Rows whose ${sort_by} is null come last, whether the order is asc or desc.`,
            'note.unknown-last',
          ),
        ]
      : [];
  if (comparable === null) return last;
  return [
    ...last,
    worded(
      `Sorted by ${sort_by}: rows whose ${comparable.base} is below ${comparable.least} come after the others, since rates of few are chance.`,
      'note.few-last',
    ),
  ];
}
