import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ReasonError } from '../../errors.ts';
import { unreadable } from '../../ingest/unreadable.ts';
import { ImportError } from '../../snapshot/import-errors.ts';
import type { Meter } from '../../store/meter.ts';
import { type Writer, writeCopy } from './write-copy.ts';

/** What an archive may hold. Rows of a shop shrink to a tenth, seldom to a fiftieth. */
const LIMITS = { files: 2000, smallBytes: 2 ** 26, times: 200 } as const;

export interface Unpacked {
  readonly path: string;
  /** The name within the archive. */
  readonly name: string;
  readonly writtenAt: Date;
}

/**
 * Unpacks an archive, for the time of the import, under names of ours: no path in it leads anywhere.
 *
 * @throws ImportError when it is damaged, locked, or unpacks to far more than exports do
 */
export async function unpackZip(writer: Writer, path: string, name: string): Promise<Unpacked[]> {
  try {
    const zip = await openPromise(path, { autoClose: false });
    try {
      return await unpackEntries(writer, zip, name);
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    writer.signal?.throwIfAborted();
    throw unreadable({ name, format: 'zip' }, inOurWords(error));
  }
}

async function unpackEntries(writer: Writer, zip: ZipFile, archive: string): Promise<Unpacked[]> {
  refuseLargeZip(zip);
  writer.meter.files(archive, zip.entryCount);
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  await refuseOverlaps(zip, entries);
  const unpacked: Unpacked[] = [];
  const size = { packed: 0, unpacked: 0 };
  for (const entry of entries) {
    if (isNoExport(entry.fileName)) continue;
    if (/\.zip$/i.test(entry.fileName))
      throw new ReasonError(`it holds another archive, ${entry.fileName}; unpack that first`);
    if (entry.isEncrypted()) throw new ReasonError('it is locked with a password; unpack it first');
    // No two entries share bytes, so the archive holds them all.
    size.packed += entry.compressedSize;
    const name = `${archive}/${entry.fileName}`;
    try {
      const bytes: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
      const content = limited(bytes, size, writer.meter, { path: name, name, checksum: entry.crc32 });
      const path = await writeCopy(writer, /\.gz$/i.test(entry.fileName) ? '.gz' : '', content);
      unpacked.push({ path, name: entry.fileName, writtenAt: entry.getLastModDate() });
    } catch (error) {
      writer.signal?.throwIfAborted();
      throw unreadable({ name, format: 'zip' }, inOurWords(error));
    }
  }
  return unpacked;
}

/** What is wrong with an archive that is whole, by what the library that unpacks says of it. */
function inOurWords(error: unknown): unknown {
  const said = error instanceof Error ? error.message : '';
  const known = KNOWN.find(([text]) => text.test(said));
  return known === undefined ? error : new ReasonError(known[1], { cause: error });
}

const KNOWN: readonly (readonly [text: RegExp, words: string])[] = [
  [
    /^unsupported compression method/,
    'it is packed in a way that is not read. Pack the files anew as an ordinary zip',
  ],
  [/^multi-disk/, 'it is one part of several. Pack the files anew as one zip'],
  [/^strong encryption/, 'it is locked with a password; unpack it first'],
  [
    /^(?:invalid relative path|absolute path|invalid characters in fileName)/,
    'a file in it has a name that leads out of the archive, such as ../orders.csv or /orders.csv. Pack the files anew, without the folders above them',
  ],
];

function refuseLargeZip(zip: ZipFile): void {
  if (zip.entryCount > LIMITS.files)
    throw new ReasonError(`it holds ${zip.entryCount} files; at most ${LIMITS.files} are unpacked`);
}

/**
 * A directory may name the same bytes many times over. In an archive of files each entry has bytes of its
 * own.
 */
async function refuseOverlaps(zip: ZipFile, entries: readonly Entry[]): Promise<void> {
  const stretches: { readonly start: number; readonly end: number }[] = [];
  for (const entry of entries) {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    stretches.push({
      start: entry.relativeOffsetOfLocalHeader,
      end: fileDataStart + entry.compressedSize,
    });
  }
  stretches.sort((one, other) => one.start - other.start);
  let behind = 0;
  for (const { start, end } of stretches) {
    if (start < behind)
      throw new ReasonError(
        'several of its files lie in the same bytes, as in no real archive. Pack the files anew',
      );
    behind = end;
  }
}

/** Folders, and what systems put into archives beside what people do. */
function isNoExport(name: string): boolean {
  return name.endsWith('/') || name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX');
}

/** What the archive says of the sizes of its files is not believed: bytes are counted as they come. */
async function* limited(
  bytes: AsyncIterable<Buffer>,
  size: { readonly packed: number; unpacked: number },
  meter: Meter,
  file: { readonly path: string; readonly name: string; readonly checksum: number },
): AsyncGenerator<Buffer> {
  let ofFile = 0;
  let checksum = 0;
  for await (const chunk of bytes) {
    size.unpacked += chunk.length;
    ofFile += chunk.length;
    checksum = crc32(chunk, checksum);
    meter.unpacked(file, ofFile);
    if (size.unpacked > LIMITS.smallBytes && size.unpacked > LIMITS.times * size.packed)
      throw new ReasonError(`it unpacks to more than ${LIMITS.times} times its size, as no real export does`);
    yield chunk;
  }
  // The library that unpacks does not look: a digit that changed would be a wrong number.
  if (checksum !== file.checksum)
    throw new ReasonError('its bytes are not those that were packed: the archive is damaged. Get it again');
}
