import { column, type Field, nullableColumn, type ObjectOf } from '../answers/fields/field.ts';
import { type Query, query } from '../answers/fields/query.ts';
import { hasRefunds, type SnapshotFacts } from '../business/snapshot-facts.ts';
import { orderRefunds, orders } from '../model-table/table-names.ts';
import { parameter, sql } from '../sql/sql.ts';
import { counted } from '../text/counted.ts';
import { readMoment } from '../time/moment.ts';
import { fieldNames } from './field-names.ts';
import type { Arguments } from './given-arguments.ts';

/** Of the orders of some people, refunds of whenever they came. */
const UNTIL_NOW = 'after_refunds_per_customer';

/** What is of refunds on the orders counted alone; elsewhere than beside the first ones a return is that of a customer. */
const OF_COUNTED = ['refunded_revenue', 'revenue_after_refunds', UNTIL_NOW];
const BESIDE = ['return_rate', 'net_attributed_revenue'];

const OF_ALL = 'refunded_revenue_by_refund_date';

const COLUMNS = [column('refunds_count', 'integer'), nullableColumn('amount', 'number')];

/**
 * Refunds of the range on orders that are in no revenue, such as credit notes that a store books as orders of their own.
 * What was paid for a cancelled order is in no revenue either, so nothing looks too good without its refund.
 *
 * @returns null where the answer has nothing that lacks them
 */
export function uncountedRefundsQuery(
  fields: readonly Field[],
  args: Arguments,
  timezone: string,
  facts: SnapshotFacts,
): Query<ObjectOf<typeof COLUMNS>> | null {
  const { from_date, to_date } = args;
  if (typeof from_date !== 'string' || typeof to_date !== 'string') return null;
  if (!hasRefunds(facts) || withoutThem(fields, args).length === 0) return null;
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
    where not is_of_cancelled and refunded_date >= ${dayOf('from_date', from_date, 'from')}
      and ${isUntilNow(fields, args) ? sql`true` : sql`refunded_date <= ${dayOf('to_date', to_date, 'to')}`}`,
  );
}

function isUntilNow(fields: readonly Field[], args: Arguments): boolean {
  return withoutThem(fields, args).includes(UNTIL_NOW);
}

/** What of the answer lacks refunds on credit notes. */
function withoutThem(fields: readonly Field[], args: Arguments): readonly string[] {
  const names = fieldNames(fields, args);
  return OF_COUNTED.some((name) => names.has(name))
    ? [...OF_COUNTED, ...BESIDE].filter((name) => names.has(name))
    : [];
}

/**
 * @param fields of the answer, whose names the note says
 * @param currency of the business
 */
export function uncountedRefundNotes(
  [found]: readonly ObjectOf<typeof COLUMNS>[],
  fields: readonly Field[],
  args: Arguments,
  currency: string | null,
): string[] {
  if (found === undefined || found.refunds_count === 0) return [];
  const money = found.amount === null ? 'an unknown amount' : `${found.amount} ${currency ?? ''}`.trim();
  const without = withoutThem(fields, args);
  const [leave, look] = without.length === 1 ? ['leaves', 'it looks'] : ['leave', 'these look'];
  const holder = fieldNames(fields, args).has(OF_ALL) ? OF_ALL : `${OF_ALL} of order_statistics`;
  const days = isUntilNow(fields, args) ? 'since the first of these days' : 'in these days';
  return [
    `${counted(found.refunds_count, 'refund', 'refunds')} of ${money} ${days}, whatever the filters, are on credit notes, which stand for orders that are not known and are in no revenue: ${enumerated(without)} ${leave} them out, so ${look} too good. ${holder} has them.`,
  ];
}

function enumerated(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');
}
