import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { importFiles } from '../../src/import/run.ts';
import { ImportError } from '../../src/snapshot/import-errors.ts';
import { bytesWritten } from '../../src/snapshot/import-meter.ts';
import { stageFolder, temporaryFolder } from '../ingest/staging.ts';
import { writeDuckdb } from '../sources/duckdb-file.ts';
import { overlappingZip, zipOf } from '../sources/zip-archive.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { report } from './report.ts';

/**
 * Large and hostile files: each is read with books that balance and say what is in it, or refused with words.
 * What is small is in tests/ingest and tests/properties.
 */

const HEADER = 'external_product_id,name,price\n';
const MEBIBYTE = 2 ** 20;

const counts = { files: 0, refused: 0, read: 0, rows_read: 0, rows_rejected: 0 };
const worst = { seconds: 0, megabytes_of_memory: 0 };

afterAll(() => report('imports', { counts, worst }));

type Content = string | Buffer | Iterable<string | Buffer>;

/** `total` rows, of which `rejected` are bad; or what the refusal says. */
type Expected = { readonly read: number; readonly rejected: number } | RegExp;

const packed = (content: string | Buffer) => gzipSync(content);
const line = (i: number) => `P${i},the name of product ${i},${i}\n`;

function* rows(count: number, from = 0): Generator<string> {
  for (let i = 0; i < count; i += 1000)
    yield Array.from({ length: Math.min(1000, count - i) }, (_, j) => line(from + i + j)).join('');
}

function* times(count: number, chunk: string | Buffer): Generator<string | Buffer> {
  for (let i = 0; i < count; i += 1) yield chunk;
}

function* joined(...parts: readonly Content[]): Generator<string | Buffer> {
  for (const part of parts) {
    if (typeof part === 'string' || Buffer.isBuffer(part)) yield part;
    else yield* part;
  }
}

const mebibyteOf = (text: string) => Buffer.alloc(MEBIBYTE, text);
const bytes = (...values: number[]) => Buffer.from(values);

