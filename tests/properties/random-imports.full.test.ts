import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Batch, importInTurn } from '../ingest/staging.ts';
import { afterImport } from '../oracle/imports.ts';
import { hostileText, type RandomFile, randomFiles } from '../support/random-files.ts';
import { runs } from '../support/runs.ts';

/** Hostile files of known rows: what is stored and what is said of it is what a plain model of keys says. */

const PRODUCT = ['external_product_id', 'name', 'brand', 'price'];
const ITEM = ['order_id', 'line_no', 'external_product_id', 'name', 'quantity', 'unit_price'];

/** It is false in most rows, one way or the other. */
const _deleted = fc.constantFrom('', '', 'false', 'true');
const number = fc.integer({ min: -5, max: 5 }).map(String);
const product = {
  external_product_id: fc.oneof(fc.integer({ max: 12, min: 0 }).map(String), hostileText()),
  name: hostileText(),
  brand: fc.oneof(fc.constant(''), hostileText()),
  price: number,
  _deleted,
};
const item = {
  order_id: fc.integer({ min: 0, max: 4 }).map(String),
  line_no: fc.integer({ min: 1, max: 4 }).map(String),
  external_product_id: hostileText(),
  name: hostileText(),
  quantity: number,
  unit_price: number,
  _deleted,
};

const products = randomFiles(
  'products',
  [...PRODUCT, '_deleted'],
  fc.record(product),
  fc.record({ ...product, _deleted: fc.constant(''), price: fc.constantFrom('1,5', '', 'x"y', '1\n2') }),
);
const items = randomFiles(
  'order_items',
  [...ITEM, '_deleted'],
  fc.record(item),
  fc.record({ ...item, _deleted: fc.constant(''), quantity: fc.constantFrom('', 'two', '"1"') }),
);

it('books balance and content is right, whatever the files look like', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ products, items }), { minLength: 1, maxLength: 3 }),
      async (imports) => {
        const batches = imports.map(
          ({ products, items }): Batch => ({
            files: Object.fromEntries([...products, ...items].map(({ name, text }) => [name, text])),
          }),
        );
        await importInTurn(batches, async ({ counts, rows }) => {
          const model = {
            products: modelOf(
              imports.map((one) => one.products),
              ['external_product_id'],
            ),
            order_items: modelOf(
              imports.map((one) => one.items),
              ['order_id', 'line_no'],
              ['order_id'],
            ),
          };
          expect(counts).toEqual(
            imports.map((_, index) => ({
              products: model.products.counts[index],
              order_items: model.order_items.counts[index],
            })),
          );
          await expectRows(model.products.rows, PRODUCT, (select) => rows('products', select));
          await expectRows(model.order_items.rows, ITEM, (select) => rows('order_items', select));
        });
      },
    ),
    { numRuns: runs(6) },
  );
}, 600_000);

function modelOf(imports: readonly RandomFile[][], key: readonly string[], list?: readonly string[]) {
  let rows: Readonly<Record<string, string>>[] = [];
  const counts = imports.map((files) => {
    const imported = {
      key,
      ...(list === undefined ? {} : { list }),
      rows: files.flatMap((file) => file.rows),
    };
    const after = afterImport(rows, imported);
    rows = after.rows;
    return after.counts;
  });
  return { rows, counts };
}

async function expectRows(
  expected: readonly Readonly<Record<string, string>>[],
  columns: readonly string[],
  read: (select: string) => Promise<unknown[][]>,
): Promise<void> {
  const stored = await read(
    columns
      .map((name) =>
        /price|quantity|line_no/.test(name)
          ? `cast(cast("${name}" as bigint) as varchar) as "${name}"`
          : `"${name}"`,
      )
      .join(', '),
  );
  const inOrder = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).sort();
  expect(inOrder(stored)).toEqual(inOrder(expected.map((row) => columns.map((name) => row[name] || null))));
}
