import { amount, type Money, round4 } from './decimals.ts';
import { argumentRange, isInRange, utcText, wholeDays } from './moments.ts';
import type { RangeArguments } from './order-statistics.ts';
import type { Order } from './orders.ts';
import { daysBetween } from './periods.ts';
import { percentile, percentOrNull, ratioOrNull } from './quantiles.ts';
import { type Shop, shopOf } from './shop.ts';
import type { Store } from './store.ts';
import { compareText } from './text-order.ts';

type Level = 'product' | 'master_product' | 'category' | 'brand';
type Arguments = RangeArguments & {
  relation?: 'same_order' | 'next_order' | 'first_to_second';
  level?: Level;
  filter_antecedents?: string[] | null;
  min_orders?: number;
  sort_by?: 'pair_orders_count' | 'support' | 'confidence' | 'lift' | 'pair_revenue';
  sort_order?: 'asc' | 'desc';
  limit?: number;
  offset?: number;
};

/** Two item sets that are looked at together, with the days between their orders. */
type Basket = { left: Map<string, Money>; right: Map<string, Money>; days: number };

export function productAffinityStatistics(store: Store, args: Arguments): object {
  const shop = shopOf(store);
  const relation = args.relation ?? 'same_order';
  const level = args.level ?? 'master_product';
  const baskets = basketsOf(shop, args, relation, level);
  const withLeft = (item: string) => baskets.filter(({ left }) => left.has(item));
  const items = [...new Set(baskets.flatMap(({ left, right }) => [...left.keys(), ...right.keys()]))];
  const pairs = [];
  for (const antecedent of items) {
    if (args.filter_antecedents?.length && !args.filter_antecedents.includes(antecedent)) continue;
    for (const consequent of items) {
      if (relation === 'same_order' && antecedent === consequent) continue;
      const both = withLeft(antecedent).filter(({ right }) => right.has(consequent));
      if (both.length < (args.min_orders ?? 5) || both.length === 0) continue;
      const antecedents = withLeft(antecedent).length;
      const consequents = baskets.filter(({ right }) => right.has(consequent)).length;
      // The other direction is the one that stands, unless its first item is not asked for.
      const isRarer = antecedents - consequents || compareText(antecedent, consequent);
      const isOtherAsked = !args.filter_antecedents?.length || args.filter_antecedents.includes(consequent);
      if (relation === 'same_order' && isRarer > 0 && isOtherAsked) continue;
      let revenue = 0n;
      for (const basket of both)
        revenue += (basket.left.get(antecedent) ?? 0n) + (basket.right.get(consequent) ?? 0n);
      pairs.push({
        antecedent,
        antecedent_name: nameOf(shop, level, antecedent),
        consequent,
        consequent_name: nameOf(shop, level, consequent),
        antecedent_orders_count: antecedents,
        consequent_orders_count: consequents,
        pair_orders_count: both.length,
        support: round4((100 * both.length) / baskets.length),
        confidence: percentOrNull(both.length, antecedents) ?? 0,
        lift: ratioOrNull(both.length * baskets.length, antecedents * consequents) ?? 0,
        median_days_between:
          relation === 'same_order'
            ? null
            : percentile(
                both.map(({ days }) => BigInt(days)),
                50,
                1,
              ),
        pair_revenue: amount(revenue),
        ...liftBounds(baskets.length, antecedents, consequents, both.length),
      });
    }
  }
  const sortBy = args.sort_by ?? 'pair_orders_count';
  const sign = args.sort_order === 'asc' ? 1 : -1;
  pairs.sort(
    (a, b) =>
      sign * (a[sortBy] - b[sortBy]) ||
      compareText(a.antecedent, b.antecedent) ||
      compareText(a.consequent, b.consequent),
  );
  const latest = shop.orders.at(-1);
  const offset = args.offset ?? 0;
  return {
    business_id: args.business_id,
    data_until: latest === undefined ? null : utcText(latest.moment),
    relation,
    level,
    baskets_count: baskets.length,
    total_count: pairs.length,
    pairs: pairs.slice(offset, offset + (args.limit ?? 10)),
  };
}

