import { dateText, momentOf, momentText } from './calendar.ts';
import type { Product } from './product.ts';
import type { StockReadingRow } from './tables.ts';
import type { World } from './world.ts';

/** What is in stock when the shop opens on its last day. */
export function makeStockReadings(world: World, products: readonly Product[]): StockReadingRow[] {
  return products.map(({ external_product_id, stock_quantity }) => ({
    external_product_id,
    read_on: dateText(world.lastDay),
    read_at: momentText(momentOf(world.lastDay, 6 * 3_600)),
    in_stock: stock_quantity > 0,
    stock_quantity,
  }));
}
