import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const products: CanonicalTable = {
  name: 'products',
  meaning: `One row per product that can be bought, so per variant. Variants of one product have the same
\`external_master_product_id\`. Money is in the business currency: \`price\` with VAT, \`original_price\` the price
before a reduction, \`purchase_price\` without VAT. The first of \`categories\` is the main one. \`attributes\` is
an object, for example \`{"colour": "red"}\`; \`flags\` are marks of the shop such as \`new\`.`,
  key: ['external_product_id'],
  isToldByMany: true,
  columns: {
    external_product_id: column.itemId({ required: true }),
    external_master_product_id: column.itemId(),
    name: column.name({ required: true }),
    sku: column.code(),
    ean: column.code(),
    brand: column.name(),
    categories: column.list('name'),
    price: column.money({ required: true }),
    original_price: column.money(),
    purchase_price: column.money(),
    in_stock: column.flag(),
    stock_quantity: column.quantity(),
    discontinued: column.flag({ fallback: 'false' }),
    url: column.url(),
    image_url: column.url(),
    description: column.body(),
    attributes: column.settings(),
    flags: column.list('name'),
    created_at: column.moment(),
    updated_at: column.moment(),
  },
};
