import { emptyStore, type Row, type Store } from './store.ts';

/**
 * Small shops by seed, of which the truth is known: in the last four weeks one thing changed, or nothing did.
 */
export const CAUSES = ['price', 'stock-out', 'lost channel', 'funnel step', 'new product'] as const;
type Cause = (typeof CAUSES)[number];

export interface Planted {
  /** Null: nothing happened. */
  readonly cause: Cause | null;
  /** What it happened to: a product, a channel, a factor. */
  readonly value: string;
  readonly from_date: string;
  readonly to_date: string;
}

const HISTORY_WEEKS = 12;
const RANGE_DAYS = 28;
const DAYS = 7 * HISTORY_WEEKS + 2 * RANGE_DAYS;
const VISITS_A_DAY = 60;

interface Source {
  readonly share: number;
  readonly channel: string;
  readonly row: Row<'sessions'>;
}

const SOURCES: readonly Source[] = [
  { share: 0.35, channel: 'Organic Search', row: { source: 'google', medium: 'organic' } },
  { share: 0.22, channel: 'Paid Search', row: { source: 'google', medium: 'cpc', campaign: 'brand' } },
  { share: 0.2, channel: 'Email', row: { source: 'news', medium: 'email', campaign: 'weekly' } },
  { share: 0.23, channel: 'Direct', row: { source: '(direct)', medium: '(none)' } },
];

const PRODUCTS = Array.from({ length: 12 }, (_, index) => ({
  id: `p${index}`,
  share: [0.2, 0.17, 0.14, 0.11, 0.09, 0.07, 0.06, 0.05, 0.04, 0.03, 0.02, 0.02][index] as number,
  price: 400 + 130 * ((index * 5) % 12),
  brand: ['Acme', 'Borealis', 'Cirrus', 'Dorado'][index % 4] as string,
  category: ['Tents', 'Shoes', 'Bags'][index % 3] as string,
}));
const NEW = 'p99';

/** Numbers from 0 to 1 that the seed decides. */
function randomOf(seed: number): () => number {
  let state = (seed + 1) * 0x9e37_79b9;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function picked<Item extends { readonly share: number }>(items: readonly Item[], random: number): Item {
  let left = random * items.reduce((sum, { share }) => sum + share, 0);
  for (const item of items) {
    left -= item.share;
    if (left < 0) return item;
  }
  return items.at(-1) as Item;
}

/**
 * Several shops in the files of one store, each in a year of its own, so that an import makes all of them.
 */
export function plantedShops(
  seeds: readonly number[],
  isQuiet: boolean,
): { store: Store; planted: Planted[] } {
  const store: Store = {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    products: [...PRODUCTS, { id: NEW, price: 700, brand: 'Eos', category: 'Novelties' }].map((one) => ({
      external_product_id: one.id,
      name: `Thing ${one.id}`,
      brand: one.brand,
      categories: one.category,
      price: String(one.price),
    })),
  };
  const planted = seeds.map((seed, place) => plant(store, seed, 2004 + place, isQuiet));
  return { store, planted };
}

function plant(store: Store, seed: number, year: number, isQuiet: boolean): Planted {
  const random = randomOf(seed);
  const cause = isQuiet ? null : (CAUSES[seed % CAUSES.length] as Cause);
  const product = PRODUCTS[Math.floor(random() * 3)] as (typeof PRODUCTS)[number];
  const source = SOURCES[1 + Math.floor(random() * 2)] as Source;
  const direction = random() < 0.5 ? 0.65 : 1.45;
  const start = Date.UTC(year, 2, 1 + ((8 - new Date(Date.UTC(year, 2, 1)).getUTCDay()) % 7));
  const dateOf = (day: number) => new Date(start + day * 86_400_000).toISOString().slice(0, 10);
  const last = DAYS - RANGE_DAYS;
  for (let day = 0; day < DAYS; day += 1) {
    const isAfter = day >= last;
    const is = (one: Cause) => isAfter && cause === one;
    const visits = Math.round(VISITS_A_DAY * (0.8 + 0.4 * random()) * (day % 7 > 4 ? 1.2 : 1));
    for (let visit = 0; visit < visits; visit += 1) {
      const id = `${year}-${day}-${visit}`;
      const from = picked(SOURCES, random());
      if (is('lost channel') && from === source) continue;
      const hasCart = random() < 0.6;
      const hasCheckout = hasCart && random() < (is('funnel step') ? 0.35 : 0.75);
      const isBought = hasCheckout && random() < 0.8;
      const time = `T${String(8 + Math.floor(random() * 12)).padStart(2, '0')}:${String(Math.floor(random() * 60)).padStart(2, '0')}:00`;
      store.sessions.push({
        ...{ session_id: id, visitor_id: `v${id}`, started_at: dateOf(day) + time, ...from.row },
        ...{ landing_path: random() < 0.7 ? '/' : '/sale', device: random() < 0.6 ? 'mobile' : 'desktop' },
        ...{ country: random() < 0.85 ? 'CZ' : 'SK', page_views: '3', cart: String(hasCart) },
        ...{ checkout: String(hasCheckout) },
      });
      if (!isBought) continue;
      const isNew = is('new product') && random() < 0.2;
      const lines = random() < 0.3 ? 2 : 1;
      const bought = Array.from({ length: lines }, () => picked(PRODUCTS, random())).filter(
        (one) => !(is('stock-out') && one === product),
      );
      if (bought.length === 0 && !isNew) continue;
      const items = [
        ...bought.map((one) => ({
          id: one.id,
          price: Math.round(one.price * (is('price') && one === product ? direction : 1)),
        })),
        ...(isNew ? [{ id: NEW, price: 700 }] : []),
      ];
      // Two of five orders are of people who come again.
      const customer = random() < 0.4 ? `old${Math.floor(random() * 150)}` : id;
      store.orders.push({
        ...{ order_id: `o${id}`, ordered_at: dateOf(day) + time, email: `${year}-${customer}@example.com` },
        ...{ total: String(items.reduce((sum, { price }) => sum + price, 0)), session_id: id },
        ...{ visitor_id: `v${id}`, country: random() < 0.85 ? 'CZ' : 'SK', currency: 'CZK' },
        ...{
          payment_method: random() < 0.6 ? 'card' : 'cash',
          shipping_method: random() < 0.5 ? 'box' : 'home',
        },
      });
      for (const [line, { id: external_product_id, price }] of items.entries())
        store.order_items.push({
          ...{ order_id: `o${id}`, line_no: String(line + 1), external_product_id, quantity: '1' },
          unit_price: String(price),
        });
    }
  }
  const values: Readonly<Record<Cause, string>> = {
    price: product.id,
    'stock-out': product.id,
    'lost channel': source.channel,
    'funnel step': 'visits with a checkout per visit with a cart',
    'new product': NEW,
  };
  return {
    cause,
    value: cause === null ? '' : values[cause],
    from_date: dateOf(last),
    to_date: dateOf(DAYS - 1),
  };
}
