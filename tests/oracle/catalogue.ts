// The known products: catalogue, sold at any time in a valid order, or with any product event.
import { decimal, type Money, money } from './decimals.ts';
import { cell, listCell, loadedRows } from './loaded-rows.ts';
import type { Store } from './store.ts';
import { compareText } from './text-order.ts';

export type Product = {
  productId: string;
  masterId: string;
  brand: string;
  categories: string[];
  price: Money;
  purchasePrice: Money | null;
  discontinued: boolean;
  isInCatalogue: boolean;
};

function unlistedProduct(productId: string): Product {
  return {
    ...{ productId, masterId: productId, brand: '', categories: [], price: 0n, purchasePrice: null },
    ...{ discontinued: false, isInCatalogue: false },
  };
}

/** `active` are the ids of products with a line of a valid order or a product event. */
export function knownProducts(store: Store, active: Iterable<string>): Map<string, Product> {
  const products = new Map<string, Product>();
  for (const row of loadedRows(store.products, (row) => row.external_product_id ?? '')) {
    const productId = row.external_product_id ?? '';
    const purchasePrice = cell(row.purchase_price);
    products.set(productId, {
      productId,
      masterId: cell(row.external_master_product_id) ?? productId,
      brand: row.brand ?? '',
      categories: listCell(row.categories),
      price: money(decimal(row.price ?? '')),
      purchasePrice: purchasePrice === null ? null : money(decimal(purchasePrice)),
      discontinued: row.discontinued === 'true',
      isInCatalogue: true,
    });
  }
  for (const productId of active) {
    if (!products.has(productId)) products.set(productId, unlistedProduct(productId));
  }
  return new Map([...products].sort(([a], [b]) => compareText(a, b)));
}

export function grossProfit(product: Product): Money | null {
  if (product.purchasePrice === null || product.price === 0n) return null;
  return product.price - product.purchasePrice;
}

/** Percent of the price, not rounded. */
export function grossProfitMargin(product: Product): number | null {
  const profit = grossProfit(product);
  return profit === null ? null : (Number(profit) / Number(product.price)) * 100;
}
