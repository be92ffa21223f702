import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListedProduct, listedProducts, readingsOf } from '../../../../tests/oracle/listed-products.ts';
import { emptyStore, type Row, readCsv, type Store } from '../../../../tests/oracle/store.ts';
import { compareText } from '../../../../tests/oracle/text-order.ts';
import { runs } from '../../../../tests/support/runs.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';
import type { Caller } from '../../../control/people/callers.ts';

/** Computed in plain TypeScript over the rows of the import files. */
const FOLDER = fileURLToPath(new URL('../../../../tests/fixtures/hand-made-shop', import.meta.url));

interface Call {
  readonly search?: string | null;
  readonly filter_external_product_ids?: readonly string[] | null;
  readonly filter_external_master_product_ids?: readonly string[] | null;
  readonly filter_brands?: readonly string[] | null;
  readonly filter_categories?: readonly string[] | null;
  readonly filter_discontinued?: boolean | null;
  readonly filter_in_stock?: boolean | null;
  readonly min_stock_quantity?: number | null;
  readonly max_stock_quantity?: number | null;
  readonly sort_by?: 'name' | 'price' | 'stock_quantity' | 'created_at' | 'updated_at';
  readonly sort_order?: 'asc' | 'desc';
  readonly limit?: number;
  readonly offset?: number;
}

interface Listing {
  readonly business_id: string;
  readonly total_count: number;
  readonly products: readonly ListedProduct[];
}

let test: TestInstance;
/** The hand-made shop. */
let shop: Business;
let shopStore: Store;
/** A catalogue with what the hand-made shop leaves out: stock, EAN, images, times of change. */
let stocked: Business;
let stockedStore: Store;
let empty: Business;

beforeAll(async () => {
  test = await createTestInstance();
  shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  shopStore = readCsv(FOLDER, shop);
  await test.importFolder(shop, FOLDER);
  stocked = await test.createBusiness({ timezone: 'America/New_York', currency: 'USD' });
  stockedStore = { ...emptyStore(stocked), products: STOCKED, product_prices: PRICES };
  stockedStore.stock_readings = readingsOf(STOCKED);
  await test.importStore(stocked, stockedStore);
  empty = await test.createBusiness();
});

afterAll(() => test[Symbol.asyncDispose]());

const PRICES: Row<'product_prices'>[] = [
  { external_product_id: 'B', valid_from: '2024-08-01T00:00:00Z', price: '20.00' },
  { external_product_id: 'A', valid_from: '2024-08-01T00:00:00Z', price: '19' },
  { external_product_id: 'C', valid_from: '2023-05-01T00:00:00', price: '30' },
];

const STOCKED: Row<'products'>[] = [
  {
    external_product_id: 'B',
    external_master_product_id: 'M',
    name: 'Rock',
    sku: '100%-A',
    ean: '8590001',
    brand: 'Acme',
    categories: 'Tools|Sale',
    price: '20',
    original_price: '25.5',
    in_stock: 'true',
    stock_quantity: '2.5',
    url: 'https://shop.example/b',
    image_url: 'https://shop.example/b.png',
    created_at: '2024-07-01T12:00:00',
    updated_at: '2024-07-02T12:00:00.250000Z',
  },
  {
    external_product_id: 'A',
    external_master_product_id: 'M',
    name: 'Rock',
    sku: '1000-A',
    ean: '8590002',
    brand: 'ACME',
    categories: 'Tools',
    price: '20',
    original_price: '20',
    in_stock: 'false',
    stock_quantity: '0',
    created_at: '2024-01-01T12:00:00',
    updated_at: '2024-01-01T12:00:00',
  },
  {
    external_product_id: 'M',
    name: 'Hammer_1',
    sku: 'a_b',
    price: '0',
    original_price: '0.01',
    in_stock: 'false',
    stock_quantity: '-3',
    created_at: '2024-07-01T12:00:00-04:00',
  },
  { external_product_id: 'C', name: 'Hammer 21', sku: 'aXb', price: '30', original_price: '10' },
  {
    external_product_id: 'd\'e"f',
    name: 'Rock\'n\'Roll "Live" C:\\new -- ; /* é',
    price: '5.1234',
    brand: 'Acme',
  },
  { external_product_id: 'E', name: 'ŽLUŤOUČKÝ kůň', price: '7', brand: '0', discontinued: 'true' },
  {
    external_product_id: 'F',
    name: 'Zlutoucky\u00a0pony',
    price: '8',
    ean: 'cafe\u0301',
    discontinued: 'true',
  },
];

