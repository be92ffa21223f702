import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PACKAGE_FOLDER } from '../../src/version.ts';

const run = promisify(execFile);

/** The tools of the release have a lock file of their own, with the hash of each package. */
const DECLARED = join(PACKAGE_FOLDER, 'scripts/release/tools');
const CACHE = join(PACKAGE_FOLDER, 'node_modules/.cache/storesight');

/**
 * Runs a program that only a release needs; it is installed at the first use.
 *
 * @returns what it printed
 * @throws where it ends with another code than 0
 */
export async function releaseTool(
  name: 'publint' | 'attw' | 'mcpb',
  args: readonly string[],
): Promise<string> {
  const { stdout } = await run(join(await installed(), 'node_modules/.bin', name), [...args]);
  return stdout;
}

/**
 * @returns the folder that has them. Whole or not at all: several processes may install them at the same time
 */
async function installed(): Promise<string> {
  const lock = readFileSync(join(DECLARED, 'package-lock.json'));
  const folder = join(CACHE, `release-tools-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const part = await mkdtemp(`${folder}-part-`);
  for (const file of ['package.json', 'package-lock.json']) await cp(join(DECLARED, file), join(part, file));
  await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: part });
  await rename(part, folder).catch(async (error) => {
    await rm(part, { recursive: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}
