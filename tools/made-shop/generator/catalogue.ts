import { brands, type Leaf, leaves, modelSyllables, secondCategories } from '../texts/catalogue-words.ts';
import { dayOf } from './calendar.ts';
import { plantedProducts, productsOfPlantedCarts } from './planted-products.ts';
import { makePrices } from './prices.ts';
import type { Product } from './product.ts';
import { at, type RandomStream } from './random-stream.ts';
import type { World } from './world.ts';

/** A design sold in variants: what all its variants share. */
type Master = {
  number: number;
  leaf: Leaf;
  name: string;
  brand: string | null;
  categories: string[];
  popularity: number;
  created_day: number;
  discontinued_day: number | null;
  list_price: number;
};

/**
 * The products of the shop (120 at least), those with planted truths first. Masters come in sizes and
 * colours; a few have no brand, some stand in two categories, some are discontinued.
 */
export function makeCatalogue(world: World): Product[] {
  const stream = world.stream('catalogue');
  const products = plantedProducts();
  const wanted = Math.max(120, world.scaled(400));
  for (let number = 1; products.length < wanted; number++) {
    const master = makeMaster(world, stream, number);
    for (const attributes of variantsOf(master.leaf))
      products.push(makeVariant(world, stream, master, attributes));
  }
  products.push(...productsOfPlantedCarts());
  return products;
}

function makeMaster(world: World, stream: RandomStream, number: number): Master {
  const leaf = at(leaves, (number * 7) % leaves.length);
  const brand = stream.chance(0.06) ? null : at(brands, stream.int(0, brands.length - 1));
  const model = capitalised(
    stream.pick(modelSyllables) + stream.pick(modelSyllables) + stream.pick(['a', 'o', 'ix', 'um']),
  );
  const categories = [leaf.category];
  if (stream.chance(0.15)) categories.push(stream.pick(secondCategories));
  const isNew = stream.chance(0.3);
  const created_day = isNew
    ? stream.int(world.firstDay + 20, world.lastDay - 60)
    : stream.int(dayOf('2021-03-01'), world.firstDay - 1);
  const discontinued_day = stream.chance(0.1) ? stream.int(created_day + 40, world.lastDay + 200) : null;
  const [low, high] = leaf.price;
  return {
    number,
    leaf,
    name: [brand, model, stream.pick(leaf.nouns)].filter((word) => word !== null).join(' '),
    brand,
    categories,
    // Ranks are drawn, not given by number, so that age and popularity are not tied.
    popularity: leaf.demand / (stream.int(1, 120) + 9),
    created_day,
    discontinued_day:
      discontinued_day !== null && discontinued_day <= world.lastDay ? discontinued_day : null,
    list_price: shopPrice(low + (high - low) * stream.next() * stream.next()),
  };
}

/** Attributes of each variant; one without attributes when the leaf has no sizes and no colours. */
function variantsOf(leaf: Leaf): Record<string, string>[] {
  const colours = leaf.colours?.map((colour) => ({ colour })) ?? [{}];
  const sizes = leaf.sizes?.map((size) => ({ size })) ?? [{}];
  return colours.flatMap((colour) => sizes.map((size) => ({ ...colour, ...size })));
}

function makeVariant(
  world: World,
  stream: RandomStream,
  master: Master,
  attributes: Record<string, string>,
): Product {
  const labels = Object.values(attributes);
  const masterId = `M${String(master.number).padStart(5, '0')}`;
  const isDiscontinued = master.discontinued_day !== null;
  return {
    external_product_id: [masterId.replace('M', 'P'), ...labels.map((label) => label.toUpperCase())].join(
      '-',
    ),
    external_master_product_id: labels.length > 0 ? masterId : null,
    name: [master.name, ...labels].join(' '),
    brand: master.brand,
    categories: master.categories,
    attributes,
    popularity: (master.popularity * (0.5 + stream.next())) / variantsOf(master.leaf).length,
    season: master.leaf.season ?? null,
    created_day: master.created_day,
    discontinued_day: master.discontinued_day,
    prices: makePrices(world, stream, master.created_day, master.list_price),
    stock_quantity: isDiscontinued || stream.chance(0.07) ? 0 : stream.int(1, 180),
  };
}

/** Hundredths of CZK, ending like shop prices do: 49, 189, 1290. */
function shopPrice(crowns: number): number {
  if (crowns < 1_000) return (Math.floor(crowns / 10) * 10 + 9) * 100;
  return (Math.floor(crowns / 100) * 100 + 90) * 100;
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
