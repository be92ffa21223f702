import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SHOP = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));

/**
 * The hand-made shop without what a command shows nothing of: each table more is a part of each import. Gives
 * its folder.
 */
export function writeOrders(folder: string): string {
  const to = join(folder, 'orders');
  for (const table of ['orders', 'order_items', 'products'])
    cpSync(join(SHOP, `${table}.csv`), join(to, `${table}.csv`));
  return to;
}