function expected(store: Store, call: Call): Omit<Listing, 'business_id'> {
  const { sort_by = 'name', sort_order = 'asc', limit = 10, offset = 0 } = call;
  const found = listedProducts(store)
    .filter((product) => isFound(product, call))
    .sort(
      (a, b) =>
        compareValues(a[sort_by], b[sort_by], sort_order) ||
        compareText(a.external_product_id, b.external_product_id),
    );
  return { total_count: found.length, products: found.slice(offset, offset + limit) };
}

function isFound(product: ListedProduct, call: Call): boolean {
  const master = product.external_master_product_id ?? product.external_product_id;
  const texts = [product.name, product.sku ?? '', product.ean ?? '', product.external_product_id].map(
    plainText,
  );
  return (
    (call.search ?? '').split(/\s+/u).every((word) => texts.some((text) => text.includes(plainText(word)))) &&
    isNamed([product.external_product_id], call.filter_external_product_ids) &&
    isNamed([master], call.filter_external_master_product_ids) &&
    isNamed([product.brand], call.filter_brands) &&
    isNamed(product.categories, call.filter_categories) &&
    (call.filter_discontinued ?? product.discontinued) === product.discontinued &&
    (call.filter_in_stock ?? product.in_stock) === product.in_stock
  );
}

function plainText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
}

function isNamed(values: readonly string[], names: readonly string[] | null | undefined): boolean {
  return names == null || names.length === 0 || values.some((value) => names.includes(value));
}

function compareValues(a: string | number | null, b: string | number | null, order: 'asc' | 'desc'): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const ascending = typeof a === 'number' ? a - Number(b) : compareText(a, String(b));
  return order === 'asc' ? ascending : -ascending;
}

async function list(business: Business, call: Call = {}): Promise<Listing> {
  return (await test.ask('list_products', { business_id: business.business_id, ...call })) as Listing;
}

async function idsOf(business: Business, call: Call): Promise<string[]> {
  return (await list(business, call)).products.map((product) => product.external_product_id);
}

async function notesOf(business: Business, call: Call): Promise<readonly string[] | undefined> {
  return (await test.run('list_products', { business_id: business.business_id, ...call })).notes;
}

describe('the catalogue of the hand-made shop', () => {
  it('is listed without arguments, ten by name', async () => {
    expect(await list(shop)).toEqual({ business_id: shop.business_id, ...expected(shopStore, {}) });
    expect(await list(shop)).toMatchObject({ total_count: 13, products: { length: 10 } });
  });

  it('has no products that were only sold or viewed', async () => {
    const sold = { filter_external_product_ids: ['X1', 'X2', 'X5', 'P1'] };
    expect(await idsOf(shop, sold)).toEqual(['P1']);
    expect(await idsOf(shop, { search: 'X1' })).toEqual([]);
    expect(await idsOf(shop, { filter_brands: ['(not set)'], limit: 1000 })).toEqual(['P5']);
  });

  it('shows a product in full', async () => {
    expect((await list(shop, { filter_external_product_ids: ['P1'] })).products).toEqual([
      {
        external_product_id: 'P1',
        external_master_product_id: 'M1',
        name: 'Tričko "Basic", bílé M',
        sku: 'TB-M',
        ean: null,
        brand: 'Kubík & syn',
        categories: ['Trička', 'Výprodej'],
        price: 299,
        price_as_of: null,
        original_price: 399,
        is_on_sale: true,
        in_stock: null,
        stock_quantity: null,
        stock_as_of: null,
        sold_since_stock_as_of: null,
        days_of_cover: null,
        discontinued: false,
        url: 'https://shop.example/p1',
        image_url: null,
        created_at: '2022-12-31T23:00:00Z',
        updated_at: null,
      },
    ]);
  });
});

