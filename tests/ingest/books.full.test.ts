import { describe, expect, it } from 'vitest';
import type { Files } from './shop.ts';
import { stageFiles } from './staging.ts';

/**
 * `read = loaded + rejected + replaced + ignored`: every row of every file is one of the four, and none is
 * another.
 */

const HEADER = 'external_product_id,name,price\n';
const COUNT = 40_000;

const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `P${from + i},the name of product ${from + i},${i}\n`).join('');
const product = (id: string, name: string) =>
  `${JSON.stringify({ external_product_id: id, name, price: 1 })}\n`;

async function countsOf(files: Files) {
  const { counts, rejects } = await stageFiles('products', files);
  return [counts, rejects.map(({ line, rows, reason }) => [line, rows, reason])];
}

const counts = (read: number, loaded: number, rejected: number, replaced = 0, ignored = 0) => ({
  ...{ read, loaded, rejected, replaced, ignored, deleted: 0 },
});

describe('rows that DuckDB leaves out without a word are told', () => {
  it('a line longer than a row may be', async () => {
    const long = 'x'.repeat(17 * 2 ** 20);
    const reason = 'is longer than a row may be (16 MiB, 10000 lines)';
    for (const cell of [long, `"${long}"`]) {
      const text = `${HEADER}${lines(1000)}L,${cell},1\n${lines(1000, 1000)}`;
      expect(await countsOf({ 'products.csv': text })).toEqual([counts(2001, 2000, 1), [[1002, 1, reason]]]);
    }
    const ndjson = `${product('A', 'a')}${product('L', long)}${product('B', 'b')}`;
    expect(await countsOf({ 'products.ndjson': ndjson })).toEqual([counts(3, 2, 1), [[2, 1, reason]]]);
  });

  it('a quote that is left open takes in lines, each of which counts as a rejected row', async () => {
    const before = `${HEADER}${lines(COUNT)}L,"an open quote,1\n`;
    expect(await countsOf({ 'products.csv': `${before}${lines(COUNT, COUNT)}` })).toEqual([
      counts(2 * COUNT + 1, COUNT, COUNT + 1),
      [
        [
          COUNT + 2,
          COUNT + 1,
          `is malformed: a quote is never closed, which takes in all ${COUNT + 1} lines to the end of the file`,
        ],
      ],
    ]);
    const text = `${before}${lines(50, COUNT)}\nM,"m",1\n${lines(COUNT, COUNT)}`;
    expect(await countsOf({ 'products.csv': text })).toEqual([
      counts(2 * COUNT + 52, 2 * COUNT, 52),
      [
        [
          COUNT + 2,
          52,
          'is malformed: a quote is left open and takes in 52 lines, up to one with text behind a quote',
        ],
      ],
    ]);
  });

  it('a file in which a quote is open from the first row on holds rejected rows alone', async () => {
    expect(await countsOf({ 'products.csv': `${HEADER}L,"an open quote,1\n${lines(2)}` })).toEqual([
      counts(3, 0, 3),
      [[2, 3, 'is malformed: a quote is never closed, which takes in all 3 lines to the end of the file']],
    ]);
  });

  it('a quote left open that happens to close well is a row, with a warning', async () => {
    const text = `${HEADER}A,"an open quote,1\n${lines(5)}B,4" pipe",1\n`;
    const broken = await stageFiles('products', { 'products.csv': text });
    expect(broken.counts).toEqual(counts(7, 0, 7));
    const well = await stageFiles('products', { 'products.csv': text.replace('4" pipe', '4 pipes') });
    expect(well.counts).toEqual(counts(1, 1, 0));
    expect(well.warnings).toEqual([
      'products.csv: in some rows each line looks like a row by itself: that on line 2 with 7 lines. Is a quote left open there?',
    ]);
    const description = `${HEADER}A,"a name, long\nof two lines, or three,\n",1\n`;
    expect((await stageFiles('products', { 'products.csv': description })).warnings).toEqual([]);
  });

  it('lines of quoted cells are not taken for rows, however many threads read', async () => {
    // As large as what one thread reads, so that another begins within a cell.
    const cell = `"${lines(9000)}"`;
    const rows = Array.from({ length: 60 }, (_, i) => `R${i},${cell},1\n`).join('');
    expect(await countsOf({ 'products.csv': `${HEADER}${rows}` })).toEqual([counts(60, 60, 0), []]);
  }, 30_000);
});

