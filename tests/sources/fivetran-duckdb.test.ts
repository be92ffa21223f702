import { mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { SOURCES } from '../../src/sources/all-sources.ts';
import { chooseSchemas, tablesOfFivetran } from '../../src/sources/fivetran/choose-schemas.ts';
import { hasTables } from '../../src/sources/source.ts';
import { UntrustedDatabase } from '../../src/store/untrusted-database.ts';
import { temporaryFolder } from '../ingest/staging.ts';
import { tablesOfCsv, writeDuckdb } from './duckdb-file.ts';
import { asTables, filesOf, type Shop, shops } from './fivetran-shop.ts';
import { refusalOf, translateFiles } from './translated.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const [shop = { orders: [], products: [] }] = fc.sample(
  shops.filter(({ orders }) => orders.length > 2),
  { numRuns: 1, seed: 11 },
);

const shopIn = (schema: string, of: Shop) =>
  tablesOfCsv(schema, join(folder.path, schema), filesOf(asTables(of, 'rest')));

const database = (name: string, ...statements: readonly (readonly string[])[]) =>
  writeDuckdb(join(folder.path, name), statements.flat());

describe('a DuckDB file', () => {
  it('says what its rows say by a plain count', async () => {
    const tables = asTables(shop, 'rest');
    const path = await database('count.duckdb', shopIn('shopify_count', shop));
    const cents = (text = '') => Math.round(100 * Number(text || 0));
    const sum = (rows: readonly Readonly<Record<string, string>>[], name: string) =>
      rows.reduce((total, row) => total + cents(row[name]), 0) / 100;
    const refunds = (tables.transaction ?? []).filter(({ kind }) => kind === 'refund');
    await translateFiles(path, async ({ rows, sources, rejects, warnings }) => {
      expect(await rows('orders', 'count(*), cast(sum(total) as double)')).toEqual([
        [tables.order?.length, sum(tables.order ?? [], 'total_price')],
      ]);
      expect(await rows('order_items', 'count(*), cast(sum(quantity) as double)')).toEqual([
        [tables.order_line?.length, sum(tables.order_line ?? [], 'quantity')],
      ]);
      expect(await rows('refunds', 'count(*), cast(coalesce(sum(amount), 0) as double)')).toEqual([
        [refunds.length, sum(refunds, 'amount')],
      ]);
      expect(rejects).toEqual([]);
      expect(warnings).toEqual([]);
      expect(sources[0]).toMatchObject({ source: 'shopify-fivetran' });
      expect(sources[0]?.files).toContain('count.duckdb/shopify_count.order');
    });
  });

  it('runs nothing of it, and reads no other file', async () => {
    const secret = join(folder.path, 'secret.csv');
    writeFileSync(secret, 'id,order_id,created_at,_fivetran_synced\n1,5000000000001,2026-03-01,2026-03-01\n');
    const path = await database(
      'hostile.db',
      shopIn('shopify_hostile', {
        ...shop,
        orders: shop.orders.map((each) => ({ ...each, refunded: null })),
      }),
      [
        `create view shopify_hostile.refund as from read_csv('${secret}')`,
        `create macro shopify_hostile.trim(x) as (select content from read_text('${secret}'))`,
        `create table shopify_hostile.fulfillment (id int, note varchar as (current_setting('temp_directory')))`,
        `create table "shopify_hostile"."x""; select 1 --" (id int)`,
        'drop table if exists shopify_hostile.transaction',
        // Read, it would be the rows of refunds, each an expression that takes as long as its author likes.
        `create table shopify_hostile.transaction (id bigint, order_id bigint, kind varchar, status varchar, created_at timestamp, _fivetran_synced timestamp,
          amount varchar generated always as (levenshtein(repeat('a', 9), repeat('b', id::int % 9))))`,
        'create table shopify_hostile."GENERATED ALWAYS" (id int)',
      ],
    );
    await translateFiles(path, async ({ rows, warnings }) => {
      expect(await rows('orders', 'count(*)')).toEqual([[shop.orders.length]]);
      expect(await rows('profiles', 'count(*)')).toEqual([[2]]);
      expect(await rows('refunds', 'count(*)')).toEqual([[0]]);
      expect(warnings).toEqual([
        'tables of hostile.db that are not read: shopify_hostile.GENERATED ALWAYS, shopify_hostile.fulfillment, shopify_hostile.transaction, shopify_hostile.x"; select 1 --; which are read: docs/sources/fivetran.md',
      ]);
    });
  });

  it('is opened by a DuckDB that reads nothing else, whatever it is asked', async () => {
    const secret = join(folder.path, 'words.txt');
    writeFileSync(secret, 'words');
    const path = await database('alone.db', ['create table t (id int)', 'insert into t values (1)']);
    const copies = mkdtempSync(join(folder.path, 'copies-'));
    using opened = await UntrustedDatabase.open(path, copies);
    const copy = (cell: string, to: string) => opened.copy({ schema: 'main', name: 't' }, [cell], to);
    const inside = join(copies, 'a.parquet');
    await copy('id', inside);
    await expect(copy(`(select content from read_text('${secret}'))`, inside)).rejects.toThrow('disabled');
    await expect(copy('id', join(folder.path, 'a.parquet'))).rejects.toThrow('disabled');
  });

  it('is refused where it is damaged, written at the moment, or has nothing of Fivetran', async () => {
    const damaged = await database('damaged.db', shopIn('shopify_damaged', shop));
    truncateSync(damaged, 9000);
    expect(await refusalOf(damaged)).toContain('damaged.db cannot be read as DuckDB: ');
    const written = await database('written.db', shopIn('shopify_written', shop));
    writeFileSync(`${written}.wal`, 'changes');
    expect(await refusalOf(written)).toContain('written.db was copied while it was written');
    const bytes = readFileSync(written);
    expect(await refusalOf({ 'a.db': bytes, 'a.db.wal': Buffer.from('changes') })).toContain('CHECKPOINT');
    const nothing = await database('nothing.db', ['create table orders (id int)']);
    expect(await refusalOf(nothing)).toContain('nothing.db is a DuckDB file without tables of Fivetran');
  });

  it('is no table in history mode', async () => {
    const path = await database('history.db', shopIn('shopify_history', shop), [
      'alter table shopify_history."order" add column _fivetran_active boolean',
    ]);
    expect(await refusalOf(path)).toContain("shopify_history.order is a table in Fivetran's history mode");
  });
});

