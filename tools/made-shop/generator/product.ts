import type { PriceOfDay } from './prices.ts';

/** A product of the catalogue as the generator's concerns know it; product-rows.ts makes the rows of it. */
export type Product = {
  external_product_id: string;
  external_master_product_id: string | null;
  name: string;
  brand: string | null;
  categories: string[];
  attributes: Record<string, string>;
  /** How often it is bought and viewed compared to others; heavy-tailed over the catalogue. */
  popularity: number;
  season: 'summer' | 'winter' | null;
  /** Local days: on sale from created_day, until the day before discontinued_day. */
  created_day: number;
  discontinued_day: number | null;
  /** Ascending by day; the first is the day it was created. */
  prices: PriceOfDay[];
  stock_quantity: number;
  /** Pieces a day at scale 1, where others than those who draw by popularity take it. */
  demand?: number;
  /** A delivery that the shop planned for a promotion: pieces at scale 1. */
  planned?: { day: number; pieces: number };
};
