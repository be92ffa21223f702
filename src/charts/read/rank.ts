import type { Label } from '../../answers/chart.ts';
import type { Sort } from '../described-chart.ts';
import { wordsOf } from '../field-words.ts';
import { type Row, valueAt } from './answer-rows.ts';
import { type Asked, sortOf } from './asked-question.ts';

/** What put rows first, in words: “unique orders”, “price, ascending”. */
export function sortWords(sort: Sort): string {
  return wordsOf(sort.sort_by) + (sort.sort_order === 'asc' ? ', ascending' : '');
}

export interface Ranked {
  readonly rows: readonly Row[];
  /** What put the first rows first, in words; null if they have their own order. */
  readonly by: string | null;
}

/**
 * Puts the rows with the greatest value first, so that those without room are the smallest. A sorted answer
 * keeps its order, and so do names with an order of their own, such as hours.
 */
export function rankRows(
  asked: Asked,
  { rows: path, label }: { readonly rows: string; readonly label: Label },
  rows: readonly Row[],
  key: string,
): Ranked {
  const sort = sortOf(asked, path);
  if (sort !== null) {
    // Pictures of one list share one order, even if it was sorted by another number.
    const isSortedByIt = sort.sort_by === key;
    return { rows: isSortedByIt ? fewLast(asked, path, rows, key) : rows, by: sortWords(sort) };
  }
  if (hasOwnOrder(label, rows)) return { rows, by: null };
  const ranked = byGreatest(rows, (row) => valueAt(asked, path, row, key)?.value ?? null);
  return { rows: fewLast(asked, path, ranked, key), by: wordsOf(key) };
}

/** Puts unreliable rates behind the reliable ones, whatever their value. */
function fewLast(asked: Asked, path: string, rows: readonly Row[], key: string): readonly Row[] {
  const isOfFew = new Set(rows.filter((row) => valueAt(asked, path, row, key)?.doubt != null));
  return [...rows.filter((row) => !isOfFew.has(row)), ...isOfFew];
}

/** Sorts the greatest first and missing values last; equal ones keep their order. */
export function byGreatest<One>(all: readonly One[], numberOf: (one: One) => number | null): One[] {
  const value = new Map(all.map((one) => [one, numberOf(one) ?? Number.NEGATIVE_INFINITY]));
  const at = (one: One) => value.get(one) ?? 0;
  return [...all].sort((one, other) => Number(at(other) > at(one)) - Number(at(other) < at(one)));
}

/**
 * Whether names have an order of their own, as weekdays, hours, days, bins and periods do: they contain
 * digits. A row such as “(no customer)” may stand among them.
 */
function hasOwnOrder([first = []]: Label, rows: readonly Row[]): boolean {
  const names = rows.flatMap(({ row }) =>
    [first]
      .flat()
      .flatMap((key) => row[key] ?? [])
      .slice(0, 1),
  );
  const inOrder = names.map(String).filter((name) => !name.startsWith('('));
  return inOrder.length > 0 && inOrder.every((name) => /^[<\d][\dW.:+–-]*$/.test(name));
}
