import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkParquetFooter } from '../../src/ingest/parquet-footer.ts';
import { temporaryFolder } from '../ingest/staging.ts';
import { seededRandom } from '../live/stubs/random.ts';
import { writeDuckdb } from './duckdb-file.ts';
import { element, parquetOf } from './parquet-file.ts';
import { refusalOf } from './translated.ts';

/**
 * Parquet files that say of themselves more than any table has, in some kilobytes: refused before anybody
 * believes it.
 */

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const write = (name: string, bytes: Buffer) => {
  const path = join(folder.path, name);
  writeFileSync(path, bytes);
  return path;
};

/** Columns of our own format, and one that lies so deep within others. */
const ofDepth = (levels: number) => [
  element('schema', 3),
  ...['external_product_id', 'name'].map((name) => element(name)),
  ...Array.from({ length: levels - 1 }, (_, index) => element(`within ${index}`, 1)),
  element('leaf'),
];

const ofColumns = (count: number) => [
  element('schema', count),
  element('external_product_id'),
  ...Array.from({ length: count - 1 }, (_, index) => element(`column ${index}`)),
];

it.each([
  ['levels', parquetOf(ofDepth(101)), 'its columns lie more than 100 levels deep, and no table has as many'],
  ['levels beyond any stack', parquetOf(ofDepth(9000)), 'its columns lie more than 100 levels deep'],
  ['columns', parquetOf(ofColumns(10_001)), 'it has 10002 columns, and 10000 are read'],
  ['groups', parquetOf(ofColumns(2), 20_001), 'it has 20001 groups of rows, and 20000 are read'],
])('more %s than any table has are refused by their number', async (what, bytes, why) => {
  const path = write('products.parquet', bytes);
  expect(await refusalOf(path), what).toContain(`products.parquet cannot be read as parquet: ${why}`);
});

it('a file with as many columns as a table may have passes', async () => {
  for (const bytes of [parquetOf(ofDepth(100)), parquetOf(ofColumns(9999)), parquetOf(ofColumns(2), 20_000)])
    await checkParquetFooter(write('many.parquet', bytes));
  const wide = [
    element('schema', 500),
    ...Array.from({ length: 500 }, () => [element('a', 1), element('b')]),
  ];
  await checkParquetFooter(write('wide.parquet', parquetOf(wide.flat())));
});

it('footers that DuckDB writes are passed, and damaged ones end in an error, wherever the damage is', async () => {
  const path = join(folder.path, 'real.parquet');
  await writeDuckdb(join(folder.path, 'real.duckdb'), [
    `copy (select i as id, 'n' || i as name, [i, i + 1] as list, {'a': i, 'b': [{'c': true}]} as thing, map {'k': i} as map,
      timestamp '2026-01-01' as at, i % 2 = 0 as flag, i::double as number from range(5000) r(i)) to '${path}' (format parquet, row_group_size 2048)`,
  ]);
  await checkParquetFooter(path);
  const bytes = readFileSync(path);
  const length = bytes.readUInt32LE(bytes.length - 8);
  const random = seededRandom(1);
  for (let number = 0; number < 500; number += 1) {
    const damaged = Buffer.from(bytes);
    const at = bytes.length - 8 - Math.floor(random() * length);
    damaged.writeUInt8(Math.floor(random() * 256), at);
    const error = await checkParquetFooter(write('damaged.parquet', damaged)).then(
      () => null,
      (caught: unknown) => caught,
    );
    if (error !== null) expect((error as Error).name).toMatch(/^(?:Error|ReasonError)$/);
  }
});

it('a file that is no Parquet is left to whoever reads it', async () => {
  for (const content of ['', 'PAR1', 'PAR1PAR1PAR1', 'external_product_id,name\n1,a\n'])
    await checkParquetFooter(write('other.parquet', Buffer.from(content)));
});