describe('search', () => {
  it.each([
    ['tricko', ['P1', 'P2', 'P3']],
    ['TRIČKO xl', ['P3']],
    ['xl tricko', ['P3']],
    ['basic tb-l', ['P2']],
    ['"Basic",', ['P1', 'P2']],
    ['řetěz kolo', ['P6']],
    ['p11', ['P11']],
    ['hrnek p1', ['P11']],
    ['🐴', ['🐴1']],
    ['hrnek tricko', []],
    ['%', []],
    ['_', []],
    ["' or 1=1 --", []],
  ])('hand-made shop: %j', async (search, ids) => {
    expect((await idsOf(shop, { search })).sort(compareText)).toEqual([...ids].sort(compareText));
  });

  it.each([
    ['%', ['B']],
    ['100%', ['B']],
    ['0% 8590001', ['B']],
    ['_', ['M']],
    ['a_b', ['M']],
    ["'n'", ['d\'e"f']],
    ['"live"', ['d\'e"f']],
    ['d\'e"f', ['d\'e"f']],
    ['c:\\new', ['d\'e"f']],
    ['\\', ['d\'e"f']],
    ['--', ['d\'e"f']],
    ['; /* E\u0301', ['d\'e"f']],
    ['859', ['A', 'B']],
    ['café', ['F']],
    ['zlutoucky', ['E', 'F']],
    ['žluťoučký\u00a0\tPONY\n', ['F']],
    ['hammer 2', ['C']],
    ['rock100%-a', []],
    ['\u0000', []],
  ])('shop with stock: %j', async (search, ids) => {
    expect((await idsOf(stocked, { search })).sort(compareText)).toEqual([...ids].sort(compareText));
  });

  it.each(['', ' \t\n'])('a search without words, %j, filters nothing', async (search) => {
    expect(await list(stocked, { search })).toEqual(await list(stocked));
  });

  it('takes up to 200 characters', async () => {
    const longest = 'é '.repeat(100);
    expect(await idsOf(stocked, { search: longest })).toEqual(await idsOf(stocked, { search: 'e' }));
    await expect(list(stocked, { search: `${longest}e` })).rejects.toThrow(
      'search must be at most 200 characters',
    );
    const words = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(' ');
    expect(await list(stocked, { search: words })).toMatchObject({ total_count: 0, products: [] });
  });
});

describe('filters', () => {
  it('keep a master product, where a product without one is its own', async () => {
    expect(await idsOf(shop, { filter_external_master_product_ids: ['P4'] })).toEqual(['P11', 'P4']);
    expect(await idsOf(stocked, { filter_external_master_product_ids: ['M'] })).toEqual(['M', 'A', 'B']);
  });

  it('keep exact names', async () => {
    expect(await idsOf(stocked, { filter_brands: ['Acme'] })).toEqual(['B', 'd\'e"f']);
    expect(await idsOf(shop, { filter_categories: ['trička'] })).toEqual(['P11']);
    expect(await idsOf(shop, { filter_categories: ['Dům, byt', 'Výprodej'] })).toEqual([
      'P4',
      'P9',
      'P1',
      'P3',
    ]);
  });

  it('keep what is in stock, where unknown counts as neither', async () => {
    expect(await idsOf(stocked, { filter_in_stock: true })).toEqual(['B']);
    expect(await idsOf(stocked, { filter_in_stock: false })).toEqual(['M', 'A']);
    expect(await list(stocked, { filter_in_stock: null })).toEqual(await list(stocked));
  });

  it('keep a range of stock, bounds included; an unknown stock is in no range', async () => {
    expect(await idsOf(stocked, { min_stock_quantity: 0 })).toEqual(['A', 'B']);
    expect(await idsOf(stocked, { max_stock_quantity: 0 })).toEqual(['M', 'A']);
    expect(await idsOf(stocked, { min_stock_quantity: -2.5, max_stock_quantity: 2.5 })).toEqual(['A', 'B']);
    expect(await idsOf(stocked, { min_stock_quantity: 0.5, filter_in_stock: false })).toEqual([]);
    const byStock = await idsOf(stocked, { sort_by: 'stock_quantity', sort_order: 'desc' });
    expect(byStock.slice(0, 3)).toEqual(['B', 'A', 'M']);
    await expect(list(stocked, { min_stock_quantity: 2, max_stock_quantity: 1 })).rejects.toThrow(
      'min_stock_quantity must not be above max_stock_quantity',
    );
  });

  it('tell as of when stock and price are', async () => {
    const { products } = await list(stocked, { sort_by: 'updated_at', sort_order: 'desc', limit: 4 });
    expect(products.map((one) => [one.external_product_id, one.stock_as_of, one.price_as_of])).toEqual([
      // The history says later that the price is this, and of A that it was another one.
      ['B', '2024-07-10T12:00:00.25Z', '2024-08-01T00:00:00Z'],
      ['A', '2024-07-10T12:00:00.25Z', '2024-01-01T17:00:00Z'],
      ['C', null, '2023-05-01T04:00:00Z'],
      ['E', null, null],
    ]);
  });

  it('keep discontinued products', async () => {
    expect(await idsOf(stocked, { filter_discontinued: true })).toEqual(['F', 'E']);
    expect(await list(shop, { filter_discontinued: false })).toMatchObject({ total_count: 11 });
  });

  it('empty arrays filter nothing', async () => {
    const none = {
      ...{ filter_external_product_ids: [], filter_external_master_product_ids: [] },
      ...{ filter_brands: [], filter_categories: [] },
    };
    expect(await list(shop, none)).toEqual(await list(shop));
    expect(await notesOf(shop, none)).toEqual([]);
  });

  it('tell unknown names', async () => {
    const call = {
      filter_external_product_ids: ['P1', 'nope', 'NOPE'],
      filter_external_master_product_ids: ['M1', 'm1'],
      filter_brands: ['Kubík & syn', "'; drop table products; --"],
      filter_categories: ['Trička', 'TRIČKA'],
    };
    expect(await idsOf(shop, call)).toEqual(['P1']);
    expect(await notesOf(shop, call)).toEqual([
      'Unknown in filter_external_product_ids, so without rows: ["nope","NOPE"]',
      'Unknown in filter_external_master_product_ids, so without rows: ["m1"]',
      'Unknown in filter_brands, so without rows: ["\'; drop table products; --"]',
      'Unknown in filter_categories, so without rows: ["TRIČKA"]',
    ]);
  });
});

