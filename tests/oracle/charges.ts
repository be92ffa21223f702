// What orders were reduced by, and what their shipping cost, from the rows of the import files.
import { decimal, type Money, money, product, sum } from './decimals.ts';
import { cell, loadedRows } from './loaded-rows.ts';
import { numberedItems } from './order-lines.ts';
import type { Order } from './orders.ts';
import type { Row, Store } from './store.ts';

/**
 * What an order was reduced by, and what its shipping cost, in business money; null where nothing is said.
 */
export type Charges = { order: Order; row: Row<'orders'>; discount: Money | null; shipping: Money | null };

export function chargesOf(store: Store, orders: Order[]): Charges[] {
  const rows = new Map(
    loadedRows(store.orders, (row) => row.order_id ?? '').map((row) => [row.order_id, row]),
  );
  const items = Map.groupBy(
    numberedItems(store).map(({ row }) => row),
    ({ order_id }) => order_id,
  );
  return orders.map((order) => {
    const row = rows.get(order.orderId) ?? {};
    const own = items.get(order.orderId) ?? [];
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

/** Whether a zero of these can be told: that of a few orders is not one of the store. */
export function doMostTell(told: Charges[], charges: Charges[]): boolean {
  return told.length > 0 && 2 * told.length >= charges.length;
}

export function doTellDiscounts(charges: Charges[]): boolean {
  const told = charges.filter(({ discount }) => discount !== null);
  return told.some(({ discount }) => (discount ?? 0n) > 0n) || doMostTell(told, charges);
}
