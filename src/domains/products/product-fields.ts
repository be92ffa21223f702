import { field } from '../../answers/fields/field.ts';
import { flag, measure, moment, text } from '../../answers/fields/kinds-of-fields.ts';
import { sql } from '../../sql/sql.ts';

/** A product of the catalogue, as the product tools show it. */
export const productFields = [
  text('external_product_id', 'Id of the product in the shop.'),
  text('external_master_product_id', 'Groups variants.', 'a product that is its own'),
  text('name', 'Business data.'),
  text('sku', 'Business data.', 'it has none'),
  text('ean', 'Bar code. Business data.', 'it has none'),
  text('brand', '(not set): none. Business data.'),
  field({
    key: 'categories',
    type: 'list',
    of: 'text',
    definition: 'The first is the main one. Business data.',
  }),
  measure('money', 'price', 'Catalogue price now, incl. VAT.'),
  moment('price_as_of', 'updated_at, or the last price change if later.', 'the shop tells no time'),
  measure('money', 'original_price', 'Price before discount.', 'not known'),
  flag('is_on_sale', 'original_price > price.'),
  flag('in_stock', 'Could be ordered at stock_as_of.', 'not known, or sales since contradict it'),
  measure('pieces', 'stock_quantity', 'In stock at stock_as_of.', 'not known'),
  moment('stock_as_of', 'When stock last changed or was told.', 'not known'),
  measure('pieces', 'sold_since_stock_as_of', 'Pieces sold after stock_as_of.', 'no orders loaded since'),
  field({
    key: 'days_of_cover',
    type: 'number',
    unit: 'days',
    null: 'not known, or not selling',
    definition: '(stock_quantity - sold_since_stock_as_of) / pieces a day, last 28 whole days.',
  }),
  flag('discontinued', 'True: no longer sold.'),
  text('url', 'Business data.', 'not known'),
  text('image_url', 'Business data.', 'not known'),
  moment('created_at', 'In UTC.', 'not known'),
  moment('updated_at', 'In UTC.', 'not known'),
];

/** The same over `withStock`. */
export const productColumns = sql`external_product_id, external_master_product_id, name, sku, ean, brand, categories,
  price, price_as_of, original_price, cast(coalesce(original_price > price, false) as boolean) as is_on_sale,
  known_in_stock as in_stock, stock_quantity, stock_as_of, sold_since_stock_as_of, days_of_cover,
  discontinued, url, image_url, created_at, updated_at`;
