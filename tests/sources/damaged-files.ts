import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { readMapping } from '../../src/sources/mapping/read-mapping.ts';
import { query } from '../ingest/shop.ts';
import { writeDuckdb } from './duckdb-file.ts';
import { ga4Event, ndjson, writeParquet } from './ga4-export.ts';
import { type Translated, translateFiles } from './translated.ts';
import { zipOf } from './zip-archive.ts';

/**
 * What every format of files is, once: its name among the files, and how the damaged bytes of it are read.
 */
export interface Format {
  readonly name: string;
  readonly bytes: Buffer;
}

const ORDERS = `order_id,ordered_at,total,email\r\n${Array.from({ length: 12 }, (_, i) => `A${i},2026-01-05T10:00:00,${i}.50,"p${i}@example.com"\r\n`).join('')}`;
const SHOPIFY = [
  { id: 1, created_at: '2026-01-05T10:00:00Z', financial_status: 'paid', total_price: '10', currency: 'EUR' },
  { id: 2, created_at: '2026-01-06T10:00:00Z', financial_status: 'paid', total_price: '5', currency: 'EUR' },
].map((order) => ({ ...order, line_items: [{ id: 7, title: 'Mug', quantity: 1, price: '10' }] }));
const FEED = `<?xml version="1.0" encoding="UTF-8"?>
<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel><title>Shop</title>
<item><g:id>S-1</g:id><title>Shirt &amp; co</title><g:price>99.00 CZK</g:price><![CDATA[ a > b ]]></item>
<item><g:id>S-2</g:id><title>Hat &#x41;</title><g:price>10.00 CZK</g:price></item>
</channel></rss>
`;
const EVENTS = [ga4Event('page_view', 0), ga4Event('purchase', 5, { value: 10, transaction_id: 'T1' })];
const MAPPING = `name: our-till
title: "Our till"
recognise: [order_id, total]
tables:
  orders:
    order_id: order_id
    ordered_at: { date: date, pattern: 'YYYY-MM-DD' }
    total: 'total'
`;

/** @param folder in which the files are made that a library writes */
export async function formats(folder: string): Promise<Format[]> {
  const parquet = join(folder, 'orders.parquet');
  await query(
    `copy (select 'A' || i as order_id, timestamp '2026-01-05 10:00:00' as ordered_at, i::double as total, 'x' as coupon_codes from range(50) r(i)) to '${parquet}' (format parquet)`,
  );
  const ga4 = await writeParquet(folder, 'ga4.parquet', EVENTS);
  const duckdb = await writeDuckdb(join(folder, 'dwh.duckdb'), [
    'create schema shop',
    `create table shop."order" as select i as id, '#' || i as name, 'paid' as financial_status, 1.5 as total_price, 'EUR' as currency,
      timestamp '2026-01-05 10:00:00' as created_at, timestamp '2026-01-05 10:00:00' as _fivetran_synced from range(20) r(i)`,
    `create table shop.order_line as select i as id, i as order_id, 1 as quantity, 1.5 as price, 'Mug' as title,
      timestamp '2026-01-05 10:00:00' as _fivetran_synced from range(20) r(i)`,
  ]);
  const text = (name: string, content: string) => ({ name, bytes: Buffer.from(content) });
  return [
    text('orders.csv', ORDERS),
    text(
      'orders.ndjson',
      ORDERS.split('\r\n')
        .slice(1, -1)
        .map((row) => JSON.stringify({ order_id: row.split(',')[0], ordered_at: '2026-01-05', total: 5 }))
        .join('\n'),
    ),
    text('export.json', JSON.stringify({ orders: SHOPIFY }, null, 1)),
    text('lines.json', SHOPIFY.map((order) => JSON.stringify(order)).join('\n')),
    text('events.ndjson', ndjson(EVENTS)),
    text('feed.xml', FEED),
    {
      name: 'utf16.csv',
      bytes: Buffer.from(
        `\uFEFFName,Total,Currency,Created at,Lineitem name\n#1,10,EUR,2026-01-05 10:00:00 +0100,Mug\n`,
        'utf16le',
      ),
    },
    { name: 'orders.csv.gz', bytes: gzipSync(ORDERS) },
    { name: 'feed.xml.gz', bytes: gzipSync(FEED) },
    {
      name: 'export.zip',
      bytes: zipOf([
        { name: 'a/orders.csv', content: ORDERS },
        { name: 'feed.xml', content: FEED },
      ]),
    },
    { name: 'orders.parquet', bytes: readFileSync(parquet) },
    { name: 'events.parquet', bytes: readFileSync(ga4) },
    { name: 'dwh.duckdb', bytes: readFileSync(duckdb) },
    text('mapping.yaml', MAPPING),
  ];
}

