import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { type Files, query, readRejects, refusal, writeFiles } from './shop.ts';

let test: TestInstance;
let business: Business;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  business = await test.createBusiness();
});

afterAll(() => test[Symbol.asyncDispose]());

async function rejectedLines(files: Files): Promise<string[]> {
  const { report } = await refusal(test, business, files);
  return readRejects(report).map(([file, line, column, , reason]) =>
    [file, line, column === '' ? reason : column].join(' '),
  );
}

const HEADER = 'external_product_id,name,price\n';

describe('a rejected row is named by the line on which it starts', () => {
  it('the line is right behind cells of several lines and blank lines', async () => {
    const text = `${HEADER}A,"two\nlines",1\n\n\nB,b,bad\nC,"x\n\ny",bad\nD,d,bad\n`;
    const expected = ['products.csv 6 price', 'products.csv 7 price', 'products.csv 10 price'];
    expect(await rejectedLines({ 'products.csv': text })).toEqual(expected);
    expect(await rejectedLines({ 'products.csv': text.replaceAll('\n', '\r\n') })).toEqual(expected);
    expect(await rejectedLines({ 'products.csv.gz': `\uFEFF${text}` })).toEqual(
      expected.map((line) => line.replace('.csv', '.csv.gz')),
    );
  });

  it('quotes inside unquoted cells mean nothing', async () => {
    expect(await rejectedLines({ 'products.csv': `${HEADER}A,5" pipe,1\nB,b,bad\n` })).toEqual([
      'products.csv 3 price',
    ]);
  });

  it('around malformed records', async () => {
    const text = `${HEADER}A,a,1\nB,b\nC,c,3,4,5\nD,d,bad\n\nE,"e"x,5\nF,f,bad\nG,"g\ng",bad\nH\nI,i,bad\n`;
    expect(await rejectedLines({ 'products.csv': text })).toEqual([
      'products.csv 3 is malformed: missing columns (2 instead of 3)',
      'products.csv 4 is malformed: too many columns (5 instead of 3)',
      'products.csv 5 price',
      'products.csv 7 is malformed: text stands behind a closing quote; a quote within a cell is doubled',
      'products.csv 8 price',
      'products.csv 9 price',
      'products.csv 11 is malformed: missing columns (1 instead of 3)',
      'products.csv 12 price',
    ]);
  });

  it('a quoted cell spans lines behind a broken quote too', async () => {
    const text = `${HEADER}A,"a"x,"1\n2"\nB,b,bad\n"C"x,"c\nc"\nD,d,bad\n`;
    const broken =
      'is malformed: a quote is left open and takes in 2 lines, up to one with text behind a quote';
    expect(await rejectedLines({ 'products.csv': text })).toEqual([
      `products.csv 2 ${broken}`,
      'products.csv 4 price',
      `products.csv 5 ${broken}`,
      'products.csv 7 price',
    ]);
  });

  it('a quote that never ends is named by the line on which its row starts', async () => {
    expect(await rejectedLines({ 'products.csv': `${HEADER}A,a,bad\nB,"b,2\nC,c,3\n` })).toEqual([
      'products.csv 2 price',
      'products.csv 3 is malformed: a quote is never closed, which takes in all 2 lines to the end of the file',
    ]);
  });

  it('bytes that are not UTF-8 are named by their line', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${HEADER}A,a,1\nB,`),
      Buffer.from([0xe8]),
      Buffer.from(',2\nC,c,bad\n'),
    ]);
    expect(await rejectedLines({ 'products.csv': bytes })).toEqual([
      'products.csv 3 is malformed: invalid encoding',
      'products.csv 4 price',
    ]);
  });

  it('the line is right in NDJSON among blank lines and lines that are no object', async () => {
    const good = '{"external_product_id":"A","name":"a","price":1}';
    const bad = good.replace('1}', '"bad"}');
    const text = [
      good,
      '',
      bad,
      '{"external_product_id":',
      '[1]',
      '"text"',
      'null',
      bad,
      '',
      '   ',
      bad,
    ].join('\n');
    const expected = [
      '3 price',
      ...[4, 5, 6, 7].map((line) => `${line} is not a JSON object`),
      '8 price',
      '10 is not a JSON object',
      '11 price',
    ];
    expect(await rejectedLines({ 'products.ndjson': text })).toEqual(
      expected.map((line) => `products.ndjson ${line}`),
    );
    expect(await rejectedLines({ 'products.ndjson.gz': text })).toEqual(
      expected.map((line) => `products.ndjson.gz ${line}`),
    );
  });

  it('bytes of NDJSON that are not UTF-8 are named by their line', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"external_product_id":"A","name":"'),
      Buffer.from([0xff]),
      Buffer.from('","price":1}\n{"external_product_id":"B","name":"b","price":"bad"}\n'),
    ]);
    expect(await rejectedLines({ 'products.ndjson': bytes })).toEqual([
      'products.ndjson 1 is malformed: invalid encoding',
      'products.ndjson 2 price',
    ]);
  });

  it('each of several files has its own lines, and Parquet has the number of the row', async () => {
    const folder = writeFiles(test, {
      'products-1.csv': `${HEADER}A,a,1\nB,b,bad\n`,
      'products-2.csv': `${HEADER}C,c\n\nD,d,bad\n`,
      'products-3.ndjson': '\n{"external_product_id":"E","name":"e","price":"bad"}',
      'refunds.csv': 'refund_id,order_id,refunded_at,amount\nR,A,2024-01-01,bad\n',
    });
    await query(`copy (select i as external_product_id, 'n' as name, case when i = 2 then 'bad' else '1' end as price
      from range(1, 4) as rows(i)) to '${folder}/products-4.parquet' (format parquet)`);
    const { report } = await refusal(test, business, folder);
    expect(readRejects(report).map((cells) => cells.slice(0, 3).join(' '))).toEqual([
      'products-1.csv 3 price',
      'products-2.csv 2 ',
      'products-2.csv 4 price',
      'products-3.ndjson 2 price',
      'products-4.parquet 2 price',
      'refunds.csv 2 amount',
    ]);
    expect(report?.tables).toEqual({
      products: { read: 8, loaded: 3, rejected: 5, replaced: 0, ignored: 0, deleted: 0 },
      refunds: { read: 1, loaded: 0, rejected: 1, replaced: 0, ignored: 0, deleted: 0 },
    });
  });

  it('the line is right in a file that several threads read', async () => {
    const lines = [HEADER.trim()];
    const expected: string[] = [];
    for (let i = 0; lines.length < 400_000; i += 1) {
      if (i % 40_009 === 7) lines.push(`bad ${i},only two`);
      else if (i % 50_021 === 9) lines.push('');
      else if (i % 30_011 === 5) lines.push(`good ${i},"two`, `lines",1`);
      else if (i % 60_013 === 3) lines.push(`bad ${i},a name that makes the file longer,bad`);
      else lines.push(`good ${i},a name that makes the file longer than a buffer of the reader,1`);
    }
    for (const [index, line] of lines.entries())
      if (line.startsWith('bad ')) expected.push(String(index + 1));
    const { report } = await refusal(test, business, { 'products.csv': `${lines.join('\n')}\n` });
    expect(readRejects(report).map(([, line]) => line)).toEqual(expected);
    expect(report?.tables.products?.rejected).toBe(expected.length);
    expect(report?.tables.products?.loaded).toBe(lines.filter((line) => line.startsWith('good ')).length);
  });
});
