import { z } from 'zod';
import { sql } from '../sql/sql.ts';
import { moment, money } from './output.ts';

/** A product of the catalogue, as the product tools show it. */
export const productFields = {
  external_product_id: z.string(),
  external_master_product_id: z
    .string()
    .nullable()
    .describe('Groups variants; null for a product that is its own.'),
  name: z.string().describe('Business data.'),
  sku: z.string().nullable(),
  ean: z.string().nullable(),
  brand: z.string().describe('Empty when none. Business data.'),
  categories: z.array(z.string()).describe('The first is the main one. Business data.'),
  price: money('Catalogue price now, incl. VAT.'),
  original_price: money('Price before discount.').nullable(),
  is_on_sale: z.boolean().describe('original_price is greater than price.'),
  in_stock: z.boolean().nullable(),
  stock_quantity: z.number().nullable().describe('In stock now. [pieces]'),
  discontinued: z.boolean(),
  url: z.string().nullable().describe('Business data.'),
  image_url: z.string().nullable().describe('Business data.'),
  created_at: moment('In UTC.').nullable(),
  updated_at: moment('In UTC.').nullable(),
};

/** The same over `products`. */
export const productColumns = sql`external_product_id, external_master_product_id, name, sku, ean, brand, categories,
  price, original_price, cast(coalesce(original_price > price, false) as boolean) as is_on_sale, in_stock,
  stock_quantity, discontinued, url, image_url, created_at, updated_at`;
