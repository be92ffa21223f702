import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InputError } from '../../errors.ts';

/** Larger than the settings of any client: Claude Code keeps its history in the same file. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The text of a settings file; empty where there is none. */
export async function readSettingsFile(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES)
      throw new InputError(`${path} has ${size} bytes; settings of at most ${MOST_BYTES} are changed`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code === 'ENOENT') return '';
    throw new InputError(`${path} cannot be read: ${error.code}`);
  }
}

/**
 * Replaces a settings file whole, or not at all. A link stays one, and what it leads to is replaced; the file
 * keeps who may read it.
 *
 * @param before what was read: a file that has changed since is left alone
 */
export async function writeSettingsFile(path: string, before: string, text: string): Promise<void> {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  const target = isThere ? await realpath(path) : path;
  const part = `${target}.${randomUUID()}.part`;
  try {
    await mkdir(dirname(target), { recursive: true });
    const { mode } = isThere ? await stat(target) : { mode: 0o600 };
    await writeFile(part, text, { mode: 0o600, flush: true });
    await chmod(part, mode & 0o777);
    if ((await readSettingsFile(target)) !== before)
      throw new InputError(`${path} was changed by another program just now; nothing was written, try again`);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    if (error instanceof InputError || !(error instanceof Error) || !('code' in error)) throw error;
    throw new InputError(`${path} cannot be written: ${error.code}`);
  }
}
