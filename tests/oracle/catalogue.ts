// The known products: catalogue, sold at any time in a valid order, or with any product event.
import { decimal, type Money, money } from './decimals.ts';
import { cell, listCell, loadedRows } from './loaded-rows.ts';
import { type Line, withoutVat } from './order-lines.ts';
import { masterNames, notSet, shownName } from './product-names.ts';
import type { Store } from './store.ts';
import { compareText } from './text-order.ts';

export type Product = {
  productId: string;
  masterId: string;
  /** A product that is missing from the catalogue has the name on the latest line of an order. */
  name: string | null;
  masterName: string | null;
  brand: string;
  categories: string[];
  /** What it counts in; products without category have a name too. */
  categoryNames: string[];
  price: Money;
  /** The price without VAT; null when its rate is not set. */
  netPrice: Money | null;
  purchasePrice: Money | null;
  discontinued: boolean;
  isInCatalogue: boolean;
};

function unlistedProduct(productId: string, name: string | null, masterName: string | null): Product {
  return {
    ...{ productId, masterId: productId, name, masterName, brand: notSet, categories: [] },
    ...{
      categoryNames: [notSet],
      price: 0n,
      netPrice: 0n,
      purchasePrice: null,
      discontinued: false,
      isInCatalogue: false,
    },
  };
}

/** @param lines of valid orders; `viewed` are the ids of products with a product event */
export function knownProducts(store: Store, lines: Line[], viewed: Iterable<string>): Map<string, Product> {
  const products = new Map<string, Product>();
  const listed = loadedRows(store.products, (row) => row.external_product_id ?? '');
  const nameOfMaster = masterNames(listed);
  for (const row of listed) {
    const productId = row.external_product_id ?? '';
    const masterId = cell(row.external_master_product_id) ?? productId;
    const name = row.name ?? '';
    const categories = listCell(row.categories).map(shownName);
    const purchasePrice = cell(row.purchase_price);
    products.set(productId, {
      productId,
      masterId,
      name,
      masterName: nameOfMaster.has(masterId) ? (nameOfMaster.get(masterId) ?? null) : name,
      brand: shownName(cell(row.brand)),
      categories,
      categoryNames: categories.length === 0 ? [notSet] : categories,
      price: money(decimal(row.price ?? '')),
      netPrice: withoutVat(money(decimal(row.price ?? '')), store.business),
      purchasePrice: purchasePrice === null ? null : money(decimal(purchasePrice)),
      discontinued: row.discontinued === 'true',
      isInCatalogue: true,
    });
  }
  for (const productId of [...lines.map((line) => line.productId), ...viewed]) {
    if (products.has(productId)) continue;
    const name = soldName(lines.filter((line) => line.productId === productId));
    const masterName = nameOfMaster.has(productId) ? (nameOfMaster.get(productId) ?? null) : name;
    products.set(productId, unlistedProduct(productId, name, masterName));
  }
  return new Map([...products].sort(([a], [b]) => compareText(a, b)));
}

/** The name on the latest of the lines that has one. */
function soldName(lines: Line[]): string | null {
  const named = lines.filter(({ name }) => name !== null);
  named.sort(
    (one, other) =>
      Number(other.order.moment - one.order.moment) ||
      compareText(other.order.orderId, one.order.orderId) ||
      other.lineNo - one.lineNo,
  );
  return named[0]?.name ?? null;
}

export function grossProfit(product: Product): Money | null {
  if (product.purchasePrice === null || product.netPrice === null || product.price === 0n) return null;
  return product.netPrice - product.purchasePrice;
}

/** Percent of the price without VAT, as far as that is known; not rounded. */
export function grossProfitMargin(product: Product): number | null {
  const profit = grossProfit(product);
  return profit === null ? null : (Number(profit) / Number(product.netPrice)) * 100;
}
