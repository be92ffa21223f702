import { counted } from '../text/counted.ts';
import type { DifferenceReason, ImportReport } from './report.ts';

/** Sentences of an import's report, the same on the command line and on a page. */

type Difference = ImportReport['reconciliation'][number]['differences'][number];

/** What is so of one order, and of several. */
const DIFFERENCES: Readonly<Record<DifferenceReason, readonly [string, string]>> = {
  duplicate: ['stands in the files once more', 'stand in the files once more'],
  without_id: ['has no id', 'have no id'],
  rejected: ['is rejected', 'are rejected'],
  test: ['is a test', 'are tests'],
  cancelled: ['is cancelled', 'are cancelled'],
  foreign_without_rate: ['is in a currency without a rate', 'are in a currency without a rate'],
  unpaid: ['is not paid yet', 'are not paid yet'],
  edited: ['was edited', 'were edited'],
  lines_do_not_add_up: [
    'has lines that do not add up to its total',
    'have lines that do not add up to their totals',
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
  return `${counted(orders, `order ${one}`, `orders ${many}`, number(orders))}: ${money} (${is_counted ? 'counted' : 'not counted'})`;
}

/** One sentence for each table: where e-mail addresses and phone numbers stood that a column is not there for. */
export function removedPersonalData({
  personal_data_removed,
}: Pick<ImportReport, 'personal_data_removed'>): string[] {
  return Object.entries(personal_data_removed).map(([name, columns]) => {
    const cells = Object.entries(columns).map(([column, count]) => `${column} ${count}`);
    return `what looks like e-mail addresses or phone numbers was not stored, in cells of ${name}: ${cells.join(', ')} (an id is stored as its hash, and joins as before)`;
  });
}
