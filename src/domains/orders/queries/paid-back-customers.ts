import { column, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import type { Sql } from '../../../sql/sql.ts';
import { sql } from '../../../sql/sql.ts';

const PAID_BACK = [
  column('customers_count', 'integer'),
  column('revenue', 'number'),
  column('refunded', 'number'),
];

/** A smaller share of the revenue is not worth a note. */
const LEAST_SHARE = 0.01;

/**
 * Customers who got back nearly all that they paid for these orders. By revenue they are among the best ones.
 *
 * @param listed rows of `orders`
 */
export function paidBackCustomers(listed: Sql) {
  return query(
    PAID_BACK,
    sql`
    select count(*) as customers_count, coalesce(sum(spent), 0) as revenue, coalesce(sum(back), 0) as refunded
    from (
      select customer_key, sum(revenue) as spent, sum(refunded) as back
      from (${listed}) as listed where customer_key is not null group by customer_key
    ) as customers
    where spent > 0 and back * 10 >= spent * 9`,
  );
}

/** @param revenue of all orders asked about */
export function paidBackNotes(
  rows: readonly ObjectOf<typeof PAID_BACK>[],
  revenue: number,
  currency: string | null,
): string[] {
  const [found] = rows;
  if (found === undefined || found.refunded === 0 || found.revenue < LEAST_SHARE * revenue) return [];
  const of = currency === null ? '' : ` ${currency}`;
  // The number of fewer people is not told.
  const who = found.customers_count < LEAST_SHARING ? 'Customers' : `${found.customers_count} customers`;
  return [
    `${who} who got back at least 90 % of what they paid make ${found.revenue}${of} of the revenue, and ${found.refunded}${of} of it were refunded: who is worth most is told by revenue_after_refunds.`,
  ];
}
