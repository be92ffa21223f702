import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot } from '../../src/control/businesses.ts';
import { partFile } from '../../src/snapshot/parts.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { importFiles, query, SMALL_SHOP, storedRows } from './shop.ts';

const test = await createTestInstance({ isOneEngineEnough: true });

afterAll(() => test[Symbol.asyncDispose]());

/** Makes a table of the served snapshot one that was written before the software knew the columns. */
async function forgetColumns(business: Business, table: string, columns: string): Promise<void> {
  const snapshot = await currentSnapshot(test.instance.control, business.business_id);
  const folder = test.instance.data.snapshot(business.business_id, snapshot?.snapshot_id ?? 'none');
  const file = partFile(folder, table, 1);
  await query(`copy (select * exclude (${columns}) from '${file}') to '${file}.old' (format parquet)`);
  renameSync(`${file}.old`, file);
  // It knows the size of the file.
  rmSync(join(folder, 'snapshot.json'));
}

it('rows stored before a column existed have what an empty cell stands for, not null', async () => {
  const business = await test.createBusiness({ currency: 'CZK' });
  await importFiles(test, business, SMALL_SHOP);
  await forgetColumns(business, 'orders', 'status, is_test, country');
  // The first import shares the old file, the second merges it with new rows.
  await importFiles(test, business, { 'refunds.csv': 'refund_id,order_id,refunded_at,amount\n' });
  const call = {
    business_id: business.business_id,
    from_date: '2024-01-01T00:00:00',
    to_date: '2024-12-31T23:59:59',
  };
  expect(await test.ask('order_statistics', call)).toMatchObject({ orders_count: 3 });
  await importFiles(test, business, { 'orders.csv': 'order_id,ordered_at,total\nA4,2024-06-01,1\n' });
  expect(await test.ask('order_statistics', call)).toMatchObject({ orders_count: 4 });
  expect(await storedRows(test, business, 'orders', 'distinct status, is_test, country')).toEqual([
    ['paid', false, null],
  ]);
});
