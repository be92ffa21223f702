import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { partFile, readParts } from '../../src/snapshot/canonical-parts.ts';
import { storedNames } from '../../src/store/canonical-table.ts';
import { canonicalTable } from '../../src/store/tables/all-tables.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { importFiles, query, SMALL_SHOP, storedRows } from './shop.ts';
import { importInto, openSession, temporaryFolder } from './staging.ts';

const test = await createTestInstance({ isOneEngineEnough: true });

afterAll(() => test[Symbol.asyncDispose]());

it('rows of a part without a column, as older versions wrote them too, have what an empty cell stands for, not null', async () => {
  const business = await test.createBusiness({ currency: 'CZK' });
  await importFiles(test, business, SMALL_SHOP);
  const snapshot = await currentSnapshot(test.instance.control, business.business_id);
  const folder = test.instance.data.snapshot(business.business_id, snapshot?.snapshot_id ?? 'none');
  const columns = await query(`select name from parquet_schema('${partFile(folder, 'orders', 1)}')`);
  for (const column of ['status', 'is_test', 'country']) expect(columns.flat()).not.toContain(column);
  const call = {
    business_id: business.business_id,
    from_date: '2024-01-01T00:00:00',
    to_date: '2024-12-31T23:59:59',
  };
  // The first import shares the part, the second merges it with new rows.
  await importFiles(test, business, { 'refunds.csv': 'refund_id,order_id,refunded_at,amount\n' });
  expect(await test.ask('order_statistics', call)).toMatchObject({ orders_count: 3 });
  await importFiles(test, business, {
    'orders.csv': [
      'order_id,ordered_at,total,status,country',
      ...['A4', 'A5', 'A6'].map((id) => `${id},2024-06-01,1,paid,CZ`),
    ].join('\n'),
  });
  expect(await test.ask('order_statistics', call)).toMatchObject({ orders_count: 6 });
  expect(await storedRows(test, business, 'orders', 'distinct status, is_test, country')).toEqual([
    ['paid', false, 'CZ'],
    ['paid', false, null],
  ]);
});

it('the columns of a part are those of the table, not what lists and structs consist of', async () => {
  using folder = temporaryFolder();
  const files = {
    'rfm_profiles.ndjson': JSON.stringify({ rfm_profile_id: 'p', name: 'P' }),
    'products.csv': 'external_product_id,name,price,categories\nX,Shoe,1,Shoes|Summer\n',
  };
  await importInto(null, join(folder.path, 'next'), { files });
  using session = await openSession(folder.path);
  const parts = await readParts(session, join(folder.path, 'next'));
  expect(parts.get('products')?.map(({ columns }) => [...columns])).toEqual([
    ['external_product_id', 'name', 'categories', 'price'],
  ]);
  const [profiles] = parts.get('rfm_profiles') ?? [];
  expect([...(profiles?.columns ?? [])]).toEqual(storedNames(canonicalTable('rfm_profiles')));
});
