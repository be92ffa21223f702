import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { UnansweredError } from '../../src/sources/unanswered.ts';
import { openSession, temporaryFolder } from '../ingest/staging.ts';
import { tablesOfCsv, writeDuckdb } from './duckdb-file.ts';
import { asTables, everythingOf, filesOf, type Shop, shops } from './fivetran-shop.ts';
import { refusalOf, translateFiles } from './translated.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const [shop = { orders: [], products: [] }, other = { orders: [], products: [] }] = fc.sample(
  shops.filter(({ orders }) => orders.length > 2),
  { numRuns: 2, seed: 11 },
);

const shopIn = (schema: string, of: Shop, kind: 'rest' | 'graphql' = 'rest') =>
  tablesOfCsv(schema, join(folder.path, schema), filesOf(asTables(of, kind)));

const database = (name: string, ...statements: readonly (readonly string[])[]) =>
  writeDuckdb(join(folder.path, name), statements.flat());

describe('a DuckDB file, whatever its name', () => {
  it.each(['rest', 'graphql'] as const)('has the same store as its tables as Parquet (%s)', async (kind) => {
    const path = await database(`${kind}.db`, shopIn(`shopify_${kind}`, shop, kind));
    using session = await openSession(folder.path);
    await session.run(`attach '${path}' as w (read_only)`);
    const files: Record<string, Buffer> = {};
    for (const { table_name: name } of await session.rows(
      `select table_name from duckdb_tables() where database_name = 'w'`,
    )) {
      const parquet = join(folder.path, `${kind}-${name}.parquet`);
      await session.run(`copy w.shopify_${kind}."${name}" to '${parquet}' (format parquet)`);
      files[`${name}.parquet`] = readFileSync(parquet);
    }
    const truth = await everythingOf(files);
    expect(truth.orders).toHaveLength(shop.orders.length);
    expect(await everythingOf({ 'whatever.bin': readFileSync(path) })).toEqual(truth);
  });

  it('keeps ids, amounts and moments of the types that PostgreSQL and Fivetran have', async () => {
    const path = await database('types.db', [
      'create schema s',
      `create table s."order" (id hugeint, created_at timestamptz, total_price decimal(18,2), currency varchar, financial_status varchar, _fivetran_synced timestamptz, _fivetran_deleted boolean)`,
      `insert into s."order" values (5000000000001234567, '2026-03-05 23:30:00+02', 12.30, 'EUR', 'paid', now(), false), (7, '2026-03-05 10:00:00+00', 5, 'EUR', 'paid', now(), true)`,
      'create table s.order_line (id bigint, order_id hugeint, quantity double, price float, sku varchar, _fivetran_synced timestamp)',
      `insert into s.order_line values (1, 5000000000001234567, 2, 6.15, 'MUG', now()), (2, 7, 1, 5, 'MUG', now())`,
    ]);
    await translateFiles(path, async ({ rows, rejects, counts }) => {
      expect(rejects).toEqual([]);
      expect(counts.orders).toMatchObject({ read: 2, deleted: 1 });
      const order = "order_id, strftime(ordered_at, '%H:%M'), cast(total as varchar)";
      expect(await rows('orders', order)).toContainEqual(['5000000000001234567', '21:30', '12.3000']);
      expect(await rows('order_items', 'quantity, cast(unit_price as varchar)')).toEqual([[2, '6.150000']]);
    });
  });

  it('has several shops, of which only the one that was said is read', async () => {
    const path = await database('two.db', shopIn('shop_a', shop), shopIn('shop_b', other));
    const refused = await translateFiles(path, () => {}).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnansweredError);
    expect(refused).toMatchObject({
      message: expect.stringContaining('--schema shop_a'),
      questions: [
        { source: 'shopify-fivetran', setting: 'schema', values: ['shop_a', 'shop_b'], said: null },
      ],
    });
    expect(await refusalOf(path, { schema: 'shop_c' })).toContain('several schemas: shop_a, shop_b');
    const gross = (of: Shop) =>
      (asTables(of, 'rest').order ?? []).reduce(
        (sum, row) => sum + Math.round(100 * Number(row.total_price)),
        0,
      );
    for (const [schema, of] of [
      ['SHOP_A', shop],
      ['shop_b', other],
    ] as const)
      await translateFiles(
        path,
        async ({ rows, warnings, sources }) => {
          expect(await rows('orders', 'cast(sum(total) * 100 as bigint)')).toEqual([[gross(of)]]);
          expect(warnings).toHaveLength(1);
          expect(warnings[0]).toContain('schemas of two.db that are not read (--schema): ');
          expect(sources[0]?.settings).toEqual({ schema });
        },
        { schema },
      );
  });
});
