import { momentOf, momentText } from './calendar.ts';
import { moneyText } from './money.ts';
import { type PriceOfDay, priceOn } from './prices.ts';
import type { Product } from './product.ts';
import { at } from './random-stream.ts';
import type { ProductPriceRow, ProductRow } from './tables.ts';
import type { World } from './world.ts';

/** The catalogue as it stands at the end of the history. */
export function makeProductRows(world: World, products: readonly Product[]): ProductRow[] {
  return products.map((product, index) => makeProductRow(world, product, index));
}

function makeProductRow(world: World, product: Product, index: number): ProductRow {
  const { external_product_id, name, brand, categories, stock_quantity, discontinued_day } = product;
  const slug = external_product_id.toLowerCase();
  const current = priceOn(product.prices, world.lastDay);
  const lastChange =
    discontinued_day ?? Math.max(product.created_day, current.day, world.lastDay - (index % 90));
  return {
    external_product_id,
    external_master_product_id: product.external_master_product_id,
    name,
    sku: `KO${String(index + 1).padStart(6, '0')}`,
    ean: eanOf(index + 1),
    brand,
    categories,
    ...priceTexts(current),
    in_stock: stock_quantity > 0,
    stock_quantity,
    discontinued: discontinued_day !== null,
    url: `https://kamenice-outdoor.example.com/p/${slug}`,
    image_url: `https://kamenice-outdoor.example.com/img/${slug}.jpg`,
    description: `${name}. ${at(categories, 0).split(' > ').slice(-1).join('')} by ${brand ?? 'our own workshop'}.`,
    attributes: product.attributes,
    flags: current.original_price === null ? [] : ['sale'],
    created_at: momentText(momentOf(product.created_day, 0)),
    updated_at: momentText(momentOf(lastChange, 4 * 3_600)),
  };
}

/** Every price a product has had. */
export function makeProductPriceRows(products: readonly Product[]): ProductPriceRow[] {
  return products.flatMap(({ external_product_id, prices }) =>
    prices.map((price) => ({
      external_product_id,
      valid_from: momentText(momentOf(price.day, 0)),
      ...priceTexts(price),
    })),
  );
}

function priceTexts({ price, original_price, purchase_price }: PriceOfDay) {
  return {
    price: moneyText(price),
    original_price: original_price === null ? null : moneyText(original_price),
    purchase_price: purchase_price === null ? null : moneyText(purchase_price),
  };
}

/** EAN-13 in GS1's range for use inside a company (prefix 29), so that it is nobody's product. */
function eanOf(number: number): string {
  const digits = `29${String(number).padStart(10, '0')}`;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits.charAt(i)) * (i % 2 === 0 ? 1 : 3);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
