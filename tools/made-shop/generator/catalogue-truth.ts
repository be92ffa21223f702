import type { Product } from './product.ts';

/** The catalogue; `brands_count` with the empty name of products without brand. */
export type CatalogueTruth = {
  products_count: number;
  discontinued_count: number;
  out_of_stock_count: number;
  categories_count: number;
  brands_count: number;
};

export function countCatalogueTruth(products: readonly Product[]): CatalogueTruth {
  return {
    products_count: products.length,
    discontinued_count: products.filter((product) => product.discontinued_day !== null).length,
    out_of_stock_count: products.filter((product) => product.stock_quantity === 0).length,
    categories_count: new Set(products.flatMap((product) => product.categories)).size,
    brands_count: new Set(products.map((product) => product.brand)).size,
  };
}
