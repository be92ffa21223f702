import { shownName } from '../../../answers/existing-names.ts';
import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { orderProducts } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { plural } from '../../../text/plural.ts';
import { localDate } from '../../../time/moment.ts';
import type { Range } from '../../../time/range.ts';
import type { ProductFilters } from './product-filters.ts';
import { type Level, members } from './product-level.ts';

const MOST_NAMED = 10;

/** When the catalogue got the product of a row; null: not known. */
export const CAME_AT = nullableColumn('came_at', 'moment');

/** The same of a group, over its rows of `products`: when it got the first one of them. */
export const groupCameAt: Sql = sql`case when count(created_at) = count(*) then min(created_at) end as came_at`;

interface Row {
  readonly entity: string;
  readonly came_at: string | null;
}

/** A row that the catalogue got after the first day of the range. */
export interface NewRow {
  readonly entity: string;
  readonly date: string;
}

export function newRows(rows: readonly Row[], range: Range, timezone: string): NewRow[] {
  return rows.flatMap(({ entity, came_at }) => {
    if (came_at === null) return [];
    const date = localDate(came_at, timezone).toString();
    return date > range.firstDate.toString() && date <= range.lastDate.toString() ? [{ entity, date }] : [];
  });
}

const FIRST_SALE = [column('entity', 'text'), column('first_date', 'date')];

/** When each of the rows was first sold, in any range. A catalogue that moved calls all its products new. */
export function firstSales(level: Level, filters: ProductFilters, rows: readonly NewRow[]) {
  return query(
    FIRST_SALE,
    sql`
    select entity, min(ordered_date) as first_date
    from ${orderProducts} join (${members(level, filters)}) as members using (product_key)
    where entity in (${parameter.texts(rows.map(({ entity }) => entity))})
    group by entity
    order by entity`,
  );
}

const WHAT = {
  product: ['product', 'products'],
  master_product: ['master product', 'master products'],
  brand: ['brand', 'brands'],
  category: ['category', 'categories'],
} as const satisfies Record<Level, readonly [string, string]>;

/** What came during the range had fewer days to be sold on, which its numbers do not say. */
export function cameWithinNotes(
  level: Level,
  rows: readonly NewRow[],
  sales: readonly ObjectOf<typeof FIRST_SALE>[],
): string[] {
  const firstDates = new Map(sales.map(({ entity, first_date }) => [entity, first_date]));
  const came = rows.filter(({ entity, date }) => (firstDates.get(entity) ?? date) >= date);
  if (came.length === 0) return [];
  const shown = came.slice(0, MOST_NAMED).map(({ entity, date }) => `${shownName(entity)} on ${date}`);
  const others = came.length - shown.length;
  const [one, many] = WHAT[level];
  return [
    `${plural(came.length, one, many)} of this list came during the range (created_at) and had fewer days to sell: ${shown.join(', ')}${others === 0 ? '' : `, and ${others} more`}.`,
  ];
}