describe('order and paging', () => {
  it('ties come in the order of ids, nulls last, in both directions', async () => {
    expect(await idsOf(stocked, { sort_by: 'price', limit: 3, sort_order: 'desc' })).toEqual(['C', 'A', 'B']);
    expect((await idsOf(stocked, { sort_by: 'price' })).slice(-3)).toEqual(['A', 'B', 'C']);
    const nulls = ['C', 'E', 'F', 'd\'e"f'];
    // M's 12:00 has an offset; B's is the same moment in New York.
    expect(await idsOf(stocked, { sort_by: 'created_at' })).toEqual(['A', 'B', 'M', ...nulls]);
    expect(await idsOf(stocked, { sort_by: 'created_at', sort_order: 'desc' })).toEqual([
      'B',
      'M',
      'A',
      ...nulls,
    ]);
    expect(await idsOf(stocked, { sort_by: 'updated_at', sort_order: 'desc', limit: 2 })).toEqual(['B', 'A']);
  });

  it('pages put together are the whole list', async () => {
    const ids = [];
    for (let offset = 0; offset < 13; offset += 3) {
      ids.push(...(await idsOf(shop, { sort_by: 'price', limit: 3, offset })));
    }
    expect(ids).toEqual(await idsOf(shop, { sort_by: 'price', limit: 1000 }));
  });

  it('have no rows beyond the end, and still the total', async () => {
    const beyond = { search: 'tricko', limit: 1 };
    expect(await list(shop, { ...beyond, offset: 3 })).toMatchObject({ total_count: 3, products: [] });
    expect(await list(shop, { ...beyond, offset: 2 ** 40 })).toMatchObject({ total_count: 3, products: [] });
  });
});

it.each([
  [{ limit: 0 }, 'limit must be between 1 and 1000'],
  [{ limit: 1001 }, 'limit must be between 1 and 1000'],
  [{ limit: 1.5 }, 'limit must be a whole number between 1 and 1000'],
  [{ offset: -1 }, 'offset must be at least 0'],
  [{ offset: 0.5 }, 'offset must be a whole number'],
  [
    { sort_by: 'purchase_price' },
    'sort_by must be one of name, price, stock_quantity, created_at, updated_at',
  ],
  [{ sort_order: 'up' }, 'sort_order must be one of asc, desc'],
  [{ search: 1 }, /^search: /],
  [{ filter_brands: 'Acme' }, /^filter_brands: /],
  [{ filter_brands: [null] }, /^filter_brands\[0\]: /],
  [{ filter_in_stock: 'true' }, /^filter_in_stock: /],
  [{ filter_discontinued: 0 }, /^filter_discontinued: /],
  [
    { from_date: '2024-01-01T00:00:00' },
    /^unknown argument from_date: this tool does not have it\. Arguments are business_id, search, /,
  ],
])('refuses %j', async (args, message) => {
  await expect(list(shop, args as Call)).rejects.toThrow(message);
});