/**
 * The ratio of two shares by its score; the share that makes both samples likeliest is searched for, not
 * solved.
 */
function liftBounds(all: number, antecedents: number, consequents: number, both: number) {
  const others = all - antecedents;
  if (others === 0) return { lift_low: null, lift_high: null };
  const rest = consequents - both;
  const term = (count: number, share: number) => (count === 0 ? 0 : count * Math.log(share));
  const likelihood = (second: number, ratio: number) =>
    term(both, ratio * second) +
    term(antecedents - both, 1 - ratio * second) +
    term(rest, second) +
    term(others - rest, 1 - second);
  const score = (ratio: number) => {
    let [from, to] = [0, Math.min(1, 1 / ratio)];
    for (let step = 0; step < 200; step += 1) {
      const [a, b] = [from + (to - from) * 0.382, from + (to - from) * 0.618];
      if (likelihood(a, ratio) < likelihood(b, ratio)) from = a;
      else to = b;
    }
    const second = (from + to) / 2;
    const first = ratio * second;
    const variance = (first * (1 - first)) / antecedents + (ratio * ratio * second * (1 - second)) / others;
    return (both / antecedents - (ratio * rest) / others) / Math.sqrt((variance * all) / (all - 1));
  };
  const ratioWith = (wanted: number) => {
    let [from, to] = [-25, 25];
    for (let step = 0; step < 100; step += 1) {
      const middle = (from + to) / 2;
      if (score(Math.exp(middle)) > wanted) from = middle;
      else to = middle;
    }
    return Math.exp(from);
  };
  const liftOf = (ratio: number) => (ratio * all) / (antecedents * ratio + others);
  return {
    lift_low: round4(liftOf(ratioWith(1.959963984540054))),
    lift_high: round4(rest === 0 ? all / antecedents : liftOf(ratioWith(-1.959963984540054))),
  };
}

function basketsOf(shop: Shop, args: Arguments, relation: string, level: Level): Basket[] {
  const rangeOf = relation === 'same_order' ? argumentRange : wholeDays;
  const range = rangeOf(args.from_date, args.to_date, shop.timezone);
  const baskets: Basket[] = [];
  for (const order of shop.validOrders) {
    const hasKnownProduct = shop.lines.some(
      (line) => line.order === order && shop.products.get(line.productId)?.isInCatalogue,
    );
    if (!isInRange(order.moment, range) || !hasKnownProduct) continue;
    const left = itemsOf(shop, order, level);
    if (relation === 'same_order') {
      baskets.push({ left, right: left, days: 0 });
      continue;
    }
    const next = shop.validOrders.find(
      (other) => other.customer === order.customer && other.sequence === (order.sequence ?? 0) + 1,
    );
    if (next === undefined || (relation === 'first_to_second' && order.sequence !== 1)) continue;
    const days = daysBetween(order.localDate, next.localDate);
    baskets.push({ left, right: itemsOf(shop, next, level), days });
  }
  return baskets;
}

/** The items of an order's catalogue products, each with the revenue of its lines. */
function itemsOf(shop: Shop, order: Order, level: Level): Map<string, Money> {
  const items = new Map<string, Money>();
  for (const line of shop.lines) {
    const product = shop.products.get(line.productId);
    if (line.order !== order || product === undefined || !product.isInCatalogue) continue;
    const names = {
      product: [product.productId],
      master_product: [product.masterId],
      category: [...new Set(product.categoryNames)],
      brand: [product.brand],
    }[level];
    for (const name of names) items.set(name, (items.get(name) ?? 0n) + line.revenue);
  }
  return items;
}

function nameOf(shop: Shop, level: Level, item: string): string | null {
  const products = [...shop.products.values()];
  if (level === 'product') return shop.products.get(item)?.name ?? null;
  if (level === 'master_product')
    return products.find(({ masterId }) => masterId === item)?.masterName ?? null;
  return null;
}
