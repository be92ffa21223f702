import { describe, expect, it } from 'vitest';
import { refusalOf, translateFiles } from './translated.ts';
import { zipOf } from './zip-archive.ts';

const SHOPIFY = 'Shopify orders, CSV export of the admin';
const MAPPING = 'describe its columns with a mapping, which `storesight source map FILE` begins';

describe('a file that is no known export is told what it is by its content, whatever it is called', () => {
  it.each<[string, string | Buffer, string]>([
    ['a PDF', '%PDF-1.7\n%\u00e2\u00e3', 'a PDF document. To import it, export the data itself'],
    ['a workbook of Excel 97', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), 'an Excel workbook (.xls)'],
    ['a database', 'SQLite format 3\0and more', 'an SQLite database. To import it, export its tables as CSV'],
    ['a page of a sign-in', '<!DOCTYPE html><html><body>Log in</body></html>', 'a web page (HTML)'],
    ['other JSON', '{"hello": "world"}', 'JSON, with other things in it than a known export has'],
    ['unknown bytes', Buffer.from([1, 2, 3, 0, 0, 7]), 'a binary file of an unknown kind'],
    ['another table', 'a,b\n1,2\n', `a table of 2 columns. To import it, ${MAPPING}`],
    [
      'a cut export',
      'Name,Email,Created at,Total,Currency\n#1,ann@example.com,2026-01-05 10:00:00 +0100,10,EUR\n',
      `a table of 5 columns, nearest to ${SHOPIFY}, but without the column lineitem name. To import it, export it with these columns, or ${MAPPING}`,
    ],
    [
      'our own format under another name',
      'order_id,ordered_at,sum\nA,2026-01-05,10\n',
      'a table of 3 columns, nearest to our own orders (docs/import-format.md), but without the column total',
    ],
  ])('%s', async (_, content, is) => {
    const message = await refusalOf({ 'export.csv': content });
    expect(message).toContain(`export.csv is not recognised: it is ${is}`);
    expect(message.length).toBeLessThan(500);
    expect(message).not.toContain('ann@example.com');
  });

  it.each([
    'Order ID,Customer Email,Order Date,Order Total (inc tax)',
    'Order,Date,Email,Status,total,currency',
  ])('and so is a table of another system that is called as one of ours: %s', async (header) => {
    const message = await refusalOf({ 'orders.csv': `${header}\n1,2,3,4,5,6\n` });
    expect(message).toContain('orders.csv is not recognised: it is a table of');
    expect(message).toContain(MAPPING);
  });

  it('one of ours that lacks a column is told which, and the way for another system', async () => {
    const message = await refusalOf({ 'orders.csv': 'order_id,total\n1,2\n' });
    expect(message).toContain('orders.csv: the required column ordered_at is missing');
    expect(message).toContain('`storesight source map FILE`');
  });

  it('a workbook that is called otherwise', async () => {
    const archive = zipOf([{ name: 'xl/workbook.bin', content: '<a/>' }]);
    expect(await refusalOf({ 'orders.csv': archive })).toContain('orders.csv is a workbook of a spreadsheet');
  });

  it('many are counted, and beside an export they are a warning', async () => {
    const notes = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.pdf`, '%PDF-1.7']));
    const message = await refusalOf(notes);
    expect(message.match(/is a PDF document/g)).toHaveLength(3);
    expect(message).toContain('so are 2 others');
    const products = { 'p.csv': 'Handle,Title,Variant Price\nmug,Mug,10\n', 'a.pdf': '%PDF-1.7' };
    await translateFiles(products, ({ warnings }) =>
      expect(warnings).toContain(
        'a.pdf is not recognised: it is a PDF document. To import it, export the data itself, as CSV or JSON',
      ),
    );
  });
});
