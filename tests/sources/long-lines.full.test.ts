import { describe, expect, it } from 'vitest';
import { refusalOf, translateFiles } from './translated.ts';

/**
 * A line of gigabytes is met in the same way: a file is read in pieces, and a row, an item, a document has a
 * limit.
 */
const LONG = 'x'.repeat(2 ** 24 + 1);

it('a line longer than a row may be is rejected by its line, and the others are read', async () => {
  const row = '2026-03-05 10:00:00 +0100,10,EUR';
  const csv = `Name,Created at,Total,Currency,Lineitem name\n#1,${row},Mug\n#2,${row},${LONG}\n#3,${row},Mug\n`;
  await translateFiles({ 'a.csv': csv }, async ({ rows, rejects, raw }) => {
    expect(await rows('orders', 'number')).toEqual([['#1'], ['#3']]);
    expect(rejects).toEqual([{ file: 'a.csv', line: 3, reason: expect.stringContaining('16 MiB') }]);
    expect(raw).toEqual({ read: 1, rejected: 1 });
  });
});

it('a header that never ends is refused by name', async () => {
  expect(await refusalOf({ 'a.csv': `Name,Created at,Lineitem name,${LONG}\n` })).toContain(
    'a.csv cannot be read as csv: its first line, the header row, is longer than 1 MiB',
  );
});

describe('an endless file is refused before it fills the memory, with the file, whose it is, the line, the limit, and what to do', () => {
  const endless = LONG.repeat(9);
  const order = '"financial_status":"paid","total_price":"1"';
  const orders = 'Shopify orders, products and customers, JSON of the API';

  it.each([
    [
      'a.csv',
      `Name,Created at,Total,Currency,Lineitem name\n#1,2026-03-05,10,EUR,"Mug\nblue"\n#2,2026-03-05,10,EUR,${endless}\n`,
      'a.csv (Shopify orders, CSV export of the admin): on line 4 stands a row of more than 128 MiB',
      'Export it again',
    ],
    [
      'a.ndjson',
      `{"id":1,${order}}\n{"id":2,${order},"note":"${endless}"}\n{"id":3,${order}}\n`,
      `a.ndjson (${orders}): on line 2 stands an object of more than 128 MiB`,
      'one object a line',
    ],
    [
      'a.json',
      `{"orders":[\n{"id":1,${order},"note":"${endless}"}]}`,
      `a.json (${orders}): on line 2 stands a JSON document of more than 128 MiB`,
      'several files',
    ],
    [
      'a.xml',
      `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>\n\n<item><title>${LONG}</title></item></channel></rss>`,
      'a.xml (Google Merchant product feed, XML): on line 3 stands an item of more than 16 MiB',
      'Get it again',
    ],
  ])('%s', async (name, content, words, advice) => {
    const refusal = await refusalOf({ [name]: content });
    expect(refusal).toContain(words);
    expect(refusal).toContain('nothing was imported');
    expect(refusal).toContain(advice);
  });
});

it('a JSON document over several lines is refused, too', async () => {
  const line = `{"id":1,"financial_status":"paid","total_price":"1","note":"${LONG}"},\n`;
  const orders = `{"orders":[\n${line.repeat(9)}{"id":2}]}`;
  expect(await refusalOf({ 'a.json': orders })).toContain(
    'a.json has a JSON document that is too long to be read whole',
  );
});
