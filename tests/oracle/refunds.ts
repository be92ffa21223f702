// What was paid back, by the day of the order and by that of the refund; answers.md, point 21.
import {
  amount,
  type Decimal,
  decimal,
  type Money,
  money,
  percent,
  product,
  round4,
  sum,
  wholeNumber,
} from './decimals.ts';
import { cell, loadedRows } from './loaded-rows.ts';
import { importedMoment, localDate, type Moment } from './moments.ts';
import type { Line } from './order-lines.ts';
import type { Order } from './orders.ts';
import type { Row, Store } from './store.ts';

type Timed = { moment: Moment; localDate: string };

/** A refund of an order that is no test. */
type Refund = Timed & { refundId: string; order: Order; revenue: Money };

/** A line of one that leads to a product. */
type RefundLine = Timed & { order: Order; productId: string; quantity: Decimal; revenue: Money };

export type Refunds = {
  areLoaded: boolean;
  areLinesLoaded: boolean;
  all: Refund[];
  lines: RefundLine[];
};

/** @param productLines of all orders */
export function refundsOf(store: Store, orders: Order[], productLines: Line[], timezone: string): Refunds {
  const orderById = new Map(orders.filter((order) => !order.isTest).map((order) => [order.orderId, order]));
  const inBusinessMoney = (text: string | undefined, { rate }: Order) =>
    rate === null ? 0n : money(product(decimal(text ?? ''), rate));
  const all = loadedRows(store.refunds, (row) => row.refund_id ?? '').flatMap((row): Refund[] => {
    const order = orderById.get(row.order_id ?? '');
    if (order === undefined) return [];
    const moment = importedMoment(row.refunded_at ?? '', timezone);
    const revenue = inBusinessMoney(row.amount, order);
    return [
      { refundId: row.refund_id ?? '', order, moment, localDate: localDate(moment, timezone), revenue },
    ];
  });
  const refundById = new Map(all.map((refund) => [refund.refundId, refund]));
  const keyOf = (row: Row<'refund_lines'>) =>
    JSON.stringify([row.refund_id, cell(row.line_no), cell(row.external_product_id)]);
  const lines = loadedRows(store.refund_lines, keyOf).flatMap((row): RefundLine[] => {
    const refund = refundById.get(row.refund_id ?? '');
    if (refund === undefined || refund.order.orderId !== row.order_id) return [];
    const ordered = productLines.find(
      (line) => line.order === refund.order && line.lineNo === Number(cell(row.line_no) ?? Number.NaN),
    );
    const productId = cell(row.external_product_id) ?? ordered?.productId;
    if (productId === undefined) return [];
    const { order, moment, localDate: date } = refund;
    return [
      {
        ...{ order, productId, moment, localDate: date },
        quantity: decimal(row.quantity ?? ''),
        revenue: inBusinessMoney(row.amount, order),
      },
    ];
  });
  return { areLoaded: store.refunds.length > 0, areLinesLoaded: store.refund_lines.length > 0, all, lines };
}

function total(refunds: { revenue: Money }[]): number {
  let revenue = 0n;
  for (const refund of refunds) revenue += refund.revenue;
  return amount(revenue);
}

type Scope = (timed: Timed) => boolean;

export function orderRefundFields({ areLoaded, all }: Refunds, inScope: Scope, revenue: number) {
  const known = (value: number) => (areLoaded ? value : null);
  const ofOrders = total(all.filter(({ order }) => order.isValid && inScope(order)));
  const paidBack = all.filter(inScope);
  const ofCancelled = total(paidBack.filter(({ order }) => order.isCancelled));
  return {
    refunded_revenue: known(ofOrders),
    refunded_revenue_by_refund_date: known(total(paidBack)),
    refunded_revenue_of_cancelled_orders: known(ofCancelled),
    revenue_after_refunds: known(round4(revenue - ofOrders)),
    revenue_after_refunds_by_refund_date: known(round4(revenue - (total(paidBack) - ofCancelled))),
  };
}

/** @param soldQuantity of the same products, in the same scope */
export function productRefundFields(
  { areLinesLoaded, lines }: Refunds,
  productIds: Set<string>,
  inScope: Scope,
  soldQuantity: Decimal,
) {
  const own = lines.filter((line) => productIds.has(line.productId));
  const [byOrder, byRefund] = [
    own.filter(({ order }) => order.isValid && inScope(order)),
    own.filter(inScope),
  ];
  const pieces = (some: RefundLine[]) => sum(some.map((line) => line.quantity));
  const asNumber = ({ units, scale }: Decimal) => Number(units) / 10 ** scale;
  const sold = asNumber(soldQuantity);
  const known = <Value>(value: Value) => (areLinesLoaded ? value : null);
  return {
    refunded_quantity: known(wholeNumber(pieces(byOrder))),
    refunded_revenue: known(total(byOrder)),
    return_rate: known(sold > 0 ? Math.min(100, percent(asNumber(pieces(byOrder)), sold)) : null),
    refunded_quantity_by_refund_date: known(wholeNumber(pieces(byRefund))),
    refunded_revenue_by_refund_date: known(total(byRefund)),
  };
}
