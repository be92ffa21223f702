import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Business } from '../../../src/business/business.ts';
import { importFiles } from '../../../src/import/run.ts';
import type { Json } from '../../../src/live/vendor.ts';
import type { ImportReport } from '../../../src/snapshot/import-report.ts';
import type { TestInstance } from '../../support/test-instance.ts';
import type { Landing } from './landing.ts';

/** Imports rows as a connection does: what comes, and then what goes. */
export async function importRows(
  test: TestInstance,
  business: Business,
  rows: readonly Json[],
  gone: Landing['gone'] = [],
): Promise<ImportReport | null> {
  let report: ImportReport | null = null;
  const importing = async (files: Readonly<Record<string, readonly unknown[]>>) => {
    const folder = mkdtempSync(join(test.folder, 'landed-'));
    const paths = Object.entries(files).map(([name, lines]) => {
      const path = join(folder, `${name}.ndjson`);
      writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      return path;
    });
    report = await importFiles(test.instance, business, paths);
  };
  if (rows.length > 0) await importing({ rows });
  for (const [table, going] of Map.groupBy(gone, ({ table }) => table))
    await importing({ [table]: going.map(({ key }) => ({ ...key, _deleted: true })) });
  return report;
}

/** What the store answers of all its orders. */
export async function ordersOf(
  test: TestInstance,
  { business_id }: Business,
): Promise<{ orders: number; revenue: number }> {
  const range = { from_date: '2020-01-01T00:00:00', to_date: '2030-12-31T23:59:59' };
  const answer = (await test.ask('order_statistics', { business_id, ...range })) as Record<string, number>;
  return { orders: answer.orders_count ?? 0, revenue: answer.orders_revenues ?? 0 };
}
