/** The invented words the catalogue is made of. */

export const brands = [
  'Altiva',
  'Bělorys',
  'Borrun',
  'Fjellhus',
  'Hexaly',
  'Kolovrat',
  'Mirado Peak',
  'Oskava',
  'Quillon',
  'Sundvale',
  'Trampex',
  'Yarrowby',
] as const;

/** A leaf of the category tree with what is sold there. Prices are whole CZK. */
export type Leaf = {
  category: string;
  nouns: readonly string[];
  price: readonly [number, number];
  sizes?: readonly string[];
  colours?: readonly string[];
  season?: 'summer' | 'winter';
  /** How often its products are bought compared to others. */
  demand: number;
};

const shoeSizes = ['38', '40', '42', '44', '46'];
const clothingSizes = ['S', 'M', 'L', 'XL'];

export const leaves: readonly Leaf[] = [
  {
    category: 'Clothing > Shoes > Running',
    nouns: ['Trail Shoes', 'Running Shoes', 'Racing Flats'],
    price: [1_890, 4_290],
    sizes: shoeSizes,
    demand: 1.2,
  },
  {
    category: 'Clothing > Shoes > Hiking',
    nouns: ['Hiking Boots', 'Approach Shoes', 'Trekking Boots'],
    price: [2_290, 5_990],
    sizes: shoeSizes,
    demand: 1.1,
  },
  {
    category: 'Clothing > Jackets > Rain',
    nouns: ['Rain Jacket', 'Shell Jacket', 'Poncho'],
    price: [1_290, 4_990],
    sizes: clothingSizes,
    colours: ['Moss', 'Slate'],
    demand: 1,
  },
  {
    category: 'Clothing > Jackets > Down',
    nouns: ['Down Jacket', 'Insulated Vest'],
    price: [2_490, 6_990],
    sizes: clothingSizes,
    season: 'winter',
    demand: 0.9,
  },
  {
    category: 'Clothing > T-shirts',
    nouns: ['Merino T-shirt', 'Tech T-shirt', 'Tank Top'],
    price: [490, 1_690],
    sizes: clothingSizes,
    colours: ['Sand', 'Navy'],
    season: 'summer',
    demand: 1.6,
  },
  {
    category: 'Clothing > Socks',
    nouns: ['Merino Socks', 'Running Socks'],
    price: [190, 590],
    sizes: ['S', 'M', 'L'],
    demand: 2.2,
  },
  {
    category: 'Clothing > Hats & Gloves',
    nouns: ['Beanie', 'Gloves', 'Headband', 'Neck Tube'],
    price: [290, 1_290],
    colours: ['Charcoal', 'Rust', 'Ivory'],
    season: 'winter',
    demand: 1.4,
  },
  {
    category: 'Camping > Tents',
    nouns: ['Tent 2P', 'Tent 3P', 'Tarp'],
    price: [2_490, 11_990],
    season: 'summer',
    demand: 0.7,
  },
  {
    category: 'Camping > Sleeping > Bags',
    nouns: ['Sleeping Bag', 'Quilt'],
    price: [1_690, 7_490],
    demand: 0.7,
  },
  {
    category: 'Camping > Sleeping > Mats',
    nouns: ['Sleeping Mat', 'Inflatable Mat'],
    price: [790, 3_490],
    demand: 0.8,
  },
  {
    category: 'Camping > Cooking > Stoves',
    nouns: ['Gas Stove', 'Spirit Stove', 'Cook Set'],
    price: [690, 3_290],
    demand: 0.9,
  },
  {
    category: 'Camping > Cooking > Fuel',
    nouns: ['Gas Cartridge 230 g', 'Gas Cartridge 450 g', 'Spirit 1 l'],
    price: [129, 249],
    demand: 2.4,
  },
  {
    category: 'Camping > Lighting',
    nouns: ['Headlamp', 'Lantern', 'String Lights'],
    price: [390, 2_290],
    demand: 1.1,
  },
  {
    category: 'Backpacks > Day',
    nouns: ['Daypack 18 l', 'Daypack 25 l', 'Belt Bag'],
    price: [690, 2_990],
    colours: ['Forest', 'Black'],
    demand: 1.2,
  },
  {
    category: 'Backpacks > Trekking',
    nouns: ['Backpack 45 l', 'Backpack 60 l'],
    price: [2_990, 6_490],
    colours: ['Forest', 'Black'],
    season: 'summer',
    demand: 0.8,
  },
  {
    category: 'Food > Bars & Gels',
    nouns: ['Energy Bar', 'Oat Bar', 'Energy Gel'],
    price: [39, 79],
    demand: 3,
  },
  {
    category: 'Food > Meals',
    nouns: ['Lentil Curry', 'Mushroom Risotto', 'Breakfast Porridge'],
    price: [129, 219],
    demand: 1.8,
  },
  {
    category: 'Care > Cleaning & Proofing',
    nouns: ['Down Wash', 'Proofing Spray', 'Shoe Wax'],
    price: [199, 499],
    demand: 1.3,
  },
];

/** Second categories some products are shown in. */
export const secondCategories = ['Gifts > Under 1000', 'Clearance', 'Lightweight'] as const;

export const modelSyllables = [
  'ar',
  'bel',
  'dor',
  'en',
  'fin',
  'gal',
  'is',
  'kam',
  'lun',
  'mor',
  'ner',
  'tav',
];
