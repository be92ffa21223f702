import { amount, sum, wholeNumber } from './decimals.ts';
import { type ListingArguments, matching } from './listing.ts';
import { profitOf } from './performance.ts';
import { percentOrNull } from './quantiles.ts';
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
  const { profit, knownRevenue } = profitOf(lines);
  const isVatKnown = lines.every(({ netRevenue }) => netRevenue !== null);
  const isSold = lines.length > 0;
  return {
    total_count: kept.length,
    totals: {
      unique_orders_count: new Set(lines.map(({ order }) => order)).size,
      total_quantity: wholeNumber(sum(lines.map(({ quantity }) => quantity))),
      estimated_revenue: amount(revenue),
      net_revenue: isVatKnown ? amount(lines.reduce((all, line) => all + (line.netRevenue ?? 0n), 0n)) : null,
      estimated_gross_profit: isSold && profit === null ? null : amount(profit ?? 0n),
      revenue_with_known_cost: percentOrNull(amount(knownRevenue), amount(revenue)),
    },
  };
}

export type ListingTotals = ReturnType<typeof totalsOf>;
