import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Delimiter, SourceFile } from '../../src/ingest/find-files.ts';
import { RecordScanner } from '../../src/ingest/record-scanner.ts';
import { findRejectLines } from '../../src/ingest/reject-lines.ts';
import { ImportError } from '../../src/snapshot/import-errors.ts';
import { literal, type Session } from '../../src/store/duckdb-session.ts';
import { runs } from '../support/runs.ts';
import { randomNumbers } from '../support/seeded.ts';
import type { Files } from './shop.ts';
import { openSession, stageFiles, temporaryFolder, writeFiles } from './staging.ts';

/**
 * DuckDB keeps a kilobyte and more of each cell that is missing or too many, in no limit: 70 KB of gzip took
 * 9.9 GB. What it would keep is counted before it reads, and a file of which it would be too much is refused.
 */

async function refusalOf(table: string, files: Files): Promise<string> {
  const error = await stageFiles(table, files).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ImportError);
  return (error as Error).message;
}

/** A header of products with 200 columns: each row of one cell lacks 199. */
const WIDE = `external_product_id,name,price${Array.from({ length: 197 }, (_, i) => `,other_${i}`).join('')}\n`;
const ALLOWED = /To tell of each takes \d+ MiB of memory, and it may take 512 MiB\./;

describe('a file whose malformed rows would take too much memory is refused, and says what is wrong', () => {
  it('rows with too few cells are refused', async () => {
    const message = await refusalOf('products', { 'products.csv': `${WIDE}${'A\n'.repeat(2000)}` });
    expect(message).toContain(
      'products.csv cannot be read as csv: too many of its rows are malformed: 2000 rows have more or fewer cells than its header, which ' +
        'has 200 (the first is on line 2, with 1 cell; 398000 are missing or too many in all). ',
    );
    expect(message).toMatch(ALLOWED);
    expect(message).toContain('Export it again');
  });

  it('rows with too many cells are refused', async () => {
    const good = `A,a,1${','.repeat(197)}\n`;
    const bad = `A,a,1${','.repeat(197)}${',x'.repeat(200)}\n`;
    const message = await refusalOf('products', { 'products.csv.gz': `${WIDE}${good}${bad.repeat(1500)}` });
    expect(message).toContain(
      '1500 rows have more or fewer cells than its header, which has 200 (the first is on line 3, with 400 cells; 300000 are missing or',
    );
  });

  it('rows with broken quotes are refused', async () => {
    const message = await refusalOf('products', { 'products.csv': `${WIDE}${'"A"x\n'.repeat(2000)}` });
    expect(message).toContain(
      'rows are malformed: 2000 have broken quotes or are too long (the first is on line 2). ',
    );
  });

  it('rows that are not UTF-8 are refused', async () => {
    const bad = Buffer.from('"\xe8"\n', 'latin1');
    const message = await refusalOf('products', {
      'products.ndjson': Buffer.concat([Buffer.from('{}\n'), Buffer.alloc(350_000 * bad.length, bad)]),
    });
    expect(message).toMatch(/malformed: 3\d{5} are no UTF-8 \(the first is on line 2\)\. /);
    expect(message).toContain('Save it as UTF-8.');
  });
});

it('one row is not too many, though it is long and lacks hundreds of cells', async () => {
  const header = `external_product_id,name,price${Array.from({ length: 397 }, (_, i) => `,c${i}`).join('')}\n`;
  const { rejects } = await stageFiles('products', { 'products.csv': `${header}${'x'.repeat(300_000)}\n` });
  expect(rejects).toMatchObject([{ line: 2, reason: 'is malformed: missing columns (1 instead of 400)' }]);
});

const CELLS = ['', '', 'a', 'é', ' ', '""', '"a,b"', '"a\nb"', 'a"b', ' "c"', '"x"x'];
/** DuckDB 1.5.6 does not see some of these where they are too many. */
const ODD_CELLS = [...CELLS, '"a""b"', '"d" '];

it.each([
  ['as DuckDB does', CELLS],
  ['as DuckDB does or more, where cells are odd', ODD_CELLS],
])('counts the cells that are missing, too many or broken %s, wherever a chunk ends', async (_, cells) => {
  const random = randomNumbers(250);
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  using folder = temporaryFolder();
  using session = await openSession(folder.path);
  for (let i = 0; i < runs(20); i += 1) {
    const delimiter = ([',', ';', '\t', '|'] as const)[i % 4] as Delimiter;
    const columns = between(2, 5);
    const lineEnd = i % 2 === 0 ? '\r\n' : '\n';
    const row = () =>
      Array.from({ length: between(1, columns + 3) }, () =>
        (cells[between(0, cells.length - 1)] as string).replace(',', delimiter),
      ).join(delimiter);
    const header = Array.from({ length: columns }, (_, c) => `c${c}`).join(delimiter);
    const text = [header, ...Array.from({ length: 12 }, row)].join(lineEnd) + ['', lineEnd][between(0, 1)];
    const path = join(writeFiles(join(folder.path, `${i}`), { 'a.csv': text }), 'a.csv');
    const told = await toldByDuckdb(session, path, columns, delimiter);
    const counts = [1, between(2, 9), text.length * 2].map((chunk) =>
      faultsOf(Buffer.from(text), delimiter, chunk),
    );
    expect(new Set(counts).size).toBe(1);
    if (cells === CELLS) expect([counts[0], text]).toEqual([told, text]);
    else expect(counts[0]).toBeGreaterThanOrEqual(told);
  }
});

function faultsOf(text: Buffer, delimiter: Delimiter, chunk: number): number {
  let all = 0;
  const scanner = new RecordScanner(
    { format: 'csv', delimiter },
    {
      record: (_line, _start, _end, _lines, _cells, wrong) => {
        all += wrong;
      },
      broken: ({ wrongCells, brokenCells }) => {
        all += wrongCells + brokenCells;
      },
      looksLikeRows: () => {},
    },
  );
  for (let at = 0; at < text.length; at += chunk) scanner.write(text.subarray(at, at + chunk));
  scanner.end();
  return all;
}

async function toldByDuckdb(
  session: Session,
  path: string,
  columns: number,
  delimiter: Delimiter,
): Promise<number> {
  const names = Array.from({ length: columns }, (_, c) => `'c${c}': 'varchar'`).join(', ');
  await session.rows(
    `select count(*) from read_csv(${literal(path)}, columns = {${names}}, header = true, delim = ${literal(delimiter)}, quote = '"', escape = '"',
      strict_mode = true, allow_quoted_nulls = true, auto_detect = false, store_rejects = true, rejects_limit = 0, parallel = false)`,
  );
  const { told } = await session.row('select count(*) as told from reject_errors');
  await session.run('drop table reject_errors; drop table reject_scans');
  return Number(told);
}

it('looks for the lines of the first rejects alone, as many as a list has', async () => {
  using folder = temporaryFolder();
  using session = await openSession(folder.path);
  const name = 'products.csv';
  const text = `external_product_id,name,price\n${'A,a,bad\n'.repeat(8)}`;
  const file: SourceFile = {
    name,
    format: 'csv',
    path: join(writeFiles(folder.path, { [name]: text }), name),
  };
  await session.run(
    `insert into rejects by name select 'products' as table_name, '${name}' as file, 8 - range as record from range(8)`,
  );
  await findRejectLines(session, 'products', file, 3);
  expect(await session.rows('select record, line from rejects order by record')).toEqual(
    [2, 3, 4, null, null, null, null, null].map((line, index) => ({ record: index + 1, line })),
  );
});
