import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importFiles } from '../../src/import/run.ts';
import { withoutPersons } from '../../src/live/landing/without-persons.ts';
import type { Json } from '../../src/live/vendor.ts';
import { shopify } from '../../src/live/vendors/shopify/shopify.ts';
import { CANONICAL_TABLES } from '../../src/store/tables/all-tables.ts';
import { storedRows } from '../ingest/shop.ts';
import { NO_SAMPLES, samples } from '../sources/samples.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { Landing } from './stubs/landing.ts';
import { seededRandom } from './stubs/random.ts';
import { MadeShop } from './stubs/shopify/made-shop.ts';
import { CLIENT, startShopifyStub } from './stubs/shopify/shopify-stub.ts';
import { Clock, stubAccess } from './stubs/stub-access.ts';

/**
 * What is imported of rows as a file has them, or as they lie on the disk after persons were taken out: all
 * canonical tables.
 */
async function storeOf(
  rows: readonly Json[],
  source: string,
  isLanded: boolean,
): Promise<Record<string, unknown[][]>> {
  // The first business of two instances is the same, and so is its key.
  await using test = await createTestInstance({ isOneEngineEnough: true });
  const business = await test.createBusiness({ currency: 'USD', timezone: 'America/New_York' });
  const clean = withoutPersons(test.instance.secret, business);
  const path = join(mkdtempSync(join(test.folder, 'rows-')), 'rows.ndjson');
  const written = rows.map((row) => `${JSON.stringify(isLanded ? clean(row) : row)}\n`);
  writeFileSync(path, written.join(''));
  await importFiles(test.instance, business, [path], {
    landedAs: new Map([[path, source]]),
    isOfLanded: isLanded,
    maxRejects: { percent: 50 },
    settings: { timezone: 'America/New_York', status: 'wc-packed=paid', 'store-currency': 'keep' },
  });
  const tables: Record<string, unknown[][]> = {};
  for (const { name } of CANONICAL_TABLES) {
    // When stock was read is when the rows came.
    tables[name] = await storedRows(
      test,
      business,
      name,
      name === 'stock_readings' ? '* exclude (read_at)' : '*',
    );
  }
  return tables;
}

async function expectNothingChanged(rows: readonly Json[], source: string): Promise<void> {
  const [plain, landed] = [await storeOf(rows, source, false), await storeOf(rows, source, true)];
  expect(landed).toEqual(plain);
  expect(Object.values(plain).flat().length).toBeGreaterThan(rows.length / 2);
}

/** Bodies of an API, as the rows in them. */
function rowsOf(body: unknown): Json[] {
  if (Array.isArray(body)) return body.flatMap(rowsOf);
  if (typeof body !== 'object' || body === null) return [];
  const names = Object.keys(body);
  const [only] = names;
  if (names.length <= 2 && only !== undefined && /^(data|orders?|products?|customers?)$/.test(only))
    return rowsOf((body as Record<string, unknown>)[only]);
  return [body as Json];
}

it.each([
  ['shopify-rest', /^(orders?|customers_search|customer|products?)\.json$/, 'shopify-json'],
  ['woocommerce-rest', /^(order|customer|product)/, 'woocommerce-json'],
])(
  'an import of %s is the same without persons',
  async (folder, names, source) => {
    const bodies = samples(folder).filter(({ name }) => names.test(name));
    if (bodies.length === 0) return expect(NO_SAMPLES).toBeTruthy();
    const rows = bodies.flatMap(({ path }) => rowsOf(JSON.parse(readFileSync(path, 'utf8'))));
    expect(rows.length).toBeGreaterThan(3);
    await expectNothingChanged(rows, source);
  },
  60_000,
);

it("an import of Shopify's GraphQL is the same without persons", async () => {
  const random = seededRandom(5);
  const clock = new Clock('2026-11-22T12:00:00Z');
  const shop = new MadeShop(random, clock);
  shop.fill({ orders: 60, products: 12, customers: 20 });
  await using stub = await startShopifyStub(shop, clock, random);
  const access = stubAccess(clock, {
    settings: { shop: stub.url.replace('http://', ''), clientId: CLIENT.id },
    secrets: { clientSecret: CLIENT.secret },
  });
  const rows: Json[] = [];
  for (const stream of shopify.streams) {
    const landing = new Landing();
    await landing.runToEnd(stream, access, () => clock.pass(60_000));
    rows.push(...landing.rows);
  }
  await expectNothingChanged(rows, 'shopify-json');
});
