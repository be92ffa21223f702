import type { Pieces } from '../../../../main-thread/pieces.ts';
import {
  type Counted,
  type Predicted,
  predictedCount,
  rateRange,
} from '../../../../statistics/predicted-count.ts';
import type { KnownDays } from './stock-days.ts';
import type { Spell } from './stock-spells.ts';

/** Nobody knows what sells on a day with stock when there are fewer such days. */
export const LEAST_DAYS = 14;
/** The days that say at which level the store sells now. */
const LEVEL_DAYS = 28;

/** The days of one product in the range, and what sells on those with stock. */
export interface ProductDays {
  readonly withStock: number;
  readonly withoutStock: number;
  /** Days that a reading calls without stock, on which it was sold nevertheless. */
  readonly soldWithout: { readonly days: number; readonly pieces: number };
  /** Days with stock that what sells was learned from. */
  readonly learned: number;
  /** Null where too few are learned from. */
  readonly rate: Rate | null;
  readonly lost: Predicted | null;
  /** The mean revenue of a piece; null where none was sold, or in no known currency. */
  readonly price: number | null;
}

/** Pieces a day, at the level of the last days. */
interface Rate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Reads the spells of each product. They come product by product, in the order of time. */
export function* daysOfProducts(
  spells: readonly Spell[],
  known: KnownDays,
  believed: number,
): Pieces<ReadonlyMap<number, ProductDays>> {
  const store = new StoreDays(known, believed);
  const found = new Map<number, ProductDays>();
  for (let start = 0; start < spells.length; ) {
    yield;
    const until = Math.min(spells.length, start + SPELLS_OF_PIECE);
    while (start < until) {
      const key = (spells[start] as Spell).product_key;
      let end = start;
      while (spells[end]?.product_key === key) end += 1;
      found.set(key, store.daysOf(spells.slice(start, end)));
      start = end;
    }
  }
  return found;
}

const SPELLS_OF_PIECE = 200;

/** Sums of the store's known days up to each day, so that any spell is one subtraction. */
class StoreDays {
  readonly #believed: number;
  readonly #places: ReadonlyMap<string, number>;
  readonly #from: number;
  readonly #length: number;
  /** The number of known days before a place, and the pieces that were sold on them. */
  readonly #days: readonly number[];
  readonly #pieces: readonly number[];

  constructor({ dates, isKnown, sold, days }: KnownDays, believed: number) {
    this.#believed = believed;
    this.#places = new Map(dates.map((date, place) => [date, place]));
    this.#from = this.#places.get(days.from.toString()) ?? 0;
    this.#length = dates.length;
    this.#days = summed(isKnown.map((is) => (is ? 1 : 0)));
    this.#pieces = summed(sold.map((pieces, place) => (isKnown[place] ? pieces : 0)));
  }

  daysOf(spells: readonly Spell[]): ProductDays {
    const withStock = { days: 0, inRange: 0, all: 0, pieces: 0, squares: 0, priced: 0, revenue: 0 };
    const without = { days: 0, all: 0, saleDays: 0, salePieces: 0 };
    let own = 0;
    for (const [index, spell] of spells.entries()) {
      own += spell.pieces;
      if (spell.from_date === null) continue;
      const [start, end] = [this.#place(spell.from_date), this.#place(spells[index + 1]?.from_date ?? null)];
      const inRange = Math.max(start, this.#from);
      if (spell.has_stock === 1) {
        withStock.days += this.#daysBetween(start, end);
        withStock.inRange += this.#daysBetween(inRange, end);
        withStock.all += this.#piecesBetween(start, end);
        withStock.pieces += spell.pieces;
        withStock.squares += spell.squares;
        withStock.priced += spell.priced_pieces;
        withStock.revenue += spell.revenue ?? 0;
      } else {
        without.days += this.#daysBetween(inRange, end) - spell.sale_days;
        without.all += this.#piecesBetween(inRange, end) - spell.all_pieces;
        without.saleDays += spell.sale_days;
        without.salePieces += spell.sale_pieces;
      }
    }
    const counted = countedOf(withStock);
    const others = withStock.days === 0 ? 0 : (withStock.all - withStock.pieces) / withStock.days;
    const known = withStock.inRange + without.days + without.saleDays;
    const ahead = without.days * this.#level(without.days === 0 ? 0 : without.all / without.days, others);
    return {
      withStock: withStock.inRange,
      withoutStock: without.days,
      soldWithout: { days: without.saleDays, pieces: without.salePieces },
      learned: withStock.days,
      rate: counted === null ? null : this.#rateNow(counted, others, own),
      lost:
        known === 0
          ? null
          : without.days === 0
            ? predictedCount(NOTHING_COUNTED, 0)
            : counted && predictedCount(counted, ahead),
      price: withStock.priced > 0 ? withStock.revenue / withStock.priced : null,
    };
  }

  #rateNow(counted: Counted, others: number, own: number): Rate {
    const all = this.#piecesBetween(0, this.#length);
    const start = Math.max(0, this.#length - LEVEL_DAYS);
    const days = this.#daysBetween(start, this.#length);
    const now =
      days === 0 || all === 0 ? others : (this.#piecesBetween(start, this.#length) / days) * (1 - own / all);
    const level = this.#level(now, others);
    const [low, high] = rateRange(counted);
    return { value: (counted.counted / counted.exposure) * level, low: low * level, high: high * level };
  }

  /** What a day sells beside a usual one, by what all other products sell on it. */
  #level(sold: number, usual: number): number {
    return usual <= 0 ? 1 : this.#believed * (sold / usual) + 1 - this.#believed;
  }

  #place(date: string | null): number {
    if (date === null) return this.#length;
    return this.#places.get(date) ?? 0;
  }

  #daysBetween(start: number, end: number): number {
    return start >= end ? 0 : (this.#days[end] as number) - (this.#days[start] as number);
  }

  #piecesBetween(start: number, end: number): number {
    return start >= end ? 0 : (this.#pieces[end] as number) - (this.#pieces[start] as number);
  }
}

const NOTHING_COUNTED: Counted = { counted: 0, exposure: 1, dispersion: 1 };

function summed(values: readonly number[]): number[] {
  const sums = [0];
  for (const value of values) sums.push((sums.at(-1) as number) + value);
  return sums;
}

function countedOf({
  days,
  pieces,
  squares,
}: {
  days: number;
  pieces: number;
  squares: number;
}): Counted | null {
  if (days < LEAST_DAYS) return null;
  const mean = pieces / days;
  const variance = (squares - days * mean ** 2) / (days - 1);
  return { counted: pieces, exposure: days, dispersion: mean > 0 ? Math.max(1, variance / mean) : 1 };
}

/**
 * How far what the store sells on a day is more than chance: 0, where days differ as orders do that come by
 * chance, to 1.
 *
 * @param orders of products on each day
 */
export function believedShare({ sold, isKnown }: KnownDays, orders: number): number {
  const days = sold.filter((_, place) => isKnown[place]);
  const pieces = days.reduce((sum, one) => sum + one, 0);
  if (days.length < LEAST_DAYS || pieces <= 0 || orders <= 0) return 0;
  const mean = pieces / days.length;
  const variance = days.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (days.length - 1);
  // Orders come by chance, and their pieces vary about as much as their mean.
  const chance = (2 * mean * pieces) / orders;
  return variance <= 0 ? 0 : Math.max(0, 1 - chance / variance);
}
