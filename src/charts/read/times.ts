import type { Value } from '../figure.ts';
import { type Row, valueAt } from './answer-rows.ts';
import type { Asked } from './asked-question.ts';

/** A range may have more Mondays than Tuesdays, and then their sums do not tell which day is better. */

export const TIMES_LABEL =
  'In brackets: how many Mondays, Tuesdays and so on these days have. The numbers are sums of them, and no averages.';

/** The number of days or hours that each row sums up; empty where all rows have the same number. */
export function timesOf(
  asked: Asked,
  { rows: path, times }: { readonly rows: string; readonly times?: string },
  rows: readonly Row[],
): (Value | null)[] {
  if (times === undefined) return [];
  const counts = rows.map((row) => valueAt(asked, path, row, times));
  const isUneven = new Set(counts.flatMap((count) => count?.value ?? [])).size > 1;
  return isUneven ? counts.map((count) => (count?.value == null ? null : count)) : [];
}
