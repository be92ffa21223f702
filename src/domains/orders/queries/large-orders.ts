import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import type { PlainKey } from '../../../answers/sentences.ts';
import { type SentenceValue, worded } from '../../../answers/sentences.ts';
import { type Answer, type Plan, plan } from '../../../answers/tool.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';

/** One order that makes so much of a sum is told: what the sum says, it says of that order. */
const LEAST_SHARE = 0.25;
/**
 * Three orders of 100 are each a third of the money, and none of them is large. So an order is large only if
 * it is more than this many equal parts of the whole.
 */
const LEAST_PARTS = 2;
/** The most rows that are looked at, those of most money first. */
const MOST_ROWS = 1000;
/** The most rows that a note names. */
const MOST_NAMED = 5;

const COLUMNS = [
  nullableColumn('row_key', 'text'),
  column('ordered_date', 'date'),
  column('orders_count', 'integer'),
  column('whole', 'number'),
  column('largest', 'number'),
];
export type LargeOrder = ObjectOf<typeof COLUMNS>;

/**
 * The sums of which one order makes a large part: by row, what all of its orders make, what the largest
 * makes, and its day. See docs/decisions/0211-large-orders.md.
 *
 * @param placed a select of `row_key`, `ordered_date` and `revenue`, each order once in a row
 * @param withTotal whether the sum of all rows is looked at, too: its `row_key` is null. Each order must be
 *   in one row
 */
export function largeOrders(placed: Sql, withTotal = false): Query<LargeOrder> {
  const rows = query(
    COLUMNS,
    sql`
    select row_key, ordered_date, orders_count, whole, largest
    from (
      select ${withTotal ? sql`case when grouping(row_key) = 0 then row_key end as row_key` : sql`row_key`}, count(*) as orders_count, sum(revenue) as whole, max(revenue) as largest,
        argMin(ordered_date, (-revenue, ordered_date)) as ordered_date
      from (${placed}) as placed_orders
      where revenue is not null
      group by ${withTotal ? sql`rollup(row_key)` : sql`row_key`}
    ) as sums
    where whole > 0 and cast(largest as double) >= ${parameter.number(LEAST_SHARE)} * cast(whole as double)
      and cast(largest as double) * orders_count >= ${parameter.integer(LEAST_PARTS)} * cast(whole as double)
    order by whole desc, row_key
    limit ${parameter.integer(MOST_ROWS)}`,
  );
  return { ...rows, isAside: true };
}

/**
 * SQL over one row for each order: what tells whether one of them makes a large part of their sum, beside the
 * sum itself.
 */
export const largestOrder: Sql = sql`count(revenue) as priced_orders_count, max(revenue) as largest_order`;

export const LARGEST_ORDER = [
  nullableColumn('priced_orders_count', 'integer'),
  nullableColumn('largest_order', 'number'),
];

/** A row with `largestOrder` and the sum. */
export interface SumWithLargest extends ObjectOf<typeof LARGEST_ORDER> {
  readonly whole: number | null;
}

/**
 * An answer with notes on large orders. Which day's order it is, is asked only where a row has one: of a
 * large store that takes as long as the sums, and nearly no row has.
 *
 * @param large by `largeOrders`
 * @param answer made of what was found
 */
export function withLargeOrders<Result>(
  rows: readonly SumWithLargest[],
  large: Query<LargeOrder>,
  answer: (found: readonly LargeOrder[]) => Answer<Result>,
): Answer<Result> | Plan<Result> {
  if (!rows.some(hasLargeOrder)) return answer([]);
  return plan({ queries: { large }, answer: ({ large: found }) => answer(found) });
}

export function hasLargeOrder({ whole, priced_orders_count, largest_order }: SumWithLargest): boolean {
  const [sum, count, largest] = [whole ?? 0, priced_orders_count ?? 0, largest_order ?? 0];
  return sum > 0 && largest >= LEAST_SHARE * sum && largest * count >= LEAST_PARTS * sum;
}

/** The key of the only row where all orders are one sum. */
export const ALL_ORDERS: Sql = sql`${parameter.text('')} as row_key`;

/**
 * @param found of all orders together
 * @param sum the field that the order makes so much of
 * @param mean the field of it by order
 */
export function largeOrderNotes([found]: readonly LargeOrder[], sum: string, mean?: string): string[] {
  if (found === undefined) return [];
  const { ordered_date, orders_count, whole, largest } = found;
  const others = Math.round((100 * (whole - largest)) / (orders_count - 1)) / 100;
  const without = mean === undefined ? '' : ` Without it, ${mean} is ${others}.`;
  const note = `One order of ${ordered_date} makes ${share(found)} % of ${sum}.${without}`;
  const name = SUMS[sum];
  if (name === undefined) return [note];
  const values = {
    day: { day: ordered_date },
    percent: { percent: share(found) },
    sum: { say: name },
  } as const;
  return [
    mean === undefined
      ? worded(note, 'note.large-order', values)
      : worded(note, 'note.large-order-mean', { ...values, mean: { money: others } }),
  ];
}

/**
 * @param found by row
 * @param keys of the rows that the answer has
 * @param sum the field that orders make so much of
 */
export function largeOrderRowNotes(
  found: readonly LargeOrder[],
  keys: readonly string[],
  sum: string,
  shownKey = (key: string) => key,
): string[] {
  const shown = keys.flatMap((key) => found.find(({ row_key }) => row_key === key) ?? []);
  if (shown.length === 0) return [];
  const named = shown
    .slice(0, MOST_NAMED)
    .map(
      (row) => `${share(row)} % of ${JSON.stringify(shownKey(row.row_key ?? ''))} (on ${row.ordered_date})`,
    );
  const more = shown.length > MOST_NAMED ? ` and as much in ${shown.length - MOST_NAMED} more rows` : '';
  const note = `Of ${sum}, one order makes ${named.join(', ')}${more}: such rows tell of that order.`;
  const name = SUMS[sum];
  if (name === undefined) return [note];
  const rows = shown.slice(0, MOST_NAMED).map((row): SentenceValue => {
    const [key, day] = [shownKey(row.row_key ?? ''), { day: row.ordered_date }];
    const percent = { percent: share(row) };
    return key === row.ordered_date
      ? { sentence: { key: 'note.large-order-day', values: { day, percent } } }
      : { sentence: { key: 'note.large-order-row', values: { name: { name: key }, percent, day } } };
  });
  return [
    worded(note, 'note.large-order-rows', {
      sum: { say: name },
      rows: { each: rows, more: Math.max(0, shown.length - MOST_NAMED) },
    }),
  ];
}

/** What pages call the sums. */
const SUMS: Readonly<Record<string, PlainKey>> = {
  orders_revenues: 'note.sum.revenue',
  revenue: 'note.sum.revenue',
  estimated_revenue: 'note.sum.products',
  'the revenue of products': 'note.sum.products',
  attributed_revenue: 'note.sum.messages',
  last_click_revenue: 'note.sum.last-click',
};

function share({ whole, largest }: LargeOrder): number {
  return Math.round((100 * largest) / whole);
}
