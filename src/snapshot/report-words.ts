import { plural } from '../text/plural.ts';
import type { DifferenceReason, ImportReport } from './import-report.ts';

/** Sentences of an import's report, the same on the command line and on a page. */

type Difference = ImportReport['reconciliation'][number]['differences'][number];

/**
 * What is so of one order, and of several. Of a copy, the newest state counts, which another row has or the
 * store had already.
 */
const DIFFERENCES: Readonly<Record<DifferenceReason, readonly [string, string]>> = {
  duplicate: [
    'copy of an order is left out, since the files or an earlier import have a newer or equal one',
    'copies of orders are left out, since the files or an earlier import have newer or equal ones',
  ],
  without_id: ['order has no id', 'orders have no id'],
  rejected: ['order is rejected', 'orders are rejected'],
  test: ['order is a test', 'orders are tests'],
  cancelled: ['order is cancelled', 'orders are cancelled'],
  return: [
    'order is a return, which is a refund of its day',
    'orders are returns, which are refunds of their days',
  ],
  foreign_without_rate: ['order is in a currency without a rate', 'orders are in a currency without a rate'],
  unpaid: ['order is not paid yet', 'orders are not paid yet'],
  edited: ['order was edited', 'orders were edited'],
  lines_do_not_add_up: [
    'order has lines that do not add up to its total',
    'orders have lines that do not add up to their totals',
  ],
};

/**
 * `3 orders are cancelled: 170 EUR (not counted)`.
 *
 * @param number writes a number for its reader
 */
export function differenceSentence(
  { reason, orders, amount, is_counted }: Difference,
  currency: string | null,
  number: (value: number) => string = String,
): string {
  const [one, many] = DIFFERENCES[reason];
  const money = currency === null ? number(amount) : `${number(amount)} ${currency}`;
  return `${plural(orders, one, many, number(orders))}: ${money} (${is_counted ? 'counted' : 'not counted'})`;
}

/**
 * One sentence for each table: where e-mail addresses and phone numbers stood that a column is not there for.
 */
export function removedPersonalData({
  personal_data_removed,
}: Pick<ImportReport, 'personal_data_removed'>): string[] {
  return Object.entries(personal_data_removed).map(([name, columns]) => {
    const cells = Object.entries(columns).map(([column, count]) => `${column} ${count}`);
    return `what looks like e-mail addresses or phone numbers was not stored, in cells of ${name}: ${cells.join(', ')} (an id is stored as its hash, and joins as before)`;
  });
}
