import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { firstLine, ImportError } from '../../snapshot/errors.ts';

/** What an archive may hold. Rows of a shop shrink to a tenth, seldom to a fiftieth. */
const LIMITS = { files: 2000, bytes: 2 ** 36, smallBytes: 2 ** 26, times: 200 } as const;

export interface Unpacked {
  readonly path: string;
  /** Within the archive. */
  readonly name: string;
  readonly writtenAt: Date;
}

/**
 * Unpacks an archive into a folder, under names of ours: no path in it leads anywhere.
 *
 * @throws ImportError when it is damaged, locked, or unpacks to far more than exports do
 */
export async function unpackZip(path: string, name: string, folder: string): Promise<Unpacked[]> {
  try {
    const zip = await openPromise(path);
    refuseLargeZip(zip);
    const unpacked: Unpacked[] = [];
    const size = { packed: 0, unpacked: 0 };
    for await (const entry of zip.eachEntry()) {
      if (isNoExport(entry.fileName)) continue;
      if (/\.zip$/i.test(entry.fileName))
        throw new Error(`it holds another archive, ${entry.fileName}; unpack that first`);
      if (entry.isEncrypted()) throw new Error('it is locked with a password; unpack it first');
      const target = join(folder, `${randomUUID()}${/\.gz$/i.test(entry.fileName) ? '.gz' : ''}`);
      size.packed += entry.compressedSize;
      await pipeline(
        await zip.openReadStreamPromise(entry),
        limited(size),
        createWriteStream(target, { mode: 0o600 }),
      );
      unpacked.push({ path: target, name: entry.fileName, writtenAt: writtenAt(entry) });
    }
    return unpacked;
  } catch (error) {
    throw new ImportError(`${name} cannot be unpacked: ${firstLine(error)}`, undefined, error);
  }
}

function refuseLargeZip(zip: ZipFile): void {
  if (zip.entryCount > LIMITS.files)
    throw new Error(`it holds ${zip.entryCount} files; at most ${LIMITS.files} are unpacked`);
}

/** Folders, and what systems put into archives beside what people do. */
function isNoExport(name: string): boolean {
  return name.endsWith('/') || name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX');
}

/** What the archive says of the sizes of its files is not believed: bytes are counted as they come. */
function limited(size: { readonly packed: number; unpacked: number }): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size.unpacked += chunk.length;
      if (size.unpacked > LIMITS.bytes)
        done(
          new Error(`it unpacks to more than ${LIMITS.bytes / 2 ** 30} GiB; unpack it and import its files`),
        );
      else if (size.unpacked > LIMITS.smallBytes && size.unpacked > LIMITS.times * size.packed)
        done(new Error(`it unpacks to more than ${LIMITS.times} times its size, as no real export does`));
      else done(null, chunk);
    },
  });
}

function writtenAt(entry: Entry): Date {
  return entry.getLastModDate();
}
