import type { Label } from '../../answers/chart.ts';
import type { Sort } from '../described-chart.ts';
import { wordsOf } from '../field-words.ts';
import { type Row, valueAt } from './answer-rows.ts';
import { type Asked, sortOf } from './asked-question.ts';

/** “unique orders”, “price, ascending”: what put rows first. */
export function sortWords(sort: Sort): string {
  return wordsOf(sort.sort_by) + (sort.sort_order === 'asc' ? ', ascending' : '');
}

export interface Ranked {
  readonly rows: readonly Row[];
  /** What put the first ones first, in words; null: they have an order of their own. */
  readonly by: string | null;
}

/**
 * The rows with the greatest value of the field first, so that those that find no room are the least ones; as the answer has
 * them where it was sorted, and where their names have an order, such as hours.
 */
export function rankRows(
  asked: Asked,
  { rows: path, label }: { readonly rows: string; readonly label: Label },
  rows: readonly Row[],
  key: string,
): Ranked {
  const sort = sortOf(asked, path);
  if (sort !== null) {
    // Pictures of one list that was sorted by another number have the same order.
    const isSortedByIt = sort.sort_by === key;
    return { rows: isSortedByIt ? fewLast(asked, path, rows, key) : rows, by: sortWords(sort) };
  }
  if (hasOwnOrder(label, rows)) return { rows, by: null };
  const ranked = byGreatest(rows, (row) => valueAt(asked, path, row, key)?.value ?? null);
  return { rows: fewLast(asked, path, ranked, key), by: wordsOf(key) };
}

/** A rate that says little never leads, whatever it is: it stands behind those that can be relied on. */
function fewLast(asked: Asked, path: string, rows: readonly Row[], key: string): readonly Row[] {
  const isOfFew = new Set(rows.filter((row) => valueAt(asked, path, row, key)?.doubt != null));
  return [...rows.filter((row) => !isOfFew.has(row)), ...isOfFew];
}

/** The greatest first, and last what has no value; equal ones stay as they are. */
export function byGreatest<One>(all: readonly One[], numberOf: (one: One) => number | null): One[] {
  const value = new Map(all.map((one) => [one, numberOf(one) ?? Number.NEGATIVE_INFINITY]));
  const at = (one: One) => value.get(one) ?? 0;
  return [...all].sort((one, other) => Number(at(other) > at(one)) - Number(at(other) < at(one)));
}

/** Weekdays, hours, days, bins and periods are made of digits; beside them stands what has none, such as “(no customer)”. */
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
