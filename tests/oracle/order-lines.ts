// Product lines of the loaded orders with their money in the business currency.
import { type Decimal, decimal, type Money, money, product } from './decimals.ts';
import { cell, loadedRows } from './loaded-rows.ts';
import { importedMoment, type Moment } from './moments.ts';
import type { Order } from './orders.ts';
import type { Business, Row, Store } from './store.ts';

export type Line = {
  order: Order;
  lineNo: number;
  productId: string;
  name: string | null;
  quantity: Decimal;
  revenue: Money;
  /** Without VAT, where its rate is set. */
  netRevenue: Money;
  /** Null when no purchase price is known. */
  profit: Money | null;
};

/** The amount of which VAT makes this one, to the nearest of four decimals. */
export function withoutVat(gross: Money, { vat = 0 }: Business): Money {
  const [numerator, denominator] = [gross * 10_000n, BigInt(Math.round(10_000 + 100 * vat))];
  const half = denominator / 2n;
  return (numerator + (numerator < 0n ? -half : half)) / denominator;
}

type PriceRow = { productId: string; validFrom: Moment; purchasePrice: string | null };

export function productLinesOf(store: Store, orders: Order[], timezone: string): Line[] {
  const orderById = new Map(orders.map((order) => [order.orderId, order]));
  const purchasePriceAt = purchasePrices(store, timezone);
  const lines: Line[] = [];
  for (const { row, lineNo } of numberedItems(store)) {
    const order = orderById.get(row.order_id ?? '');
    const productId = cell(row.external_product_id);
    if (order === undefined || productId === null || (cell(row.kind) ?? 'product') !== 'product') continue;
    const quantity = decimal(row.quantity ?? '');
    const line = { order, lineNo, productId, name: cell(row.name), quantity };
    const unitCost = cell(row.unit_cost);
    const purchasePrice = purchasePriceAt(productId, order.moment);
    const isCostKnown = unitCost !== null || purchasePrice !== null;
    if (order.rate === null) {
      lines.push({ ...line, revenue: 0n, netRevenue: 0n, profit: isCostKnown ? 0n : null }); // counted with money 0
      continue;
    }
    const revenue = money(product(quantity, decimal(row.unit_price ?? ''), order.rate));
    // unit_cost is in the order's currency, the shop's purchase prices are in the business currency.
    let cost: Money | null = null;
    if (unitCost !== null) cost = money(product(quantity, decimal(unitCost), order.rate));
    else if (purchasePrice !== null) cost = money(product(quantity, decimal(purchasePrice)));
    const netRevenue = withoutVat(revenue, store.business);
    lines.push({ ...line, revenue, netRevenue, profit: cost === null ? null : netRevenue - cost });
  }
  return lines;
}

/** Items with their line numbers; the default is the place among the order's lines in the file. */
export function numberedItems(store: Store): { row: Row<'order_items'>; lineNo: number }[] {
  const seen = new Map<string, number>();
  const items = store.order_items.map((row) => {
    const place = (seen.get(row.order_id ?? '') ?? 0) + 1;
    seen.set(row.order_id ?? '', place);
    return { row, lineNo: Number(cell(row.line_no) ?? place) };
  });
  return loadedRows(items, (item) => JSON.stringify([item.row.order_id, item.lineNo]));
}

/** The purchase price in force at a moment: of the last price row by then, else the catalogue's current one. */
function purchasePrices(store: Store, timezone: string): (productId: string, at: Moment) => string | null {
  const history = store.product_prices.map(
    (row): PriceRow => ({
      productId: row.external_product_id ?? '',
      validFrom: importedMoment(row.valid_from ?? '', timezone),
      purchasePrice: cell(row.purchase_price),
    }),
  );
  const current = new Map<string, string | null>();
  for (const row of store.products) current.set(row.external_product_id ?? '', cell(row.purchase_price));
  return (productId, at) => {
    let inForce: PriceRow | null = null;
    for (const row of history) {
      if (row.productId !== productId || row.validFrom > at) continue;
      if (inForce === null || row.validFrom >= inForce.validFrom) inForce = row;
    }
    return inForce?.purchasePrice ?? current.get(productId) ?? null;
  };
}
