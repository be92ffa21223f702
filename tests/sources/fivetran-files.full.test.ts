import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { importFiles } from '../../src/import/run.ts';
import { writeFiles } from '../ingest/shop.ts';
import { openSession, temporaryFolder, writeFiles as writeTo } from '../ingest/staging.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { countFivetranOrders } from './count-fivetran.ts';
import { asTables, everythingOf, filesOf, shops } from './fivetran-shop.ts';
import { NO_SAMPLES, samples } from './samples.ts';
import { csvOf } from './translated.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
afterAll(() => test[Symbol.asyncDispose]());

it('Parquet says the same as CSV, with types of its own and ids that a tool made floating', async () => {
  const [shop = { orders: [], products: [] }] = fc.sample(shops, { numRuns: 1, seed: 3 });
  const tables = asTables(shop, 'rest');
  const truth = await everythingOf(filesOf(tables));
  using folder = temporaryFolder();
  using session = await openSession(folder.path);
  const csv = writeTo(folder.path, filesOf(tables));
  const files: Record<string, Buffer> = {};
  for (const name of readdirSync(csv).filter((each) => each.endsWith('.csv'))) {
    const path = join(folder.path, name.replace('.csv', '.parquet'));
    const ids = name === 'transaction.csv' ? 'replace (refund_id::double as refund_id)' : '';
    await session.run(
      `copy (select * ${ids} from read_csv('${join(csv, name)}')) to '${path}' (format parquet)`,
    );
    files[`shopify/${name.replace('.csv', '')}/part-0.parquet`] = readFileSync(path);
  }
  expect(await everythingOf(files)).toEqual(truth);
});

it('costs in another currency than that of the business are rejected', async () => {
  const business = await test.createBusiness({ currency: 'EUR' });
  const row = { _fivetran_id: 'a', customer_id: '7', id: '1', date: '2026-03-01', cost_micros: '1000000' };
  const folder = writeFiles(test, { 'campaign_stats.csv': csvOf(Object.keys(row), [row]) });
  await expect(
    importFiles(test.instance, business, [folder], { settings: { currency: 'USD' } }),
  ).rejects.toThrow('another currency');
});

const files = samples('shopify-fivetran');
describe.skipIf(files.length === 0)(`the samples of Fivetran (${NO_SAMPLES}: nothing to count)`, () => {
  it.each([false, true])('the reconciliation is an independent count (GraphQL: %s)', async (isGraphql) => {
    const business = await test.createBusiness({ timezone: 'UTC', currency: 'USD' });
    const paths = files.filter(({ name }) => name.includes('_gql_') === isGraphql).map(({ path }) => path);
    const report = await importFiles(test.instance, business, paths, {
      isTrial: true,
      maxRejects: { rows: 100 },
    });
    const counted = countFivetranOrders(paths);
    expect(
      report.reconciliation.map(({ currency, orders, gross, discounts, tax, shipping, refunds }) => ({
        ...{ currency, orders: orders.in_file, valid: orders.valid, stored: orders.stored },
        ...{ gross: gross.in_file, discounts: discounts.stored, tax: tax.stored, shipping: shipping.stored },
        refunds: refunds.stored,
      })),
    ).toEqual(counted);
    expect(report.reconciliation.map(({ source }) => source)).toEqual(counted.map(() => 'shopify-fivetran'));
  });
});
