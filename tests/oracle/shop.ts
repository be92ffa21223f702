// A store after interpretation: what an import would have loaded, with customers, visitors and money
// resolved.
import { knownProducts, type Product } from './catalogue.ts';
import { type Charges, chargesOf } from './charges.ts';
import { cell, loadedRows } from './loaded-rows.ts';
import { importedMoment, localDate, type Moment } from './moments.ts';
import { type Line, productLinesOf } from './order-lines.ts';
import { type Order, ordersOf } from './orders.ts';
import { type Refunds, refundsOf } from './refunds.ts';
import type { Store } from './store.ts';
import { visitorsOf } from './visitors.ts';

export type ProductEvent = {
  kind: string;
  productId: string;
  visitor: string;
  moment: Moment;
  localDate: string;
  engagementSeconds: number;
};

export type Shop = {
  timezone: string;
  /** Every loaded order in the order of time. */
  orders: Order[];
  validOrders: Order[];
  /** The charges of the valid orders. */
  charges: Charges[];
  /** Product lines of valid orders. */
  lines: Line[];
  events: ProductEvent[];
  refunds: Refunds;
  products: Map<string, Product>;
  /** First valid order of each customer. */
  firstOrders: Map<string, Order>;
  /** Null when nobody is known who ordered. */
  visitorOfOrder(order: Order): string | null;
};

export function shopOf(store: Store): Shop {
  const timezone = store.business.timezone ?? 'UTC';
  const orders = ordersOf(store, timezone);
  const validOrders = orders.filter((order) => order.isValid);
  const allLines = productLinesOf(store, orders, timezone);
  const lines = allLines.filter((line) => line.order.isValid);
  const visitors = visitorsOf(store, orders);
  const events = loadedRows(store.product_events, (row) => row.event_id ?? '').map((row): ProductEvent => {
    const moment = importedMoment(row.at ?? '', timezone);
    return {
      kind: row.kind ?? '',
      productId: row.external_product_id ?? '',
      visitor: visitors.ofVisitorId(row.visitor_id ?? ''),
      moment,
      localDate: localDate(moment, timezone),
      engagementSeconds: Number(cell(row.engagement_s) ?? 0),
    };
  });
  const firstOrders = new Map<string, Order>();
  for (const order of validOrders) {
    if (order.customer !== null && order.sequence === 1) firstOrders.set(order.customer, order);
  }
  const viewed = events.map((event) => event.productId);
  const products = knownProducts(store, lines, viewed);
  const refunds = refundsOf(store, orders, allLines, timezone);
  return {
    refunds,
    charges: chargesOf(store, validOrders),
    ...{ timezone, orders, validOrders, lines, events, products, firstOrders },
    visitorOfOrder: visitors.ofOrder,
  };
}

/** Something that happened at a moment: an order or a product event. */
type Timed = { moment: Moment; localDate: string };

/** Chooses what belongs to a row: the range of the call, or one period of a trend. */
export type Scope = (timed: Timed) => boolean;