it('needs the permission for products and no other', async () => {
  const call = { business_id: empty.business_id };
  const caller = (permission: 'LIST_PRODUCT' | 'DISPLAY_ANALYTICS_DASHBOARD'): Caller => ({
    name: 'someone',
    allowlist: null,
    spendCounts: async () => null,
    permissionsOn: async () => [permission],
    businesses: async () => [],
  });
  await expect(test.ask('list_products', call, caller('LIST_PRODUCT'))).resolves.toBeDefined();
  await expect(test.ask('list_products', call, caller('DISPLAY_ANALYTICS_DASHBOARD'))).rejects.toThrow(
    'Permission denied: this tool requires LIST_PRODUCT on this business.',
  );
});

it('an empty shop has no products', async () => {
  const call = { search: 'tricko', filter_brands: ['Acme'] };
  expect(await list(empty)).toEqual({ business_id: empty.business_id, total_count: 0, products: [] });
  expect(await list(empty, call)).toMatchObject({ total_count: 0, products: [] });
  expect(await notesOf(empty, call)).toEqual(['Unknown in filter_brands, so without rows: ["Acme"]']);
});

it('shows nothing of another business', async () => {
  expect(await idsOf(stocked, { filter_external_product_ids: ['P1'] })).toEqual([]);
  expect(await notesOf(stocked, { filter_brands: ['Kubík & syn'] })).toEqual([
    'Unknown in filter_brands, so without rows: ["Kubík & syn"]',
  ]);
  expect(await idsOf(stocked, { search: 'tricko' })).toEqual([]);
  expect(await list(stocked, { limit: 1000 })).toEqual({
    business_id: stocked.business_id,
    ...expected(stockedStore, { limit: 1000 }),
  });
});

it('answers any call as plain TypeScript does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean().chain(callsOf), async ({ business, store, call }) => {
      expect(await list(business, call)).toEqual({
        business_id: business.business_id,
        ...expected(store, call),
      });
    }),
    { numRuns: runs(15) },
  );
});

function callsOf(isStocked: boolean) {
  const [business, store] = isStocked ? [stocked, stockedStore] : [shop, shopStore];
  const products = listedProducts(store);
  const texts = products.flatMap(({ name, sku, ean, external_product_id: id }) => [
    name,
    sku ?? '',
    ean ?? '',
    id,
  ]);
  const piece = fc
    .tuple(fc.constantFrom(...texts), fc.nat(10), fc.integer({ min: 1, max: 4 }))
    // Whole code points, each with its marks: half of a pair is no text.
    .map(([text, start, length]) =>
      (text.match(/\P{Mark}\p{Mark}*/gu) ?? []).slice(start, start + length).join(''),
    );
  const search = fc.array(fc.oneof({ weight: 4, arbitrary: piece }, { weight: 1, arbitrary: hostileText }), {
    maxLength: 3,
  });
  const names = (values: readonly string[]) =>
    fc.option(fc.array(fc.constantFrom('unknown', ...values), { maxLength: 4 }), { freq: 3 });
  const call: fc.Arbitrary<Call> = fc.record(
    {
      search: fc.option(search.map((words) => words.join(' '))),
      filter_external_product_ids: names(products.map((product) => product.external_product_id)),
      filter_external_master_product_ids: names(['M1', 'P4', 'M', 'P1', 'C']),
      filter_brands: names(products.map((product) => product.brand)),
      filter_categories: names(products.flatMap((product) => product.categories)),
      filter_discontinued: fc.option(fc.boolean()),
      filter_in_stock: fc.option(fc.boolean()),
      sort_by: fc.constantFrom('name', 'price', 'created_at', 'updated_at'),
      sort_order: fc.constantFrom('asc', 'desc'),
      limit: fc.integer({ min: 1, max: 1000 }),
      offset: fc.nat(15),
    },
    { requiredKeys: [] },
  );
  return call.map((call) => ({ business, store, call }));
}

const hostileText = fc.constantFrom(
  '%',
  '_',
  "'",
  '"',
  '\\',
  '$1',
  '$p1',
  '?',
  '--',
  '/*',
  '*/',
  ';',
  '[',
  '(',
  '.*',
);