/** What damaged bytes are told as: why they are refused, and else what is noted and why rows are rejected. */
export async function outcomeOf({ name }: Format, bytes: Buffer): Promise<Told> {
  const folder = mkdtempSync(join(tmpdir(), 'storesight-damaged-'));
  const notes: string[] = [];
  try {
    if (name === 'mapping.yaml') readMapping(bytes.toString(), name);
    else {
      writeFileSync(join(folder, name), bytes);
      const look = ({ warnings, rejects, sources }: Translated) => {
        notes.push(...warnings, ...rejects.map(({ reason }) => String(reason)));
        notes.push(...sources.flatMap(({ assumptions }) => assumptions));
      };
      await translateFiles(folder, look, SETTINGS);
    }
    return { notes, refusal: null };
  } catch (error) {
    return { notes, refusal: error as Error };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Told {
  readonly notes: readonly string[];
  readonly refusal: Error | null;
}

const SETTINGS = { timezone: 'Europe/Prague', currency: 'EUR', encoding: 'windows-1252' };

/** The file with one bit of it turned over, and cut off, at some places that are spread over all of it. */
export function* damages(bytes: Buffer, places: number): Generator<{ what: string; bytes: Buffer }> {
  for (let number = 0; number < places; number += 1) {
    const place = Math.floor(((number + 0.5) * bytes.length) / places);
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8((bytes[place] ?? 0) ^ (1 << (number % 8)), place);
    yield { what: `bit ${number % 8} of byte ${place} turned over`, bytes: flipped };
    yield { what: `cut off at byte ${place}`, bytes: bytes.subarray(0, place) };
  }
}

/** Words of libraries, and what may not be told: calls, folders of this machine. */
const FOREIGN =
  /\b[A-Z]\w*(?:Error|Exception)\b|[a-z] Error: |\n\s+at |\/(?:tmp|work|home|root)\/|node_modules|\.\. |\bLINE \d|undefined|\[object|NaN/;

/** The sentences that refuse. What no one of them is, somebody else wrote. */
const OURS: readonly RegExp[] = [
  /^\S+ cannot be unpacked: (?:it is (?:cut off|damaged)\. Get it again|it is damaged, or its download was cut off\. Get it again|its bytes are not those that were packed: .*|it (?:is|holds) .*|a file in it has a name .*|several of its files lie in the same bytes.*)$/,
  /^\S+ cannot be read as (?:csv|ndjson): (?:its rows are not understood.*|some of its lines end with .*|its header row is malformed.*|its first line is blank.*|it is UTF-16.*)$/,
  /^\S+ cannot be read as JSON: it is no whole JSON\. Is it damaged, or was its download cut off\? Get it again$/,
  /^\S+ cannot be read as parquet: it is damaged, cut off, or written in a way that is not read\. .*$/,
  /^\S+ cannot be read as parquet: it(?: has \d+ (?:columns|groups of rows)|s (?:columns lie|footer has)) .*$/,
  /^\S+ cannot be read as DuckDB: it is damaged, or written by a newer DuckDB than this server has\. .*$/,
  /^\S+ cannot be read as XML: (?:on line \d+ (?:stands an entity|it ends |it is not well-formed)|it is not well-formed|its elements lie deeper).*$/,
  /^\S+ is (?:empty: its header row is missing|not text in the encoding \S+\. Is it damaged.*)$/,
  /^\S+: (?:the required column|the column) .*$/s,
  /^\S+ \(.+\) lacks .*$/,
  /^nothing to import was recognised\.\n(?:there is no file in .*|\S+ is not recognised: it is .*|\S+ is a DuckDB file without tables of Fivetran.*)\nWhat is known: .*$/s,
  /^(?:.+: )?something must be known that the files do not say\.\n.*$/s,
  /^mapping\.yaml line \d+: .*(?:Allowed: .*For example:|it is not YAML: .* Write it as the examples in docs\/sources\/mapping\.md).*$/s,
];

/** Fails where something is told in words that are not ours. */
export function expectOurWords({ notes, refusal }: Told, what: string): void {
  for (const text of [...notes, refusal?.message ?? '']) expect(text, what).not.toMatch(FOREIGN);
  if (refusal === null) return;
  expect(['ImportError', 'InputError'], `${what}: ${refusal.stack}`).toContain(refusal.name);
  expect(OURS.some((sentence) => sentence.test(refusal.message)) ? 'ours' : refusal.message, what).toBe(
    'ours',
  );
}
