import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const productPrices: CanonicalTable = {
  name: 'product_prices',
  meaning: `The history of prices: what a product cost from \`valid_from\` on, until its next row. The columns mean what they
mean in \`products\`.`,
  key: ['external_product_id', 'valid_from'],
  columns: {
    external_product_id: column.itemId({ required: true }),
    valid_from: column.moment({ required: true }),
    price: column.money({ required: true }),
    original_price: column.money(),
    purchase_price: column.money(),
  },
};