const ATTACKS: readonly (readonly [
  title: string,
  name: string,
  content: () => Content,
  expected: Expected,
])[] = [
  [
    'a line of 40 MiB between 2000 rows',
    'products.csv',
    () => joined(HEADER, rows(1000), 'L,', times(40, mebibyteOf('x')), ',1\n', rows(1000, 1000)),
    { read: 2001, rejected: 1 },
  ],
  [
    'a quoted cell of 40 MiB that looks like rows',
    'products.csv',
    () => joined(HEADER, rows(1000), 'L,"', rows(1_200_000), '",1\n', rows(1000, 1000)),
    { read: 1_202_001, rejected: 1_200_001 },
  ],
  [
    'an NDJSON line of 600 MiB',
    'products.ndjson',
    () => joined('{"external_product_id":"A","price":1,"name":"', times(600, mebibyteOf('x')), '"}\n'),
    { read: 1, rejected: 1 },
  ],
  [
    'the same between others, packed',
    'products.ndjson.gz',
    () =>
      packed(
        `{"external_product_id":"A","price":1,"name":"a"}\n{"name":"${'x'.repeat(60 * MEBIBYTE)}"}\n{"external_product_id":"B","price":1,"name":"b"}\n`,
      ),
    { read: 3, rejected: 1 },
  ],
  [
    'an open quote among a million rows',
    'products.csv',
    () => joined(HEADER, rows(740_000), 'L,"open,1\n', rows(260_000, 740_000)),
    { read: 1_000_001, rejected: 260_001 },
  ],
  [
    'open quotes that close at others',
    'products.csv',
    () =>
      joined(HEADER, rows(400_000), 'L,"open,1\n', rows(9000, 400_000), 'M,"m",1\n', rows(400_000, 500_000)),
    { read: 809_002, rejected: 9002 },
  ],
  [
    'cells of 9000 lines that look like rows',
    'products.csv',
    () => joined(HEADER, ...Array.from({ length: 150 }, (_, i) => joined(`R${i},"`, rows(9000), '",1\n'))),
    { read: 150, rejected: 0 },
  ],
  [
    'a million columns',
    'products.csv',
    () => `${'c,'.repeat(1_000_000)}\n`,
    /longer than 1 MiB|more than 2000 columns/,
  ],
  ['a header without an end', 'products.csv', () => joined(times(300, mebibyteOf('x'))), /longer than 1 MiB/],
  [
    'two packed members',
    'products.csv.gz',
    () => Buffer.concat([packed(HEADER + line(1)), packed(line(2))]),
    { read: 2, rejected: 0 },
  ],
  [
    'a packed file cut off',
    'products.csv.gz',
    () => packed([HEADER, ...rows(90_000)].join('')).subarray(0, -9000),
    /cannot be unpacked/,
  ],
  [
    'a packed file with rubbish behind',
    'products.csv.gz',
    () => Buffer.concat([packed(HEADER + line(1)), Buffer.alloc(5000, 'x')]),
    /cannot be unpacked/,
  ],
  [
    'a bomb of one long line',
    'products.ndjson.gz',
    () => packed(Buffer.alloc(80 * MEBIBYTE, 'x')),
    /200 times its size/,
  ],
  [
    'a bomb of blank lines',
    'products.ndjson.gz',
    () => packed(Buffer.alloc(80 * MEBIBYTE, '\n')),
    /200 times its size/,
  ],
  ['NUL bytes in cells', 'products.csv', () => `${HEADER}A,a\0b,1\n\0\0B,b,2\n`, { read: 2, rejected: 0 }],
  [
    'a block of NUL bytes at the end, as after a crash',
    'products.csv',
    () => joined(HEADER, rows(1000), Buffer.alloc(5 * MEBIBYTE)),
    { read: 1001, rejected: 1 },
  ],
  [
    'bytes that are no UTF-8',
    'products.csv',
    () =>
      joined(
        HEADER,
        rows(50_000),
        'A,',
        bytes(0xff, 0xfe),
        ',1\nB,',
        bytes(0xc3),
        ',2\n',
        rows(50_000, 60_000),
      ),
    { read: 100_002, rejected: 2 },
  ],
  ['UTF-16', 'products.csv', () => Buffer.from(`\uFEFF${HEADER}${line(1)}`, 'utf16le'), /UTF-16/],
  [
    'UTF-16 without a mark',
    'products.csv',
    () => Buffer.from(`${HEADER}${line(1)}`, 'utf16le'),
    /required column/,
  ],
  [
    'CR alone ends lines',
    'products.csv',
    () => [HEADER, ...rows(300_000)].join('').replaceAll('\n', '\r'),
    { read: 300_000, rejected: 0 },
  ],
  ['a header alone', 'products.csv', () => HEADER, { read: 0, rejected: 0 }],
  [
    'blank lines alone',
    'products.ndjson',
    () => joined(times(20, mebibyteOf('\n'))),
    { read: 0, rejected: 0 },
  ],
  [
    'every row bad',
    'products.csv',
    () => joined(HEADER, times(300_000, 'A,b\n')),
    { read: 300_000, rejected: 300_000 },
  ],
  ['quotes alone', 'products.csv', () => joined(HEADER, times(5, mebibyteOf('"'))), { read: 1, rejected: 1 }],
  [
    'more malformed rows than a table has',
    'products.csv',
    () => joined(HEADER, times(100_001, '"a"b,1,1\n')),
    /more than 100000 of its rows are malformed/,
  ],
  [
    'eight million rows of one cell, packed',
    'products.csv.gz',
    () => packed(HEADER + 'A\n'.repeat(8_000_000)),
    /8000000 rows have more or fewer cells/,
  ],
  ['a very long name', `products-${'é'.repeat(110)}.csv`, () => HEADER + line(1), { read: 1, rejected: 0 }],
  [
    'a name of pattern characters',
    'products-\\[a]*?{b}\n\'".csv.gz',
    () => packed(HEADER + line(1)),
    { read: 1, rejected: 0 },
  ],
];

