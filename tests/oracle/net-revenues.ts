// What is left of each product line: without its part of the order's discount, and without VAT.
import { decimal, type Money, money, product, sum } from './decimals.ts';
import { cell, loadedRows } from './loaded-rows.ts';
import { type Line, nearest, numberedItems, withoutRate, withoutVat } from './order-lines.ts';
import type { Order } from './orders.ts';
import type { Row, Store } from './store.ts';

export type Priced = Omit<Line, 'discount' | 'netRevenue' | 'profit'> & { taxRate: string | null };

/** The charges of an order, in business money; null where nothing is said. */
type Told = Record<'discount' | 'shipping' | 'payment_fee' | 'tax', Money | null>;

export function withNetRevenues(store: Store, lines: Priced[]): Line[] {
  const rows = new Map(
    loadedRows(store.orders, (row) => row.order_id ?? '').map((row) => [row.order_id ?? '', row]),
  );
  const items = Map.groupBy(
    numberedItems(store).map(({ row }) => row),
    (row) => row.order_id ?? '',
  );
  const known = new Map<Priced, Line>();
  for (const [order, own] of Map.groupBy(lines, (line) => line.order)) {
    const row = rows.get(order.orderId) ?? {};
    const told = toldOf(row, items.get(order.orderId) ?? [], order);
    const inOrder = [...own].sort((one, other) => one.lineNo - other.lineNo);
    for (const [line, value] of partsOf(inOrder, order, row, told, store)) known.set(line, value);
  }
  return lines.map((line) => known.get(line) as Line);
}

function toldOf(row: Row<'orders'>, items: Row<'order_items'>[], order: Order): Told {
  const inBusinessMoney = (given: string | null, kind: string | null, sign = '1'): Money | null => {
    const lines = items.filter((item) => item.kind === kind);
    if (given === null && (kind === null || lines.length === 0)) return null;
    const value =
      given === null
        ? sum(
            lines.map((item) =>
              product(decimal(sign), decimal(item.quantity ?? ''), decimal(item.unit_price ?? '')),
            ),
          )
        : decimal(given);
    return order.rate === null ? 0n : money(product(value, order.rate));
  };
  return {
    discount: inBusinessMoney(cell(row.discount), 'discount', '-1'),
    shipping: inBusinessMoney(cell(row.shipping), 'shipping'),
    payment_fee: inBusinessMoney(cell(row.payment_fee), 'payment'),
    tax: inBusinessMoney(cell(row.tax), null),
  };
}

const distance = (one: Money, other: Money) => (one > other ? one - other : other - one);

function partsOf(
  lines: Priced[],
  order: Order,
  row: Row<'orders'>,
  told: Told,
  store: Store,
): [Priced, Line][] {
  const goods = lines.reduce((all, { revenue }) => all + revenue, 0n);
  const most = (told.discount ?? 0n) > 0n ? (told.discount ?? 0n) : 0n;
  const charged = goods + (told.shipping ?? 0n) + (told.payment_fee ?? 0n);
  const tax = told.tax ?? 0n;
  // How far each reading of the lines is from what was paid: is the discount in them, is the tax?
  const off = (reduced: boolean, added: boolean) =>
    distance(charged - (reduced ? 0n : most) + (added ? tax : 0n), order.revenue);
  const rounding = 100n * BigInt(lines.length + 2);
  const isNear = (added: boolean) => [true, false].some((reduced) => off(reduced, added) <= rounding);
  const included = cell(row.taxes_included);
  const isAdded = included === null ? tax !== 0n && isNear(true) && !isNear(false) : included === 'false';
  const isReduced = off(true, isAdded) < off(false, isAdded);
  const discount = goods <= 0n || isReduced ? 0n : most < goods ? most : goods;

  const left = goods - discount;
  const taxed = left < 0n === order.revenue < left ? order.revenue : left;
  const isTaxTold =
    told.tax !== null &&
    (tax === 0n || (taxed !== 0n && tax > 0n === taxed > 0n && distance(tax, 0n) < distance(taxed, 0n)));

  let [worth, reduced, shared] = [0n, 0n, 0n];
  return lines.map((line): [Priced, Line] => {
    worth += line.revenue;
    const reducedUntil = discount === 0n ? 0n : nearest(discount * worth, goods);
    const ownDiscount = reducedUntil - reduced;
    reduced = reducedUntil;
    const paid = line.revenue - ownDiscount;
    const sharedUntil = isTaxTold && taxed !== 0n ? nearest(tax * (worth - reduced), taxed) : 0n;
    const part = sharedUntil - shared;
    shared = sharedUntil;
    const netRevenue = netOf(paid, part);
    return [
      line,
      {
        ...line,
        discount: ownDiscount,
        netRevenue,
        profit: line.cost === null || netRevenue === null ? null : netRevenue - line.cost,
      },
    ];

    function netOf(amount: Money, ofOrder: Money): Money | null {
      if (amount === 0n || isAdded) return amount;
      if (line.taxRate !== null) return withoutRate(amount, Number(line.taxRate));
      return isTaxTold ? amount - ofOrder : withoutVat(amount, store.business);
    }
  });
}
