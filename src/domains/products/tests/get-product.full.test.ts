import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { numberCell } from '../../../../tests/oracle/listed-products.ts';
import { compareText } from '../../../../tests/oracle/text-order.ts';
import { createTestInstance } from '../../../../tests/support/test-instance.ts';
import { writeDemoTables } from '../../../../tools/made-shop/generator/write-demo-shop.ts';

interface Product {
  readonly variants: readonly { readonly external_product_id: string }[];
  readonly price_history: readonly { readonly price: number; readonly original_price: number | null }[];
}

it('shows the products of the demo shop', async () => {
  await using test = await createTestInstance();
  const folder = join(test.madeFiles, 'demo-shop');
  await writeDemoTables(folder, { scale: 0.1 });
  // Its orders and visits take ten times as long, and no product shows them.
  const catalogue = join(test.madeFiles, 'demo-catalogue');
  mkdirSync(catalogue);
  for (const table of ['products', 'product_prices']) {
    copyFileSync(join(folder, `${table}.ndjson`), join(catalogue, `${table}.ndjson`));
  }
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importFolder(business, catalogue);
  const rows = (table: string) =>
    readFileSync(join(folder, `${table}.ndjson`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const products = rows('products');
  const prices = rows('product_prices');
  const withHistory = new Set(
    prices
      .slice(1)
      .filter((row, i) => row.external_product_id === prices[i].external_product_id)
      .map((row) => row.external_product_id),
  );
  const chosen = products
    .filter((row, index) => index % 9 === 0 || withHistory.has(row.external_product_id))
    .slice(0, 11);
  expect(chosen.length).toBeGreaterThan(10);
  for (const row of chosen) {
    const call = { business_id: business.business_id, external_product_id: row.external_product_id };
    const { product: found } = (await test.ask('get_product', call)) as { product: Product };
    const variants = products
      .filter(
        (other) =>
          (other.external_master_product_id ?? other.external_product_id) ===
          (row.external_master_product_id ?? row.external_product_id),
      )
      .map((other) => other.external_product_id);
    expect(found).toMatchObject({
      ...{
        name: row.name,
        brand: row.brand ?? '(not set)',
        price: Number(row.price),
        sku: row.sku,
        ean: row.ean,
      },
      ...{ description: row.description, description_truncated: false, flags: row.flags },
      attributes: Object.entries(row.attributes ?? {}).map(([name, value]) => ({
        name,
        value: String(value),
      })),
    });
    expect(found.variants.map((variant) => variant.external_product_id)).toEqual(variants.sort(compareText));
    expect(found.price_history.map(({ price, original_price }) => [price, original_price])).toEqual(
      prices
        .filter((price) => price.external_product_id === row.external_product_id)
        .map((price) => [Number(price.price), numberCell(price.original_price ?? undefined)])
        .reverse(),
    );
  }
});
