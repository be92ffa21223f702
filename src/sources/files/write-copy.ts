import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Session } from '../../store/duckdb-session.ts';

/** What is needed to write something for a session. */
export type Writer = Pick<Session, 'signal' | 'meter' | 'temporaryFolder'>;

/**
 * Writes what comes to a new file, for the time of the import: the one way to unpack, re-encode and repair.
 * It ends when the import is stopped, and counts what it writes.
 *
 * @param extension of the file, for example `.csv`
 * @returns its path
 */
export async function writeCopy(
  { signal, meter, temporaryFolder }: Writer,
  extension: string,
  content: AsyncIterable<Buffer | string>,
  folder = temporaryFolder,
): Promise<string> {
  const path = join(folder, `${randomUUID()}${extension}`);
  const stop = signal === undefined ? {} : { signal };
  try {
    await pipeline(
      Readable.from(counted(meter, content)),
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
      stop,
    );
  } catch (error) {
    // Only that the signal aborted is told, and not why.
    signal?.throwIfAborted();
    throw error;
  }
  return path;
}

async function* counted(
  meter: Writer['meter'],
  content: AsyncIterable<Buffer | string>,
): AsyncGenerator<Buffer | string> {
  for await (const chunk of content) {
    meter.written(typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length);
    yield chunk;
  }
}
