import { expect } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { importFolder } from '../../src/import/run.ts';
import type { TestInstance } from '../support/test-instance.ts';
import { type Files, writeFiles } from './shop.ts';

/** Limits by which no store is too small, and no import too large, for a build of what is affected. */
export const EVEN_IF_SMALL = { mostAffected: 10, fewestRows: 0 };

/** A line for each order named. */
export const linesOf = (...orders: readonly string[]): Files => ({
  'order_items.csv': `order_id,external_product_id,quantity,unit_price\n${orders.map((id) => `${id},P1,1,5\n`).join('')}`,
});

export const reportedLines = (count: number) => [`${count} order_items belong to orders that are not loaded`];

/** What an import of the files, of which the model is brought up to date, tells of lines without an order. */
export async function linesWithoutOrder(
  test: TestInstance,
  business: Business,
  files: Files,
): Promise<string[]> {
  const { build, warnings } = await importFolder(test.instance, business, writeFiles(test, files), {
    incremental: EVEN_IF_SMALL,
  });
  expect(build.kind).toBe('incremental');
  return warnings.flatMap((text) => /^\d+ order_items belong to orders that are not loaded/.exec(text) ?? []);
}
