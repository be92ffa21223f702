import { amount, sum, wholeNumber } from './decimals.ts';
import { type ListingArguments, matching } from './listing.ts';
import type { Scope, Shop } from './shop.ts';

/** What a listing says of all its rows: each order line once, whichever rows it is in. */
export function totalsOf<R extends object>(
  shop: Shop,
  rows: R[],
  productsOf: (row: R) => Iterable<string>,
  { args, inScope }: { args: ListingArguments; inScope: Scope },
) {
  const kept = matching(rows, args);
  const ids = new Set(kept.flatMap((row) => [...productsOf(row)]));
  const lines = shop.lines.filter((line) => ids.has(line.productId) && inScope(line.order));
  let revenue = 0n;
  for (const line of lines) revenue += line.revenue;
  return {
    total_count: kept.length,
    totals: {
      unique_orders_count: new Set(lines.map(({ order }) => order)).size,
      total_quantity: wholeNumber(sum(lines.map(({ quantity }) => quantity))),
      estimated_revenue: amount(revenue),
    },
  };
}

export type ListingTotals = ReturnType<typeof totalsOf>;
