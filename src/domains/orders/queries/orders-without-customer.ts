import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { knownSum } from '../../../answers/metric.ts';
import { worded } from '../../../answers/sentences.ts';
import { isTelling } from '../../../answers/telling-share.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { orders } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import type { Periods } from '../../../time/periods.ts';
import { orderedIn, type Range } from '../../../time/range.ts';

const WITHOUT_CUSTOMER = [
  column('orders_count', 'integer'),
  nullableColumn('revenue', 'number'),
  column('all_orders_count', 'integer'),
  nullableColumn('all_revenue', 'number'),
];
export type OrdersWithoutCustomer = ObjectOf<typeof WITHOUT_CUSTOMER>;

/**
 * Valid orders whose customer is unknown, and what they are worth, beside all valid orders. They count in all
 * numbers of orders and in no number of customers, so an answer that has both says by how much these differ,
 * if it matters.
 *
 * @param over the range or the whole periods that are asked about, or the condition that an order is among
 *   those meant
 * @returns null where there are none
 */
export function ordersWithoutCustomer(
  over: Range | Days | Sql,
  { days }: SnapshotFacts,
): Query<OrdersWithoutCustomer> | null {
  if (days?.orders_without_customer === undefined) return null;
  const asked = query(
    WITHOUT_CUSTOMER,
    sql`
    select count(*) filter (where customer_key is null) as orders_count,
      ${knownSum(sql`revenue`, sql`customer_key is null`)} as revenue,
      count(*) as all_orders_count, ${knownSum(sql`revenue`)} as all_revenue
    from ${orders} where is_valid and ${placed(over)}`,
  );
  return { ...asked, isAside: true };
}

type Days = Pick<Periods, 'firstDate' | 'lastDate'>;

function placed(over: Range | Days | Sql): Sql {
  if ('start' in over) return orderedIn(over);
  if (!('firstDate' in over)) return over;
  return sql`ordered_date between ${parameter.date(over.firstDate)} and ${parameter.date(over.lastDate)}`;
}

/**
 * @param rows none where nothing was asked
 * @param currency of the business; null where it has none
 */
export function withoutCustomerNotes(
  rows: readonly OrdersWithoutCustomer[],
  currency: string | null,
): string[] {
  const [found] = rows;
  if (found === undefined || found.orders_count === 0) return [];
  const { orders_count, revenue, all_orders_count, all_revenue } = found;
  if (!isTelling({ part: orders_count, whole: all_orders_count }, { part: revenue, whole: all_revenue }))
    return [];
  const worth =
    revenue === null ? 'an unknown amount' : currency === null ? `${revenue}` : `${revenue} ${currency}`;
  const [are, they] =
    orders_count === 1
      ? ['order', 'has no known customer: it counts']
      : ['orders', 'have no known customer: they count'];
  const note = `${orders_count} ${are} worth ${worth} ${they} in orders and revenue, in no number about customers.`;
  return [
    revenue === null
      ? note
      : worded(note, 'note.no-customer', { count: orders_count, money: { money: revenue } }),
  ];
}
