import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { refusalOf, translateFiles } from './translated.ts';
import { zipOf } from './zip-archive.ts';

const ORDERS = `Name,Total,Currency,Created at,Lineitem name
#1,10,EUR,2026-01-05 10:00:00 +0100,Mug
`;
const OWN = 'profile_id,email\nP1,ann@example.com\n';

it('reads a mix of sources and our own format, in an archive and beside it', () =>
  translateFiles(
    {
      'export.zip': zipOf([
        { name: 'exports/orders_export_1.csv', content: ORDERS },
        { name: '__MACOSX/exports/._orders_export_1.csv', content: 'junk' },
        { name: 'profiles.csv', content: OWN },
        { name: 'readme.txt', content: 'Hello' },
      ]),
      'products_export.csv': 'Handle,Title,Variant Price\nmug,Mug,10\n',
    },
    async ({ rows, sources, warnings }) => {
      expect(sources.map(({ source, files }) => [source, files])).toEqual([
        ['shopify-orders-csv', ['export.zip/exports/orders_export_1.csv']],
        ['shopify-products-csv', ['products_export.csv']],
      ]);
      expect(await rows('orders', 'total')).toEqual([[10]]);
      expect(await rows('profiles', 'profile_id')).toEqual([['P1']]);
      expect(warnings[0]).toContain('export.zip/readme.txt is not recognised');
    },
  ));

it.each([
  [
    'leads out of the folder',
    [{ name: '../../../../tmp/storesight-escaped.csv', content: ORDERS }],
    'has a name that leads out of the archive',
  ],
  [
    'is absolute',
    [{ name: '/tmp/storesight-escaped.csv', content: ORDERS }],
    'has a name that leads out of the archive',
  ],
])('a path in an archive that %s is refused, and nothing is written there', async (_, entries, reason) => {
  const message = await refusalOf({ 'export.zip': zipOf(entries) });
  expect(message).toContain('export.zip cannot be unpacked');
  expect(message).toContain(reason);
  expect(existsSync('/tmp/storesight-escaped.csv')).toBe(false);
});

const BOMB = Buffer.alloc(2 ** 27, '#1,');

it.each([
  [
    'unpacks to far more than exports do',
    zipOf([{ name: 'a.csv', content: BOMB }]),
    'more than 200 times its size',
  ],
  [
    'says less of its size than is true',
    zipOf([{ name: 'a.csv', content: ORDERS, size: 3 }]),
    'cannot be unpacked',
  ],
  ['holds another', zipOf([{ name: 'a.zip', content: 'PK' }]), 'another archive, a.zip; unpack that first'],
  ['is locked', zipOf([{ name: 'a.csv', content: ORDERS, flags: 1 }]), 'locked with a password'],
  ['is cut off', zipOf([{ name: 'a.csv', content: ORDERS }]).subarray(0, 60), 'cannot be unpacked'],
  [
    'holds thousands of files',
    zipOf(Array.from({ length: 2001 }, (_, i) => ({ name: `${i}.csv`, content: '' }))),
    'at most 2000',
  ],
])('an archive that %s is refused', async (_, archive, reason) => {
  expect(await refusalOf({ 'export.zip': archive })).toContain(reason);
});

it('refuses a workbook without sheets, and what nobody knows, with what to do', async () => {
  expect(await refusalOf({ 'orders.xlsx': zipOf([{ name: 'xl/workbook.xml', content: '<a/>' }]) })).toBe(
    'orders.xlsx cannot be read as a workbook: it has no sheet with cells that can be seen. Save its sheet as CSV, or export it again',
  );
  const message = await refusalOf({ 'holiday.jpg': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]) });
  expect(message).toBe(
    'nothing to import was recognised.\nholiday.jpg is not recognised: it is a picture. To import it, export the data itself, as CSV or JSON\n' +
      'What is known: `storesight source formats`, or docs/sources',
  );
});

it('refuses ten thousand columns, and a row without an end, by name and line', async () => {
  const columns = Array.from({ length: 10_000 }, (_, index) => `c${index}`).join(',');
  expect(await refusalOf({ 'a.csv': `${columns}\n` })).toMatch(
    /^a\.csv has more than 2000 columns, which is the most that are read\./,
  );
  await translateFiles({ 'a.csv': `${ORDERS}#2,"1\n#3,2,EUR,x,y\n` }, ({ rejects, raw }) => {
    expect(rejects).toEqual([{ file: 'a.csv', line: 3, reason: expect.stringContaining('never closed') }]);
    expect(raw).toEqual({ read: 2, rejected: 2 });
  });
});

it('keeps a formula as a text', () =>
  translateFiles(
    {
      'a.csv': ORDERS.replace('Lineitem name', 'Lineitem name,Lineitem quantity,Lineitem price').replace(
        'Mug',
        '=HYPERLINK(1),1,10',
      ),
    },
    async ({ rows }) => expect(await rows('order_items', 'name')).toEqual([['=HYPERLINK(1)']]),
  ));