it.each(ATTACKS)('%s', async (_title, name, content, expected) => {
  using folder = temporaryFolder();
  const written = content();
  const source = typeof written === 'string' || Buffer.isBuffer(written) ? [written] : written;
  await pipeline(Readable.from(source), createWriteStream(join(folder.path, name)));
  counts.files += 1;
  const startedAt = performance.now();
  const result = await stageFolder('products', folder.path).catch((error: unknown) => error);
  worst.seconds = Math.max(worst.seconds, Math.round((performance.now() - startedAt) / 100) / 10);
  worst.megabytes_of_memory = Math.max(
    worst.megabytes_of_memory,
    Math.round(process.memoryUsage.rss() / MEBIBYTE),
  );
  if (expected instanceof RegExp) {
    expect(result).toBeInstanceOf(ImportError);
    expect((result as ImportError).message).toMatch(expected);
    counts.refused += 1;
    return;
  }
  if (result instanceof Error) throw result;
  const { counts: found } = result as Awaited<ReturnType<typeof stageFolder>>;
  const { read, rejected } = expected;
  expect(found).toMatchObject({ read, rejected });
  expect(found.loaded + found.replaced + found.ignored).toBe(read - rejected);
  counts.read += 1;
  counts.rows_read += read;
  counts.rows_rejected += rejected;
});

/**
 * Small files that hold very much, with the limits that everybody has: refused before they are read or
 * written out.
 */
const BOMBS: readonly (readonly [
  title: string,
  write: (folder: string) => Promise<unknown>,
  expected: RegExp,
])[] = [
  [
    'an archive whose directory names one entry of 30 MB 300 times',
    (folder) =>
      writeTo(
        folder,
        'a.zip',
        overlappingZip({ name: 'products.csv', content: [HEADER, ...rows(1_500_000)].join('') }, 300),
      ),
    /lie in the same bytes/,
  ],
  [
    'an archive of packed files, each of which unpacks to as much as one file may',
    (folder) => {
      const content = packed(Buffer.concat([Buffer.from(HEADER), Buffer.alloc(60 * MEBIBYTE, 'A,a,1\n')]));
      return writeTo(
        folder,
        'a.zip',
        zipOf(Array.from({ length: 100 }, (_, i) => ({ name: `products-${i}.csv.gz`, content }))),
      );
    },
    /200 times what was given/,
  ],
  [
    'a Parquet file with one text of 40 MB for all rows',
    (folder) =>
      writeParquet(
        folder,
        `'P' || n as external_product_id, repeat('y', 40000000) as name, 1 as price from range(20)`,
      ),
    /a cell in "name" of more than 16 MiB/,
  ],
  [
    'a Parquet file of 210 million equal rows',
    (folder) =>
      writeParquet(folder, `'P' as external_product_id, 'p' as name, 1 as price from range(210000000)`),
    /may have 200000000 rows together/,
  ],
];

function writeTo(folder: string, name: string, content: Buffer): Promise<void> {
  return pipeline(Readable.from([content]), createWriteStream(join(folder, name)));
}

function writeParquet(folder: string, select: string): Promise<string> {
  return writeDuckdb(':memory:', [
    `copy (select ${select} as t(n)) to '${join(folder, 'products.parquet')}' (format parquet, compression zstd, row_group_size 100000)`,
  ]);
}

it.each(BOMBS)('%s', async (_title, write, expected) => {
  await using test = await createTestInstance({ isOneEngineEnough: true });
  const shop = await test.createBusiness({ currency: 'CZK' });
  const served = await currentSnapshot(test.instance.control, shop.business_id);
  using folder = temporaryFolder();
  await write(folder.path);
  counts.files += 1;
  const startedAt = performance.now();
  const error = await importFiles(test.instance, shop, [folder.path]).catch((caught: unknown) => caught);
  worst.seconds = Math.max(worst.seconds, Math.round((performance.now() - startedAt) / 100) / 10);
  expect(error).toBeInstanceOf(ImportError);
  expect((error as ImportError).message).toMatch(expected);
  expect(await currentSnapshot(test.instance.control, shop.business_id)).toEqual(served);
  expect(await bytesWritten(test.instance.data.snapshots(shop.business_id))).toBeLessThan(10 * MEBIBYTE);
  counts.refused += 1;
});
