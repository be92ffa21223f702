import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf16Of } from '../../src/ingest/encoding.ts';
import { UnansweredError } from '../../src/sources/unanswered.ts';
import { refusalOf, translateFiles } from './translated.ts';

const ORDERS = 'Name,Total,Currency,Created at,Lineitem name\n#1 Ž,10,EUR,2026-01-05 10:00:00 +0100,Mug\n';

const LE16 = Buffer.from(ORDERS, 'utf16le');
const BE16 = Buffer.from(LE16).swap16();
const LE32 = Buffer.from(Uint32Array.from([...ORDERS].map((sign) => sign.codePointAt(0) ?? 0)).buffer);
const BE32 = Buffer.from(LE32).swap32();
const withMark = (mark: readonly number[], bytes: Buffer) => Buffer.concat([Buffer.from(mark), bytes]);

describe('an export in', () => {
  it.each([
    ['UTF-16LE', 'utf-16le', withMark([0xff, 0xfe], LE16)],
    ['UTF-16BE', 'utf-16be', withMark([0xfe, 0xff], BE16)],
    ['UTF-16LE without a byte order mark', 'utf-16le', LE16],
    ['UTF-16BE without a byte order mark', 'utf-16be', BE16],
  ])('%s is read, and that is said', (_, encoding, bytes) =>
    translateFiles({ 'orders_export.csv': bytes }, async ({ rows, sources, rejects }) => {
      expect(rejects).toEqual([]);
      expect(await rows('orders', 'number, total')).toEqual([['#1 Ž', 10]]);
      expect(sources[0]?.assumptions).toContain(`orders_export.csv was read as ${encoding}`);
    }),
  );

  it.each([
    ['UTF-32LE', withMark([0xff, 0xfe, 0, 0], LE32)],
    ['UTF-32BE', withMark([0, 0, 0xfe, 0xff], BE32)],
    ['UTF-32LE without a byte order mark', LE32],
    ['UTF-32BE without a byte order mark', BE32],
  ])('%s is refused as that', async (_, bytes) => {
    for (const name of ['orders_export.csv', 'orders.csv'])
      expect(await refusalOf({ [name]: bytes })).toBe(
        `${name} cannot be read as csv: it is UTF-32, which is not read. Save it as UTF-8`,
      );
  });
});

it('a table of ours in UTF-16 is told to be one, with and without a byte order mark', async () => {
  const own = Buffer.from('external_product_id,name,price\nA,a,1\n', 'utf16le');
  for (const bytes of [own, withMark([0xff, 0xfe], own), Buffer.from(own).swap16()])
    expect(await refusalOf({ 'products.csv': bytes })).toBe(
      'products.csv cannot be read as csv: it is UTF-16. Save it as UTF-8',
    );
});

it.each([
  ['packed twice', 'orders_export.csv.gz', gzipSync(gzipSync(ORDERS))],
  ['packed, and not called so', 'orders_export.csv', gzipSync(ORDERS)],
])('a file that is %s is told what to do', async (_, name, bytes) => {
  // `refusalOf` packs what ends with .gz once.
  const content = name.endsWith('.gz') ? gzipSync(ORDERS) : bytes;
  expect(await refusalOf({ [name]: content })).toContain(
    `${name} is not recognised: it is packed with gzip. To import it, give it a name that ends with .gz; if it has one, it is packed twice: unpack it once`,
  );
});

it('a text in UTF-8 or in an encoding of one byte is not taken for UTF-16', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const bytes = Buffer.from(text.replaceAll('\0', ''));
      const isMarked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
      expect(utf16Of(bytes)).toBe(isMarked ? expect.anything() : null);
    }),
  );
});

it('asks for the encoding by words, once for those that read them alike', async () => {
  const bytes = Buffer.from(
    ORDERS.replace('Ž', '').replace('Mug', 'Hrnek \xe8ern\xfd,\xe8ern\xfd'),
    'latin1',
  );
  const refused: unknown = await translateFiles({ 'orders_export.csv': bytes }, () => undefined).catch(
    (error: unknown) => error,
  );
  // ISO 8859-2 has the same letters at these bytes as windows-1250, and the second cell shows no new letter.
  expect(refused).toBeInstanceOf(UnansweredError);
  expect((refused as UnansweredError).questions[0]?.values).toEqual([
    'windows-1252: Hrnek èerný',
    'windows-1250: Hrnek černý',
    'windows-1251: Hrnek иernэ',
    'windows-1253: Hrnek θernύ',
    'windows-1254: Hrnek èernı',
  ]);
});
