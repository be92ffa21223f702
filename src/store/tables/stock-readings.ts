import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const stockReadings: CanonicalTable = {
  name: 'stock_readings',
  meaning: `What was in stock when somebody looked: at most one row per product and day, the last that told something else.
Every import and every connection that reads the stock of products writes them, so a file of them is for readings of the
past, or of another system. \`read_on\` is the day of \`read_at\` on the clock of the store.`,
  key: ['external_product_id', 'read_on'],
  columns: {
    external_product_id: column.itemId({ required: true }),
    read_on: column.date({ required: true }),
    read_at: column.moment({ required: true }),
    in_stock: column.flag(),
    stock_quantity: column.quantity(),
  },
};
