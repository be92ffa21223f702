import type { KnownDays } from './stock-days.ts';
import type { Spell } from './stock-spells.ts';

/** A time of the range without stock; `days` are the known ones of it on which the product was not sold. */
interface EmptyTime {
  readonly from: string;
  readonly to: string;
  readonly days: number;
}

/** The days of one product by their stock. */
export interface StockTimes {
  /** Those that `pieces_per_day` is of, as dates, also before the range. */
  readonly learned: readonly string[];
  readonly empty: readonly EmptyTime[];
}

/**
 * Reads the spells of one product, in the order of time. Spells tell the number of the days on which it was
 * sold without stock, and not which they were.
 */
export function stockTimes(spells: readonly Spell[], { dates, isKnown, days }: KnownDays): StockTimes {
  const learned: string[] = [];
  const empty: EmptyTime[] = [];
  for (const [index, { from_date, has_stock, sale_days }] of spells.entries()) {
    if (from_date === null) continue;
    const end = spells[index + 1]?.from_date ?? null;
    const isWithin = (date: string) => date >= from_date && (end === null || date < end);
    const known = dates.filter((date, place) => isKnown[place] && isWithin(date));
    if (has_stock === 1) {
      learned.push(...known);
      continue;
    }
    const inRange = known.filter((date) => date >= days.from.toString());
    const [from, to] = [inRange[0], inRange.at(-1)];
    if (from !== undefined && to !== undefined && inRange.length > sale_days)
      empty.push({ from, to, days: inRange.length - sale_days });
  }
  return { learned, empty };
}
