import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ImportError } from './errors.ts';
import type { SourceFile } from './files.ts';

/** The bytes of a file whose name may say that it is packed. */
export function unpacked(bytes: NodeJS.ReadableStream, path: string): AsyncIterable<Buffer> {
  return (path.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes) as AsyncIterable<Buffer>;
}

/**
 * Unpacks a `.gz` file once without keeping anything, since DuckDB takes one that was cut off for a shorter file.
 *
 * @throws ImportError when it is damaged
 */
export async function checkGzip(file: SourceFile): Promise<void> {
  if (!file.path.endsWith('.gz')) return;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    await pipeline(createReadStream(file.path), createGunzip({ chunkSize: 1 << 20 }), nowhere);
  } catch (error) {
    throw new ImportError(`${file.name} cannot be unpacked: ${(error as Error).message}`);
  }
}