describe('several shops in a DuckDB file', () => {
  const sources = SOURCES.filter(hasTables);
  const table = (schema: string, name: string, ...columns: readonly string[]) => ({
    ...{ schema, name },
    columns: [...columns, '_fivetran_synced'],
  });
  const found = tablesOfFivetran(
    [
      table('cz', 'REFUND', 'ORDER_ID', 'created_at'),
      table('sk', 'refund', 'order_id', 'created_at'),
      table('stripe', 'refund', 'charge_id'),
      table('dbt', 'stg_shopify__refund', 'order_id', 'created_at'),
      { schema: 'plain', name: 'refund', columns: ['order_id', 'created_at'] },
      table('mail', 'member', 'list_id', 'email_address', 'status'),
    ],
    sources,
  );

  it('are told by the whole names of tables and their columns', () => {
    expect(found.map(({ schema, table, source }) => [schema, table, source.name])).toEqual([
      ['cz', 'refund', 'shopify-fivetran'],
      ['sk', 'refund', 'shopify-fivetran'],
      ['mail', 'member', 'mailchimp-fivetran'],
    ]);
  });

  it.each([
    [undefined, ['mail'], ['shopify-fivetran']],
    ['cz', ['cz', 'mail'], []],
    ['mail', ['mail'], ['shopify-fivetran']],
    [' sk , mail', ['sk', 'mail'], []],
    ['cz,sk', ['cz', 'sk', 'mail'], []],
    ['de', [], ['shopify-fivetran', 'mailchimp-fivetran']],
  ])('are read as the answer says: %s', (said, chosen, undecided) => {
    const choice = chooseSchemas(found, () => said);
    expect(choice.chosen.map(({ schema }) => schema)).toEqual(chosen);
    expect(choice.undecided.map(({ source }) => source.name)).toEqual(undecided);
  });
});
