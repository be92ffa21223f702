import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { takeConnection } from '../../src/control/connections/connection-leases.ts';
import { connect, ON_COMMAND_LINE } from '../../src/live/connect.ts';
import { runConnection } from '../../src/live/run-connection.ts';
import { tryHere } from '../../src/live/try-key.ts';
import { createAccess } from '../../src/live/vendor-access.ts';
import { VENDORS } from '../../src/live/vendors/all-vendors.ts';
import { fivetranPostgres } from '../../src/live/vendors/fivetran-postgres/fivetran-postgres.ts';
import { storedRows } from '../ingest/shop.ts';
import { asJson, asTables, everythingOf, shops, type Tables } from '../sources/fivetran-shop.ts';
import { findPostgres, type TestPostgres } from '../support/postgres.ts';
import { createTestInstance } from '../support/test-instance.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
afterAll(() => test[Symbol.asyncDispose]());

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await findPostgres();
});

const log = { info: () => {}, warn: () => {}, error: () => {} };
const signal = new AbortController().signal;

/** As Fivetran types the columns. */
function typeOf(column: string): string {
  if (column === '_fivetran_deleted' || column === 'test') return 'boolean';
  if (column === '_fivetran_synced' || column.endsWith('_at')) return 'timestamptz';
  if (column === 'id' || (column.endsWith('_id') && column !== 'product_id')) return 'bigint';
  if (/price$|amount$|^subtotal/.test(column)) return 'numeric(20,2)';
  return 'text';
}

const literal = (value = '') => (value === '' ? 'null' : `'${value.replaceAll("'", "''")}'`);

/** A warehouse into which Fivetran has landed the tables. @returns its URL */
async function warehouseWith(tables: Tables, schema = 'shopify'): Promise<string> {
  const url = await postgres.createDatabase();
  const statements = Object.entries(tables).flatMap(([table, rows]) => {
    if (rows.length === 0) return [];
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const values = rows.map((row) => `(${columns.map((name) => literal(row[name])).join(', ')})`);
    return [
      `create table ${schema}."${table}" (${columns.map((name) => `"${name}" ${typeOf(name)}`).join(', ')})`,
      `insert into ${schema}."${table}" values ${values.join(', ')}`,
    ];
  });
  await postgres.query(url, [`create schema ${schema}`, `set timezone = 'UTC'`, ...statements].join(';\n'));
  return url;
}

it.each(['rest', 'graphql'] as const)(
  'tables of the %s schema say the same as the JSON of Shopify',
  async (schema) => {
    for (const shop of fc.sample(shops, { numRuns: 8, seed: 11 })) {
      const url = await warehouseWith(asTables(shop, schema));
      const access = createAccess(
        { name: 'warehouse', vendor: fivetranPostgres.name, settings: {} },
        { connectionString: url },
        { log, signal, allowsLoopback: true },
      );
      const files: Record<string, Buffer> = {};
      for (const stream of fivetranPostgres.streams)
        for await (const { downloads = [] } of stream.read(access, null))
          for (const { name, content } of downloads)
            files[name] = Buffer.from(await new Response(content).arrayBuffer());
      expect(await everythingOf(files)).toEqual(await everythingOf({ 'shop.json': asJson(shop) }));
    }
  },
);

it('a store follows its warehouse: what comes, changes and goes, and what the user may read no more', async () => {
  const [shop = { orders: [], products: [] }] = fc.sample(shops, { numRuns: 1, seed: 3 });
  const tables = asTables(shop, 'rest');
  const url = await warehouseWith(tables);
  await postgres.query(
    url,
    `create role reader_${process.pid} login password 'planted-password';
    grant usage on schema shopify to reader_${process.pid};
    grant select on all tables in schema shopify to reader_${process.pid}`,
  );
  const connectionString = Object.assign(new URL(url), {
    ...{ username: `reader_${process.pid}`, password: 'planted-password' },
  }).href;
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Berlin' });
  const context = { ...test.instance, log, signal, allowsLoopback: true };
  const { connection } = await connect({ ...context, naming: ON_COMMAND_LINE, tryKey: tryHere }, business, {
    ...{ vendor: fivetranPostgres, settings: {}, secrets: { connectionString } },
  });
  const run = async () => {
    const held = await takeConnection(test.instance.control, connection.connection_id);
    if (held === null) throw new Error('somebody holds it');
    return runConnection({ ...context, vendors: VENDORS }, held);
  };
  const ids = async () =>
    (await storedRows(test, business, 'orders', 'order_id')).map(([id]) => String(id)).sort();
  const all = (tables.order ?? []).map(({ id = '' }) => id).sort();

  const first = await run();
  expect(first).toMatchObject({ state: 'ok', message: null });
  expect(await ids()).toEqual(all);

  // Nothing has changed, so nothing is read, and nothing imported.
  expect((await run())?.report.imports).toEqual([]);

  const [gone = '', ...staying] = all;
  await postgres.query(
    url,
    `update shopify."order" set _fivetran_deleted = true, _fivetran_synced = '2026-04-02' where id = ${gone}`,
  );
  expect(await run()).toMatchObject({ state: 'ok' });
  expect(await ids()).toEqual(staying);

  await postgres.query(url, `revoke usage on schema shopify from reader_${process.pid}`);
  const refused = await run();
  expect(refused).toMatchObject({ state: 'missing_scope' });
  expect(refused?.message).toContain('grant usage on its schema');
  expect(await ids()).toEqual(staying);

  // The password is nowhere in the folder of the data, and neither is a person.
  for (const planted of ['planted-password', 'a71@example.com'])
    expect(() => execFileSync('grep', ['-rlaF', planted, test.folder])).toThrow();
  await postgres.query(url, `drop owned by reader_${process.pid}; drop role reader_${process.pid}`);
});
