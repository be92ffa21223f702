import type { Pieces } from '../../main-thread/pieces.ts';
import type { Row, SqlValue } from '../../sql/row.ts';
import type { Sql, Table } from '../../sql/sql.ts';
import type { Column, ObjectOf } from './field.ts';

/** The type of the query's rows. Only the compiler knows it. */
declare const ROW: unique symbol;

/** SQL with the columns that it gives. */
export interface Query<One = unknown> {
  readonly sql: Sql;
  readonly columns: readonly Column[];
  /** The rows are read for notes alone. They are no data behind the answer. */
  readonly isAside?: boolean;
  /** Tables that the answer is about, of which the SQL reads nothing since the store has no rows of them. */
  readonly leavesOut?: readonly Table[];
  readonly [ROW]?: One;
}

/** The rows of the SQL have exactly these columns; `readRows` checks it. */
export function query<const Columns extends readonly Column[]>(
  columns: Columns,
  sql: Sql,
): Query<ObjectOf<Columns>> {
  return { sql, columns };
}

/** What a plan asks, by name; a null query is not run and gives no rows. */
export type Queries = Readonly<Record<string, Query | null>>;

/** The rows of each. */
export type RowsOf<Asked extends Queries> = {
  readonly [Name in keyof Asked]: readonly RowOf<NonNullable<Asked[Name]>>[];
};

export type RowOf<Asked> = Asked extends Query<infer One> ? One : never;

/** The row of a query that gives one, whatever it is asked of: sums and counts over all. */
export function onlyRow<One>([row]: readonly One[]): One {
  if (row === undefined) throw new Error('a query of sums gave no row');
  return row;
}

/**
 * The one place where rows of an engine become values that the compiler knows: a missing, superfluous or
 * wrongly typed column is an error here, and nothing later needs to look.
 */
export function* readRows<One>({ columns }: Query<One>, rows: readonly Row[]): Pieces<readonly One[]> {
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_OF_PIECE === 0) yield;
    for (const column of columns) {
      if (!fits(column, row[column.key])) {
        throw new TypeError(
          `a query gave ${column.key} as ${JSON.stringify(row[column.key])}, not ${column.type}`,
        );
      }
    }
    if (Object.keys(row).length > columns.length) {
      const known = columns.map(({ key }) => key);
      throw new TypeError(
        `a query gave undeclared ${Object.keys(row).filter((key) => !known.includes(key))}`,
      );
    }
  }
  return rows as readonly One[];
}

const ROWS_OF_PIECE = 200;

function fits({ type, values, null: meaning }: Column, value: SqlValue | undefined): boolean {
  if (value === null) return meaning !== undefined;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number' || type === 'boolean') return typeof value === type;
  if (values !== undefined) return typeof value === 'string' && values.includes(value);
  if (type === 'list') return Array.isArray(value);
  return typeof value === 'string';
}
