import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../ingest/staging.ts';
import { isQuick, runs } from '../support/runs.ts';
import { damages, expectOurWords, type Format, formats, outcomeOf } from './damaged-files.ts';
import { refusalOf } from './translated.ts';
import { zipOf } from './zip-archive.ts';

/** Files of each format with damage anywhere: whatever a library says of it, people read our words. */

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

let all: ReadonlyMap<string, Format>;
beforeAll(async () => {
  all = new Map((await formats(folder.path)).map((format) => [format.name, format]));
});

const NAMES = [
  ...['orders.csv', 'orders.ndjson', 'export.json', 'lines.json', 'events.ndjson', 'feed.xml', 'utf16.csv'],
  ...['orders.csv.gz', 'feed.xml.gz', 'export.zip', 'orders.parquet', 'events.parquet', 'dwh.duckdb'],
  'mapping.yaml',
];

/** Those of which a library says most; of the others a reading takes long. */
const IN_QUICK = [
  'feed.xml',
  'orders.csv.gz',
  'export.zip',
  'orders.parquet',
  'events.parquet',
  'mapping.yaml',
];

it('knows what it damages: each format is read whole', async () => {
  expect([...all.keys()]).toEqual(NAMES);
  for (const name of isQuick ? IN_QUICK : NAMES) {
    const format = all.get(name) as Format;
    expect((await outcomeOf(format, format.bytes)).refusal).toBe(null);
  }
});

it.each(isQuick ? IN_QUICK : NAMES)(
  '%s, damaged anywhere, is read or refused in words of ours',
  { timeout: 300_000 },
  async (name) => {
    const format = all.get(name) as Format;
    for (const { what, bytes } of damages(format.bytes, runs(isQuick ? 4 : 10)))
      expectOurWords(await outcomeOf(format, bytes), what);
  },
);

const ORDERS = 'Name,Total,Currency,Created at,Lineitem name\n#1,10,EUR,2026-01-05 10:00:00 +0100,Mug\n';

describe('is told which file, what is wrong and what to do, of', () => {
  const archive = zipOf([
    { name: 'a.csv', content: ORDERS },
    { name: 'b/orders.csv', content: ORDERS.repeat(40) },
  ]);
  const inside = (by: number) => {
    const damaged = Buffer.from(archive);
    const place = archive.indexOf('b/orders.csv') + 'b/orders.csv'.length + by;
    damaged.writeUInt8((damaged[place] ?? 0) ^ 0xff, place);
    return damaged;
  };

  it('an entry of an archive whose packed bytes are damaged', async () => {
    const damaged = /^export\.zip\/b\/orders\.csv cannot be unpacked: it is (damaged|cut off)/;
    expect(await refusalOf({ 'export.zip': inside(0) })).toMatch(damaged);
    expect(await refusalOf({ 'export.zip': inside(20) })).toMatch(damaged);
  });

  it('an entry that unpacks to other bytes than were packed, as long as they are', async () => {
    const other = Buffer.from(archive);
    // What the archive says of the bytes, in its directory.
    const place = other.lastIndexOf('PK\u0001\u0002', undefined, 'latin1') + 16;
    other.writeUInt32LE((other.readUInt32LE(place) ^ 1) >>> 0, place);
    expect(await refusalOf({ 'export.zip': other })).toBe(
      'export.zip/b/orders.csv cannot be unpacked: its bytes are not those that were packed: the archive is damaged. Get it again',
    );
  });

  const item = '<item><g:id>S-1</g:id><title>Mug</title><g:price>1 CZK</g:price></item>';
  const feed = (inside: string, end = '</channel></rss>') =>
    `<?xml version="1.0"?>\n<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel>\n${inside}${end}`;
  it.each([
    [
      'XML with an entity of web pages',
      feed(`${item}\n${item.replace('Mug', 'Mug&nbsp;red')}`),
      /^feed\.xml cannot be read as XML: on line 4 stands an entity that XML does not know, such as &nbsp; of web pages: .* Have the feed written/,
    ],
    [
      'XML that is cut off',
      feed(`${item}\n<item><g:id>S-2`, ''),
      /^feed\.xml cannot be read as XML: on line 4 it ends in the middle of an element\. Was its download cut off\? Get it again$/,
    ],
    [
      'XML that ends what is not open',
      feed(`${item}</shop>`),
      /^feed\.xml cannot be read as XML: on line 3 it ends an element that is not open there/,
    ],
  ])('%s', async (_, xml, message) => expect(await refusalOf({ 'feed.xml': xml })).toMatch(message));
});
