// Product lines of the loaded orders with their money in the business currency.
import { type Decimal, decimal, type Money, money, product } from './decimals.ts';
import { cell, loadedRows } from './loaded-rows.ts';
import { importedMoment, type Moment } from './moments.ts';
import { type Priced, withNetRevenues } from './net-revenues.ts';
import type { Order } from './orders.ts';
import type { Business, Row, Store } from './store.ts';

export type Line = {
  order: Order;
  lineNo: number;
  productId: string;
  name: string | null;
  quantity: Decimal;
  revenue: Money;
  /** The part of the order's discount. */
  discount: Money;
  /** The revenue without its discount and VAT; null when the VAT is not known. */
  netRevenue: Money | null;
  /** Null when no purchase price is known. */
  cost: Money | null;
  /** Null when the purchase price or the VAT is not known. */
  profit: Money | null;
};

/** The amount of which VAT makes this one, to the nearest of four decimals; null when no rate is set. */
export function withoutVat(gross: Money, { vat }: Business): Money | null {
  return vat === undefined ? null : withoutRate(gross, vat);
}

/** @param percent with at most four decimals */
export function withoutRate(gross: Money, percent: number): Money {
  return nearest(gross * 1_000_000n, BigInt(Math.round(1_000_000 + 10_000 * percent)));
}

/** A quotient, half away from zero. */
export function nearest(dividend: bigint, divisor: bigint): bigint {
  const [up, down] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const quotient = (2n * up + down) / (2n * down);
  return dividend < 0n !== divisor < 0n ? -quotient : quotient;
}

type PriceRow = { productId: string; validFrom: Moment; purchasePrice: string | null };

export function productLinesOf(store: Store, orders: Order[], timezone: string): Line[] {
  const orderById = new Map(orders.map((order) => [order.orderId, order]));
  const purchasePriceAt = purchasePrices(store, timezone);
  const lines: Priced[] = [];
  for (const { row, lineNo } of numberedItems(store)) {
    const order = orderById.get(row.order_id ?? '');
    const productId = cell(row.external_product_id);
    if (order === undefined || productId === null || (cell(row.kind) ?? 'product') !== 'product') continue;
    const quantity = decimal(row.quantity ?? '');
    const taxRate = cell(row.tax_rate);
    const line = { order, lineNo, productId, name: cell(row.name), quantity, taxRate };
    const unitCost = cell(row.unit_cost);
    const purchasePrice = purchasePriceAt(productId, order.moment);
    const isCostKnown = unitCost !== null || purchasePrice !== null;
    if (order.rate === null) {
      lines.push({ ...line, revenue: 0n, cost: isCostKnown ? 0n : null }); // counted with money 0
      continue;
    }
    const revenue = money(product(quantity, decimal(row.unit_price ?? ''), order.rate));
    // unit_cost is in the order's currency, the shop's purchase prices are in the business currency.
    let cost: Money | null = null;
    if (unitCost !== null) cost = money(product(quantity, decimal(unitCost), order.rate));
    else if (purchasePrice !== null) cost = money(product(quantity, decimal(purchasePrice)));
    lines.push({ ...line, revenue, cost });
  }
  return withNetRevenues(store, lines);
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

/**
 * The purchase price in force at a moment: of the last price row by then, else the catalogue's current one.
 */
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
