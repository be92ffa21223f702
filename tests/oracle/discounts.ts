// Discounts, shipping and deciles of order_distribution_statistics, from the rows of the import files.
import { amount, decimal, type Money, money, product, sum } from './decimals.ts';
import { cell, listCell, loadedRows } from './loaded-rows.ts';
import { argumentRange, isInRange } from './moments.ts';
import { type Line, numberedItems } from './order-lines.ts';
import { type RangeArguments, revenueOf, taxOf } from './order-statistics.ts';
import type { Order } from './orders.ts';
import { percentOrNull, ratioOrNull } from './quantiles.ts';
import { type Shop, shopOf } from './shop.ts';
import type { Row, Store } from './store.ts';
import { compareText } from './text-order.ts';

/** What an order was reduced by, and what its shipping cost, in business money; null where nothing is said. */
export type Charges = { order: Order; row: Row<'orders'>; discount: Money | null; shipping: Money | null };

/** Of the valid orders in the range. */
export function chargesIn(store: Store, args: RangeArguments): Charges[] {
  const shop = shopOf(store);
  const range = argumentRange(args.from_date, args.to_date, shop.timezone);
  return chargesOf(
    store,
    shop.validOrders.filter(({ moment }) => isInRange(moment, range)),
  );
}

export function chargesOf(store: Store, orders: Order[]): Charges[] {
  const rows = loadedRows(store.orders, (row) => row.order_id ?? '');
  const items = numberedItems(store).map(({ row }) => row);
  return orders.map((order) => {
    const row = rows.find(({ order_id }) => order_id === order.orderId) ?? {};
    const own = items.filter(({ order_id }) => order_id === order.orderId);
    const told = (column: 'discount' | 'shipping', sign: string): Money | null => {
      const lines = own.filter(({ kind }) => kind === column);
      const given = cell(row[column]);
      if (given === null && lines.length === 0) return null;
      const inOrderMoney =
        given === null
          ? sum(
              lines.map((item) =>
                product(decimal(`${sign}1`), decimal(item.quantity ?? ''), decimal(item.unit_price ?? '')),
              ),
            )
          : decimal(given);
      // Lines that take nothing off are no discount, whatever they are called.
      if (given === null && column === 'discount' && inOrderMoney.units <= 0n) return null;
      return order.rate === null ? 0n : money(product(inOrderMoney, order.rate));
    };
    return { order, row, discount: told('discount', '-'), shipping: told('shipping', '') };
  });
}

/** The fields of a row, and of the top of the answer. */
export function chargeFields(charges: Charges[]) {
  const reduced = charges.filter(({ discount }) => discount !== null);
  const shipped = charges.filter(({ shipping }) => shipping !== null);
  const discount = amount(reduced.reduce((all, one) => all + (one.discount ?? 0n), 0n));
  const paid = amount(revenueOf(reduced.map(({ order }) => order)));
  const before = paid + discount;
  // A zero of a few orders is not one of the store.
  const mostTell = (told: Charges[]) => told.length > 0 && 2 * told.length >= charges.length;
  const discounted = reduced.filter((one) => (one.discount ?? 0n) > 0n).length;
  const tellsDiscounts = discounted > 0 || mostTell(reduced);
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

/** By coupon, where each is of at least five customers or orders of nobody: smaller ones are hidden. */
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
