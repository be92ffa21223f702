import { expect, it } from 'vitest';
import { refusalOf, translateFiles } from './translated.ts';

/** A line of gigabytes is met in the same way: a file is read in pieces, and a row, an item, a document has a limit. */
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

it('a header, an item of a feed and a document that never end are refused by name, with what to do', async () => {
  expect(await refusalOf({ 'a.csv': `Name,Created at,Lineitem name,${LONG}\n` })).toContain(
    'a.csv cannot be read as csv: its first line, the header row, is longer than 1 MiB',
  );
  const feed = '<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><title>';
  expect(await refusalOf({ 'a.xml': `${feed}${LONG}</title></item></channel></rss>` })).toContain(
    'an item in it has more than 16 MiB',
  );
  const orders = `{"orders":[{"id":1,"financial_status":"paid","total_price":"1","note":"${LONG.repeat(9)}"}]}`;
  expect(await refusalOf({ 'a.json': orders })).toContain(
    'a.json has a JSON document that is too long to be read whole',
  );
});
