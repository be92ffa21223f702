import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const products: CanonicalTable = {
  name: 'products',
  key: ['external_product_id'],
  columns: {
    external_product_id: column.text({ required: true }),
    external_master_product_id: column.text(),
    name: column.text({ required: true }),
    sku: column.text(),
    ean: column.text(),
    brand: column.text(),
    categories: column.list(),
    price: column.money({ required: true }),
    original_price: column.money(),
    purchase_price: column.money(),
    in_stock: column.flag(),
    stock_quantity: column.quantity(),
    discontinued: column.flag({ fallback: 'false' }),
    url: column.text(),
    image_url: column.text(),
    description: column.text(),
    attributes: column.json(),
    flags: column.list(),
    created_at: column.moment(),
    updated_at: column.moment(),
  },
};
