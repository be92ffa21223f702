// Discounts, shipping and deciles of order_distribution_statistics, from the rows of the import files.
import { type Charges, chargesOf, doMostTell, doTellDiscounts } from './charges.ts';
import { amount, type Money, sum } from './decimals.ts';
import { listCell } from './loaded-rows.ts';
import { argumentRange, isInRange } from './moments.ts';
import type { Line } from './order-lines.ts';
import { type RangeArguments, revenueOf, taxOf } from './order-statistics.ts';
import type { Order } from './orders.ts';
import { percentOrNull, ratioOrNull } from './quantiles.ts';
import { type Shop, shopOf } from './shop.ts';
import type { Store } from './store.ts';
import { compareText } from './text-order.ts';

/** The charges of the valid orders in the range. */
export function chargesIn(store: Store, args: RangeArguments): Charges[] {
  const shop = shopOf(store);
  const range = argumentRange(args.from_date, args.to_date, shop.timezone);
  return chargesOf(
    store,
    shop.validOrders.filter(({ moment }) => isInRange(moment, range)),
  );
}

/** The fields of a row, and of the top of the answer. */
export function chargeFields(charges: Charges[]) {
  const reduced = charges.filter(({ discount }) => discount !== null);
  const shipped = charges.filter(({ shipping }) => shipping !== null);
  const discount = amount(reduced.reduce((all, one) => all + (one.discount ?? 0n), 0n));
  const paid = amount(revenueOf(reduced.map(({ order }) => order)));
  const before = paid + discount;
  const mostTell = (told: Charges[]) => doMostTell(told, charges);
  const discounted = reduced.filter((one) => (one.discount ?? 0n) > 0n).length;
  const tellsDiscounts = doTellDiscounts(charges);
  return {
    discount: tellsDiscounts ? discount : null,
    discount_share: !tellsDiscounts || before <= 0 ? null : percentOrNull(discount, before),
    discounted_orders_count: tellsDiscounts ? discounted : null,
    shipping:
      shipped.length === 0 ? null : amount(shipped.reduce((all, one) => all + (one.shipping ?? 0n), 0n)),
    tax: taxOf(charges.map(({ order }) => order)),
    free_shipping_orders_count: mostTell(shipped)
      ? shipped.filter(({ shipping }) => shipping === 0n).length
      : null,
  };
}

/**
 * The charges by coupon, where each is of at least five customers or orders of nobody: smaller ones are
 * hidden.
 */
export function chargesByCoupon(charges: Charges[]): Map<string, Charges[]> {
  const coupons = new Map<string, Charges[]>();
  for (const one of charges) {
    for (const coupon of new Set(listCell(one.row.coupon_codes))) {
      coupons.set(coupon, [...(coupons.get(coupon) ?? []), one]);
    }
  }
  return coupons;
}

/** The revenue of an order without shipping. */
export function goodsValue({ order, shipping }: Charges): Money {
  return order.revenue - (shipping ?? 0n);
}

/** Ten groups as equal as can be, the first ones larger. */
function deciles<Value>(ranked: readonly Value[]): Value[][] {
  const groups: Value[][] = Array.from({ length: Math.min(10, ranked.length) }, () => []);
  const [least, larger] = [Math.floor(ranked.length / 10), ranked.length % 10];
  let group = 0;
  for (const value of ranked) {
    const size = least + (group < larger ? 1 : 0);
    groups[group]?.push(value);
    if (groups[group]?.length === size) group += 1;
  }
  return groups;
}

/** Orders by the decile of their customer, the best tenth first, and last those of nobody. */
export function customerDeciles(charges: Charges[], shop: Shop): Map<string, Charges[]> {
  const byCustomer = Map.groupBy(charges, ({ order }) => order.customer);
  const nobodys = byCustomer.get(null as never) ?? [];
  byCustomer.delete(null as never);
  const placed = (customer: string | null) => shop.firstOrders.get(customer ?? '') as Order;
  const ranked = [...byCustomer].sort(
    ([a, own], [b, others]) =>
      Number(spent(others) - spent(own)) ||
      Number(placed(a).moment - placed(b).moment) ||
      compareText(placed(a).orderId, placed(b).orderId),
  );
  // A tenth of fewer than 50 customers is a group of one to four people.
  const isFew = ranked.length > 0 && ranked.length < 50;
  const rows = (isFew ? [ranked] : deciles(ranked)).map((group, index): [string, Charges[]] => [
    isFew ? '1-10' : String(index + 1),
    group.flatMap(([, own]) => own),
  ]);
  return new Map([...rows, ...(nobodys.length > 0 ? [['(not set)', nobodys] as const] : [])]);
}

const spent = (charges: Charges[]) => revenueOf(charges.map(({ order }) => order));

/** Rows of products by the decile of their revenue. */
export function productDeciles(charges: Charges[], shop: Shop): object[] {
  const orders = new Set(charges.map(({ order }) => order.orderId));
  const lines = shop.lines.filter(({ order }) => orders.has(order.orderId));
  const revenueIn = (some: Line[]) => some.reduce((all, { revenue }) => all + revenue, 0n);
  const ranked = [...Map.groupBy(lines, ({ productId }) => productId)].sort(
    ([a, own], [b, others]) => Number(revenueIn(others) - revenueIn(own)) || compareText(a, b),
  );
  const basketCount = new Set(lines.map(({ order }) => order)).size;
  return deciles(ranked).map((group, index) => {
    const own = group.flatMap(([, some]) => some);
    const baskets = [...new Set(own.map(({ order }) => order))];
    const { units, scale } = sum(own.map(({ quantity }) => quantity));
    return {
      key: String(index + 1),
      products_count: group.length,
      orders_count: baskets.length,
      orders_share: percentOrNull(baskets.length, basketCount),
      revenue: amount(revenueIn(own)),
      revenue_share: percentOrNull(amount(revenueIn(own)), amount(revenueIn(lines))),
      average_order_value: ratioOrNull(amount(revenueOf(baskets)), baskets.length),
      avg_items_per_order: ratioOrNull(Number(units) / 10 ** scale, baskets.length),
      ...{ discount: null, discount_share: null, discounted_orders_count: null },
      ...{ shipping: null, tax: null, free_shipping_orders_count: null, refunded_revenue: null },
      revenue_after_refunds: null,
    };
  });
}
