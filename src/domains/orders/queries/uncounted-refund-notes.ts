import { fieldNames, type HasFields } from '../../../answers/field-names.ts';
import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { worded } from '../../../answers/sentences.ts';
import { isTelling } from '../../../answers/telling-share.ts';
import type { Arguments } from '../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { orderRefunds, orders } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { enumerated } from '../../../text/enumerated.ts';
import { plural } from '../../../text/plural.ts';
import { readMoment } from '../../../time/moment.ts';
import { ofRefunds, UNTIL_NOW } from './refund-fields.ts';

const OF_ALL = 'refunded_revenue_by_refund_date';

const COLUMNS = [
  column('refunds_count', 'integer'),
  nullableColumn('amount', 'number'),
  column('all_refunds_count', 'integer'),
  nullableColumn('all_amount', 'number'),
];

/**
 * Refunds of the range on orders that are in no revenue, such as credit notes that a store books as orders of
 * their own, beside all of it. What was paid for a cancelled order is in no revenue either, so nothing looks
 * too good without its refund.
 *
 * @returns null where the answer has nothing that lacks them
 */
export function uncountedRefundsQuery(
  tool: HasFields,
  args: Arguments,
  timezone: string,
  facts: SnapshotFacts,
): Query<ObjectOf<typeof COLUMNS>> | null {
  const { from_date, to_date } = args;
  if (typeof from_date !== 'string' || typeof to_date !== 'string') return null;
  const { credit_notes: known, refunds } = facts.days ?? {};
  if (known === undefined || refunds === undefined || ofRefunds(tool, args).length === 0) return null;
  const dayOf = (name: string, text: string, side: 'from' | 'to') =>
    readMoment(name, text, timezone, side).instant.toZonedDateTimeISO(timezone).toPlainDate().toString();
  const first = dayOf('from_date', from_date, 'from');
  const last = isUntilNow(tool, args) ? refunds.until : dayOf('to_date', to_date, 'to');
  // Dates of four-digit years: the order of texts is that of time.
  if (first > known.until || last < known.from) return null;
  return query(
    COLUMNS,
    sql`
    select count(*) filter (where not is_valid) as refunds_count,
      sum(order_refunds.revenue) filter (where not is_valid) as amount,
      count(*) as all_refunds_count, sum(order_refunds.revenue) as all_amount
    from ${orderRefunds} as order_refunds
    join (select order_key, is_valid from ${orders}) as placed using (order_key)
    where not is_of_cancelled and refunded_date between ${parameter.date(first)} and ${parameter.date(last)}`,
  );
}

function isUntilNow(tool: HasFields, args: Arguments): boolean {
  return ofRefunds(tool, args).includes(UNTIL_NOW);
}

/**
 * @param tool the names of its fields are said
 * @param currency of the business
 */
export function uncountedRefundNotes(
  [found]: readonly ObjectOf<typeof COLUMNS>[],
  tool: HasFields,
  args: Arguments,
  currency: string | null,
): string[] {
  if (found === undefined || found.refunds_count === 0) return [];
  const { refunds_count, amount, all_refunds_count, all_amount } = found;
  if (!isTelling({ part: refunds_count, whole: all_refunds_count }, { part: amount, whole: all_amount }))
    return [];
  const money = amount === null ? 'an unknown amount' : `${amount} ${currency ?? ''}`.trim();
  const without = ofRefunds(tool, args);
  const [leave, look] = without.length === 1 ? ['leaves', 'it looks'] : ['leave', 'these look'];
  const holder = fieldNames(tool, args).has(OF_ALL) ? OF_ALL : `${OF_ALL} of order_statistics`;
  const days = isUntilNow(tool, args) ? 'since the first of these days' : 'in these days';
  const note = `${plural(refunds_count, 'refund', 'refunds')} of ${money} ${days}, whatever the filters, are on credit notes, which stand for orders that are not known and are in no revenue: ${enumerated(without)} ${leave} them out, so ${look} too good. ${holder} has them.`;
  return [
    amount === null
      ? note
      : worded(note, 'note.credit-notes', { count: refunds_count, money: { money: amount } }),
  ];
}
