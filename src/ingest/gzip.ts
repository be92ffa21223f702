import { createReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ReasonError } from '../errors.ts';
import type { Session } from '../store/duckdb-session.ts';
import type { MeteredFile } from '../store/meter.ts';

/**
 * Above `bytes` unpacked, a file more than `times` its packed size is refused as a bomb. Exports of shops
 * compress tenfold, seldom fiftyfold.
 */
export const LARGEST_UNPACKED = { bytes: 2 ** 26, times: 200 } as const;

/** Says whether a file unpacks to far more than any table would. */
export function isBomb(unpackedBytes: number, packedBytes: number): boolean {
  return unpackedBytes > LARGEST_UNPACKED.bytes && unpackedBytes > LARGEST_UNPACKED.times * packedBytes;
}

const LARGEST_CHUNK = 2 ** 20;

export function isGzip(beginning: Uint8Array): boolean {
  return beginning[0] === 0x1f && beginning[1] === 0x8b;
}

/** The reader's signal, which aborts, and its meter, which counts bytes. */
export type Reader = Pick<Session, 'signal' | 'meter'>;

/**
 * The bytes of a file whose name may say that it is packed.
 *
 * @throws Error when it is damaged, cut off, or unpacks to far more than rows do, or the import shall end
 */
export async function* unpacked({ signal, meter }: Reader, source: MeteredFile): AsyncGenerator<Buffer> {
  const { path } = source;
  let size = 0;
  for await (const chunk of chunksOf(path)) {
    signal?.throwIfAborted();
    size += chunk.length;
    meter.unpacked(source, size);
    yield chunk;
  }
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  // A small file gets no large chunks: a buffer that is mostly empty has to be collected as well.
  const chunk = Math.min(LARGEST_CHUNK, Math.max(statSync(path).size, 2 ** 10));
  const file = createReadStream(path, { highWaterMark: chunk });
  if (!path.endsWith('.gz')) {
    yield* file;
    return;
  }
  // `pipeline` passes a read error on to the gunzip stream.
  const bytes = pipeline(file, createGunzip({ chunkSize: Math.min(LARGEST_CHUNK, 16 * chunk) }), () => {});
  let size = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (isBomb(size, file.bytesRead))
      throw new ReasonError(
        `it unpacks to more than ${LARGEST_UNPACKED.times} times its size, as no real table does. If it is one, unpack it first`,
      );
    yield chunk;
  }
}
