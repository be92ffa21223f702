import { column, type Field, nullableColumn, type ObjectOf } from '../answers/fields/field.ts';
import { type Query, query } from '../answers/fields/query.ts';
import { hasRefunds, type SnapshotFacts } from '../business/snapshot-facts.ts';
import { orderRefunds, orders } from '../model-table/table-names.ts';
import { parameter, sql } from '../sql/sql.ts';
import { counted } from '../text/counted.ts';
import { readMoment } from '../time/moment.ts';

/** What is of refunds on the orders counted alone. */
const OF_COUNTED = ['refunded_revenue', 'revenue_after_refunds', 'return_rate'];

const COLUMNS = [column('refunds_count', 'integer'), nullableColumn('amount', 'number')];

/**
 * Refunds of the range on orders that are in no revenue, such as credit notes that a store books as orders of their own.
 * What was paid for a cancelled order is in no revenue either, so nothing looks too good without its refund.
 *
 * @returns null where the answer has nothing that lacks them
 */
export function uncountedRefundsQuery(
  fields: readonly Field[],
  args: Readonly<Record<string, unknown>>,
  timezone: string,
  facts: SnapshotFacts,
): Query<ObjectOf<typeof COLUMNS>> | null {
  const { from_date, to_date } = args;
  if (typeof from_date !== 'string' || typeof to_date !== 'string') return null;
  if (!hasRefunds(facts) || !hasOfCounted(fields)) return null;
  const dayOf = (name: string, text: string, side: 'from' | 'to') => {
    const { instant } = readMoment(name, text, timezone, side);
    return parameter.date(instant.toZonedDateTimeISO(timezone).toPlainDate().toString());
  };
  return query(
    COLUMNS,
    sql`
    select count(*) as refunds_count, sum(order_refunds.revenue) as amount
    from ${orderRefunds} as order_refunds
    join (select order_key from ${orders} where not is_valid) as uncounted using (order_key)
    where not is_of_cancelled and refunded_date between ${dayOf('from_date', from_date, 'from')} and ${dayOf('to_date', to_date, 'to')}`,
  );
}

function hasOfCounted(fields: readonly Field[]): boolean {
  return fields.some(
    ({ key, fields: its = [], either = [] }) =>
      OF_COUNTED.includes(key) || hasOfCounted(its) || hasOfCounted(either.flat()),
  );
}

/** @param currency of the business */
export function uncountedRefundNotes(
  [found]: readonly ObjectOf<typeof COLUMNS>[],
  currency: string | null,
): string[] {
  if (found === undefined || found.refunds_count === 0) return [];
  const money = found.amount === null ? 'an unknown amount' : `${found.amount} ${currency ?? ''}`.trim();
  return [
    `${counted(found.refunds_count, 'refund', 'refunds')} of ${money} in these days, whatever the filters, are on credit notes, which stand for orders that are not known and are in no revenue: refunded_revenue, revenue_after_refunds and return_rate leave them out, so these look too good. refunded_revenue_by_refund_date has them.`,
  ];
}
