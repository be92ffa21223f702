import type { Pieces } from '../../../../main-thread/pieces.ts';
import type { Part } from './bridge.ts';
import { factorEffects } from './lmdi.ts';

/** What was sold of a product, brand or category in one range. */
interface Sold {
  readonly pieces: number;
  readonly money: number;
}

export interface SoldItem {
  readonly key: string;
  readonly from: Sold;
  readonly to: Sold;
}

/** What an item did to the difference, by itself. */
interface ItemEffects {
  readonly volume: number;
  readonly mix: number;
  readonly price: number;
}

/**
 * The only range in which an item was sold. Nobody can tell whether such sales are volume or mix. It is null
 * where the item was sold in both.
 */
function isOnlyIn(item: SoldItem): 'from' | 'to' | null {
  const [was, is] = [item.from, item.to].map(({ pieces, money }) => pieces !== 0 || money !== 0);
  if (was === is) return null;
  return was ? 'from' : 'to';
}

/**
 * The difference by price, volume and mix of the items that were sold in both ranges: money = their pieces ×
 * share of an item in these × money per piece. Items that were sold in one of the ranges alone are parts of
 * their own.
 *
 * @param words for the items and for money per piece, as `products` and `price`
 */
export function* priceVolumeMix(
  items: readonly SoldItem[],
  { many, price }: { readonly many: string; readonly price: string },
): Pieces<Part[]> {
  const both = items.filter((item) => isOnlyIn(item) === null);
  const pieces = (side: 'from' | 'to') => both.reduce((all, item) => all + item[side].pieces, 0);
  const [before, after] = [pieces('from'), pieces('to')];
  const sums = { volume: 0, mix: 0, price: 0 };
  for (const [index, item] of both.entries()) {
    if (index % ITEMS_OF_PIECE === 0) yield;
    const effects = effectsOf(item, before, after);
    for (const name of ['volume', 'mix', 'price'] as const) sums[name] += effects[name];
  }
  const money = (side: 'from' | 'to') =>
    items.filter((item) => isOnlyIn(item) === side).reduce((all, item) => all + item[side].money, 0);
  const [left, came] = [money('from'), money('to')];
  const part = (name: string, change: number, values: { from?: number; to?: number } = {}): Part => ({
    name,
    from: values.from ?? null,
    to: values.to ?? null,
    change,
  });
  return [
    part(`volume: pieces of ${many} sold in both ranges`, sums.volume, { from: before, to: after }),
    part(`mix: which of these ${many}`, sums.mix),
    part(price, sums.price),
    ...(came === 0 ? [] : [part(`${many} sold in this range alone`, came, { from: 0, to: came })]),
    ...(left === 0 ? [] : [part(`${many} sold in the compared range alone`, -left, { from: left, to: 0 })]),
  ];
}

const ITEMS_OF_PIECE = 200;

function effectsOf({ from, to }: SoldItem, before: number, after: number): ItemEffects {
  const factors = ({ pieces, money }: Sold, all: number) => [
    all,
    all === 0 ? null : pieces / all,
    pieces === 0 ? null : money / pieces,
  ];
  // Money without pieces has no price: all of its change is one of price.
  if ((from.pieces === 0 && from.money !== 0) || (to.pieces === 0 && to.money !== 0))
    return { volume: 0, mix: 0, price: to.money - from.money };
  const [volume = 0, mix = 0, price = 0] = factorEffects(factors(from, before), factors(to, after));
  return { volume, mix, price };
}

/**
 * The effect of an item's price, from its pieces and its money per piece alone. It is null where one side has
 * no price.
 */
export function priceEffect({ from, to }: SoldItem): number | null {
  if (from.pieces <= 0 || to.pieces <= 0) return null;
  const [, effect = 0] = factorEffects(
    [from.pieces, from.money / from.pieces],
    [to.pieces, to.money / to.pieces],
  );
  return effect;
}
