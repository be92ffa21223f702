import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { InputError } from '../errors.ts';
import { PART } from './upload-folder.ts';
import { describeBytes, MOST_FILES } from './upload-limits.ts';

/** A connection on which nothing comes for so long counts as broken. */
const IDLE_MS = 60_000;

const READING_AWAY_MS = 60_000;

export interface Receiving {
  /** The folder into which files are written. */
  readonly folder: string;
  /** The largest that a file may be. */
  readonly fileBytes: number;
  /** Aborted when the disk is nearly full. */
  readonly full: AbortSignal;
  /** What a file is called on pages, before it has a name of its own. */
  shown(told: string): string;
  /**
   * Takes a file from where it came, when all of it is on the disk. @throws InputError in words for a person
   */
  keep(part: string, told: string, bytes: number): Promise<void>;
}

/**
 * Writes the files of a form to the disk as they come. Those that were whole before a connection broke stay.
 *
 * @returns what went wrong, for a person; null when all came
 */
export async function receiveFiles(incoming: IncomingMessage, receiving: Receiving): Promise<string | null> {
  const problems: string[] = [];
  const open = new Set<Readable>();
  let saving = Promise.resolve();
  const form = new Busboy({
    headers: { ...incoming.headers, 'content-type': incoming.headers['content-type'] ?? '' },
    limits: {
      fileSize: receiving.fileBytes,
      files: MOST_FILES,
      parts: MOST_FILES + 20,
      fields: 20,
      fieldSize: 1000,
      fieldNameSize: 100,
      headerPairs: 20,
      headerSize: 8192,
    },
  });
  form.on('file', (_field, file, told) => {
    open.add(file);
    file.once('close', () => open.delete(file));
    // Listened to at once, since the connection may break before the turn of the file comes.
    file.on('error', () => {});
    // One after the other: two of one name must not meet.
    saving = saving
      .then(() => saveFile(file, told ?? ''))
      .catch((error: unknown) => {
        if (problems.length === 0)
          problems.push(`${describeError(error)}. Files that came before it are here`);
        file.destroy();
        incoming.destroy();
      });
  });
  form.on('filesLimit', () =>
    problems.push(`at most ${MOST_FILES} files are taken at once; the others were left out`),
  );
  const idle = setTimeout(() => incoming.destroy(new Error('idle')), IDLE_MS);
  incoming.on('data', () => idle.refresh());
  const onFull = () => {
    problems.push(`${DISK_FULL}. Files that came before are here`);
    incoming.destroy(new Error(DISK_FULL));
  };
  receiving.full.addEventListener('abort', onFull);
  try {
    await pipeline(incoming, form);
  } catch {
    for (const file of open) file.destroy(new Error(BROKEN));
    if (problems.length === 0) problems.push(BROKEN);
  } finally {
    clearTimeout(idle);
    receiving.full.removeEventListener('abort', onFull);
  }
  await saving;
  return problems.length === 0 ? null : [...new Set(problems)].join('; ');

  async function saveFile(file: BusboyFileStream, told: string): Promise<void> {
    // Forms that come into one upload in the same moment write beside each other.
    const part = join(receiving.folder, `${PART}${randomUUID()}`);
    try {
      await pipeline(file, createWriteStream(part, { flags: 'wx', mode: 0o600 }));
      // An input without a choice sends a file without a name.
      if (told === '' && file.bytesRead === 0) return;
      if (file.truncated) {
        problems.push(
          `${receiving.shown(told)} is larger than ${describeBytes(receiving.fileBytes)}; zip it, or export it in parts`,
        );
        return;
      }
      await receiving.keep(part, told, file.bytesRead);
    } catch (error) {
      // The rest of the form is read too, since a browser shows no answer before it has sent everything.
      if (!(error instanceof InputError)) throw error;
      problems.push(error.message);
    } finally {
      await rm(part, { force: true });
    }
  }
}

/** Reads the rest of a form for a while, and throws it away. */
export async function readAway(incoming: IncomingMessage): Promise<void> {
  if (incoming.complete) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, READING_AWAY_MS);
  incoming
    .once('close', resolve)
    .once('end', resolve)
    .on('error', () => {})
    .resume();
  await promise;
  clearTimeout(timer);
}

const BROKEN = 'the connection broke before all had come';

const DISK_FULL = 'the disk of this server is full';

function describeError(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return DISK_FULL;
  return BROKEN;
}