describe('every file is read, whatever its name and its line ends', () => {
  it('names with a backslash, brackets, quotes, line breaks; folders like those of partitions', async () => {
    const names = [
      'a\\b',
      '[a]\\*b',
      "it's",
      'a\nb',
      '{a,b}',
      'a?',
      'é'.repeat(100),
      ' ',
      '%20',
      '$HOME',
      '~',
    ];
    const files = Object.fromEntries(
      names.map((name, index) => [
        `products-${name}.csv${index % 2 === 0 ? '' : '.gz'}`,
        `${HEADER}${lines(3, 3 * index)}`,
      ]),
    );
    const deeper = {
      'products/name=other/a.csv': `${HEADER}A,mine,1\n`,
      'products/price=7/b.csv': `${HEADER}B,mine,1\n`,
    };
    const { counts, rows } = await stageFiles('products', { ...files, ...deeper });
    expect(counts.loaded).toBe(3 * names.length + 2);
    expect(rows.filter(({ name }) => name === 'mine').map(({ price }) => String(price))).toEqual(['1', '1']);
  });

  it('LF, CRLF and CR, with and without a last one, packed or not', async () => {
    const text = `${HEADER}A,"two\nlines",1\nB,b,2\n\nC,c,3`;
    for (const end of ['\n', '\r\n', '\r']) {
      for (const last of ['', end]) {
        const written = text.replaceAll(/(?<!two)\n/g, end) + last;
        for (const name of ['products.csv', 'products.csv.gz'])
          expect(await countsOf({ [name]: written })).toEqual([counts(3, 3, 0), []]);
      }
    }
  });

  it('a header in quotes, with a line break in a name', async () => {
    const { counts, rows } = await stageFiles('products', {
      'products.csv': '\uFEFF"external_product_id", "name","my\n""own"" column",price\nA,a,x,1\n',
    });
    expect(counts.loaded).toBe(1);
    expect(rows).toMatchObject([{ external_product_id: 'A', name: 'a' }]);
  });

  it.each<[string, Files[string], string]>([
    ['UTF-16', Buffer.from(`\uFEFF${HEADER}`, 'utf16le'), 'it is UTF-16. Save it as UTF-8'],
    [
      'a header longer than 1 MiB',
      `${'x,'.repeat(2 ** 20)}\nA\n`,
      'its first line, the header row, is longer than 1 MiB',
    ],
    [
      'a header that leaves a quote open',
      `external_product_id,"name,price\n${lines(5)}`,
      'its header row is malformed',
    ],
    [
      'mixed line ends',
      `${HEADER}A,a,1\r\nB,b,2\n`,
      'some of its lines end with LF and some with CRLF; line 2 is',
    ],
    ['a lone CR', `${HEADER}A,a\rb,1\n`, 'some of its lines end with LF and some with CR; line 2 is'],
  ])('%s is refused', async (_title, content, message) => {
    await expect(stageFiles('products', { 'products.csv': content })).rejects.toThrow(
      `products.csv cannot be read as csv: ${message}`,
    );
  });

  it('more than 2000 columns are refused', async () => {
    const header = Array.from({ length: 2001 }, (_, i) => `c${i}`).join(',');
    await expect(stageFiles('products', { 'products.csv': `${header}\n` })).rejects.toThrow(
      'products.csv has more than 2000 columns, which is the most that are read',
    );
  });

  it('a packed file that grows beyond what rows do is refused', async () => {
    const zeros = Buffer.alloc(2 ** 26 + 2 ** 22, '0');
    await expect(stageFiles('products', { 'products.ndjson.gz': zeros })).rejects.toThrow(
      'it unpacks to more than 200 times its size',
    );
  });
});

describe('rows with one key', () => {
  it('are told: those with other values as replaced, by their places, the same ones as ignored', async () => {
    const {
      counts: found,
      warnings,
      rows,
    } = await stageFiles('products', {
      'products-1.csv': `${HEADER}A,a,1\nB,b,2\n\nA,a,1.0\n`,
      'products-2.ndjson': `${product('B', 'b')}${product('C', 'c')}${product('B', 'other')}${product('C', 'c')}`,
    });
    expect(found).toEqual(counts(7, 3, 0, 2, 2));
    expect(rows.map(({ external_product_id, name }) => `${external_product_id} ${name}`).sort()).toEqual([
      'A a',
      'B other',
      'C c',
    ]);
    expect(warnings).toEqual([
      'products: a later row with the same external_product_id and other values replaced 2 of the rows, for example ' +
        'products-1.csv line 3 by products-2.ndjson line 3; products-2.ndjson line 1 by products-2.ndjson line 3. ' +
        'Shops that use the same ids need a business each',
      'products: a later row says the same as 2 of the rows, which were ignored',
    ]);
  });

  it('stay apart for two shops that number alike, and for lines of an order with one number', async () => {
    const items = (shop: string) =>
      `order_id,line_no,external_product_id,quantity,unit_price\n1,1,${shop},1,5\n1,2,${shop},1,5\n1,2,${shop},2,5\n`;
    const { counts: found } = await stageFiles('order_items', {
      'order_items-1.csv': items('P'),
      'order_items-2.csv': items('Q'),
    });
    expect(found).toEqual(counts(6, 2, 0, 4));
  });

  it('are not replaced by a bad row', async () => {
    const text = `${HEADER}A,a,1\nA,a,bad\nA,a\n`;
    expect((await stageFiles('products', { 'products.csv': text })).counts).toEqual(counts(3, 1, 2));
  });
});
