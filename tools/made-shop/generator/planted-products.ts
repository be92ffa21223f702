import { dayOf } from './calendar.ts';
import type { PriceOfDay } from './prices.ts';
import type { Product } from './product.ts';
import { voucherCategory } from './taxes.ts';

/**
 * Products made by hand because a truth is planted on them; everything else about the catalogue is drawn. Who
 * buys and views them is decided in carts.ts, planted-carts.ts and visits.ts.
 */
export const planted = {
  /** Sold more often than any other product in this month. */
  bestSeller: {
    month: '2025-12',
    external_product_id: 'P-WINTER-GIFT',
    from_date: '2025-11-24',
    to_date: '2025-12-31',
  },
  /** Viewed all the time, never bought. */
  neverSold: { external_product_id: 'P-EXPEDITION-SLEDGE' },
  /** The price rises by half on this day. */
  priceRise: { date: '2026-03-02', external_product_id: 'P-ESPRESSO-POT' },
  /** Earns more than any other brand in this quarter, because one tent of it is the hit of the spring. */
  bestBrand: {
    quarter: '2026-Q2',
    from_date: '2026-04-01',
    to_date: '2026-06-30',
    brand: 'Oskava',
    external_product_id: 'P-RIDGE-TENT',
  },
  /** Bought together far more often than any other two products. */
  pair: { external_product_ids: ['P-WATER-FILTER', 'P-SOFT-BOTTLE'] },
  /** The same customers buy it again about every 45 days. */
  replenished: { external_product_id: 'P-RECOVERY-DRINK' },
  /** A category that did not exist before this month. */
  newCategory: {
    category: 'Camping > Hammocks',
    month: '2026-04',
    external_product_ids: ['P-HAMMOCK-SOLO', 'P-HAMMOCK-DUO'],
  },
  /** Bought by itself; what is bought with it is in no column of the format. */
  voucher: { external_product_id: 'P-GIFT-VOUCHER' },
} as const;

/** The products that are drawn with the rest of the catalogue, by popularity. */
export function plantedProducts(): Product[] {
  const created_day = dayOf('2023-05-15');
  const usual = { external_master_product_id: null, created_day, discontinued_day: null, season: null };
  return [
    {
      ...usual,
      external_product_id: planted.bestSeller.external_product_id,
      name: 'Fjellhus Winter Tea Gift Box',
      brand: 'Fjellhus',
      categories: ['Food > Gift Boxes', 'Gifts > Under 1000'],
      attributes: {},
      popularity: 0.05,
      prices: [
        price(created_day, 449, 210),
        // What it sells before Christmas has a lower price behind it, and the newsletter shows it.
        { ...price(dayOf(planted.bestSeller.from_date), 379, 210), original_price: 44_900 },
        price(dayOf('2026-01-01'), 449, 210),
      ],
      planned: { day: dayOf('2025-11-20'), pieces: 400 },
      stock_quantity: 64,
    },
    {
      ...usual,
      external_product_id: planted.neverSold.external_product_id,
      name: 'Kolovrat Expedition Sledge',
      brand: 'Kolovrat',
      categories: ['Camping > Transport'],
      attributes: { material: 'ash wood' },
      popularity: 0,
      prices: [price(created_day, 12_490, 7_900)],
      stock_quantity: 3,
    },
    {
      ...usual,
      external_product_id: planted.priceRise.external_product_id,
      name: 'Quillon Titanium Espresso Pot',
      brand: 'Quillon',
      categories: ['Camping > Cooking > Stoves', 'Gifts > Under 1000'],
      attributes: { material: 'titanium' },
      popularity: 0.04,
      prices: [price(created_day, 660, 380), price(dayOf(planted.priceRise.date), 990, 400)],
      stock_quantity: 41,
    },
    {
      ...usual,
      external_product_id: planted.bestBrand.external_product_id,
      name: 'Oskava Ridge Tent 2P',
      brand: planted.bestBrand.brand,
      categories: ['Camping > Tents'],
      attributes: {},
      popularity: 0.05,
      prices: [
        price(created_day, 5_990, 3_290),
        { ...price(dayOf(planted.bestBrand.from_date), 5_390, 3_290), original_price: 599_000 },
        price(dayOf('2026-07-01'), 5_990, 3_290),
      ],
      planned: { day: dayOf('2026-03-28'), pieces: 160 },
      stock_quantity: 22,
    },
  ];
}

/**
 * The products that nobody draws: planted-carts.ts puts them into carts. They stand last, so that they move
 * no other product.
 */
export function productsOfPlantedCarts(): Product[] {
  const { pair, replenished, newCategory } = planted;
  const created_day = dayOf('2024-02-12');
  const launch_day = dayOf(`${newCategory.month}-01`);
  const usual = {
    external_master_product_id: null,
    created_day,
    discontinued_day: null,
    season: null,
    attributes: {},
    popularity: 0,
  };
  const hammock = { ...usual, created_day: launch_day, categories: [newCategory.category] };
  return [
    {
      ...usual,
      external_product_id: pair.external_product_ids[0],
      name: 'Quillon Water Filter',
      brand: 'Quillon',
      categories: ['Camping > Water'],
      prices: [price(created_day, 1_190, 640)],
      demand: 1.2,
      stock_quantity: 58,
    },
    {
      ...usual,
      external_product_id: pair.external_product_ids[1],
      name: 'Hexaly Soft Bottle 1 l',
      brand: 'Hexaly',
      categories: ['Backpacks > Hydration'],
      prices: [price(created_day, 349, 150)],
      demand: 1.4,
      stock_quantity: 120,
    },
    {
      ...usual,
      external_product_id: replenished.external_product_id,
      name: 'Borrun Recovery Drink 1 kg',
      brand: 'Borrun',
      categories: ['Food > Drinks'],
      prices: [price(created_day, 590, 320)],
      demand: 0.8,
      stock_quantity: 210,
    },
    {
      ...usual,
      external_product_id: planted.voucher.external_product_id,
      name: 'Gift Voucher 1,000 CZK',
      brand: null,
      categories: [voucherCategory],
      prices: [{ ...price(created_day, 1_000, 0), purchase_price: null }],
      demand: 0.3,
      stock_quantity: 1_000,
    },
    {
      ...hammock,
      external_product_id: newCategory.external_product_ids[0],
      name: 'Trampex Hammock Solo',
      brand: 'Trampex',
      prices: [price(launch_day, 890, 420)],
      demand: 1.3,
      stock_quantity: 37,
    },
    {
      ...hammock,
      external_product_id: newCategory.external_product_ids[1],
      name: 'Trampex Hammock Duo',
      brand: 'Trampex',
      prices: [price(launch_day, 1_290, 610)],
      demand: 1.3,
      stock_quantity: 19,
    },
  ];
}

/** Whole CZK in, hundredths out. */
function price(day: number, crowns: number, purchase_crowns: number): PriceOfDay {
  return { day, price: crowns * 100, original_price: null, purchase_price: purchase_crowns * 100 };
}
