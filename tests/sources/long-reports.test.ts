import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { importFiles } from '../../src/import/run.ts';
import { shownError } from '../../src/import/shown.ts';
import { ImportError } from '../../src/snapshot/import-errors.ts';
import { writeFiles } from '../ingest/staging.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * What an import tells is kept, and shown on pages: it is short however many and long the names in the files
 * are.
 */

let test: TestInstance;
let shop: Business;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
});
afterAll(() => test[Symbol.asyncDispose]());

const importing = (files: Readonly<Record<string, string>>) =>
  importFiles(test.instance, shop, [writeFiles(mkdtempSync(join(test.folder, 'files-')), files)]);

it('names of columns that are not read', async () => {
  const names = Array.from({ length: 900 }, (_, index) => `column_${index}_${'x'.repeat(900)}`);
  const { warnings } = await importing({
    'products.csv': `external_product_id,name,price,${names.join()}\nA,a,1${','.repeat(900)}\n`,
  });
  const told = warnings.find((text) => text.includes('unknown columns were not read'));
  expect(told).toMatch(/column_0_x+, column_1_x+.*… \(and 8\d{5} more characters\)$/);
  expect(told?.length).toBeLessThan(2100);
});

it('files that are not recognised', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 320 }, (_, index) => [`file-${index}.csv`, `a${index},b\n1,2\n`]),
  );
  const { warnings } = await importing({
    'products.csv': 'external_product_id,name,price\nB,b,1\n',
    ...files,
  });
  expect(warnings).toHaveLength(301);
  expect(warnings.at(-1)).toMatch(/^\d+ more notes are not kept$/);
});

it('why nothing was imported', () => {
  const shown = (text: string) => shownError(test.instance.secret, shop, new ImportError(text)) as Error;
  const rows = 'a row is bad\n'.repeat(1000);
  expect(shown(rows).message).toBe(rows);
  expect(shown('x'.repeat(5_000_000)).message).toMatch(/^x{20000}… \(and 4980000 more characters\)$/);
});
